import { must, shelf, should, undisclosed } from '../../harness/check/requirement.ts'
import { CALCULATION } from './requirements-of-calculation.ts'
import { PATHS } from './requirements-of-paths.ts'

const TOKEN = 'Endpoints, Installment-loan sandbox, POST /auth/oauth/v2/token'
const SUBMIT = 'Endpoints, Installment-loan sandbox, POST /v1/applications'
const CANCEL = 'Endpoints, Installment-loan sandbox, DELETE /v1/applications/{application-id}'
const STATES = 'States and transitions, Loan application status'
const RECORD = 'Resources and their fields, Loan application'

/** Sentences that more than one row quotes. */
const SANDBOX_TOKEN = { quote: 'Token response (scope PAY_LATER).', place: TOKEN }
const SUBMITTED = { quote: 'Submits an application.', place: SUBMIT }
const NOT_ALLOWED = {
  quote:
    '| NOT_ALLOWED_OPER | DELETE application | The request is already in a status that cannot be canceled. |',
  place: 'Errors, 5, row NOT_ALLOWED_OPER',
}

const BY_CODE =
  'The result code decides, not the HTTP status beside it; the profile says where the code stands.'
const FINAL = 'No move out of this status is given.'
const FOREIGN =
  'Whose an application is, is not stated, hence no more than a SHOULD; how it is refused is undisclosed.'

