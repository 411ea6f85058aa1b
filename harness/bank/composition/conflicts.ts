import { changedRules } from '../changes/change.ts'
import { conformingRules, type Rules } from '../rules.ts'
import type { RuleChange, Variation } from '../defect.ts'

/** Which variations cannot be combined in one bank. Most conflicts follow from the rules that a variation replaces. */

type RuleName = keyof Rules

/**
 * Rules that several variations of a bank may replace. Each replacement changes some cases or some members only, and
 * leaves all others, so that the result of several is permitted as well.
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
    variations: ['balances-*'],
    reason: 'Each has its own format of balances; the profile has one description of it.',
  },
  {
    variations: ['events-are-forms'],
    others: ['an-accountevent-has-only-accounts-with-new-bookings'],
    reason: 'A form has no empty list.',
  },
  {
    variations: ['events-are-*'],
    others: [
      'the-media-type-of-an-event-has-a-charset',
      'events-have-header-names-in-capitals-and-one-header-more',
    ],
    reason: 'Each has its own media type, and the others replace it or give a second one.',
  },
  {
    variations: ['a-state-or-a-code-challenge-is-accepted-once-and-a-form-with-an-origin-only'],
    others: ['an-authorization-begins-with-a-page-that-refreshes-itself-at-once'],
    reason: 'The page has the browser send the same request again.',
  },
  {
    variations: ['an-accountevent-has-only-accounts-with-new-bookings'],
    others: ['bookings-at-other-banks-are-known-at-once'],
    reason: 'A refresh would find nothing new, and so no accountEvent would list an account.',
  },
  {
    variations: ['the-oldest-transaction-comes-first'],
    others: ['an-account-shows-only-its-latest-transactions'],
    reason:
      'A booking would remove the first transaction of the first page, and the next page would begin one later: a transaction would be on neither.',
  },
  {
    variations: [
      'a-refresh-token-can-be-used-for-180-days',
      'only-expired-access-tokens-are-renewed-for-90-days-more',
    ],
    others: [
      'all-tokens-end-90-days-after-the-authorization',
      'refresh-tokens-end-90-days-after-the-authorization',
    ],
    reason:
      'A refresh after the 90 days since the authorization succeeds in the one, and fails in the others.',
  },
  {
    variations: ['payments-are-approved-*'],
    others: [
      'a-page-instead-of-a-redirect-leads-back-to-the-application',
      'every-result-is-shown-on-the-result-screen',
      'a-code-is-shown-on-the-result-screen-and-an-error-is-sent',
    ],
    reason: 'The approval is read from the redirect that ends the page flow; the others end it with a page.',
  },
  {
    variations: ['an-authorization-begins-with-a-page-that-refreshes-itself-at-once'],
    others: [
      'payments-are-approved-*',
      'a-page-instead-of-a-redirect-leads-back-to-the-application',
      'generated-*',
    ],
    reason:
      'An address that opens once, and a page for a redirect to https, are asked for twice; a dialect does not translate the address.',
  },
  {
    variations: ['refusals-of-payments-repeat-the-orderid'],
    others: [
      'refusals-of-payments-have-a-list-of-errors-with-a-field',
      'refusals-of-payments-have-an-error-under-the-name-orderid',
    ],
    reason: 'A refusal would be a payment, with an orderId, whose status is that of HTTP.',
  },
  {
    variations: ['an-account-that-is-not-granted-is-answered-with-nulls'],
    others: ['json-objects-have-further-members-and-responses-a-header'],
    reason:
      'The answer with the status 200 would have content, and so be a refusal with the status of a success.',
  },
  {
    variations: ['payments-are-approved-*'],
    others: ['the-accounts-of-production-have-other-ibans'],
    reason:
      'Without the accounts of production in the profile no payment is initiated there, and so none approved.',
  },
  {
    variations: ['payments-are-approved-*'],
    others: ['the-authorization-of-an-unknown-payment-returns-a-code'],
    reason: 'The approval of a payment that does not wait for it would come back with a value.',
  },
  {
    variations: ['bodies-are-compressed-with-gzip', 'bodies-are-sent-in-chunks'],
    others: ['generated-*'],
    reason:
      'A dialect is translated outside of the compression and of the chunks: it writes a new body under the old headers.',
  },
]

/** Whether an id, or the beginning of ids, matches a variation. */
export const matches = (id: string, pattern: string): boolean =>
  pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern

const isAmong = (id: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matches(id, pattern))

export const replacedRules = (change: RuleChange | undefined): readonly RuleName[] =>
  Object.keys(changedRules(change, conformingRules)) as RuleName[]

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

export const withoutConflicts = <Item>(
  items: readonly Item[],
  isConflict: (one: Item, other: Item) => boolean,
): readonly Item[] =>
  items.reduce<readonly Item[]>(
    (kept, item) => (kept.some((one) => isConflict(one, item)) ? kept : [...kept, item]),
    [],
  )
