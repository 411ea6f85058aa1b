import type { Hiding } from './entry.ts'

/** What hides defects of accounts. */
export const HIDING_ACCOUNTS: readonly Hiding[] = [
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
      'foreign-account-is-read-by-its-id',
      'foreign-account-is-read-in-production',
      'foreign-account-is-read-by-a-tpp',
      'foreign-account-is-read-after-*',
      'foreign-id-is-accepted-in-the-second-variant',
      'detail-is-opened-by-the-grant-of-the-last-caller',
      'detail-of-another-consent-is-kept',
      'refusal-names-*',
      'refusal-has-the-*',
      'transactions-of-another-consent',
      'foreign-transactions-in-production',
      'foreign-account-behind-the-first-page',
      'foreign-transactions-after-an-allowed-page',
    ],
    reason: 'An account has another id for each consent: a token of another consent cannot name it.',
  },
  {
    variations: ['one-page'],
    defects: [
      'preselected-accounts-are-shared',
      'choices-of-accounts-add-up',
      'last-choice-of-accounts-holds-for-all-consents',
      'detail-of-another-consent-is-kept',
      'information-of-another-consent-is-kept',
      'transactions-of-another-consent*',
    ],
    reason: 'Before the login no account is offered, so that the customer cannot choose.',
  },
  {
    variations: ['new-grant-ends-older'],
    defects: ['last-choice-of-accounts-holds-for-all-consents'],
    reason: 'The token of the earlier choice has ended.',
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
      'list-leaves-out-the-last-account',
      'second-variant-leaves-out-bookings',
      'second-variant-is-two-days-old',
      'last-listed-account-has-no-numbered-page',
      'pages-of-an-odd-size-begin-at-tens',
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
    variations: ['booked-balance-alone'],
    defects: ['booking-moves-the-balances-of-all-accounts'],
    reason: 'The only balance may be what several accounts share, such as a credit line.',
  },
  {
    variations: ['booked-balance-alone'],
    defects: ['last-balance-has-no-amount'],
    reason: 'The balance without an amount is not shown.',
  },
  {
    variations: ['iban-identifies-in-the-second-variant'],
    defects: ['second-customer-is-shown-no-balances'],
    reason:
      'Without balances the answer only repeats the IBAN of the request: it is not taken for a detail, and the check is not reached.',
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
    variations: ['generated-*'],
    defects: ['consent-is-looked-up-by-id-and-account-by-iban'],
    reason: 'A body has one member for the account, its id or its IBAN.',
  },
  {
    variations: ['padded-account-ids'],
    defects: ['longer-account-id-is-accepted', 'longer-account-id-shows-transactions'],
    reason: 'What the check adds stands before the padding, and not behind the id.',
  },
  {
    variations: ['balances-in-hundredths', 'balances-with-a-comma', 'balances-in-print'],
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
]
