import {
  at,
  chapterRows,
  must,
  ofStandard,
  should,
  statements,
  notShown,
} from '../../harness/check/requirement.ts'

const RESOURCE = 'Resources and their fields, Transaction'
const ENDPOINT = 'Endpoints, Accounts (first variant), GET /v1/accounts/{account-id}/transactions'
const REFUSED = 'Refused: no transaction is answered; status and body are not shown.'
const STILL =
  'Judged while nothing is booked. How the next page is reached is not shown: the profile gives it.'
const WITHIN_LIMITS =
  'Judged with a pageSize from 10 to 100. The limits of the first variant are not shown: beyond them a pageSize may be refused, or the limit may be used.'
const STEPS_OF_TEN =
  'The interface gives an integer with a minimum and a maximum, and does not say that it has no steps. A service is known that has page sizes in steps of ten only.'
const UNTIL_THE_DEADLINE =
  'The interface does not say how current they are: judged by the deadline of the profile (`deadlines.currentMs`), or after a minute.'
const SECOND_ENDPOINT = 'Endpoints, Accounts (second variant), POST /api/v1/accounts/transactions'
const STATUS = { reading: 'Which status of each class is not shown. An empty page is neither of both.' }

export const TRX = statements({
  "It lets a client application read a bank customer's accounts, balances and transaction history after the customer has authorized it.":
    at('What the service does, 1', {
      pagesLeaveNothingOut: must('TRX-05', {
        claim: 'the pages of an account together have all of its transactions',
        fromProfile: 'customers.*.accounts.*.transactions',
        reading: `Judged for accounts whose transactions the profile counts; there may be more by now. ${STILL}`,
      }),
      pagesRepeatNothing: must('TRX-06', {
        claim: 'no transaction is on two pages of an account',
        reading: `It is not twice on one page either. ${STILL}`,
      }),
      accountWithoutConsentIsRefused: must('TRX-11', {
        claim: 'transactions of an account that the customer has not consented to are refused',
        fromProfile: 'customers.*.accounts.*.consented',
        reading: `Another account of the same customer by its IBAN, and by its accountId where the profile knows it; one of another customer, under another consent, by its accountId and by its IBAN; and one that the customer has shared under another consent only, where the customer chooses the accounts. ${REFUSED}`,
        tags: ['security'],
      }),
      pagesComeToAnEnd: must('TRX-28', {
        claim: 'the pages of an account reach a last one',
        reading: `They do not lead back to an earlier page, and no page comes a third time. ${STILL}`,
      }),
      pagesKeepTheirOrder: should('TRX-29', {
        claim: 'the pages of an account have its transactions in the same order for every pageSize',
        reading: `A history has an order; which one is not shown. ${STILL}`,
      }),
      bookingLeavesNothingOut: should('TRX-31', {
        claim: 'a booking in the middle of a walk over the pages leaves out none of the older transactions',
        reading:
          'The interface says nothing of bookings between two pages. A bank that counts from the newest transaction shows one of them twice then, which is noted and not judged; none is lost, however it counts.',
      }),
      pagesLeaveNothingOutInTheSecondVariant: must('TRX-22', {
        claim: 'the pages of an account in the second variant together have all of its transactions',
        fromProfile: 'customers.*.accounts.*.transactions',
        reading: `Judged for accounts whose transactions the profile counts; there may be more by now. ${STILL}`,
        tags: ['variant-2'],
      }),
      pagesRepeatNothingInTheSecondVariant: must('TRX-23', {
        claim: 'no transaction is on two pages of an account in the second variant',
        reading: `It is not twice on one page either. ${STILL}`,
        tags: ['variant-2'],
      }),
      accountWithoutConsentIsRefusedInTheSecondVariant: must('TRX-24', {
        claim: 'the second variant refuses transactions of an account that the customer has not consented to',
        fromProfile: 'customers.*.accounts.*.consented',
        reading: `Another account of the same customer by its IBAN, in its electronic form and as a customer may type it, and by its id where the profile knows it; one of another customer, under another consent, by its id and by its IBAN; one that the customer has shared under another consent only, where the customer chooses the accounts; and one that does not exist, by an id and by an IBAN with right check digits. ${REFUSED}`,
        tags: ['variant-2', 'security'],
      }),
      pagesComeToAnEndInTheSecondVariant: must('TRX-36', {
        claim: 'the pages of an account in the second variant reach a last one',
        reading: `They do not lead back to an earlier page, and no page comes a third time. ${STILL}`,
        tags: ['variant-2'],
      }),
      pagesKeepTheirOrderInTheSecondVariant: should('TRX-37', {
        claim:
          'the pages of an account in the second variant have its transactions in the same order for every pageSize',
        reading: `A history has an order; which one is not shown. ${STILL}`,
        tags: ['variant-2'],
      }),
      bookingLeavesNothingOutInTheSecondVariant: should('TRX-39', {
        claim:
          'a booking in the middle of a walk over the pages of the second variant leaves out none of the older transactions',
        reading:
          'The interface says nothing of bookings between two pages. A bank that counts from the newest transaction shows one of them twice then, which is noted and not judged; none is lost, however it counts.',
        tags: ['variant-2'],
      }),
    }),
  'A page of transactions is returned per account.': at(RESOURCE, {
    pageIsThatOfTheAccount: must('TRX-02', {
      claim: 'a page has no transactions of another account',
      reading:
        'Judged with transactions that a test hook has booked: two accounts may have transactions under the same id. Others may book as well, so only two bookings on one account that both appear in another are a violation.',
    }),
    accountWithoutTransactionsHasAnEmptyPage: must('TRX-08', {
      claim: 'an account without transactions is answered with an empty page',
      fromProfile: 'customers.*.accounts.*.transactions',
      reading: 'Whether such a page has an empty list or no list is not shown.',
    }),
    unknownAccountIsRefused: must('TRX-10', {
      claim: 'transactions under an account-id that the bank never issued are refused',
      reading: `An account-id of the same form, and account-ids that differ from an issued one: in one character, cut off, and longer. ${REFUSED}`,
    }),
    pageIsTheSameWhenAskedForAgain: should('TRX-30', {
      claim: 'a page that is asked for again has the same transactions',
      reading: `Whether a link can be used twice is not shown: a refusal is not judged. A transaction that is shown again keeps its days and amounts unless its state has changed, and for an hour its texts: a bank may word them better later. ${STILL}`,
    }),
    pageIsThatOfTheAccountInTheSecondVariant: must('TRX-15', {
      claim: 'a page of the second variant has no transactions of another account',
      reading:
        'Judged with transactions that a test hook has booked: two accounts may have transactions under the same id. Others may book as well, so only two bookings on one account that both appear in another are a violation.',
      tags: ['variant-2'],
    }),
    accountWithoutTransactionsHasAnEmptyPageInTheSecondVariant: must('TRX-34', {
      claim: 'the second variant answers an account without transactions with an empty page',
      fromProfile: 'customers.*.accounts.*.transactions',
      reading: 'Whether such a page has an empty list or no list is not shown.',
      tags: ['variant-2'],
    }),
    pageIsTheSameWhenAskedForAgainInTheSecondVariant: should('TRX-38', {
      claim: 'a page of the second variant that is asked for again has the same transactions',
      reading: `Whether a link can be used twice is not shown: a refusal is not judged. A transaction that is shown again keeps its days and amounts unless its state has changed, and for an hour its texts: a bank may word them better later. ${STILL}`,
      tags: ['variant-2'],
    }),
  }),
  'Its size is set by the request parameter pageSize (integer).': at(RESOURCE, {
    pageHasTheSizeAskedFor: must('TRX-03', {
      claim: 'a page that is not the last has as many transactions as pageSize says',
      reading: `${WITHIN_LIMITS} One size for all pages is not a limit.`,
    }),
    lastPageIsNoLargerThanAskedFor: must('TRX-04', {
      claim: 'the last page has no more transactions than pageSize says',
      reading: `${WITHIN_LIMITS} The last page may be empty.`,
    }),
    pagesAreTheSameForEverySize: must('TRX-07', {
      claim: 'the pages of an account together have the same transactions for every pageSize',
      reading: STILL,
    }),
    pageHasTheSizeAskedForInTheSecondVariant: must('TRX-16', {
      claim: 'a page of the second variant that is not the last has as many transactions as pageSize says',
      reading:
        'Judged with a pageSize from 10 to 100. One that is no multiple of ten may be refused (TRX-46).',
      tags: ['variant-2', 'property'],
    }),
    everyWholePageSizeIsAccepted: should('TRX-46', {
      claim: 'the second variant accepts a pageSize between 10 and 100 that is no multiple of ten',
      reading: STEPS_OF_TEN,
      tags: ['variant-2', 'property'],
    }),
    pagesAreTheSameForEverySizeInTheSecondVariant: must('TRX-33', {
      claim:
        'the pages of an account in the second variant together have the same transactions for every pageSize',
      reading: STILL,
      tags: ['variant-2'],
    }),
  }),
  'The fields of a transaction record and the page envelope (total, next page link): not shown.': at(
    RESOURCE,
    {
      fieldsOfATransaction: notShown('TRX-U1', { subject: 'the fields of a transaction record' }),
      envelopeOfAPage: notShown('TRX-U2', {
        subject: 'the page envelope: the total and the next page link',
      }),
    },
  ),
  'Account API paths are relative to {base_url}/premium/production or {base_url}/premium/sandbox.': at(
    'Endpoints',
    {
      nextLinkStaysAtTheTarget: must('TRX-27', {
        claim: 'no page links to a next one outside of the base path',
        reading:
          'A next page is asked for with the access token: a link to another origin or base path is not followed. A link may name an origin that the profile lists (`origins`), such as that of a gateway: it is followed at the origin of the target. Judged where the profile has links between pages.',
        tags: ['security'],
      }),
    },
  ),
  '| GET | /v1/accounts/{account-id}/transactions | query pageSize, and other query parameters: not shown | A page of transactions. |':
    at(ENDPOINT, {
      pageIsAnswered: must('TRX-01', {
        claim: 'a page of transactions is answered for each listed account',
        answers: 'GET listTransactions',
      }),
    }),
  'query pageSize, and other query parameters: not shown': at(
    'Endpoints, Accounts (first variant), GET /v1/accounts/{account-id}/transactions',
    {
      otherQueryParameters: notShown('TRX-U3', { subject: 'the other query parameters' }),
    },
  ),
  '| POST | /api/v1/accounts/transactions | Body with the account and pageSize.': at(SECOND_ENDPOINT, {
    pageIsAnsweredInTheSecondVariant: must('TRX-14', {
      claim: 'the second variant answers a page of transactions for each listed account',
      answers: 'POST listTransactions',
      tags: ['variant-2'],
    }),
  }),
  'Body with the account and pageSize. The body field names: not shown.': at(
    'Endpoints, Accounts (second variant), POST /api/v1/accounts/transactions',
    {
      bodyOfTheTransactionsRequest: notShown('TRX-U4', {
        subject: 'the body field names of the second variant',
      }),
    },
  ),
  'Data calls carry the access token as a Bearer token.': at('Authentication, 3', {
    transactionsWithoutTokenAreRefused: must('TRX-12', {
      claim: 'transactions are refused without an access token',
      reading: `Without an Authorization header, without a token in it, and with one that the bank never issued. ${REFUSED}`,
      tags: ['security'],
    }),
    secondVariantWithoutTokenIsRefused: must('TRX-25', {
      claim: 'the second variant refuses transactions without an access token',
      reading: `Without an Authorization header, without a token in it, and with one that the bank never issued. ${REFUSED}`,
      tags: ['variant-2', 'security'],
    }),
  }),
  'A revoked or expired token makes API calls answer HTTP 401.': at('Authentication, 5', {
    transactionsWithAnExpiredTokenHaveStatus401: must('TRX-13', {
      claim: 'a request for transactions is answered with the HTTP status 401 when the token has expired',
      reading: 'The first page, and a later one.',
      tags: ['time', 'security'],
    }),
    transactionsWithARevokedTokenHaveStatus401: must('TRX-41', {
      claim:
        'a request for transactions is answered with the HTTP status 401 when the token has been revoked',
      reading: 'The first page, and a later one. Judged where the target lets the user revoke.',
      tags: ['security'],
    }),
    secondVariantWithAnExpiredTokenHasStatus401: must('TRX-26', {
      claim:
        'the second variant answers with the HTTP status 401 when the token for transactions has expired',
      reading: 'The first page, and a later one.',
      tags: ['variant-2', 'time', 'security'],
    }),
    secondVariantWithARevokedTokenHasStatus401: must('TRX-42', {
      claim:
        'the second variant answers with the HTTP status 401 when the token for transactions has been revoked',
      reading: 'The first page, and a later one. Judged where the target lets the user revoke.',
      tags: ['variant-2', 'security'],
    }),
  }),
  "Balances and transactions of the service's own bank's accounts stay current.": at('Events, accountEvent', {
    transactionsOfTheOwnBankAreCurrent: must('TRX-09', {
      claim: "a booking on an account of the service's own bank is among its transactions without a refresh",
      reading: UNTIL_THE_DEADLINE,
    }),
    transactionsAreCurrentInTheSecondVariant: must('TRX-35', {
      claim:
        "a booking on an account of the service's own bank is among its transactions in the second variant without a refresh",
      reading: UNTIL_THE_DEADLINE,
      tags: ['variant-2'],
    }),
  }),
  'The HTTP status code gives the result of the call.': at('Errors, 1', {
    statusGivesTheResult: must('TRX-43', {
      claim: 'a page with transactions has a 2xx status, and a refusal of one has no 2xx status',
      ...STATUS,
    }),
    statusGivesTheResultInTheSecondVariant: must('TRX-44', {
      claim:
        'a page of the second variant with transactions has a 2xx status, and a refusal of one has no 2xx status',
      ...STATUS,
      tags: ['variant-2'],
    }),
  }),
  '| pageSize | minimum 10 (not applied to the last page), maximum 100 | Transactions of the second accounts variant. |':
    at('Limits, row pageSize', {
      noPageExceedsOneHundred: must('TRX-17', {
        claim: 'no page of the second variant has more than 100 transactions',
        reading:
          'A larger pageSize may be refused or cut to 100. So may a missing one, and one that is no integer.',
        tags: ['variant-2', 'property'],
      }),
      noPageFallsBelowTen: must('TRX-18', {
        claim: 'no page of the second variant except the last has fewer than 10 transactions',
        reading:
          'A smaller pageSize may be refused or raised to 10. So may a missing one, and one that is no integer.',
        tags: ['variant-2', 'property'],
      }),
      smallestPageSizeIsAccepted: must('TRX-19', {
        claim: 'the second variant accepts a pageSize of 10',
        tags: ['variant-2'],
      }),
      largestPageSizeIsAccepted: must('TRX-20', {
        claim: 'the second variant accepts a pageSize of 100',
        tags: ['variant-2'],
      }),
      lastPageMayBeShort: must('TRX-21', {
        claim: 'the second variant answers a last page of fewer than 10 transactions with exactly these',
        reading:
          'The minimum is not applied to the last page. Judged for accounts whose transactions the profile or an earlier walk counts, unless there are more by now. A pageSize that is no multiple of ten and is refused is judged by another requirement.',
        tags: ['variant-2'],
      }),
    }),
  'The pageSize numbers for the first accounts variant, which only requires reasonable limits: not shown.':
    at('Limits', {
      pageSizeHasALimit: should('TRX-45', {
        claim: 'the first variant does not answer every pageSize in full',
        reading:
          'More than 1000 transactions on one page are no reasonable limit. The number is one of this project: ten times the maximum of the second variant. A larger pageSize may be refused, or the limit may be used. Judged for an account that is known to have more.',
      }),
      boundsOfTheFirstVariant: notShown('TRX-U5', {
        subject: 'the pageSize numbers of the first variant',
      }),
    }),
  'The 5xx (Server Error) class of status code indicates that the server is aware that it has erred or is incapable of performing the requested method.':
    ofStandard('RFC 9110 §15.6', 'Server Error 5xx', {
      strangePageSizeBreaksNothing: should('TRX-32', {
        claim: 'no pageSize is answered with a server error',
        reading: 'A pageSize that no page can have is an error of the client.',
      }),
      strangePageSizeBreaksNothingInTheSecondVariant: should('TRX-40', {
        claim: 'no pageSize in the second variant is answered with a server error',
        reading: 'A pageSize that no page can have is an error of the client.',
        tags: ['variant-2', 'property'],
      }),
    }),
})

export default chapterRows('transactions', TRX)
