import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { ConfigurationError } from './configuration-error.ts'
import { crossCheck } from './cross-checks.ts'
import { describeIssues, isUnknownIn } from './messages.ts'
import { isModule, readProfileFile } from './read-file.ts'
import { loadSignature } from './signature.ts'
import { profileSchema, type Profile, type ProfileInput } from './schema.ts'
import { hideSecrets, resolveSecrets, type Path } from './secrets.ts'

/**
 * SHA-256 of a profile without its secret values, in hex: two profiles with one digest ask the same of a target. The
 * order of keys, comments and the form of the file make no difference.
 */
const digestProfile = (profile: unknown, hidden: readonly Path[]): string => {
  const places = new Set(hidden.map(placeOf))
  return createHash('sha256')
    .update(canonical(profile, [], places))
    .digest('hex')
}

const placeOf = (path: Path): string => JSON.stringify(path.map(String))

const canonical = (value: unknown, path: Path, hidden: ReadonlySet<string>): string => {
  if (hidden.has(placeOf(path))) return '"secret"'
  if (Array.isArray(value))
    return `[${value.map((item, at) => canonical(item, [...path, at], hidden)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item, [...path, key], hidden)}`)
  return `{${members.join()}}`
}

export interface LoadedProfile {
  readonly profile: Profile
  /** The path as given by the user; the origin of a profile without a file. */
  readonly file: string
  /** SHA-256 of the canonical profile without its secret values, in hex. */
  readonly digest: string
  /** Sentences for the user; they do not stop a run. */
  readonly warnings: readonly string[]
  /** Every secret value, the longest first: no artefact may contain one. */
  readonly secrets: readonly string[]
  /** The environment variable of each key that is read from one. */
  readonly variables: ReadonlyMap<string, string>
}

/**
 * Loads a profile from a file: .ts, .js or .mjs (the default export), .json, .yaml or .yml.
 * @param file relative to the working directory, or absolute.
 * @param env the source of `env:NAME` values.
 * @throws ConfigurationError with all its problems.
 */
export const loadProfile = async (file: string, env: NodeJS.ProcessEnv): Promise<LoadedProfile> => {
  const input = await readProfileFile(file)
  const set = new Set(Object.values(env))
  const loaded = settle(input, env, file, ({ value }) => !(isModule(file) && set.has(value)))
  const { payments } = loaded.profile
  if (payments?.signature === undefined) return loaded
  const signature = resolve(dirname(resolve(file)), payments.signature)
  await loadSignature(signature)
  return { ...loaded, profile: { ...loaded.profile, payments: { ...payments, signature } } }
}

/**
 * Resolves a profile that was created by a program: checks it, reads its `env:NAME` values and fills in the defaults.
 * Its secrets are in no file, so that plain text needs no warning.
 * @param origin its name in messages: "the reference bank".
 * @throws ConfigurationError with all its problems.
 */
export const resolveProfile = (input: ProfileInput, env: NodeJS.ProcessEnv, origin: string): LoadedProfile =>
  settle(input, env, origin, () => false)

type Plain = ReturnType<typeof resolveSecrets>['plain'][number]

const settle = (
  input: unknown,
  env: NodeJS.ProcessEnv,
  file: string,
  isWritten: (plain: Plain) => boolean,
): LoadedProfile => {
  const resolved = resolveSecrets(input, env)
  const { secrets, hidden, variables } = resolved
  const hide = (sentences: readonly string[]): readonly string[] =>
    sentences.map((sentence) => hideSecrets(sentence, secrets))
  const checked = profileSchema.safeParse(resolved.value)
  const cross = checked.success ? crossCheck(checked.data) : undefined
  const found = checked.error?.issues ?? []
  const issues = describeIssues(found, resolved.value)
  // The value of an unknown key may be anything, also a secret.
  const misplaced = resolved.misplaced.filter((key) => !isUnknownIn(found, key))
  const written = resolved.plain.filter(isWritten)
  const keys = written.filter(({ key }) => key === KEEP_KEY).map(({ key }) => plainKey(key, file))
  const problems = [
    ...issues,
    ...resolved.problems,
    ...misplaced.map(
      (key) =>
        `\`${key}\` is not read from the environment; write its value here, and \`env:NAME\` only for credentials, header values and the bodies of test hooks`,
    ),
    ...keys,
    ...(cross?.problems ?? []),
  ]
  if (!checked.success || problems.length > 0) {
    throw new ConfigurationError(hide(problems), `the profile ${file} cannot be used`)
  }
  return {
    profile: checked.data,
    file,
    digest: digestProfile(checked.data, hidden),
    warnings: hide([
      ...written.map((plain) => plainText(plain, file)),
      ...resolved.warnings,
      ...(cross?.warnings ?? []),
    ]),
    secrets,
    variables,
  }
}

/** A key next to the data that it decrypts gives no protection. */
const KEEP_KEY = 'authorization.keep.key'

const plainKey = (key: string, file: string): string =>
  `\`${key}\` is plain text in ${file}; write \`env:NAME\` instead and set the variable NAME: a key is only read from the environment`

const plainText = ({ key }: Plain, file: string): string =>
  `\`${key}\` is plain text in ${file}; write \`env:NAME\` instead and set the variable NAME`

/**
 * A profile in TypeScript, checked by the editor while it is written:
 *
 * ```ts
 * export default defineProfile({
 *   name: 'Example Bank, sandbox',
 *   baseUrl: 'https://api.bank.example',
 *   applications: [{ name: 'shop', kind: 'TPP', clientId: 'env:BANK_CLIENT_ID', … }],
 * })
 * ```
 *
 * It returns its argument. Values are checked, and `env:NAME` read from the environment, when a run loads the
 * file.
 */
export const defineProfile = (profile: ProfileInput): ProfileInput => profile
