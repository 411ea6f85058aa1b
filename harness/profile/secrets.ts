import { showUrl } from './configuration-error.ts'
import { nearest } from './nearest.ts'

/** The path of a value in a profile: keys and indices from its root. */
export type Path = readonly PropertyKey[]

/**
 * The kind of a text at such a path. `secret`: always one. `identifier`: a name that is hidden from reports only if it was
 * read from the environment. `header` and `named`: judged by the name and the form of the value.
 */
type SecretKind = 'secret' | 'identifier' | 'header' | 'named'

/** `*` is any key or index, `**` any rest. `env:NAME` is read only at these paths. */
const POSITIONS: readonly (readonly [pattern: string, nature: SecretKind])[] = [
  ['applications.*.clientId', 'identifier'],
  ['applications.*.clientSecret', 'secret'],
  ['applications.*.environments.*.clientId', 'identifier'],
  ['applications.*.environments.*.clientSecret', 'secret'],
  ['customers.*.username', 'identifier'],
  ['customers.*.password', 'secret'],
  ['customers.*.fields.*', 'secret'],
  ['authorization.tokens.*.accessToken', 'secret'],
  ['authorization.tokens.*.refreshToken', 'secret'],
  ['authorization.tokens.*.consentId', 'identifier'],
  ['authorization.keep.key', 'secret'],
  ['authorization.pages.*.fill.*', 'named'],
  ['operations.token.refreshForm.*', 'named'],
  ['loans.token.form.*', 'named'],
  ['payments.token.form.*', 'named'],
  ['payments.headers.*', 'header'],
  ['webhooks.configured.*.securityHeader', 'secret'],
  ['connection.passphrase', 'secret'],
  ['connection.proxy', 'identifier'],
  ['headers.*', 'header'],
  ['testHooks.*.headers.*', 'header'],
  ['testHooks.*.body.**', 'named'],
  ['testHooks.*.environments.*.headers.*', 'header'],
  ['testHooks.*.environments.*.body.**', 'named'],
]

const RULES = POSITIONS.map(([pattern, nature]) => ({ keys: pattern.split('.'), nature }))

/** The kind of a text at this path; undefined if it cannot be a secret. */
export const secretKindAt = (path: Path): SecretKind | undefined =>
  RULES.find(({ keys }) => matches(keys, path))?.nature

const matches = (keys: readonly string[], path: Path): boolean => {
  const open = keys.at(-1) === '**'
  if (open ? path.length < keys.length : path.length !== keys.length) return false
  return keys.every((key, at) => key === '**' || key === '*' || key === path[at])
}

const CREDENTIAL = /auth|cookie|credential|jwt|key|passw|\bpin\b|\botp\b|secret|session|signature|token/i
/** Names of what a bank asks a customer for once more. */
const TYPED_SECRET = /answer|code|sms|tan$/i
const HARMLESS =
  /^(accept|accept-.*|cache-control|connection|content-.*|date|host|origin|pragma|prefer|psu-.*|referer|(x-)?request-id|user-agent)$/i
const PLACEHOLDER = /\{[A-Za-z_]\w*\}/g
/** A shorter value is not a credential, and hiding it everywhere would make reports unreadable. */
const SHORTEST_KEY = 8

/** Whether a text in the profile file must be hidden in every report. */
const isSecretText = (nature: SecretKind, name: string, text: string): boolean => {
  const credential = credentialOf(text.replaceAll(PLACEHOLDER, '')).trim()
  if (credential === '') return false
  switch (nature) {
    case 'secret':
      return true
    case 'identifier':
      return false
    case 'named':
      return CREDENTIAL.test(name)
    case 'header':
      return !HARMLESS.test(name) && (CREDENTIAL.test(name) || seemsGenerated(credential))
  }
}

/** Whether a header that is sent must be hidden in every report. */
export const isSecretHeader = (name: string, value: string): boolean => isSecretText('header', name, value)

/** A word such as "production" is not a key of a gateway. */
const seemsGenerated = (text: string): boolean => text.length >= SHORTEST_KEY && !/^[a-z]+$/i.test(text)

/** The secret part of a value of an Authorization header: it may occur without its scheme. */
const credentialOf = (text: string): string => text.replace(/^(basic|bearer|digest)(\s+|$)/i, '')

const LONGEST = 60

export const showPath = (path: Path): string => path.map((key) => clip(String(key))).join('.')

/** The kind of a value, in words for the author of a profile. */
export const showKind = (value: unknown): string => {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'number':
    case 'bigint':
      return 'a number'
    case 'boolean':
      return `${value}`
    case 'function':
      return 'a function'
    default:
      return value instanceof Promise ? 'a promise' : 'an object'
  }
}

/** A value that is not secret, cut to a readable length; lists and objects only by their kind. */
export const showValue = (value: unknown): string => {
  if (typeof value === 'string') return value.includes('://') ? showUrl(value) : JSON.stringify(clip(value))
  return typeof value === 'number' ? String(value) : showKind(value)
}

/** Hides secrets that are in a sentence for another reason: a name that equals a password, for instance. */
export const hideSecrets = (sentence: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= SHORTEST_HIDDEN)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .reduce((text, secret) => text.replaceAll(secret, '[secret]'), sentence)

