import { isDeepStrictEqual } from 'node:util'
import { partsOf } from '../../profile/binding/paths.ts'
import { profileJsonSchema, valueAt, type SchemaNode } from '../../profile/json-schema.ts'
import { clip } from '../../report/terminal/text.ts'
import { findingOf } from '../../target/first-contact/finding.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Examination, ExaminedTarget } from '../../target/first-contact/examination.ts'
import type { Findings } from '../../target/first-contact/finding.ts'

/** Which bindings of the profile are guesses: defaults that come from another service, not from this target. */

/** The parts of a profile that bind what the interface does not show. */
const PARTS = [
  'basePaths',
  'scopes',
  'authorization',
  'operations',
  'secondVariant',
  'payments',
  'loans',
] as const

/** Where one can see whether a guess is right. The longest prefix of a key counts, so it comes last. */
const SEEN_IN: readonly (readonly [prefix: string, place: string])[] = [
  ['basePaths', 'an answer other than 404'],
  ['scopes', 'the authorize page'],
  ['authorization', 'the pages of a login'],
  ['operations.createConsent', 'the answer to a consent'],
  ['operations.token', 'an answer of the token endpoint'],
  ['operations.authorize', 'the authorize page'],
  ['operations.listAccounts', 'a list of accounts'],
  ['operations.readAccount', 'the detail of an account'],
  ['operations.listTransactions', 'a page of transactions'],
  ['operations.refresh', 'the answer to a refresh'],
  ['secondVariant', 'the answers of the second variant'],
  ['payments', 'the answers of the payment API'],
  ['loans', 'the answers of the loan API'],
]

/** Keys that say how a run works, not what the target is like. */
const OF_THE_RUN =
  /^(authorization\.(kind|limit)|payments\.(amount|currency|provocations|rejectedAtSubmission)|loans\.(timing|scenario\.limit))/

/** What the interface itself says, besides paths and base paths. */
const DOCUMENTED: Readonly<Record<string, unknown>> = {
  'scopes.accounts': 'PREMIUM_AIS',
  'operations.createConsent.requestIdHeader': 'X-Request-ID',
}

interface Guess {
  readonly key: string
  readonly value: unknown
}

/** The keys of paths and base paths that have the value of the interface (Endpoints). */
const documentedPaths = (profile: Profile): ReadonlySet<string> =>
  new Set(
    partsOf(profile).flatMap(({ key, path, documented, bases }) => [
      ...(path === documented ? [`${key}.path`] : []),
      ...bases.filter((base) => base.path === base.documented).map((base) => base.key),
    ]),
  )

/** Of alternatives, the one whose constants the value has. */
const alternativeFor = (node: SchemaNode, value: unknown): SchemaNode =>
  node.oneOf?.find((option) =>
    Object.entries(option.properties ?? {}).every(
      ([key, { const: constant }]) => constant === undefined || constant === valueAt(value, [key]),
    ),
  ) ?? node

const guessesOf = ({ profile, written }: ExaminedTarget): readonly Guess[] => {
  const paths = documentedPaths(profile)
  const isGuess = (node: SchemaNode, path: readonly string[], key: string, value: unknown): boolean => {
    if (node.default === undefined || OF_THE_RUN.test(key) || paths.has(key)) return false
    if (Object.hasOwn(DOCUMENTED, key) && isDeepStrictEqual(value, DOCUMENTED[key])) return false
    // An author who wrote the default into the profile has checked it.
    return written === undefined
      ? isDeepStrictEqual(value, node.default)
      : valueAt(written, path) === undefined
  }
  const guessesBelow = (node: SchemaNode, path: readonly string[]): readonly Guess[] => {
    const value = valueAt(profile, path)
    if (value === undefined) return []
    const { properties } = alternativeFor(node, value)
    if (properties !== undefined)
      return Object.entries(properties).flatMap(([key, inner]) => guessesBelow(inner, [...path, key]))
    const key = path.join('.')
    return isGuess(node, path, key, value) ? [{ key, value }] : []
  }
  const { properties = {} } = profileJsonSchema()
  return PARTS.flatMap((part) => guessesBelow(properties[part] ?? {}, [part]))
}

const WIDEST = 74

const rendered = ({ key, value }: Guess): string => clip(`${key}: ${JSON.stringify(value)}`, WIDEST)

const placeOf = ({ key }: Guess): string =>
  SEEN_IN.findLast(([prefix]) => key.startsWith(prefix))?.[1] ?? 'its documentation'

/** One finding for each place in which guesses can be checked. */
export const examineBindings = ({ target }: Pick<Examination, 'target'>): Findings => {
  const guesses = guessesOf(target)
  return [...new Set(guesses.map(placeOf))].map((place) => {
    const shows = guesses.filter((guess) => placeOf(guess) === place).map(rendered)
    const subject =
      shows.length === 1
        ? 'One key is not written, and has the value'
        : `${shows.length} keys are not written, and have the values`
    const cause = `${subject} of another service; compare with ${place}.`
    return findingOf('CFG-BIND-1', { cause, shows })
  })
}
