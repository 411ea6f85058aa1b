import { matches } from '../bank/composition/conflicts.ts'
import type { Defect, Variation } from '../bank/defect.ts'

/** Which variations a composed bank must not have, so that a defect of it can be observed. */

interface Hiding {
  /** Ids of variations or dialects; with `*` at the end, the beginning of ids. */
  readonly variations: readonly [string, ...string[]]
  /** Ids of defects, or of requirements that a defect breaks; with `*` at the end, the beginning of ids. */
  readonly defects: readonly [string, ...string[]]
  readonly reason: string
}

/** What does not follow from `neverOccurs` of a variation. */
export const HIDING: readonly Hiding[] = [
  {
    variations: ['result-always-shown', 'grant-shown-denial-sent'],
    defects: ['AUT-01', 'AUT-32', 'AUT-34', 'AUT-36'],
    reason: 'The defect is in a redirect with a code, and this bank sends none.',
  },
  {
    variations: ['result-always-shown', 'errors-shown'],
    defects: ['AUT-12', 'AUT-13'],
    reason: 'A refusal that is shown leaves open whether the page is one of the flow: the run is incomplete.',
  },
  {
    variations: ['frames-are-refused-by-x-frame-options'],
    defects: ['AUT-46'],
    reason: 'The defect is in a policy, and these pages have none: another header refuses frames.',
  },
  {
    variations: ['extra-return-parameters'],
    defects: ['code-stands-behind-a-second-question-mark'],
    reason:
      'The second question mark stands behind the issuer, so that the own query of the address is kept.',
  },
  {
    variations: ['renewal-outlives-the-token'],
    defects: ['consent-ends-with-its-tokens', 'granted-consent-is-used-up'],
    reason: 'A refresh still succeeds, so that no new grant is called for: the run is incomplete.',
  },
  {
    variations: ['scope-without-its-consent'],
    defects: ['AUT-14'],
    reason: 'The stated scope is without the unknown word, which is lawful.',
  },
  {
    variations: ['one-page'],
    defects: ['AUT-18', 'denial-authorizes'],
    reason: 'The customer denies before the login, so that nothing can be granted.',
  },
  {
    variations: ['compact', 'nested', 'generated-*', 'pretty-printed'],
    defects: ['TOK-12', 'TOK-14'],
    reason: 'A body is written anew, with its media type and each member once.',
  },
  {
    variations: ['compact', 'nested', 'generated-*'],
    defects: ['late-refusal-carries-a-refresh-token', 'failed-client-authentication-has-a-code'],
    reason: 'The dialect has other names for the members of a refusal, and the defect only the common ones.',
  },
  {
    variations: ['compact', 'nested', 'generated-*'],
    defects: ['basic-header-is-not-read', 'initiation-is-not-found', 'authorization-takes-post-alone'],
    reason:
      'The profile names another path or header than the interface, which may be wrong: the run is incomplete.',
  },
  {
    variations: [
      'payments-in-an-envelope',
      'date-times-in-the-basic-form',
      'date-times-by-week',
      'payments-stay-in-process',
    ],
    defects: ['PAY-*'],
    reason: 'The defect reads or writes a payment in the form of the reference bank.',
  },
  {
    variations: ['refusals-empty', 'refusals-as-pages'],
    defects: ['PAY-63', 'PAY-65'],
    reason: 'The defect turns a JSON refusal into a server error.',
  },
  {
    variations: ['refusals-as-pages'],
    defects: [
      'unknown-order-is-rejected',
      'unknown-order-is-the-last-one',
      'foreign-order-is-readable',
      'refusal-tells-the-state-of-a-foreign-order',
    ],
    reason: 'The defect reads a JSON refusal, and turns it into another answer.',
  },
  {
    variations: [
      'padded-consent-ids',
      'numeric-consent-ids',
      'urn-consent-ids',
      'hex-consent-ids',
      'consent-id-format',
    ],
    defects: ['CON-03', 'CON-11'],
    reason: 'The defect depends on the form of the consentIds of the reference bank.',
  },
  {
    variations: ['payment-tokens-of-an-untold-lifetime'],
    defects: ['PAY-68'],
    reason: 'When a token for payments expires cannot be known.',
  },
  {
    variations: ['result-always-shown', 'grant-shown-denial-sent'],
    defects: ['TOK-38', 'TOK-39'],
    reason: 'The defect reads the codes in redirects.',
  },
  {
    variations: ['scope-without-its-consent'],
    defects: ['code-exchange-takes-any-scope', 'refresh-takes-any-scope'],
    reason: 'The defect is only in the stated scope, and it is not stated.',
  },
  {
    variations: ['denial-rejects-the-payment'],
    defects: ['denied-payment-moves-by-itself', 'client-token-submits-the-last-payment'],
    reason: 'A denied payment is rejected, and a rejected one is not in process, whatever is submitted.',
  },
  {
    variations: ['order-id-format', 'order-ids-are-counted'],
    defects: ['status-names-the-order-in-lower-case'],
    reason: 'The digits of a number are the same in both cases.',
  },
  {
    variations: ['accounts-of-production-have-other-ibans'],
    defects: ['expired-token-has-status-400-in-production'],
    reason:
      'The profile of the reference bank names no account of production: no order of it is valid there.',
  },
  {
    variations: ['hex-secrets', 'uuid-secrets', 'secret-format'],
    defects: ['token-in-another-case-is-accepted', 'refresh-token-in-another-case-is-accepted'],
    reason: 'The digits of a number are the same in both cases.',
  },
  {
    variations: ['long-secrets'],
    defects: ['code-is-compared-as-far-as-its-sixteenth-character'],
    reason: 'All of its codes begin alike, so that none is found.',
  },
  {
    variations: ['short-lived-codes', 'code-lifetime'],
    defects: ['code-expires-by-the-time-of-day'],
    reason: 'A code expires before the time of day is the same again.',
  },
  {
    variations: ['new-grant-ends-older'],
    defects: [
      'TOK-62',
      'used-code-is-forgotten-after-a-day',
      'late-refresh-keeps-the-access-token',
      'new-grant-revives-the-expired-token',
    ],
    reason: 'A later grant of the scenario has ended the code, or the token, that the bank accepts wrongly.',
  },
  {
    variations: ['old-transactions-are-left-out'],
    defects: ['expired-token-of-a-refresh-shows-transactions'],
    reason: 'All transactions have become too old to be shown: an empty page shows nothing of an account.',
  },
  {
    variations: ['renewal-outlives-the-token', 'renewal-retires-access', 'tokens-end-with-the-grant'],
    defects: [
      'refresh-attempt-revives-the-expired-token',
      'new-grant-revives-the-expired-token',
      'expiry-is-swept-away-after-a-month',
      'refreshed-refresh-token-lives-60-days',
      'late-refresh-keeps-the-access-token',
      'late-refusal-carries-a-refresh-token',
      'refresh-token-of-another-customer-lives-a-month',
    ],
    reason: 'The refresh on which the defect depends ends otherwise.',
  },
]

type Shown = Pick<Variation, 'id' | 'neverOccurs'>

/** Whether a defect may have no effect in a bank with this variation, or may be lawful there. */
export const isHiddenBy = (
  { id, breaks, wire }: Pick<Defect, 'id' | 'breaks' | 'wire'>,
  { id: variation, neverOccurs = [] }: Shown,
): boolean => {
  const names = [id, ...breaks.map((row) => row.id)]
  const isNamed = (ids: readonly string[]): boolean =>
    names.some((name) => ids.some((pattern) => matches(name, pattern)))
  // A defect in HTTP messages cannot read a compressed body.
  if (variation === 'gzipped' && wire !== undefined) return true
  return (
    isNamed(neverOccurs) ||
    HIDING.some(
      ({ variations, defects }) =>
        variations.some((pattern) => matches(variation, pattern)) && isNamed(defects),
    )
  )
}