/** A shorter secret may occur in ordinary words by chance. */
const SHORTEST_HIDDEN = 4

const clip = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** What is found on the way; nothing yet. */
const noFindings = (env: NodeJS.ProcessEnv) => ({
  env,
  problems: [] as string[],
  /** Keys with `env:NAME` at paths that are not read from the environment. */
  misplaced: [] as string[],
  secrets: new Set<string>(),
  /** The keys whose secrets are in the profile file. */
  plain: [] as { readonly key: string; readonly value: string }[],
  warnings: [] as string[],
  hidden: [] as Path[],
  /** The environment variable of each key that is read from one. */
  variables: new Map<string, string>(),
  /** The lists and objects that contain the visited value. */
  above: [] as object[],
})

type Findings = ReturnType<typeof noFindings>

/**
 * A profile with its `env:NAME` values read, and the problems found. Before its validation, so that all problems can be
 * reported at once.
 */
export const resolveSecrets = (input: unknown, env: NodeJS.ProcessEnv) => {
  const found = noFindings(env)
  const value = visit(input, [], found)
  // The longest first, so that none is hidden in part by a shorter one.
  const secrets = [...found.secrets].sort((a, b) => b.length - a.length)
  return { ...found, value, secrets }
}

const visit = (value: unknown, path: Path, found: Findings): unknown => {
  if (typeof value === 'string') return resolveText(value, path, found)
  if (typeof value === 'number') return noteNumber(value, path, found)
  if (typeof value !== 'object' || value === null) return value
  if (found.above.includes(value)) {
    found.problems.push(`\`${showPath(path)}\` contains itself; take the cycle out of it`)
    return undefined
  }
  found.above.push(value)
  // An instance of a class is also converted to plain data; otherwise its secrets would be missed.
  const copy = Array.isArray(value)
    ? value.map((item: unknown, at) => visit(item, [...path, at], found))
    : Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key], found)]),
      )
  found.above.pop()
  return copy
}

/** A PIN in the body of a test hook may be a number. */
const noteNumber = (value: number, path: Path, found: Findings): number => {
  const nature = secretKindAt(path)
  if (nature !== undefined && isSecretText(nature, nameAt(path), String(value))) {
    notePlain(String(value), path, found)
  }
  return value
}

const resolveText = (text: string, path: Path, found: Findings): string => {
  const nature = secretKindAt(path)
  if (nature === undefined) {
    if (/^env:/.test(text)) found.misplaced.push(showPath(path))
    return text
  }
  const resolved = readVariables(text, nature, path, found)
  if (resolved !== text) found.hidden.push(path)
  else if (isSecretText(nature, nameAt(path), text)) notePlain(text, path, found)
  return resolved
}

const notePlain = (text: string, path: Path, found: Findings): void => {
  keep(text, found)
  // What a customer types besides is hidden, and often no secret: a language, the number of a branch.
  const isTyped = path[0] === 'customers' && path[2] === 'fields'
  if (!isTyped || CREDENTIAL.test(nameAt(path)) || TYPED_SECRET.test(nameAt(path)))
    found.plain.push({ key: showPath(path), value: text })
  found.hidden.push(path)
}

/** A credential is exactly one variable; a header or another text may contain one among other words: `Bearer env:TOKEN`. */
const readVariables = (text: string, nature: SecretKind, path: Path, found: Findings): string => {
  const reference = nature === 'secret' || nature === 'identifier' ? /^env:(.*)$/gs : /(?<!\S)env:(\S*)/g
  return text.replaceAll(reference, (_, name: string) => readVariable(name, path, found))
}

const readVariable = (name: string, path: Path, found: Findings): string => {
  const key = showPath(path)
  found.variables.set(key, name)
  const value = /^[A-Za-z_]\w*$/.test(name) ? found.env[name] : undefined
  if (value === undefined || value.trim() === '') {
    found.problems.push(`\`${key}\` ${whyUnread(name, value, found.env)}`)
    // A placeholder text is needed here; otherwise the schema would report the same key again.
    return `unread-${key}`
  }
  if (value !== value.trim()) {
    found.warnings.push(
      `the variable ${name} of \`${key}\` begins or ends with a blank or a line break; is it meant?`,
    )
  }
  keep(value, found)
  return value
}

/** Without spaces, so that it is also recognised after trimming. */
const keep = (value: string, found: Findings): void => {
  const credential = credentialOf(value.trim())
  if (credential !== '') found.secrets.add(credential)
}

const whyUnread = (name: string, value: string | undefined, env: NodeJS.ProcessEnv): string => {
  // The text after "env:" is not quoted: it may be the secret itself.
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    return 'names no variable; write `env:` and the name of a variable (letters, digits, _) without a blank between'
  }
  if (value !== undefined) return `is read from the variable ${name}, which is empty; set it to the value`
  const near = nearest(name, Object.keys(env))
  return `is read from the variable ${name}, which is not set; ${near === undefined ? 'set it' : `set it, or did you mean ${near}?`}`
}

const nameAt = (path: Path): string => path.filter((key) => typeof key === 'string').at(-1) ?? ''
