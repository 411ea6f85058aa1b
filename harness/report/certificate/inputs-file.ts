import { join } from 'node:path'
import * as z from 'zod'
import { EFFECTS } from '../../evidence/exchange.ts'
import { messageOf } from '../../evidence/errors.ts'
import { MOST_OF_A_RUN, readInputFile } from '../../evidence/input-file.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { SCOPE_NAMES } from '../../plan/scope.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { createRedactor, type KnownSecret } from '../../evidence/redaction.ts'
import { writeWhole } from '../output-folder.ts'
import type { Profile } from '../../profile/schema.ts'

/**
 * `inputs.json`: what a run was given. From it follows which requirements and facets had to be judged. The profile has
 * pseudonyms in place of its secrets and of personal data.
 */

/** The whole profile is validated where it is loaded. */
const profile = z.custom<Profile>(
  (value) =>
    z
      .looseObject({ name: z.string(), applications: z.array(z.unknown()), basePaths: z.unknown() })
      .safeParse(value).success,
  'it is not a profile',
)

const inputsSchema = z.strictObject({
  format: z.literal(1),
  embedded: z.boolean(),
  profile,
  options: z.strictObject({
    scope: z.enum(SCOPE_NAMES),
    only: z.array(z.string()),
    skip: z.array(z.string()),
    allow: z.array(z.enum(EFFECTS)),
    seed: z.int(),
    runs: z.int(),
    time: z.enum(['auto', 'wall']),
    webhookUrl: z.string().optional(),
    strict: z.boolean(),
  }),
  waivers: z.array(
    z.strictObject({ requirement: z.string(), reason: z.string(), owner: z.string(), expires: z.string() }),
  ),
  /** How the run ended, as far as it does not follow from the records. */
  ending: z.strictObject({
    interrupted: z.boolean(),
    /** Why the target could not be reached, and the exchanges that show it. */
    unreachable: z.strictObject({ because: z.string(), exchanges: z.array(z.string()) }).optional(),
    /** The disk was full. */
    unkept: z.boolean(),
  }),
  /** The command with the options that name the target. */
  reproduceBase: z.string(),
})

export type Inputs = z.output<typeof inputsSchema>

export const sanitizeProfile = (given: Profile, secrets: readonly KnownSecret[]): Profile => {
  const redactor = createRedactor(secrets, given)
  const hide = (value: unknown): unknown => {
    if (typeof value === 'string') return redactor.value(value)
    if (Array.isArray(value)) return value.map(hide)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hide(member)]))
  }
  return hide(given) as Profile
}

export const writeInputs = (outDir: string, inputs: Inputs): void =>
  writeWhole(join(outDir, OUTPUT.inputs), `${JSON.stringify(inputsSchema.parse(inputs), null, 2)}\n`)

/** @throws ConfigurationError if there is no such file, or it is of another version. */
export const readInputs = (outDir: string): Inputs => {
  const file = join(outDir, OUTPUT.inputs)
  let json: unknown
  try {
    json = JSON.parse(readInputFile(file, MOST_OF_A_RUN))
  } catch (error) {
    throw new ConfigurationError(`${file}: ${messageOf(error)}; pass the folder of a run`)
  }
  const parsed = inputsSchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new ConfigurationError(`${file} is damaged, or of another version: ${z.prettifyError(parsed.error)}`)
}
