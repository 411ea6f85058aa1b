import { must, should } from '../../harness/check/requirement.ts'

const ENDPOINT = 'Endpoints, Accounts (first variant), GET /v1/accounts/{account-id}/transactions'
const RESOURCE = 'Resources and their fields, Transaction'

const REFUSED = 'Refused: no transaction is answered; status and body are undisclosed.'
const STILL =
  'Judged while nothing is booked; how the next page is reached is undisclosed and told by the profile.'
const WITHIN_LIMITS =
  'Judged with a pageSize from 10 to 100. The limits of the first variant are undisclosed: beyond them a pageSize may be refused, or taken for the limit.'

/** Sentences that more than one row quotes. */
const PAGE_SIZE = { quote: 'Its size is set by the request parameter pageSize (integer).', place: RESOURCE }
const PER_ACCOUNT = { quote: 'A page of transactions is returned per account.', place: RESOURCE }
const HISTORY = {
  quote:
    "It lets a client application read a bank customer's accounts, balances and transaction history after the customer has authorized it.",
  place: 'What the service does, 1',
}

/** Transactions as the first variant offers them. */
export const FIRST = {
  pageIsAnswered: must('TRX-01', {
    claim: 'a page of transactions is answered for each listed account',
    quote:
      '| GET | /v1/accounts/{account-id}/transactions | query pageSize, and other query parameters: not shown | A page of transactions. |',
    place: ENDPOINT,
  }),
  pageIsThatOfTheAccount: must('TRX-02', {
    claim: 'a page holds transactions of no other account',
    ...PER_ACCOUNT,
    reading:
      'Judged with transactions that a lever has booked: two accounts may have transactions under the same id. Others may book as well, so it takes two bookings on one account that both show in another.',
  }),
  pageHasTheSizeAskedFor: must('TRX-03', {
    claim: 'a page that is not the last holds as many transactions as pageSize says',
    ...PAGE_SIZE,
    reading: `${WITHIN_LIMITS} That the size is always the same is no limit.`,
  }),
  lastPageIsNoLargerThanAskedFor: must('TRX-04', {
    claim: 'the last page holds no more transactions than pageSize says',
    ...PAGE_SIZE,
    reading: `${WITHIN_LIMITS} The last page may be empty.`,
  }),
  pagesLeaveNothingOut: must('TRX-05', {
    claim: 'the pages of an account together hold all of its transactions',
    ...HISTORY,
    reading: `Judged of accounts whose transactions the profile counts; there may be more of them by now. ${STILL}`,
  }),
  pagesRepeatNothing: must('TRX-06', {
    claim: 'no transaction stands on two pages of an account',
    ...HISTORY,
    reading: `Nor twice on one page. ${STILL}`,
  }),
  pagesAreTheSameForEverySize: must('TRX-07', {
    claim: 'the pages of an account together hold the same transactions whatever pageSize is',
    ...PAGE_SIZE,
    reading: STILL,
  }),
  accountWithoutTransactionsHasAnEmptyPage: must('TRX-08', {
    claim: 'an account without transactions is answered with a page that holds none',
    ...PER_ACCOUNT,
    reading: 'Whether such a page has an empty list or no list is undisclosed.',
  }),
  transactionsOfTheOwnBankAreCurrent: must('TRX-09', {
    claim: "a booking on an account of the service's own bank is among its transactions without a refresh",
    quote: "Balances and transactions of the service's own bank's accounts stay current.",
    place: 'Events, accountEvent',
    reading: 'Within a minute: how current is not said.',
  }),
  unknownAccountIsRefused: must('TRX-10', {
    claim: 'transactions under an account-id that the bank never issued are refused',
    ...PER_ACCOUNT,
    reading: `One of the same look, one cut off, and one with more behind it. ${REFUSED}`,
  }),
  accountWithoutConsentIsRefused: must('TRX-11', {
    claim: 'transactions of an account that the customer has not consented to are refused',
    ...HISTORY,
    reading: `Another account of the same customer by its IBAN, since its accountId is in no list; and one of another customer, under another consent, by its accountId and by its IBAN. ${REFUSED}`,
    tags: ['security'],
  }),
  transactionsWithoutTokenAreRefused: must('TRX-12', {
    claim: 'transactions are refused without an access token',
    quote: 'Data calls carry the access token as a Bearer token.',
    place: 'Authentication, 3',
    reading: `Without an Authorization header, without a token in it, and with one that the bank never issued. ${REFUSED}`,
    tags: ['security'],
  }),
  transactionsWithAnExpiredTokenHaveStatus401: must('TRX-13', {
    claim: 'a request for transactions is answered with the HTTP status 401 when the token has expired',
    quote: 'A revoked or expired token makes API calls answer HTTP 401.',
    place: 'Authentication, 5',
    reading: 'The first page, and a later one.',
    tags: ['time', 'security'],
  }),
  transactionsWithARevokedTokenHaveStatus401: must('TRX-41', {
    claim: 'a request for transactions is answered with the HTTP status 401 when the token has been revoked',
    quote: 'A revoked or expired token makes API calls answer HTTP 401.',
    place: 'Authentication, 5',
    reading: 'The first page, and a later one. Judged where the target lets the user revoke.',
    tags: ['security'],
  }),
  nextLinkStaysAtTheTarget: must('TRX-27', {
    claim: 'no page links to a next one outside of the base path',
    quote: 'Account API paths are relative to {base_url}/premium/production or {base_url}/premium/sandbox.',
    place: 'Endpoints',
    reading:
      'A next page is asked for with the access token: a link to another origin or base path is not followed. Judged where the profile tells of links.',
    tags: ['security'],
  }),
  pagesComeToAnEnd: must('TRX-28', {
    claim: 'the pages of an account come to a last one',
    ...HISTORY,
    reading: `They lead back to no page before, and the same page does not come a third time. ${STILL}`,
  }),
  pagesKeepTheirOrder: should('TRX-29', {
    claim: 'the pages of an account hold its transactions in the same order whatever pageSize is',
    ...HISTORY,
    reading: `A history has an order; which one is undisclosed. ${STILL}`,
  }),
  pageIsTheSameWhenAskedForAgain: should('TRX-30', {
    claim: 'a page that is asked for again holds the same transactions',
    ...PER_ACCOUNT,
    reading: `A way to a page that is good for one use is undisclosed: a refusal is not judged. ${STILL}`,
  }),
  bookingLeavesNothingOut: should('TRX-31', {
    claim: 'a booking in the middle of a walk over the pages leaves none of the older transactions out',
    ...HISTORY,
    reading:
      'The interface says nothing of bookings between two pages. A bank that counts from the newest transaction shows one of them twice then, which is noted and not judged; none is lost, however it counts.',
  }),
  strangePageSizeBreaksNothing: should('TRX-32', {
    claim: 'no pageSize is answered with a server error',
    quote:
      'The 5xx (Server Error) class of status code indicates that the server is aware that it has erred or is incapable of performing the requested method.',
    place: 'Server Error 5xx',
    source: 'RFC 9110 §15.6',
    reading: 'A pageSize that no page can have is the fault of the client.',
  }),
} as const
