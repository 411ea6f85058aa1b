import { fieldOf } from '../evidence/record/answer.ts'
import { profileSchema, type ProfileInput } from '../profile/schema.ts'
import { variations } from '../bank/variations/index.ts'
import { referenceProfile, variationProfile } from '../connection/reference-bank/reference-profile.ts'
import type { CheckResult } from '../check/result.ts'
import type { Environment } from '../profile/environment.ts'
import type { Faults } from '../connection/embedded.ts'
import type { BindableKey } from './bindable-keys.ts'

/** The profile of the reference bank with one wrong key. */

interface Exception {
  readonly isOf: (key: BindableKey) => boolean
  readonly because: string
}

/** Keys that are not tested, since no answer shows that they are wrong. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    isOf: ({ key, kind }) => kind === 'header' && key !== 'operations.createConsent.requestIdHeader',
    because:
      'the interface names no header of this request: a bank that requires one refuses every request, as a faulty bank may',
  },
  {
    isOf: ({ kind }) => kind === 'statuses',
    because: 'nothing depends on it: a request is accepted if it had a result, whatever the status says',
  },
  {
    isOf: ({ key }) => key.startsWith('operations.deleteConsent.'),
    because: 'it is used to clean up after a run: no check depends on it, and the report shows the result',
  },
  {
    isOf: ({ key }) => /\.(parameter|pageSize)$/.test(key),
    because: 'a bank ignores an unknown parameter, as a faulty bank ignores a known one',
  },
  {
    isOf: ({ key }) => /^testHooks\.(?!readClock\.|readWebhook\.)\w+\.result$/.test(key),
    because: 'the result of this test hook is not read',
  },
  {
    isOf: ({ key }) => /^testHooks\.readWebhook\.(result$|fields\.)/.test(key),
    because:
      'the reference profile does not read settings: harness/connection/test-hooks.test.ts tests settings that cannot be read',
  },
  {
    isOf: ({ key }) => /^testHooks\.\w+\.environments\./.test(key),
    because:
      'it is the same key of the test hook in one environment: harness/profile/test-hook-checks.test.ts',
  },
  {
    isOf: ({ key }) => /listAccounts\.paging\./.test(key),
    because: 'the reference bank lists all accounts on one page, so that no answer shows how pages are named',
  },
  {
    isOf: ({ key }) => /listTransactions\.id$/.test(key),
    because: 'a transaction without an id is known by its content',
  },
  {
    isOf: ({ key }) => key.startsWith('sandboxesBelowProduction.'),
    because:
      'it is only a permission for a sandbox below the production base path, which the reference bank does not have',
  },
  {
    isOf: ({ key }) => key === 'secondVariant.oauth.authorize.path',
    because:
      'nothing else is asked below its base path before it has answered, so that the report lists the base path as well',
  },
  {
    isOf: ({ key }) => key === 'testHooks.readClock.result',
    because: 'a bank in this process has its own clock: harness/profile/mismatch/explain.test.ts tests it',
  },
]

/** The required keys of each alternative. */
const REQUIRED: Readonly<Record<string, object>> = {
  cursor: { next: 'nextCursor', parameter: 'cursor' },
  member: { member: 'result', values: ['POSITIVE'] },
  list: { list: 'offers' },
}

/** A copy with another value at this place. */
const withValue = (input: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown => {
  const inner = rest.length === 0 ? value : withValue(fieldOf(input, key), rest, value)
  if (Array.isArray(input)) return input.map((item: unknown, at) => (String(at) === key ? inner : item))
  return { ...(typeof input === 'object' ? input : {}), [key]: inner }
}

const withAlternative = (input: ProfileInput, { alternative }: BindableKey): ProfileInput => {
  if (alternative === undefined) return input
  const { at, kind } = alternative
  const bound: unknown = fieldOf(input, at)
  if (fieldOf(bound, 'kind') === kind) return input
  return withValue(input, at.split('.'), { kind, ...REQUIRED[kind] }) as ProfileInput
}

/** The environment whose checks use this key. */
export const environmentFor = ({ key }: BindableKey): Environment =>
  key.endsWith('.production') ? 'production' : 'sandbox'

/** A bank that has what some keys are for, where the reference bank as it is has not. */
const OWN_GRANT = 'the-second-variant-has-its-own-endpoints-and-no-consent'

const isOfOwnGrant = ({ key }: BindableKey): boolean => key.startsWith('secondVariant.oauth.')

/** The bank that a key is tried on. */
export const bankFor = (key: BindableKey): Faults => {
  const variation = isOfOwnGrant(key) ? variations.find(({ id }) => id === OWN_GRANT) : undefined
  return variation === undefined ? {} : { variation }
}

const fittingProfile = (key: BindableKey): ProfileInput => ({
  ...referenceProfile(environmentFor(key)),
  ...(isOfOwnGrant(key) && variationProfile(OWN_GRANT)),
})

/** A profile in which only this key does not fit the bank that it is tried on. */
export const profileWithMismatch = (key: BindableKey): ProfileInput => {
  const input = withAlternative(fittingProfile(key), key)
  // The placeholders of a path must stay.
  const value =
    key.kind === 'path' ? `/mismatched${String(fieldOf(profileSchema.parse(input), key.key))}` : 'mismatched'
  return withValue(input, key.key.split('.'), value) as ProfileInput
}

/** The chapters that use each part of a profile, the longest key first. */
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

/** The chapters that use the key; an empty list selects all chapters. */
export const chaptersFor = ({ key }: BindableKey): readonly string[] =>
  CHAPTERS.find(([part]) => key.startsWith(`${part}.`))?.[1] ?? []

/** The checks that fail: none does if the profile is the cause. */
export const failuresIn = (results: readonly CheckResult[]) =>
  results
    .filter(({ verdict }) => ['fail', 'warn', 'harness-error'].includes(verdict))
    .map(({ id, verdict, violation }) => ({ id, verdict, violation }))

/** The keys of the profile that were found not to fit. */
export const keysFoundIn = (results: readonly CheckResult[]): readonly string[] => [
  ...new Set(results.flatMap(({ mismatches = [] }) => mismatches.map(({ key }) => key))),
]
