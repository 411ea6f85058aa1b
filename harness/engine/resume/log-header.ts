import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { keyOf, createSeal } from '../../evidence/seal.ts'

/** The first line of a log: what identifies the run, in plain text. All of it is bound to its proof, so that only a holder of the secrets can write it. */

const headerSchema = z.strictObject({
  format: z.literal(2),
  suite: z.strictObject({ name: z.string(), version: z.string(), catalogueDigest: z.string() }),
  profileDigest: z.string(),
  baseUrl: z.string(),
  seed: z.int(),
  argv: z.array(z.string()),
  startedAt: z.iso.datetime(),
  /** The relation of the target's time to that of this machine. */
  pace: z.strictObject({ origin: z.number(), speed: z.number().positive() }),
  /** The salt of the key of all other lines, which is derived from the secrets of the profile. */
  salt: z.string(),
  /** A known text, encrypted with that key for exactly the other members. */
  proof: z.string(),
})

export type Header = z.output<typeof headerSchema>

/** The object itself is used, and not a copy: the proof depends on the order of its members. */
export const isHeader = (value: unknown): value is Header => headerSchema.safeParse(value).success

const KNOWN_TEXT = 'conformance'

export const createHeader = async (
  about: Omit<Header, 'format' | 'salt' | 'proof'>,
  secrets: readonly string[],
): Promise<{ readonly header: Header; readonly key: Buffer }> => {
  const salt = randomBytes(16)
  const key = await keyOf(secrets, salt)
  const bound = { format: 2 as const, ...about, salt: salt.toString('base64') }
  return { header: { ...bound, proof: createSeal(key, JSON.stringify(bound)).close(KNOWN_TEXT, 0) }, key }
}

/** The key of a log; undefined if it was written with other secrets, or its header was changed. */
export const keyFor = async (
  { proof, ...bound }: Header,
  secrets: readonly string[],
): Promise<Buffer | undefined> => {
  const key = await keyOf(secrets, Buffer.from(bound.salt, 'base64'))
  try {
    createSeal(key, JSON.stringify(bound)).open(proof, 0)
    return key
  } catch {
    return undefined
  }
}
