import { credentialOf, isSecretText, natureAt } from './secret-positions.ts'
import type { Nature, Path } from './secret-positions.ts'
import { nearest } from './nearest.ts'
import { showPath } from './show.ts'

/** A profile with its `env:NAME` values read, and what was found on the way. */
export interface ResolvedSecrets {
  readonly value: unknown
  readonly problems: readonly string[]
  /** What asks to be read from the environment where nothing is, by its key. */
  readonly misplaced: readonly { readonly key: string; readonly problem: string }[]
  /** Every secret value, the longest first, so that none is hidden in part by a shorter one. */
  readonly secrets: readonly string[]
  /** The keys whose secrets stand in the profile itself. */
  readonly plain: readonly { readonly key: string; readonly value: string }[]
  readonly warnings: readonly string[]
  /** The places whose values are secret. */
  readonly hidden: readonly Path[]
}

interface Findings {
  readonly env: NodeJS.ProcessEnv
  readonly problems: string[]
  readonly misplaced: { readonly key: string; readonly problem: string }[]
  readonly secrets: Set<string>
  readonly plain: { readonly key: string; readonly value: string }[]
  readonly warnings: string[]
  readonly hidden: Path[]
  /** The lists and objects that the visited value stands in. */
  readonly above: object[]
}

/** Reads every `env:NAME` of a profile that nobody has checked yet, so that all problems can be told at once. */
export const resolveSecrets = (input: unknown, env: NodeJS.ProcessEnv): ResolvedSecrets => {
  const found: Findings = {
    env,
    problems: [],
    misplaced: [],
    secrets: new Set(),
    plain: [],
    warnings: [],
    hidden: [],
    above: [],
  }
  const value = visit(input, [], found)
  const { problems, misplaced, plain, warnings, hidden } = found
  const secrets = [...found.secrets].sort((a, b) => b.length - a.length)
  return { value, problems, misplaced, secrets, plain, warnings, hidden }
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
  const copy = visitWithin(value, path, found)
  found.above.pop()
  return copy
}

/** An instance of a class becomes plain data too, or its secrets would be overlooked. */
const visitWithin = (value: object, path: Path, found: Findings): unknown =>
  Array.isArray(value)
    ? value.map((item: unknown, at) => visit(item, [...path, at], found))
    : Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key], found)]),
      )

/** A PIN in the body of a test hook need not be a text. */
const noteNumber = (value: number, path: Path, found: Findings): number => {
  const nature = natureAt(path)
  if (nature !== undefined && isSecretText(nature, nameAt(path), String(value))) {
    notePlain(String(value), path, found)
  }
  return value
}

const resolveText = (text: string, path: Path, found: Findings): string => {
  const nature = natureAt(path)
  if (nature === undefined) {
    if (/^env:/.test(text)) found.misplaced.push(notReadAt(showPath(path)))
    return text
  }
  const resolved = readVariables(text, nature, path, found)
  if (resolved !== text) found.hidden.push(path)
  else if (isSecretText(nature, nameAt(path), text)) notePlain(text, path, found)
  return resolved
}

const notReadAt = (key: string): ResolvedSecrets['misplaced'][number] => ({
  key,
  problem: `\`${key}\` is not read from the environment; write its value here, and \`env:NAME\` for credentials, header values and the bodies of test hooks alone`,
})

const notePlain = (text: string, path: Path, found: Findings): void => {
  keep(text, found)
  found.plain.push({ key: showPath(path), value: text })
  found.hidden.push(path)
}

/** A credential is a variable as a whole; a header or a text may hold one among other words: `Bearer env:TOKEN`. */
const readVariables = (text: string, nature: Nature, path: Path, found: Findings): string => {
  const reference = nature === 'secret' || nature === 'identifier' ? /^env:(.*)$/gs : /(?<!\S)env:(\S*)/g
  return text.replaceAll(reference, (_, name: string) => readVariable(name, path, found))
}

const readVariable = (name: string, path: Path, found: Findings): string => {
  const key = showPath(path)
  const value = /^[A-Za-z_]\w*$/.test(name) ? found.env[name] : undefined
  if (value === undefined || value.trim() === '') {
    found.problems.push(`\`${key}\` ${whyUnread(name, value, found.env)}`)
    // A text of its own has to stand here, or the same key would be complained of again.
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

/** Without blanks, so that it is recognised wherever a blank is taken off. */
const keep = (value: string, found: Findings): void => {
  const credential = credentialOf(value.trim())
  if (credential !== '') found.secrets.add(credential)
}

const whyUnread = (name: string, value: string | undefined, env: NodeJS.ProcessEnv): string => {
  // The text behind "env:" is not quoted: somebody may have put the secret itself there.
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    return 'names no variable; write `env:` and the name of a variable (letters, digits, _) without a blank between'
  }
  if (value !== undefined) return `is read from the variable ${name}, which is empty; set it to the value`
  const near = nearest(name, Object.keys(env))
  return `is read from the variable ${name}, which is not set; ${near === undefined ? 'set it' : `set it, or did you mean ${near}?`}`
}

const nameAt = (path: Path): string => path.filter((key) => typeof key === 'string').at(-1) ?? ''
