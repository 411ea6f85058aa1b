import * as z from 'zod'
import { fieldOf } from '../evidence/record/answer.ts'
import { profileJsonSchema } from '../profile/json-schema.ts'
import { profileSchema, type ProfileInput } from '../profile/schema.ts'
import { dotted, headerName, path } from '../profile/schema/primitives.ts'
import { referenceProfile } from '../target/reference-bank/reference-profile.ts'
import type { Environment } from '../profile/environments.ts'

/** The profile of the reference bank with one key that names something else than the bank has. */

interface Exception {
  readonly isOf: (key: BindableKey) => boolean
  readonly because: string
}

/** Keys that are not tried, since nothing in an answer tells that they are wrong. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    isOf: ({ key, kind }) => kind === 'header' && key !== 'operations.createConsent.requestIdHeader',
    because:
      'the interface names no header of this request: a bank that asks for one refuses all, as one may that is wrong',
  },
  {
    isOf: ({ kind }) => kind === 'statuses',
    because: 'nothing depends on it: a request is accepted if it had a result, whatever the status says',
  },
  {
    isOf: ({ key }) => key.startsWith('operations.deleteConsent.'),
    because:
      'it cleans up behind a run at an address: nothing is judged by it, and the report says what came of it',
  },
  {
    isOf: ({ key }) => /\.(parameter|pageSize)$/.test(key),
    because:
      'a bank ignores a parameter that it does not know, as one does that is wrong about the one it knows',
  },
  {
    isOf: ({ key }) => /^testHooks\.(?!readClock\.|readWebhook\.)\w+\.result$/.test(key),
    because: 'nobody reads the result of this test hook',
  },
  {
    isOf: ({ key }) => /^testHooks\.readWebhook\.(result$|fields\.)/.test(key),
    because:
      'the reference profile lets settings be: harness/target/test-hooks.test.ts tries what cannot be read',
  },
  {
    isOf: ({ key }) => key.startsWith('sandboxesBelowProduction.'),
    because:
      'it binds nothing: it permits a sandbox below the production base path, which the reference bank does not have',
  },
  {
    isOf: ({ key }) => key === 'testHooks.readClock.result',
    because:
      'a bank in this process has a clock of its own: harness/profile/binding/misfits.test.ts tries it',
  },
]

/** Some of what a choice cannot do without, beside the key that is tried. */
const NEEDED: Readonly<Record<string, object>> = {
  cursor: { next: 'nextCursor', parameter: 'cursor' },
  member: { member: 'result', values: ['POSITIVE'] },
  list: { list: 'offers' },
}

/** A copy with another value at that place. */
const withValue = (input: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown => {
  const inner = rest.length === 0 ? value : withValue(fieldOf(input, key), rest, value)
  if (Array.isArray(input)) return input.map((item: unknown, at) => (String(at) === key ? inner : item))
  return { ...(typeof input === 'object' ? input : {}), [key]: inner }
}

const ofBranch = (input: ProfileInput, { branch }: BindableKey): ProfileInput => {
  if (branch === undefined) return input
  const { at, kind } = branch
  const bound: unknown = fieldOf(input, at)
  if (fieldOf(bound, 'kind') === kind) return input
  return withValue(input, at.split('.'), { kind, ...NEEDED[kind] }) as ProfileInput
}

/** A production base path is judged where production is. */
export const environmentFor = ({ key }: BindableKey): Environment =>
  key.endsWith('.production') ? 'production' : 'sandbox'

/** Parts of a profile in which this key, and no other, names what the reference bank does not have. */
export const misbound = (key: BindableKey): ProfileInput => {
  const input = ofBranch(referenceProfile(environmentFor(key)), key)
  // Its placeholders stay where they are.
  const value =
    key.kind === 'path' ? `/misbound${String(fieldOf(profileSchema.parse(input), key.key))}` : 'misbound'
  return withValue(input, key.key.split('.'), value) as ProfileInput
}

/** Where each part of a profile is used, the longest beginning first. */
const CHAPTERS: readonly (readonly [string, readonly string[]])[] = [
  ['operations.createConsent', ['consent', 'environments']],
  ['operations.authorize', ['authorization', 'environments']],
  ['operations.token', ['tokens', 'environments']],
  ['operations.listAccounts', ['accounts', 'transactions', 'tokens', 'refresh', 'webhooks', 'environments']],
  ['operations.readAccount', ['accounts', 'refresh', 'environments']],
  ['operations.listTransactions', ['transactions', 'refresh', 'webhooks', 'environments']],
  ['operations.refresh', ['refresh', 'webhooks', 'environments']],
  ['secondVariant.listTransactions', ['transactions', 'environments']],
  ['secondVariant', ['accounts', 'transactions', 'environments']],
  ['payments', ['payments', 'environments']],
  ['loans', ['loans', 'environments']],
  ['basePaths', ['consent', 'environments']],
]

/** The chapters that read what the key names; all of them for a part that nobody has named here. */
export const chaptersFor = ({ key }: BindableKey): readonly string[] =>
  CHAPTERS.find(([part]) => key.startsWith(`${part}.`))?.[1] ?? []

/** The keys of a profile that name something at the target, as its schema has them: a new one is among them by itself. */

type KeyKind = 'name' | 'path' | 'header' | 'statuses'

export interface BindableKey {
  /** `payments.initiations.0.path`: of a list, its first item stands for the others. */
  readonly key: string
  readonly kind: KeyKind
  /** The branch of a choice that has it: where that is, and its `kind`. */
  readonly branch?: { readonly at: string; readonly kind: string }
}

interface Node {
  readonly properties?: Readonly<Record<string, Node>>
  readonly oneOf?: readonly Node[]
  readonly items?: Node
  readonly pattern?: string
  readonly const?: string
}

const patternOf = (schema: z.ZodType): string | undefined =>
  (z.toJSONSchema(schema, { io: 'input' }) as Node).pattern

const PATTERNS = new Map<string | undefined, KeyKind>([
  [patternOf(dotted), 'name'],
  [patternOf(path), 'path'],
  [patternOf(headerName), 'header'],
])

/** Members of a request that the profile names: they have no form of their own. */
const OF_REQUESTS = ['parameter', 'pageSize']

const kindOf = (node: Node, at: string): KeyKind | undefined => {
  const name = at.split('.').at(-1) ?? ''
  if (name === 'success') return 'statuses'
  return PATTERNS.get(node.pattern) ?? (OF_REQUESTS.includes(name) ? 'name' : undefined)
}

const below = (at: string, key: string): string => (at === '' ? key : `${at}.${key}`)

const keysIn = (node: Node, at: string, branch?: BindableKey['branch']): readonly BindableKey[] => {
  const kind = kindOf(node, at)
  if (kind !== undefined) return [{ key: at, kind, ...(branch && { branch }) }]
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([key, inner]) => keysIn(inner, below(at, key), branch)),
    ...(node.items === undefined ? [] : keysIn(node.items, below(at, '0'), branch)),
    ...(node.oneOf ?? []).flatMap((inner) =>
      keysIn(inner, at, { at, kind: inner.properties?.['kind']?.const ?? '' }),
    ),
  ]
}

/** Every key that names a field, a path, a header or a status at the target. */
export const bindableKeys = (): readonly BindableKey[] => keysIn(profileJsonSchema() as Node, '')
