import { must, should, chapterRows, undisclosed } from '../../harness/check/requirement.ts'

const REFRESH = "Endpoints, Refresh of other banks' accounts, PUT /refresh"
const TASK = 'Resources and their fields, Refresh task, row taskId'
const STATUS = 'States and transitions, Refresh task status'

const REFUSED = 'Refused: no taskId is answered and nothing is updated; status and body are not shown.'

const NAMED =
  'Judged where the request names the consent. It is refused, or the consent of the token is refreshed, whichever consent the request names.'

const CURRENT =
  'Current as of the start of the refresh. How soon after FINISHED the data can be read is not shown: it has the deadline of the profile (deadlines.currentMs), or a day.'

/** Sentences that more than one row quotes. */
const UPDATES = {
  quote:
    'Starts an asynchronous task that updates all account balances and transactions of one consent (consentId).',
  place: REFRESH,
}

export const REF = {
  refreshAnswersATaskId: must('REF-01', {
    answers: 'PUT refresh',
    claim: 'the answer to PUT /refresh carries a taskId that is not empty',
    quote: 'Returned by PUT /refresh and repeated in the accountEvent webhook body.',
    place: TASK,
  }),
  taskIdIsAString: must('REF-02', {
    claim: 'a taskId is a string',
    quote: '| taskId | string | Returned by PUT /refresh',
    place: TASK,
    reading: 'Judged on the raw JSON.',
  }),
  taskIdsAreDistinct: must('REF-03', {
    claim: 'two refreshes of different consents have different taskIds',
    quote: 'It correlates the two.',
    place: TASK,
    reading:
      'A second refresh of the same consent while the first is under way may join it, so only different consents are compared.',
  }),
  refreshUpdatesTheBalances: must('REF-04', {
    claim: 'the balances of an account at another bank are current once its task is FINISHED',
    ...UPDATES,
    reading: CURRENT,
  }),
  refreshUpdatesTheTransactions: must('REF-05', {
    claim: 'the transactions of an account at another bank are current once its task is FINISHED',
    ...UPDATES,
    reading: CURRENT,
  }),
  refreshUpdatesEveryAccountOfTheConsent: must('REF-06', {
    claim: 'a refresh updates every account of the consent at every other bank',
    fromProfile: 'customers.*.accounts.*.bank',
    ...UPDATES,
    reading: 'Judged once each of the banks has reported FINISHED.',
  }),
  refreshReportsNoOtherConsent: must('REF-07', {
    claim: 'a refresh leads to accountEvents of its own consent only',
    ...UPDATES,
    reading: 'Judged by the consentId of the accountEvents that carry its taskId.',
  }),
  otherBanksAreUpdatedByARefresh: must('REF-08', {
    claim: 'what has changed at another bank is there after a refresh',
    quote: 'A refresh operation updates accounts held at other banks.',
    place: 'What the service does, 5',
    reading: 'Whether it is there without a refresh is not judged.',
  }),
  taskIsReportedAsFinished: must('REF-09', {
    claim: 'a refresh ends with the taskStatus FINISHED of each bank',
    quote: 'taskStatus is carried in the accountEvent webhook. FINISHED is the value given.',
    place: STATUS,
    reading:
      'Other values may come before it, and events twice, late or out of order. Judged for the banks that the profile knows; it also says how long to wait.',
  }),
  refreshWithoutTokenIsRefused: must('REF-10', {
    claim: 'a refresh without an access token is refused',
    quote: 'Data calls carry the access token as a Bearer token.',
    place: 'Authentication, 3',
    reading: `A token for loans, for payments or of the other environment is not an access token here. ${REFUSED}`,
    tags: ['security'],
  }),
  refreshWithAnExpiredTokenHasStatus401: must('REF-11', {
    claim: 'a refresh is answered with the HTTP status 401 when the token has expired',
    quote: 'A revoked or expired token makes API calls answer HTTP 401.',
    place: 'Authentication, 5',
    reading: 'A refresh that is answered with 401 starts no task.',
    tags: ['time', 'security'],
  }),
  anotherConsentIsNotRefreshed: must('REF-12', {
    claim: 'a consent that the token was not granted for is not refreshed',
    ...UPDATES,
    reading: `${NAMED} ${REFUSED}`,
    tags: ['security'],
  }),
  refreshWithARevokedTokenHasStatus401: must('REF-13', {
    claim: 'a refresh is answered with the HTTP status 401 when the token has been revoked',
    quote: 'A revoked or expired token makes API calls answer HTTP 401.',
    place: 'Authentication, 5',
    reading: 'A refresh that is answered with 401 starts no task.',
    tags: ['security'],
  }),
  unknownConsentIsNotRefreshed: must('REF-14', {
    claim: 'a refresh that names a consent that does not exist starts no task for it',
    ...UPDATES,
    reading: `${NAMED} ${REFUSED}`,
    tags: ['security'],
  }),
  statusGivesTheResult: must('REF-15', {
    claim: 'a refresh has the HTTP status of a success when it is accepted, and only then',
    quote: 'The HTTP status code gives the result of the call.',
    place: 'Errors, 1',
    reading:
      'A refresh is accepted if its answer carries a taskId. Success is 200 to 299; which other status a refusal has is not shown.',
  }),
  laterTaskHasANewId: must('REF-16', {
    claim: 'a refresh that is accepted after the end of an earlier one has another taskId',
    quote: 'The application maps the webhook to the refresh through taskId.',
    place: 'Events, accountEvent',
    reading:
      'Judged for one consent, once every other bank has reported FINISHED of the earlier refresh and again of the later one. A refresh that is refused, since it comes too soon, is repeated once.',
  }),
  dataIsCurrentWhenFinished: should('REF-17', {
    claim: 'an account at another bank is current ten seconds after its task is FINISHED',
    ...UPDATES,
    reading:
      'FINISHED says that the update has ended. Reads that lag behind writes by a moment are usual and no number is given, hence no more than a SHOULD.',
  }),

  shapeOfTheRefreshRequest: undisclosed('REF-U1', {
    subject: 'the shape of the refresh request',
    quote: 'The request shape: not shown.',
    place: REFRESH,
  }),
  otherTaskStatusValues: undisclosed('REF-U2', {
    subject: 'the other values of taskStatus',
    quote: 'The other values and the transitions: not shown.',
    place: STATUS,
  }),
  transitionsOfTheTaskStatus: undisclosed('REF-U3', {
    subject: 'the transitions of taskStatus',
    quote: 'The other values and the transitions: not shown.',
    place: STATUS,
  }),
} as const

export default chapterRows('refresh', REF)
