import { isDeepStrictEqual } from 'node:util'
import { findingOf, type Findings } from '../../connection/first-contact/finding.ts'
import { operationsOf } from '../../profile/operations.ts'
import { choose, valueAt, profileJsonSchema, type SchemaNode } from '../../profile/json-schema.ts'
import type { ExaminedTarget, Examination } from '../../connection/first-contact/examination.ts'
import type { Profile } from '../../profile/schema.ts'

/** Lists the bindings that are guesses: defaults that were observed at another service, not at this target. */

/** The parts of a profile with bindings that the interface does not define. */
const PARTS = [
  'basePaths',
  'scopes',
  'authorization',
  'operations',
  'secondVariant',
  'payments',
  'loans',
] as const

const OF_THE_RUN =
  /^(authorization\.(kind|limit)|payments\.(amount|currency|facts|provocations|rejectedAtSubmission)|loans\.(timing|scenario\.limit))/

/** Values that the interface defines, in addition to paths and base paths. */
const DOCUMENTED: Readonly<Record<string, unknown>> = {
  'scopes.accounts': 'PREMIUM_AIS',
  'operations.createConsent.requestIdHeader': 'X-Request-ID',
}

interface Guess {
  readonly key: string
  readonly value: unknown
}

/** The keys of paths and base paths whose values the interface defines (Endpoints). */
const documentedPaths = (profile: Profile): ReadonlySet<string> =>
  new Set(
    operationsOf(profile).flatMap(({ key, path, documented, bases }) => [
      ...(path === documented ? [`${key}.path`] : []),
      ...bases.filter((base) => base.path === base.documented).map((base) => base.key),
    ]),
  )

/** Keys that are not used where the profile says that the target has another way. */
const unusedIn = ({ payments, loans, applications }: Profile): readonly string[] => [
  ...(applications.some(({ redirectUris }) =>
    redirectUris.some(({ delivery }) => delivery === 'result-screen'),
  )
    ? []
    : ['authorization.code']),
  ...(loans?.scenario.kind === 'call' && loans.scenario.link !== undefined ? ['loans.scenario.path'] : []),
  ...(loans?.scenario.kind === 'call' && loans.scenario.methodIn !== undefined
    ? ['loans.scenario.method']
    : []),
  ...(payments?.authentication === 'bearer' ? [] : ['payments.token.']),
  ...(payments?.approval === undefined ? [] : ['payments.authorize.', 'payments.submission.token']),
  ...(payments?.authentication !== 'bearer' && payments?.approval !== undefined
    ? ['payments.oauthBasePaths.']
    : []),
]

const guessesOf = ({ profile, written }: ExaminedTarget): readonly Guess[] => {
  const paths = documentedPaths(profile)
  const unused = unusedIn(profile)
  const isGuess = (node: SchemaNode, path: readonly string[], key: string, value: unknown): boolean => {
    if (node.default === undefined || OF_THE_RUN.test(key) || paths.has(key)) return false
    if (unused.some((prefix) => key.startsWith(prefix))) return false
    if (Object.hasOwn(DOCUMENTED, key) && isDeepStrictEqual(value, DOCUMENTED[key])) return false
    // A default that is written in the profile counts as verified.
    return written === undefined
      ? isDeepStrictEqual(value, node.default)
      : valueAt(written, path) === undefined
  }
  const guessesBelow = (node: SchemaNode, path: readonly string[]): readonly Guess[] => {
    const value = valueAt(profile, path)
    if (value === undefined) return []
    const { properties } = choose(node, value)[0] ?? node
    if (properties !== undefined)
      return Object.entries(properties).flatMap(([key, inner]) => guessesBelow(inner, [...path, key]))
    const key = path.join('.')
    return isGuess(node, path, key, value) ? [{ key, value }] : []
  }
  const { properties = {} } = profileJsonSchema()
  return PARTS.flatMap((part) => guessesBelow(properties[part] ?? {}, [part]))
}

/** Relative to the working directory, as the folders of runs are. */
export const DEFAULTS_FILE = 'reports/doctor/defaults.txt'

/** One finding, whose file lists the keys. */
export const examineBindings = ({ target }: Pick<Examination, 'target'>): Findings => {
  const guesses = guessesOf(target)
  if (guesses.length === 0) return []
  const shows = guesses.map(({ key, value }) => `${key}: ${JSON.stringify(value)}`)
  const [keys, them] =
    guesses.length === 1
      ? ['One key has a default value', 'it']
      : [`${guesses.length} keys have default values`, 'them']
  const cause = `${keys}; compare ${them} with the bank's documentation: ${DEFAULTS_FILE}`
  return [findingOf('CFG-BIND-1', { cause, shows, file: DEFAULTS_FILE, next: '' })]
}

const PERSONAL_DATA: Readonly<Record<Profile['personalData'], string>> = {
  pseudonyms:
    'Names, account numbers and texts of customers become pseudonyms in everything that a run writes.',
  kept: 'Names, account numbers and texts of customers are written as the target sends them.',
}

export const announcePersonalData = ({ personalData }: Profile): Findings => [
  findingOf('CFG-DATA-1', { cause: `${PERSONAL_DATA[personalData]} The key is \`personalData\`.` }),
]
