import { must, should } from '../../harness/check/requirement.ts'

const ENDPOINT = 'Endpoints, Accounts (second variant), POST /api/v1/accounts/transactions'
const RESOURCE = 'Resources and their fields, Transaction'

const REFUSED = 'Refused: no transaction is answered; status and body are undisclosed.'
const STILL =
  'Judged while nothing is booked; how the next page is reached is undisclosed and told by the profile.'

/** Sentences that more than one row quotes. */
const PAGE_SIZE = { quote: 'Its size is set by the request parameter pageSize (integer).', place: RESOURCE }
const PER_ACCOUNT = { quote: 'A page of transactions is returned per account.', place: RESOURCE }
const BOUNDS = {
  quote:
    '| pageSize | minimum 10 (not applied to the last page), maximum 100 | Transactions of the second accounts variant. |',
  place: 'Limits, row pageSize',
}
const HISTORY = {
  quote:
    "It lets a client application read a bank customer's accounts, balances and transaction history after the customer has authorized it.",
  place: 'What the service does, 1',
}

/** Transactions as the second variant offers them. */
export const SECOND = {
  pageIsAnsweredInTheSecondVariant: must('TRX-14', {
    claim: 'the second variant answers a page of transactions for each listed account',
    quote: '| POST | /api/v1/accounts/transactions | Body with the account and pageSize.',
    place: ENDPOINT,
    tags: ['variant-2'],
  }),
  pageIsThatOfTheAccountInTheSecondVariant: must('TRX-15', {
    claim: 'a page of the second variant holds transactions of no other account',
    ...PER_ACCOUNT,
    reading:
      'Judged with transactions that a lever has booked: two accounts may have transactions under the same id. Others may book as well, so it takes two bookings on one account that both show in another.',
    tags: ['variant-2'],
  }),
  pageHasTheSizeAskedForInTheSecondVariant: must('TRX-16', {
    claim: 'a page of the second variant that is not the last holds as many transactions as pageSize says',
    ...PAGE_SIZE,
    reading:
      'Every whole number from 10 to 100 is a pageSize: a bank that takes multiples of ten alone does not keep this.',
    tags: ['variant-2', 'property'],
  }),
  noPageExceedsOneHundred: must('TRX-17', {
    claim: 'no page of the second variant holds more than 100 transactions',
    ...BOUNDS,
    reading: 'A larger pageSize may be refused or cut to 100. So may one that is no integer, or none.',
    tags: ['variant-2', 'property'],
  }),
  noPageFallsBelowTen: must('TRX-18', {
    claim: 'no page of the second variant but the last holds fewer than 10 transactions',
    ...BOUNDS,
    reading: 'A smaller pageSize may be refused or raised to 10. So may one that is no integer, or none.',
    tags: ['variant-2', 'property'],
  }),
  smallestPageSizeIsAccepted: must('TRX-19', {
    claim: 'the second variant accepts a pageSize of 10',
    ...BOUNDS,
    tags: ['variant-2'],
  }),
  largestPageSizeIsAccepted: must('TRX-20', {
    claim: 'the second variant accepts a pageSize of 100',
    ...BOUNDS,
    tags: ['variant-2'],
  }),
  lastPageMayBeShort: must('TRX-21', {
    claim: 'the second variant answers a last page of fewer than 10 transactions with just these',
    ...BOUNDS,
    reading:
      'The minimum is not applied to the last page. Judged of accounts whose transactions the profile or an earlier walk counts, unless there are more of them by now.',
    tags: ['variant-2'],
  }),
  pagesLeaveNothingOutInTheSecondVariant: must('TRX-22', {
    claim: 'the pages of an account in the second variant together hold all of its transactions',
    ...HISTORY,
    reading: `Judged of accounts whose transactions the profile counts; there may be more of them by now. ${STILL}`,
    tags: ['variant-2'],
  }),
  pagesRepeatNothingInTheSecondVariant: must('TRX-23', {
    claim: 'no transaction stands on two pages of an account in the second variant',
    ...HISTORY,
    reading: `Nor twice on one page. ${STILL}`,
    tags: ['variant-2'],
  }),
  accountWithoutConsentIsRefusedInTheSecondVariant: must('TRX-24', {
    claim: 'the second variant refuses transactions of an account that the customer has not consented to',
    ...HISTORY,
    reading: `Another account of the same customer by its IBAN, as it is and as a customer may type it; one of another customer, under another consent, by its id and by its IBAN; and one that does not exist, by an id and by an IBAN whose check digits are right. ${REFUSED}`,
    tags: ['variant-2', 'security'],
  }),
  secondVariantWithoutTokenIsRefused: must('TRX-25', {
    claim: 'the second variant refuses transactions without an access token',
    quote: 'Data calls carry the access token as a Bearer token.',
    place: 'Authentication, 3',
    reading: `Without an Authorization header, without a token in it, and with one that the bank never issued. ${REFUSED}`,
    tags: ['variant-2', 'security'],
  }),
  secondVariantWithAnExpiredTokenHasStatus401: must('TRX-26', {
    claim: 'the second variant answers with the HTTP status 401 when the token for transactions has expired',
    quote: 'A revoked or expired token makes API calls answer HTTP 401.',
    place: 'Authentication, 5',
    reading: 'The first page, and a later one.',
    tags: ['variant-2', 'time', 'security'],
  }),
  secondVariantWithARevokedTokenHasStatus401: must('TRX-42', {
    claim:
      'the second variant answers with the HTTP status 401 when the token for transactions has been revoked',
    quote: 'A revoked or expired token makes API calls answer HTTP 401.',
    place: 'Authentication, 5',
    reading: 'The first page, and a later one. Judged where the target lets the user revoke.',
    tags: ['variant-2', 'security'],
  }),
  pagesAreTheSameForEverySizeInTheSecondVariant: must('TRX-33', {
    claim:
      'the pages of an account in the second variant together hold the same transactions whatever pageSize is',
    ...PAGE_SIZE,
    reading: STILL,
    tags: ['variant-2'],
  }),
  accountWithoutTransactionsHasAnEmptyPageInTheSecondVariant: must('TRX-34', {
    claim: 'the second variant answers an account without transactions with a page that holds none',
    ...PER_ACCOUNT,
    reading: 'Whether such a page has an empty list or no list is undisclosed.',
    tags: ['variant-2'],
  }),
  transactionsAreCurrentInTheSecondVariant: must('TRX-35', {
    claim:
      "a booking on an account of the service's own bank is among its transactions in the second variant without a refresh",
    quote: "Balances and transactions of the service's own bank's accounts stay current.",
    place: 'Events, accountEvent',
    reading: 'Within a minute: how current is not said.',
    tags: ['variant-2'],
  }),
  pagesComeToAnEndInTheSecondVariant: must('TRX-36', {
    claim: 'the pages of an account in the second variant come to a last one',
    ...HISTORY,
    reading: `They lead back to no page before, and the same page does not come a third time. ${STILL}`,
    tags: ['variant-2'],
  }),
  pagesKeepTheirOrderInTheSecondVariant: should('TRX-37', {
    claim:
      'the pages of an account in the second variant hold its transactions in the same order whatever pageSize is',
    ...HISTORY,
    reading: `A history has an order; which one is undisclosed. ${STILL}`,
    tags: ['variant-2'],
  }),
  pageIsTheSameWhenAskedForAgainInTheSecondVariant: should('TRX-38', {
    claim: 'a page of the second variant that is asked for again holds the same transactions',
    ...PER_ACCOUNT,
    reading: `A way to a page that is good for one use is undisclosed: a refusal is not judged. ${STILL}`,
    tags: ['variant-2'],
  }),
  bookingLeavesNothingOutInTheSecondVariant: should('TRX-39', {
    claim:
      'a booking in the middle of a walk over the pages of the second variant leaves none of the older transactions out',
    ...HISTORY,
    reading:
      'The interface says nothing of bookings between two pages. A bank that counts from the newest transaction shows one of them twice then, which is noted and not judged; none is lost, however it counts.',
    tags: ['variant-2'],
  }),
  strangePageSizeBreaksNothingInTheSecondVariant: should('TRX-40', {
    claim: 'no pageSize in the second variant is answered with a server error',
    quote:
      'The 5xx (Server Error) class of status code indicates that the server is aware that it has erred or is incapable of performing the requested method.',
    place: 'Server Error 5xx',
    source: 'RFC 9110 §15.6',
    reading: 'A pageSize that no page can have is the fault of the client.',
    tags: ['variant-2', 'property'],
  }),
} as const
