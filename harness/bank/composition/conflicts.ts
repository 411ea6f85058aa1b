import { lawfulRules, type Rules } from '../rules.ts'
import type { RuleChange, Variation } from '../defect.ts'

/** Which variations cannot be combined in one bank. Most conflicts follow from the rules that a variation replaces. */

type RuleName = keyof Rules

/**
 * Rules that several variations of a bank may replace. Each replacement changes some cases or some members only, and
 * leaves all others, so that the result of several is lawful as well.
 */
const SHARED_RULES: ReadonlySet<RuleName> = new Set<RuleName>([
  'accountBody',
  'accountDetailBody',
  'paymentBody',
  'paymentTokenBody',
  'loanTokenBody',
  'refusalBody',
  'refusalStatus',
  'transactionBody',
  'transactionPageBody',
  'eventForm',
  'deliveryHeaders',
])

interface DeclaredConflict {
  /** Ids of variations or dialects; with `*` at the end, the beginning of ids. Any two of one group conflict. */
  readonly variations: readonly [string, ...string[]]
  /** The ids that they conflict with; default: each other. */
  readonly others?: readonly [string, ...string[]]
  readonly reason: string
}

/** Conflicts that do not follow from the replaced rules. */
export const DECLARED_CONFLICTS: readonly DeclaredConflict[] = [
  {
    variations: ['balances-*', 'booked-balance-alone', 'yesterdays-balance-first'],
    reason: 'Each has its own format of balances; the profile has one description of it.',
  },
  {
    variations: ['account-events-of-changed-accounts'],
    others: ['other-banks-are-watched'],
    reason: 'A refresh would find nothing new, and so no accountEvent would list an account.',
  },
  {
    variations: ['oldest-transactions-first'],
    others: ['latest-transactions-alone'],
    reason:
      'A booking would remove the first transaction of the first page, and the next page would begin one later: a transaction would be on neither.',
  },
  {
    variations: ['renewal-outlives-the-token'],
    others: ['tokens-end-with-the-grant', 'refresh-tokens-end-with-the-grant'],
    reason:
      'A refresh after the 90 days since the authorization succeeds in the one, and fails in the others.',
  },
  {
    variations: ['payments-approved-at-a-link', 'payments-approved-on-a-page'],
    others: ['returned-by-a-page', 'result-always-shown', 'grant-shown-denial-sent'],
    reason: 'The approval is read from the redirect that ends the page flow; the others end it with a page.',
  },
  {
    variations: ['payment-refusals-repeat-the-order'],
    others: ['payment-refusals-name-a-member', 'payment-refusals-under-a-member'],
    reason: 'A refusal would be a payment, with an orderId, whose status is that of HTTP.',
  },
  {
    variations: ['unknown-accounts-answered-with-null'],
    others: ['extra-members'],
    reason:
      'The answer with the status 200 would have content, and so be a refusal with the status of a success.',
  },
  {
    variations: ['escaped-json', 'pretty-printed'],
    reason: 'The escapes are made in the whole text, and so in the line breaks between members as well.',
  },
  {
    variations: ['payments-approved-*'],
    others: ['unknown-orders-come-back-with-a-code'],
    reason: 'The approval of a payment that does not wait for it would come back with a value.',
  },
  {
    variations: ['gzipped', 'chunked'],
    others: ['generated-*'],
    reason:
      'A dialect is translated outside of the compression and of the chunks: it writes a new body under the old headers.',
  },
]

/** Variations that have an effect only on a connection. A composed bank runs without one. */
export const ONLY_ON_A_CONNECTION: readonly string[] = ['chunked', 'jittered', 'connection-closed']

/** Whether an id, or the beginning of ids, matches a variation. */
export const matches = (id: string, pattern: string): boolean =>
  pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern

const isAmong = (id: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matches(id, pattern))

/** The names of the rules that a change replaces. */
export const replacedRules = (change: RuleChange | undefined): readonly RuleName[] => {
  if (change === undefined) return []
  return Object.keys(typeof change === 'function' ? change(lawfulRules) : change) as RuleName[]
}

type Change = Pick<Variation, 'id' | 'rules' | 'server'>

const replaceTheSame = (one: Change, other: Change): RuleName | undefined => {
  const rules = new Set(replacedRules(other.rules))
  return replacedRules(one.rules).find((rule) => rules.has(rule) && !SHARED_RULES.has(rule))
}

const isDeclared =
  (one: string, other: string) =>
  ({ variations, others = variations }: DeclaredConflict): boolean =>
    (isAmong(one, variations) && isAmong(other, others)) ||
    (isAmong(other, variations) && isAmong(one, others))

/** The reason of a conflict that does not follow from the replaced rules; undefined if there is none. */
export const declaredConflictOf = (one: string, other: string): string | undefined =>
  DECLARED_CONFLICTS.find(isDeclared(one, other))?.reason

/** The reason why two variations cannot be combined; undefined if they can. */
export const conflictOf = (one: Change, other: Change): string | undefined => {
  const rule = replaceTheSame(one, other)
  if (rule !== undefined) return `both replace the rule ${rule}`
  if (one.server?.headerCase !== undefined && other.server?.headerCase !== undefined)
    return 'both spell the names of headers'
  return declaredConflictOf(one.id, other.id)
}

/** Without each item that conflicts with an earlier one. */
export const withoutConflicts = <Item>(
  items: readonly Item[],
  isConflict: (one: Item, other: Item) => boolean,
): readonly Item[] =>
  items.reduce<readonly Item[]>(
    (kept, item) => (kept.some((one) => isConflict(one, item)) ? kept : [...kept, item]),
    [],
  )
