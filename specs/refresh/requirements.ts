import { at, chapterRows, must, should, statements, notShown } from '../../harness/check/requirement.ts'

const REFRESH = "Endpoints, Refresh of other banks' accounts, PUT /refresh"
const TASK = 'Resources and their fields, Refresh task, row taskId'
const STATUS = 'States and transitions, Refresh task status'
const REFUSED = 'Refused: no taskId is answered and nothing is updated; status and body are not shown.'
const NAMED =
  'Judged where the request names the consent. It is refused, or the consent of the token is refreshed, whichever consent the request names.'
const CURRENT =
  'Current as of the start of the refresh. How soon after FINISHED the data can be read is not shown: it has the deadline of the profile (deadlines.currentMs), or a day.'

export const REF = statements({
  'A refresh operation updates accounts held at other banks.': at('What the service does, 5', {
    otherBanksAreUpdatedByARefresh: must('REF-08', {
      claim: 'what has changed at another bank is there after a refresh',
      reading: 'Whether it is there without a refresh is not judged.',
    }),
  }),
  '| taskId | string | Returned by PUT /refresh': at(TASK, {
    taskIdIsAString: must('REF-02', { claim: 'a taskId is a string', reading: 'Judged on the raw JSON.' }),
  }),
  'Returned by PUT /refresh and repeated in the accountEvent webhook body.': at(TASK, {
    refreshAnswersATaskId: must('REF-01', {
      claim: 'the answer to PUT /refresh carries a taskId that is not empty',
      answers: 'PUT refresh',
    }),
  }),
  'It correlates the two.': at(TASK, {
    taskIdsAreDistinct: must('REF-03', {
      claim: 'two refreshes of different consents have different taskIds',
      reading:
        'A second refresh of the same consent while the first is under way may join it, so only different consents are compared.',
    }),
  }),
  'taskStatus is carried in the accountEvent webhook. FINISHED is the value given.': at(STATUS, {
    taskIsReportedAsFinished: must('REF-09', {
      claim: 'a refresh ends with the taskStatus FINISHED of each bank',
      reading:
        'Other values may come before it, and events twice, late or out of order. Judged for the banks that the profile knows; it also says how long to wait.',
    }),
  }),
  'The other values and the transitions: not shown.': at(STATUS, {
    otherTaskStatusValues: notShown('REF-U2', { subject: 'the other values of taskStatus' }),
    transitionsOfTheTaskStatus: notShown('REF-U3', { subject: 'the transitions of taskStatus' }),
  }),
  'Starts an asynchronous task that updates all account balances and transactions of one consent (consentId).':
    at(REFRESH, {
      refreshUpdatesTheBalances: must('REF-04', {
        claim: 'the balances of an account at another bank are current once its task is FINISHED',
        reading: `A credit and a debit change them in opposite directions. ${CURRENT}`,
      }),
      refreshUpdatesTheTransactions: must('REF-05', {
        claim: 'the transactions of an account at another bank are current once its task is FINISHED',
        reading: CURRENT,
      }),
      refreshUpdatesEveryAccountOfTheConsent: must('REF-06', {
        claim: 'a refresh updates every account of the consent at every other bank',
        fromProfile: 'customers.*.accounts.*.bank',
        reading: 'Judged once each of the banks has reported FINISHED.',
      }),
      refreshReportsNoOtherConsent: must('REF-07', {
        claim: 'a refresh leads to accountEvents of its own consent only',
        reading: 'Judged by the consentId of the accountEvents that carry its taskId.',
      }),
      anotherConsentIsNotRefreshed: must('REF-12', {
        claim: 'a consent that the token was not granted for is not refreshed',
        reading: `${NAMED} ${REFUSED}`,
        tags: ['security'],
      }),
      unknownConsentIsNotRefreshed: must('REF-14', {
        claim: 'a refresh that names a consent that does not exist starts no task for it',
        reading: `${NAMED} ${REFUSED}`,
        tags: ['security'],
      }),
      dataIsCurrentWhenFinished: should('REF-17', {
        claim: 'an account at another bank is current ten seconds after its task is FINISHED',
        reading:
          'FINISHED says that the update has ended. Reads that lag behind writes by a moment are usual and no number is given, hence no more than a SHOULD.',
      }),
    }),
  'The request shape: not shown.': at(REFRESH, {
    shapeOfTheRefreshRequest: notShown('REF-U1', { subject: 'the shape of the refresh request' }),
  }),
  'Data calls carry the access token as a Bearer token.': at('Authentication, 3', {
    refreshWithoutTokenIsRefused: must('REF-10', {
      claim: 'a refresh without an access token is refused',
      reading: `A token for loans, for payments or of the other environment is not an access token here. ${REFUSED}`,
      tags: ['security'],
    }),
  }),
  'A revoked or expired token makes API calls answer HTTP 401.': at('Authentication, 5', {
    refreshWithAnExpiredTokenHasStatus401: must('REF-11', {
      claim: 'a refresh is answered with the HTTP status 401 when the token has expired',
      reading: 'A refresh that is answered with 401 starts no task.',
      tags: ['time', 'security'],
    }),
    refreshWithARevokedTokenHasStatus401: must('REF-13', {
      claim: 'a refresh is answered with the HTTP status 401 when the token has been revoked',
      reading: 'A refresh that is answered with 401 starts no task.',
      tags: ['security'],
    }),
  }),
  'The application maps the webhook to the refresh through taskId.': at('Events, accountEvent', {
    laterTaskHasANewId: must('REF-16', {
      claim: 'a refresh that is accepted after the end of an earlier one has another taskId',
      reading:
        'Judged for one consent, once every other bank has reported FINISHED of the earlier refresh and again of the later one. A refresh that is refused, since it comes too soon, is repeated once.',
    }),
  }),
  'The HTTP status code gives the result of the call.': at('Errors, 1', {
    statusGivesTheResult: must('REF-15', {
      claim: 'a refresh has the HTTP status of a success when it is accepted, and only then',
      reading:
        'A refresh is accepted if its answer carries a taskId. Success is 200 to 299; which other status a refusal has is not shown.',
    }),
  }),
})

export default chapterRows('refresh', REF)