export const LOA = {
  sandboxIssuesAToken: must('LOA-01', {
    claim: 'the token endpoint of the loan sandbox issues an access_token that is not empty',
    quote: 'Obtains the access token.',
    place: TOKEN,
  }),
  sandboxTokenHasTheScopePayLater: must('LOA-02', {
    claim: 'the scope of a loan sandbox token is PAY_LATER',
    ...SANDBOX_TOKEN,
    reading: 'A token answer without scope grants the scope that was asked for (RFC 6749 §5.1).',
  }),
  sandboxTokenIsABearerToken: must('LOA-03', {
    claim: 'the token_type of a loan sandbox token is Bearer',
    quote: '| token_type | string | Value Bearer. |',
    place: 'Resources and their fields, Token response, row token_type',
    reading: 'Compared without regard to case, as RFC 6749 §5.1 has it.',
  }),
  sandboxTokenExpiresInADay: must('LOA-04', {
    claim: 'expires_in of a loan sandbox token is 86400',
    quote: 'The loan sandbox returns a value of one day (86400).',
    place: 'Resources and their fields, Token response, row expires_in',
  }),
  sandboxTokenEndsAfterADay: must('LOA-05', {
    claim: 'a loan sandbox token is refused once 86400 seconds have passed since its issue',
    quote: '| Sandbox token expires_in | 86400 seconds | Loan sandbox token. |',
    place: 'Limits, row Sandbox token expires_in',
    reading: 'A minute of grace for clocks that differ.',
    tags: ['time', 'security'],
  }),
  sandboxHasItsOwnTokenEndpoint: must('LOA-06', {
    claim: 'the token endpoint below the loan base path serves the scope PAY_LATER',
    quote: 'The loan sandbox has its own token endpoint, with scope PAY_LATER.',
    place: 'Authentication, 7',
  }),
  loanCallWithoutTokenIsRefused: must('LOA-07', {
    claim: 'a loan operation without an access token is refused',
    quote: 'Obtains the access token.',
    place: TOKEN,
    reading: 'Nothing is calculated, submitted, canceled or reported; status and body are undisclosed.',
    tags: ['security'],
  }),
  sandboxTokenLivesForADay: must('LOA-44', {
    claim: 'a loan sandbox token is accepted until 86400 seconds have passed since its issue',
    quote: '| Sandbox token expires_in | 86400 seconds | Loan sandbox token. |',
    place: 'Limits, row Sandbox token expires_in',
    reading: 'Judged a minute before.',
    tags: ['time'],
  }),
  sandboxTokenExpiresInAnInteger: must('LOA-45', {
    claim: 'expires_in of a loan sandbox token is an integer',
    quote: '| expires_in | integer | Seconds.',
    place: 'Resources and their fields, Token response, row expires_in',
  }),
  loanCallWithUnknownTokenIsRefused: must('LOA-46', {
    claim: 'a loan operation with a token that the bank never issued is refused',
    quote: 'Data calls carry the access token as a Bearer token.',
    place: 'Authentication, 3',
    reading: 'Nothing is calculated, submitted, canceled or reported; status and body are undisclosed.',
    tags: ['security'],
  }),
  tokenOfAnotherScopeIsRefused: should('LOA-47', {
    claim: 'a token whose scope is another than PAY_LATER does not open the loan operations',
    quote: 'The loan sandbox has its own token endpoint, with scope PAY_LATER.',
    place: 'Authentication, 7',
    reading:
      'The token endpoint may refuse another scope, or grant PAY_LATER and say so (RFC 6749 §3.3). That scopes are told apart is not stated, hence no more than a SHOULD.',
    tags: ['security'],
  }),
  wrongSecretGetsNoLoanToken: should('LOA-80', {
    claim: 'the token endpoint of the loan sandbox refuses a client with a wrong secret',
    quote: 'The client MUST authenticate with the authorization server',
    place: 'Access Token Request',
    source: 'RFC 6749 §4.4.2',
    reading:
      'No access_token is given. That the sandbox grants to client credentials is not stated, hence no more than a SHOULD.',
    tags: ['security'],
  }),

  expiredTokenHasStatus401: must('LOA-81', {
    claim: 'a loan operation with an expired token is answered with the HTTP status 401',
    quote: 'HTTP 401 Unauthorized answers a call with a revoked or expired token.',
    place: 'Errors, 3',
    reading: 'Judged of every operation, a minute after the day of the token.',
    tags: ['time'],
  }),

  ...CALCULATION,

  applicationIsAnswered: must('LOA-20', {
    claim: 'the answer to a submitted application carries an application-id that is not empty',
    quote: 'Identified by application-id.',
    place: RECORD,
    reading: 'The wire name of the field is undisclosed: the profile says it.',
  }),
  applicationIdsAreDistinct: must('LOA-21', {
    claim: 'two applications have different application-ids',
    quote: 'Identified by application-id.',
    place: RECORD,
  }),
  submittedApplicationIsNew: must('LOA-22', {
    claim: 'an application is NEW after its submission',
    ...SUBMITTED,
    reading: 'Every path starts with NEW.',
  }),

  newApplicationIsCanceled: must('LOA-33', {
    claim: 'an application that is NEW is CANCELED once it has been deleted',
    quote: 'Cancels the application.',
    place: CANCEL,
  }),
  canceledApplicationIsNotCanceledAgain: must('LOA-35', {
    claim: 'a DELETE of an application in CANCELED is answered NOT_ALLOWED_OPER',
    ...NOT_ALLOWED,
    reading: `${FINAL} ${BY_CODE}`,
  }),
  refusedCancellationChangesNothing: must('LOA-38', {
    claim: 'an application keeps its status when its cancellation is answered NOT_ALLOWED_OPER',
    quote: 'it is refused with NOT_ALLOWED_OPER when the request is in a status that cannot be canceled',
    place: STATES,
  }),
  unknownApplicationIsNotCanceled: must('LOA-39', {
    claim: 'a DELETE of an application that does not exist is answered APP_NOT_FOUND',
    quote: '| APP_NOT_FOUND | DELETE, GET status | No request with that id exists. |',
    place: 'Errors, 5, row APP_NOT_FOUND',
    reading: BY_CODE,
  }),
  unknownApplicationHasNoStatus: must('LOA-40', {
    claim: 'a GET of the status of an application that does not exist is answered APP_NOT_FOUND',
    quote: 'Result code OK (status received) or error APP_NOT_FOUND.',
    place: 'Endpoints, Installment-loan sandbox, GET /v1/applications/{application-id}/status',
    reading: BY_CODE,
  }),
  statusIsAnsweredWithOk: must('LOA-41', {
    claim: 'a GET of the status of an application is answered OK',
    quote: '| OK | GET status | The status was received. |',
    place: 'Errors, 5, row OK',
    reading: 'Where the profile names no field for the code, the status itself is the OK.',
  }),
  foreignApplicationIsNotTold: should('LOA-58', {
    claim: 'the status of an application is not told to another client than the one that submitted it',
    quote: '| APP_NOT_FOUND | DELETE, GET status | No request with that id exists. |',
    place: 'Errors, 5, row APP_NOT_FOUND',
    reading: FOREIGN,
    tags: ['security'],
  }),
  foreignApplicationIsNotCanceled: should('LOA-59', {
    claim: 'an application is not canceled by another client than the one that submitted it',
    quote: 'Cancels the application.',
    place: CANCEL,
    reading: FOREIGN,
    tags: ['security'],
  }),

  ...PATHS,

  wireNamesOfTheApplication: undisclosed('LOA-U1', {
    subject: 'the wire field names of the loan operations',
    quote: 'The wire field names and the full application record: not shown.',
    place: RECORD,
  }),
  recordOfTheApplication: undisclosed('LOA-U2', {
    subject: 'the full application record',
    quote: 'The wire field names and the full application record: not shown.',
    place: RECORD,
  }),
  otherTransitions: undisclosed('LOA-U3', {
    subject: 'the transitions outside the sandbox scenarios',
    quote: 'Transitions outside the sandbox scenarios: not shown.',
    place: STATES,
  }),
  statusesThatRefuseDelete: undisclosed('LOA-U4', {
    subject: 'the set of statuses in which DELETE is refused',
    quote: 'The set of statuses in which DELETE is refused: not shown',
    place: STATES,
  }),
  namesOfTheCalculationFields: undisclosed('LOA-U5', {
    subject: 'the field names of the precalculation',
    quote: 'See Limits for scenario values. The field names: not shown.',
    place: 'Endpoints, Installment-loan sandbox, PUT /v1/applications/precalculation',
  }),
  bodiesOfTheLoanOperations: undisclosed('LOA-U6', {
    subject: 'the bodies and responses of the loan operations',
    quote:
      'Bodies and responses of the loan operations, and the field names of the status response: not shown.',
    place: 'Endpoints, Installment-loan sandbox',
  }),
  namesOfTheStatusFields: undisclosed('LOA-U7', {
    subject: 'the field names of the status response',
    quote:
      'Bodies and responses of the loan operations, and the field names of the status response: not shown.',
    place: 'Endpoints, Installment-loan sandbox',
  }),
  statusCodesOfTheLoanOperations: undisclosed('LOA-U8', {
    subject: 'the HTTP status codes beside the loan result codes',
    quote: 'HTTP status codes that accompany the loan result codes: not shown.',
    place: 'Errors, 7',
  }),
} as const

export default shelf('loans', LOA)
