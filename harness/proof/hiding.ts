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
    variations: ['scope-without-its-consent'],
    defects: ['AUT-14'],
    reason: 'The stated scope is without the unknown word, which is lawful.',
  },
  {
    variations: ['one-page'],
    defects: ['AUT-18'],
    reason: 'The customer denies before the login, so that nothing can be granted.',
  },
  {
    variations: ['compact', 'nested', 'generated-*', 'pretty-printed'],
    defects: ['TOK-12', 'TOK-14'],
    reason: 'A body is written anew, with its media type and each member once.',
  },
  {
    variations: ['compact', 'nested', 'generated-*'],
    defects: ['late-refusal-carries-a-refresh-token'],
    reason: 'A refresh token in a refusal has no name in a dialect.',
  },
  {
    variations: ['compact', 'nested', 'generated-*'],
    defects: ['basic-header-is-not-read', 'initiation-is-not-found', 'authorization-takes-post-alone'],
    reason:
      'The profile names another path or header than the interface, which may be wrong: the run is incomplete.',
  },
  {
    variations: ['payments-in-an-envelope', 'date-times-in-the-basic-form', 'payments-stay-in-process'],
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
      'submission-by-name-needs-no-authorization',
      'submission-needs-no-token',
      'client-token-submits-the-last-payment',
      'used-authorization-of-another-payment-will-do',
      'foreign-order-is-readable',
      'refusal-tells-the-state-of-a-foreign-order',
    ],
    reason: 'The defect reads a JSON refusal, and turns it into another answer.',
  },
  {
    variations: ['refusals-as-pages'],
    defects: [
      'PAY-30',
      'PAY-68',
      'PAY-69',
      'payment-of-the-sandbox-is-authorized-in-production',
      'payment-of-production-is-authorized-in-the-sandbox',
    ],
    reason: 'A page that refuses may be that of a firewall: the run is incomplete, and names `refusals`.',
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
    variations: ['short-lived-codes'],
    defects: ['code-expires-by-the-time-of-day'],
    reason: 'A code expires before the time of day is the same again.',
  },
  {
    variations: ['new-grant-ends-older'],
    defects: ['TOK-62', 'used-code-is-forgotten-after-a-day', 'late-refresh-keeps-the-access-token'],
    reason: 'A later grant of the scenario has ended the code, or the token, that the bank accepts wrongly.',
  },
  {
    variations: ['renewal-outlives-the-token', 'renewal-retires-access', 'tokens-end-with-the-grant'],
    defects: [
      'refresh-attempt-revives-the-expired-token',
      'new-grant-revives-the-expired-token',
      'expiry-is-swept-away-after-a-month',
      'refreshed-refresh-token-lives-60-days',
      'late-refresh-keeps-the-access-token',
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
