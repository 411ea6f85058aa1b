import { partsOf } from '../binding/parts.ts'
import { profileJsonSchema, valueAt } from '../profile/json-schema.ts'
import { clip } from '../report/terminal/layout.ts'
import { find } from './finding.ts'
import type { SchemaNode } from '../profile/json-schema.ts'
import type { Profile } from '../profile/schema.ts'
import type { Findings, Visit } from './patient.ts'

/** Which bindings of the profile are guesses: the names of a live service, and not those of this target. */

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

/** What would tell whether a guess is right; the longest beginning of a key counts. */
const TELLERS: readonly (readonly [string, string])[] = [
  ['basePaths', 'an answer that is no 404'],
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

/** How a run works, and not how the target speaks. */
const OWN =
  /^(authorization\.(kind|limit)|payments\.(amount|currency|provocations|rejectedAtSubmission)|loans\.(timing|scenario\.limit))/

type Path = readonly string[]

interface Guess {
  readonly key: string
  readonly value: unknown
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Of alternatives, the one whose constants the value has. */
const chosen = (node: SchemaNode, value: unknown): SchemaNode =>
  node.oneOf?.find((option) =>
    Object.entries(option.properties ?? {}).every(
      ([key, { const: constant }]) => constant === undefined || constant === valueAt(value, [key]),
    ),
  ) ?? node

const guessesIn = (patient: Visit['patient'], node: SchemaNode, path: Path): readonly Guess[] => {
  const value = valueAt(patient.profile, path)
  if (value === undefined) return []
  const { properties } = chosen(node, value)
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([key, inner]) => guessesIn(patient, inner, [...path, key]))
  return isGuess(patient, node, path) ? [{ key: path.join('.'), value }] : []
}

/** What the interface says itself, beside paths and base paths. */
const SHOWN: Readonly<Record<string, unknown>> = {
  'scopes.accounts': 'PREMIUM_AIS',
  'operations.createConsent.requestIdHeader': 'X-Request-ID',
}

const shown = new WeakMap<Profile, ReadonlySet<string>>()

/** The keys of paths and base paths that have what the interface has there (Endpoints). */
const shownPaths = (profile: Profile): ReadonlySet<string> => {
  const found =
    shown.get(profile) ??
    new Set(
      partsOf(profile).flatMap(({ key, path, documented, bases }) => [
        ...(path === documented ? [`${key}.path`] : []),
        ...bases.filter((base) => base.path === base.documented).map((base) => base.key),
      ]),
    )
  shown.set(profile, found)
  return found
}

/** Whether the value is that of the interface: no target needs to be asked for it. */
const isShown = (profile: Profile, path: Path): boolean => {
  const key = path.join('.')
  return (
    shownPaths(profile).has(key) || (Object.hasOwn(SHOWN, key) && same(valueAt(profile, path), SHOWN[key]))
  )
}

const isGuess = ({ profile, written }: Visit['patient'], node: SchemaNode, path: Path): boolean => {
  const { default: usual } = node
  if (usual === undefined || OWN.test(path.join('.')) || isShown(profile, path)) return false
  // Who wrote the default down has looked it up.
  return written === undefined ? same(valueAt(profile, path), usual) : valueAt(written, path) === undefined
}

const WIDEST = 74

const rendered = ({ key, value }: Guess): string => clip(`${key}: ${JSON.stringify(value)}`, WIDEST)

const tellerOf = ({ key }: Guess): string =>
  TELLERS.findLast(([beginning]) => key.startsWith(beginning))?.[1] ?? 'its documentation'

/** One finding for whatever tells: a look at one answer settles all of its keys. */
export const examineBindings = ({ patient }: Visit): Findings => {
  const { properties = {} } = profileJsonSchema()
  const guesses = PARTS.flatMap((part) => guessesIn(patient, properties[part] ?? {}, [part]))
  const tellers = [...new Set(guesses.map(tellerOf))]
  return tellers.map((teller) => {
    const told = guesses.filter((guess) => tellerOf(guess) === teller)
    const many =
      told.length === 1
        ? 'One key is not written, and has the value'
        : `${told.length} keys are not written, and have the values`
    const cause = `${many} of another service; whether it is right is told by ${teller}.`
    return find('CFG-BIND-1', { cause, shows: told.map(rendered) })
  })
}
