import { must, shelf, undisclosed } from '../../harness/check/requirement.ts'

const pending = 'no check yet'

const FIRST = 'Endpoints, Accounts (first variant), GET /v1/accounts/{account-id}/transactions'
const SECOND = 'Endpoints, Accounts (second variant), POST /api/v1/accounts/transactions'
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
const BEARER_IS_NEEDED = {
  quote: 'Data calls carry the access token as a Bearer token.',
  place: 'Authentication, 3',
}
const ANSWERED_401 = {
  quote: 'A revoked or expired token makes API calls answer HTTP 401.',
  place: 'Authentication, 5',
}

export const TRX = {
  pageIsAnswered: must('TRX-01', {
    claim: 'a page of transactions is answered for each listed account',
    quote:
      '| GET | /v1/accounts/{account-id}/transactions | query pageSize, and other query parameters: not shown | A page of transactions. |',
    place: FIRST,
    pending,
  }),
  pageIsThatOfTheAccount: must('TRX-02', {
    claim: 'a page holds transactions of no other account',
    ...PER_ACCOUNT,
    reading: 'Judged with transactions that the profile knows or a lever has booked.',
    pending,
  }),
  pageHasTheSizeAskedFor: must('TRX-03', {
    claim: 'a page that is not the last holds as many transactions as pageSize says',
    ...PAGE_SIZE,
    reading: 'Judged with a pageSize from 10 to 100, which no reasonable limit rules out.',
    tags: ['property'],
    pending,
  }),
  lastPageIsNoLargerThanAskedFor: must('TRX-04', {
    claim: 'the last page holds no more transactions than pageSize says',
    ...PAGE_SIZE,
    reading: 'Judged with a pageSize from 10 to 100, which no reasonable limit rules out.',
    pending,
  }),
  pagesLeaveNothingOut: must('TRX-05', {
    claim: 'the pages of an account together hold all of its transactions',
    ...HISTORY,
    reading: STILL,
    pending,
  }),
  pagesRepeatNothing: must('TRX-06', {
    claim: 'no transaction stands on two pages of an account',
    ...HISTORY,
    reading: STILL,
    pending,
  }),
  pagesAreTheSameForEverySize: must('TRX-07', {
    claim: 'the pages of an account together hold the same transactions whatever pageSize is',
    ...PAGE_SIZE,
    reading: STILL,
    tags: ['property'],
    pending,
  }),
  accountWithoutTransactionsHasAnEmptyPage: must('TRX-08', {
    claim: 'an account without transactions is answered with a page that holds none',
    ...PER_ACCOUNT,
    pending,
  }),
  transactionsOfTheOwnBankAreCurrent: must('TRX-09', {
    claim: "a booking on an account of the service's own bank is among its transactions without a refresh",
    quote: "Balances and transactions of the service's own bank's accounts stay current.",
    place: 'Events, accountEvent',
    pending,
  }),
  unknownAccountIsRefused: must('TRX-10', {
    claim: 'transactions under an account-id that the bank never issued are refused',
    ...PER_ACCOUNT,
    reading: REFUSED,
    pending,
  }),
  accountWithoutConsentIsRefused: must('TRX-11', {
    claim: 'transactions of an account that the customer has not consented to are refused',
    ...HISTORY,
    reading: `Another account of the same customer, and one of another customer. ${REFUSED}`,
    tags: ['security'],
    pending,
  }),
  transactionsWithoutTokenAreRefused: must('TRX-12', {
    claim: 'transactions are refused without an access token',
    ...BEARER_IS_NEEDED,
    reading: REFUSED,
    tags: ['security'],
    pending,
  }),
  transactionsWithAnExpiredTokenHaveStatus401: must('TRX-13', {
    claim: 'a request for transactions is answered with the HTTP status 401 when the token has expired',
    ...ANSWERED_401,
    tags: ['time', 'security'],
    pending,
  }),

  pageIsAnsweredInTheSecondVariant: must('TRX-14', {
    claim: 'the second variant answers a page of transactions for each listed account',
    quote: '| POST | /api/v1/accounts/transactions | Body with the account and pageSize.',
    place: SECOND,
    tags: ['variant-2'],
    pending,
  }),
  pageIsThatOfTheAccountInTheSecondVariant: must('TRX-15', {
    claim: 'a page of the second variant holds transactions of no other account',
    ...PER_ACCOUNT,
    reading: 'Judged with transactions that the profile knows or a lever has booked.',
    tags: ['variant-2'],
    pending,
  }),
  pageHasTheSizeAskedForInTheSecondVariant: must('TRX-16', {
    claim: 'a page of the second variant that is not the last holds as many transactions as pageSize says',
    ...PAGE_SIZE,
    reading: 'Judged with a pageSize from 10 to 100.',
    tags: ['variant-2', 'property'],
    pending,
  }),
  noPageExceedsOneHundred: must('TRX-17', {
    claim: 'no page of the second variant holds more than 100 transactions',
    ...BOUNDS,
    reading: 'A larger pageSize may be refused or cut to 100.',
    tags: ['variant-2'],
    pending,
  }),
  noPageFallsBelowTen: must('TRX-18', {
    claim: 'no page of the second variant but the last holds fewer than 10 transactions',
    ...BOUNDS,
    reading: 'A smaller pageSize may be refused or raised to 10.',
    tags: ['variant-2'],
    pending,
  }),
  smallestPageSizeIsAccepted: must('TRX-19', {
    claim: 'the second variant accepts a pageSize of 10',
    ...BOUNDS,
    tags: ['variant-2'],
    pending,
  }),
  largestPageSizeIsAccepted: must('TRX-20', {
    claim: 'the second variant accepts a pageSize of 100',
    ...BOUNDS,
    tags: ['variant-2'],
    pending,
  }),
  lastPageMayBeShort: must('TRX-21', {
    claim: 'the second variant answers a last page of fewer than 10 transactions with just these',
    ...BOUNDS,
    reading: 'The minimum is not applied to the last page.',
    tags: ['variant-2'],
    pending,
  }),
  pagesLeaveNothingOutInTheSecondVariant: must('TRX-22', {
    claim: 'the pages of an account in the second variant together hold all of its transactions',
    ...HISTORY,
    reading: STILL,
    tags: ['variant-2'],
    pending,
  }),
  pagesRepeatNothingInTheSecondVariant: must('TRX-23', {
    claim: 'no transaction stands on two pages of an account in the second variant',
    ...HISTORY,
    reading: STILL,
    tags: ['variant-2'],
    pending,
  }),
  accountWithoutConsentIsRefusedInTheSecondVariant: must('TRX-24', {
    claim: 'the second variant refuses transactions of an account that the customer has not consented to',
    ...HISTORY,
    reading: `Another account of the same customer, one of another customer, and one that does not exist. ${REFUSED}`,
    tags: ['variant-2', 'security'],
    pending,
  }),
  secondVariantWithoutTokenIsRefused: must('TRX-25', {
    claim: 'the second variant refuses transactions without an access token',
    ...BEARER_IS_NEEDED,
    reading: REFUSED,
    tags: ['variant-2', 'security'],
    pending,
  }),
  secondVariantWithAnExpiredTokenHasStatus401: must('TRX-26', {
    claim: 'the second variant answers with the HTTP status 401 when the token for transactions has expired',
    ...ANSWERED_401,
    tags: ['variant-2', 'time', 'security'],
    pending,
  }),

  fieldsOfATransaction: undisclosed('TRX-U1', {
    subject: 'the fields of a transaction record',
    quote: 'The fields of a transaction record and the page envelope (total, next page link): not shown.',
    place: RESOURCE,
  }),
  envelopeOfAPage: undisclosed('TRX-U2', {
    subject: 'the page envelope: the total and the next page link',
    quote: 'The fields of a transaction record and the page envelope (total, next page link): not shown.',
    place: RESOURCE,
  }),
  otherQueryParameters: undisclosed('TRX-U3', {
    subject: 'the query parameters beside pageSize',
    quote: 'query pageSize, and other query parameters: not shown',
    place: FIRST,
  }),
  bodyOfTheTransactionsRequest: undisclosed('TRX-U4', {
    subject: 'the body field names of the second variant',
    quote: 'Body with the account and pageSize. The body field names: not shown.',
    place: SECOND,
  }),
  boundsOfTheFirstVariant: undisclosed('TRX-U5', {
    subject: 'the pageSize numbers of the first variant',
    quote:
      'The pageSize numbers for the first accounts variant, which only requires reasonable limits: not shown.',
    place: 'Limits',
  }),
} as const

export default shelf('transactions', TRX)
