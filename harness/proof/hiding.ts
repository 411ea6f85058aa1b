import { matches } from '../bank/composition/conflicts.ts'
import { HIDING_LOANS } from './hiding/loans.ts'
import { HIDING_WEBHOOKS } from './hiding/webhooks.ts'
import type { Hiding } from './hiding/entry.ts'
import type { Defect, Variation } from '../bank/defect.ts'

/** Which variations a composed bank must not have, so that a defect of it can be observed. */

/** What does not follow from `neverOccurs` of a variation. */
export const HIDING: readonly Hiding[] = [
  ...HIDING_LOANS,
  ...HIDING_WEBHOOKS,
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
    reason: 'The defect changes the Content-Security-Policy, and these pages have X-Frame-Options instead.',
  },
  {
    variations: ['extra-return-parameters'],
    defects: ['code-stands-behind-a-second-question-mark'],
    reason:
      'The second question mark stands behind the issuer, so that the own query of the address is kept.',
  },
  {
    variations: ['old-transactions-are-left-out'],
    defects: [
      'expired-token-of-a-refresh-shows-transactions',
      'expired-token-shows-transactions*',
      'expired-token-of-a-tpp-shows-transactions',
    ],
    reason: 'All transactions have become too old to be shown: an empty page shows nothing of an account.',
  },
  {
    variations: [
      'account-id-prefix*',
      'account-ids-of-digits',
      'account-ids-per-consent',
      'account-ids-to-be-escaped',
      'padded-account-ids',
      'iban-identifies-in-the-second-variant',
    ],
    defects: [
      'account-id-is-a-number',
      'account-id-of-a-tpp-is-a-number',
      'two-accounts-share-an-account-id',
      'two-accounts-are-picked-by-one-id',
      'unconsented-account-is-read-by-its-id*',
      'unconsented-id-is-accepted',
      'refreshed-token-opens-every-iban',
      'refusal-shows-the-id-behind-an-iban',
      'unconsented-transactions-by-their-id',
      'unconsented-id-shows-transactions',
      'unconsented-account-behind-the-first-page',
    ],
    reason: 'The defect, or the profile, knows an account by the id that it has in the reference bank.',
  },
  {
    variations: ['account-ids-per-consent'],
    defects: [
      'foreign-account-is-read-by-a-tpp',
      'foreign-account-is-read-after-an-allowed-call',
      'detail-is-opened-by-the-grant-of-the-last-caller',
      'refusal-names-the-account',
      'foreign-transactions-after-an-allowed-page',
    ],
    reason: 'An account has another id for each consent: a token of another customer cannot name it.',
  },
  {
    variations: ['own-accounts-only-in-the-second-variant'],
    defects: [
      'list-of-a-tpp-leaves-out-other-banks',
      'second-variant-lists-other-banks-only',
      'picked-account-at-another-bank-is-refused',
      'two-accounts-are-picked-by-one-id',
      'refresh-leaves-the-balances-of-the-second-variant',
      'refresh-leaves-the-transactions-of-the-second-variant',
      'refresh-is-not-seen-in-the-second-variant',
      'typed-iban-of-another-bank-is-refused',
    ],
    reason: 'The second variant has no account at another bank, which is lawful.',
  },
  {
    variations: ['refusals-empty'],
    defects: ['refusal-names-*', 'refusal-has-the-balance', 'refusal-shows-the-id-behind-an-iban'],
    reason: 'The members of the refusal are removed.',
  },
  {
    variations: ['refusals-empty', 'refusals-as-pages', 'unknown-accounts-answered-with-null'],
    defects: [
      'list-has-status-404',
      'detail-has-status-404',
      'second-list-has-status-404',
      'information-has-status-404',
      'pages-have-status-404',
      'numbered-pages-have-status-404',
    ],
    reason: 'The data of an answer with the status of a refusal is removed.',
  },
  {
    variations: ['refusals-as-pages'],
    defects: ['refusal-names-the-account', 'refusal-has-the-balance'],
    reason: 'A plain word or number in a page may be one of any message.',
  },
  {
    variations: ['first-variant-from-20-alone'],
    defects: ['account-of-one-full-page-is-empty'],
    reason:
      'The accounts that fit into one page have fewer transactions than the smallest page of this bank.',
  },
  {
    variations: ['booked-balance-alone'],
    defects: ['booking-moves-the-balances-of-all-accounts'],
    reason: 'The only balance may be what several accounts share, such as a credit line.',
  },
  {
    variations: ['extra-members'],
    defects: [
      'detail-without-balances',
      'information-without-balances',
      'information-has-an-amount-without-a-value',
    ],
    reason:
      'A number elsewhere in the answer may be the balance, and the profile wrong: the run is incomplete.',
  },
  {
    variations: ['nested'],
    defects: ['consent-is-looked-up-by-id-and-account-by-iban'],
    reason: 'A body has one member for the account, its id or its IBAN.',
  },
  {
    variations: ['other-banks-are-watched'],
    defects: [
      'refresh-updates-once',
      'refresh-updates-nothing',
      'refresh-updates-one-bank-alone',
      'refresh-leaves-the-first-bank-out',
      'data-come-two-days-after-finished',
      'finished-is-reported-*',
    ],
    reason: 'A booking at another bank is known before the refresh.',
  },
  {
    variations: ['refresh-ignores-the-body'],
    defects: [
      'refresh-takes-any-consent',
      'refresh-takes-consents-of-*',
      'refresh-takes-the-newest-consent',
      'refresh-takes-unknown-consents',
      'refused-refresh-is-a-server-error',
    ],
    reason: 'The consent that a request names is not read: that of the token is refreshed.',
  },
  {
    variations: ['refresh-joins-the-one-under-way', 'refresh-refused-if-too-soon'],
    defects: ['task-ids-of-each-application-begin-at-41'],
    reason: 'The refreshes that are to make the counts meet start no tasks of their own.',
  },
  {
    variations: ['refusals-empty', 'refusals-as-pages'],
    defects: ['refresh-answered-with-404', 'second-refresh-answered-with-409', 'rejection-is-unprocessable'],
    reason: 'What an answer with the status of a refusal tells is removed.',
  },
  {
    variations: ['page-numbers-in-links'],
    defects: [
      'second-and-third-page-overlap',
      'second-and-third-page-of-a-tpp-overlap',
      'small-pages-of-a-tpp-skip-one',
    ],
    reason: 'A page begins where its number says, and not where the page before it has ended.',
  },
  {
    variations: ['links-of-one-use'],
    defects: [
      'second-page-is-another-when-asked-for-again',
      'later-pages-have-transactions-of-another-account',
    ],
    reason: 'A later page is not answered again.',
  },
  {
    variations: ['empty-page-behind-a-full-one'],
    defects: ['small-pages-of-a-tpp-skip-one'],
    reason:
      'The page behind the last one begins beyond the end, so that a walk has no end and is not judged.',
  },
  {
    variations: [
      'first-variant-to-50-alone',
      'oldest-transactions-first',
      'transactions-numbered-per-account',
    ],
    defects: ['later-pages-have-transactions-of-another-account'],
    reason:
      'No other account is asked for between two requests for the page, or its transaction has an id of this one.',
  },
  {
    variations: ['unknown-accounts-answered-with-null'],
    defects: ['unknown-transactions-have-status-200*', 'account-without-transactions-is-unknown*'],
    reason: 'A refusal has the status 200 and no data, like the answer for an account without transactions.',
  },
  {
    variations: ['oldest-transactions-first'],
    defects: ['later-numbered-pages-have-bookings-of-another-account'],
    reason: 'The transaction in whose place the booking stands is missing before and after, and is not lost.',
  },
  {
    variations: ['padded-account-ids'],
    defects: ['longer-account-id-is-accepted', 'longer-account-id-shows-transactions'],
    reason: 'What the check adds stands before the padding, and not behind the id.',
  },
  {
    variations: ['page-sizes-clamped'],
    defects: ['page-size-of-10-is-refused', 'strange-page-size-breaks-the-second-variant-down'],
    reason: 'No pageSize is refused.',
  },
  {
    variations: ['balances-in-hundredths'],
    defects: ['refusal-has-the-balance'],
    reason: 'The refusal has the number in another form than the detail.',
  },
  {
    variations: ['accounts-of-few-members'],
    defects: ['refusal-names-the-account'],
    reason: 'No answer shows the name of the account: the check does not know it.',
  },
  {
    variations: ['accounts-with-names-of-the-world'],
    defects: ['refusal-names-the-account'],
    reason: 'The refusal has the name without what this bank writes before it.',
  },
  {
    variations: ['yesterdays-balance-first'],
    defects: ['second-customer-is-shown-no-balances'],
    reason: 'The balance of yesterday is still shown.',
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
    variations: ['members-in-other-order', 'extra-members'],
    defects: ['TOK-14'],
    reason: 'A body is written anew, with each member once.',
  },
  {
    variations: ['tokens-end-with-the-grant'],
    defects: ['detail-needs-a-younger-token', 'account-id-ends-with-a-later-list'],
    reason: 'A renewed token ends with its grant, before the reads in which the defect shows.',
  },
  {
    variations: ['compact', 'nested', 'generated-*'],
    defects: ['late-refusal-carries-a-refresh-token'],
    reason: 'A refresh token in a refusal has no name in a dialect.',
  },
  {
    variations: ['compact', 'nested', 'generated-*'],
    defects: [
      'basic-header-is-not-read',
      'initiation-is-not-found',
      'authorization-takes-post-alone',
      'list-has-status-404',
      'detail-has-status-404',
      'second-list-has-status-404',
      'information-has-status-404',
      'pages-have-status-404',
      'numbered-pages-have-status-404',
      'account-detail-of-production-has-moved',
      'transactions-of-production-have-moved',
      'transactions-of-the-second-variant-of-production-have-moved',
      'submission-of-production-has-moved',
      'loans-are-served-elsewhere',
    ],
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
    defects: ['refusal-tells-the-state-of-a-foreign-order'],
    reason:
      'The refusal of an unknown payment has no words, so that a word of another refusal may be a constant of the bank.',
  },
  {
    variations: ['accounts-of-production-have-other-ibans'],
    defects: ['unconsented-account-is-listed-in-production', 'task-ids-are-all-alike-in-production'],
    reason: 'The profile of the reference bank knows no account of production.',
  },
  {
    variations: ['accounts-of-production-have-other-ibans'],
    defects: ['PAY-*'],
    judgedIn: 'production',
    reason: 'The debtor of the profile has an account in the sandbox.',
  },
  {
    variations: ['order-ids-are-counted-per-environment'],
    defects: ['payment-of-production-is-authorized-in-the-sandbox'],
    reason: 'A payment of the sandbox has the same orderId.',
  },
  {
    variations: ['absolute-addresses'],
    defects: ['base-of-the-login-is-plain-http'],
    reason: 'No address of the page is relative to its base.',
  },
  {
    variations: ['order-ids-are-counted*', 'order-ids-of-35-characters', 'order-id-format'],
    defects: ['status-names-the-order-in-lower-case'],
    reason: 'An orderId without capital letters is the same in lower case.',
  },
  {
    variations: ['compact', 'nested', 'generated-*'],
    defects: [
      'accounts-are-listed-without-a-version',
      'account-detail-needs-no-version',
      'tokens-are-issued-without-a-version',
      'loans-are-calculated-without-a-version',
      'login-is-sent-without-tls',
    ],
    reason:
      'The dialect does not serve a path without its version, and it replaces the address of each form.',
  },
  {
    variations: ['nested'],
    defects: [
      'PAY-69',
      'authorization-of-another-payment-will-do',
      'used-authorization-of-another-payment-will-do',
      'used-authorization-submits-another-payment',
      'token-of-an-authorization-never-ends',
      'submission-with-an-expired-token-is-carried-out-in-silence',
      'payment-of-the-sandbox-is-submitted-in-production',
      'payment-of-production-is-submitted-in-the-sandbox-in-silence',
    ],
    reason:
      'A payment is submitted with the token of the application, so that no token is that of an authorization.',
  },
  {
    variations: ['nested'],
    defects: ['submission-by-name-needs-no-authorization', 'submission-moves-the-oldest-of-the-moment'],
    reason:
      'Each submission names its payment with that token, so that the defect breaks further requirements.',
  },
  {
    variations: ['nested'],
    defects: ['initiation-has-no-order-id', 'status-names-no-order'],
    reason: 'The record is in another object, and is found by its orderId only.',
  },
  {
    variations: ['nested'],
    defects: ['payment-of-production-is-authorized-in-the-sandbox'],
    reason:
      'A payment that must not be accessed is refused with 404, under a path that may be wrong: the run is incomplete.',
  },
  {
    variations: ['nested'],
    defects: ['cancellation-of-loans-has-moved', 'status-of-loans-has-moved'],
    reason: 'The dialect answers 200 to what is not found, at an address of loans as well.',
  },
  {
    variations: ['payments-settle-at-once'],
    defects: [
      'second-submission-*',
      'submitted-payment-is-pending',
      'next-payment-after-an-executed-one-needs-no-customer',
    ],
    reason: 'No payment is read in process, on which the defect depends.',
  },
  {
    variations: ['payments-settle-the-next-day'],
    defects: ['completed-payment-is-gone'],
    reason: 'A payment is completed after the last time that the checks of the requirement read it.',
  },
  {
    variations: ['pending-payments-are-rejected'],
    defects: ['denial-submits', 'payment-for-today-waits', 'executed-payment-waits-for-its-day-again'],
    reason: 'A payment that waits for the day on which it is submitted is rejected at once, which is lawful.',
  },
  {
    variations: ['denial-rejects-the-payment'],
    defects: ['denied-payment-moves-by-itself', 'client-token-submits-the-last-payment'],
    reason: 'A payment that is denied is rejected, and waits for no submission.',
  },
  {
    variations: ['early-submission-rejects-the-payment'],
    defects: [
      'submission-by-name-needs-no-authorization',
      'authorization-of-another-payment-will-do',
      'used-authorization-of-another-payment-will-do',
    ],
    reason: 'The bank has rejected the other payment before the defect moves it.',
  },
  {
    variations: ['submission-can-be-repeated'],
    defects: [
      'every-state-can-be-submitted',
      'rejected-payment-can-be-submitted',
      'late-rejection-is-no-end',
      'late-rejection-is-forgotten-by-the-next-day',
    ],
    reason: 'Every state can be submitted, which leaves the payment as it is.',
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
    defects: ['PAY-68', 'PAY-72'],
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
    variations: ['short-lived-codes', 'code-lifetime'],
    defects: ['code-expires-by-the-time-of-day'],
    reason: 'A code expires before the time of day is the same again.',
  },
  {
    variations: ['compact'],
    defects: ['account-token-cancels-an-application'],
    reason:
      'The profile has another application for loans than the first one, for which the defect takes the caller.',
  },
  {
    variations: ['compact'],
    defects: ['failed-payment-in-process-has-no-reason'],
    reason: 'A payment in process is not executed later.',
  },
  {
    variations: ['compact'],
    defects: ['failed-client-authentication-has-a-code'],
    reason: 'The member for the error is called code in this dialect, so that it is given.',
  },
  {
    variations: ['new-grant-ends-older'],
    defects: [
      'TOK-62',
      'used-code-is-forgotten-after-a-day',
      'late-refresh-keeps-the-access-token',
      'new-grant-revives-the-expired-token',
      'nobody-is-asked-to-log-in',
      'refresh-of-the-own-consent-refreshes-the-named-one-too',
      'expired-token-has-status-403-from-the-second-call-on',
    ],
    reason:
      'A later grant of the scenario has ended the code or the token, before the bank answers to it wrongly.',
  },
  {
    variations: ['renewal-outlives-the-token', 'renewal-retires-access', 'tokens-end-with-the-grant'],
    defects: [
      'refresh-takes-an-expired-token-whose-grant-was-renewed',
      'refresh-attempt-revives-the-expired-token',
      'new-grant-revives-the-expired-token',
      'expiry-is-swept-away-after-a-month',
      'refreshed-refresh-token-lives-60-days',
      'late-refresh-keeps-the-access-token',
      'picked-id-ends-with-a-later-list',
      'late-refusal-carries-a-refresh-token',
      'refresh-token-of-another-customer-lives-a-month',
    ],
    reason: 'The refresh on which the defect depends ends otherwise.',
  },
  {
    variations: ['renewal-outlives-the-token'],
    defects: [
      'granted-consent-is-used-up',
      'consent-ends-with-its-tokens',
      'renewal-waits-until-it-is-too-late',
    ],
    reason:
      'A refresh after the 90 days succeeds: no new grant is called for, and a bank may renew only what has expired.',
  },
]

type Shown = Pick<Variation, 'id' | 'neverOccurs'>

type Hidden = Pick<Defect, 'id' | 'breaks' | 'wire' | 'environment' | 'triedIn'>

/** Whether a defect may have no effect in a bank with this variation, or may be lawful there. */
export const isHiddenBy = (
  { id, breaks, wire, environment, triedIn = environment ?? 'sandbox' }: Hidden,
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
      ({ variations, defects, judgedIn = triedIn }) =>
        judgedIn === triedIn && variations.some((pattern) => matches(variation, pattern)) && isNamed(defects),
    )
  )
}
