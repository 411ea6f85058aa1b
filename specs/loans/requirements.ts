import {
  at,
  chapterRows,
  must,
  ofStandard,
  should,
  statements,
  notShown,
} from '../../harness/check/requirement.ts'

const TOKEN = 'Endpoints, Installment-loan sandbox, POST /auth/oauth/v2/token'
const SUBMIT = 'Endpoints, Installment-loan sandbox, POST /v1/applications'
const CANCEL = 'Endpoints, Installment-loan sandbox, DELETE /v1/applications/{application-id}'
const STATES = 'States and transitions, Loan application status'
const RECORD = 'Resources and their fields, Loan application'
const AUTHENTICATION =
  'The access token is that of the own token endpoint of the loan sandbox (Authentication, 7). Nothing is calculated, submitted, canceled or reported; status and body are not judged.'
const BY_CODE =
  'The result code decides, not the HTTP status that accompanies it; the profile says where the code is.'
const FINAL = 'No transition out of this status is given.'
const FOREIGN =
  'To whom an application belongs is not stated, hence no more than a SHOULD; the form of the refusal is not shown.'
const SCENARIOS = 'Limits, Loan precalculation scenarios (sandbox)'
const NEGATIVE = 'How a negative result differs from a positive one is not shown: the profile says it.'
const CAUSE =
  'Where the answer has its cause, and in which words, is not shown: the profile says it. A sandbox that calculates scripted inputs only may have another cause for other amounts, hence no more than a SHOULD.'
const NO_INCOME = 'Both bounds belong to the range. No income is sent.'
const SCRIPTED =
  'A sandbox may calculate the six scripted inputs only: then it refuses every other amount within the bounds, which is judged instead.'
const BOUNDS_OF_BOTH = 'The bounds hold for the precalculation and for the application.'
const OF_NO_AMOUNT =
  'Tried without an amount, with null, a truth value, words and lists. How a malformed request is answered is not shown, hence no more than a SHOULD.'
const WITH_CENTS =
  'The minimum and the maximum are given. It may be refused for its amount or for its form; 99.50 and 2000.50 EUR are tried as well.'
const AROUND_RETENTION = 'The time counts from the submission.'

export const LOA = statements({
  '| token_type | string | Value Bearer. |': at(
    'Resources and their fields, Token response, row token_type',
    {
      sandboxTokenIsABearerToken: must('LOA-03', {
        claim: 'the token_type of a loan sandbox token is Bearer',
        reading: 'Compared without regard to case, as RFC 6749 §5.1 has it.',
      }),
    },
  ),
  '| expires_in | integer | Seconds.': at('Resources and their fields, Token response, row expires_in', {
    sandboxTokenExpiresInAnInteger: must('LOA-45', {
      claim: 'expires_in of a loan sandbox token is an integer',
    }),
  }),
  'The loan sandbox returns a value of one day (86400).': at(
    'Resources and their fields, Token response, row expires_in',
    {
      sandboxTokenExpiresInADay: must('LOA-04', { claim: 'expires_in of a loan sandbox token is 86400' }),
    },
  ),
  'Identified by application-id.': at(RECORD, {
    applicationIsAnswered: must('LOA-20', {
      claim: 'the answer to a submitted application carries an application-id that is not empty',
      answers: 'POST applyForLoan',
      reading: 'The wire name of the field is not shown: the profile says it.',
    }),
    applicationIdsAreDistinct: must('LOA-21', {
      claim: 'two applications have different application-ids',
      reading: 'What two applications share identifies neither of them.',
    }),
  }),
  'The wire field names and the full application record: not shown.': at(RECORD, {
    wireNamesOfTheApplication: notShown('LOA-U1', {
      subject: 'the wire field names of the loan operations',
    }),
    recordOfTheApplication: notShown('LOA-U2', { subject: 'the full application record' }),
  }),
  'States: NEW, CUSTOMER_CREATION_IN_PROGRESS, LOAN_APPLICATION_IN_PROGRESS, LOAN_APPLICATION_FINISHED, LOAN_DISBURSED, CANCELED, EXPIRED.':
    at(STATES, {
      statusIsOneOfSeven: must('LOA-31', {
        claim: 'the status of an application is one of the seven states',
      }),
      endOfThePathIsFinal: must('LOA-32', {
        claim: 'an application at the end of its path keeps its status',
        reading:
          'The end is CANCELED, EXPIRED or LOAN_DISBURSED. Judged on each read until a day after the first one at the end; LOA-66 judges the later ones.',
        tags: ['time'],
      }),
      lastStatusIsKeptUntilTheDeletion: must('LOA-66', {
        claim: 'disbursed, canceled and expired applications keep their status until they are deleted',
        reading: `${FINAL} Judged on each read from a day later on, the last one a minute before 7 days have passed.`,
        tags: ['time'],
      }),
    }),
  'After submission, the caller selects one scenario.': at(STATES, {
    applicationWaitsForItsScenario: must('LOA-23', {
      claim: 'an application stays NEW as long as no scenario has been selected',
      tags: ['time'],
    }),
  }),
  'From then on the status changes by itself about every 3 minutes along the chosen path:': at(STATES, {
    statusChangesByItself: must('LOA-29', {
      claim: 'the status of an application changes without a further call of the caller',
      reading: 'No request is sent between the selection and the end of the path.',
      tags: ['time'],
    }),
    refusedApplicationKeepsItsPath: must('LOA-61', {
      claim:
        'an application whose cancellation was answered NOT_ALLOWED_OPER continues to the end of its path',
      reading: 'A refused cancellation changes nothing.',
      tags: ['time'],
    }),
    applicationsMoveOnTheirOwn: must('LOA-65', {
      claim: 'an application keeps its path and its times while others are submitted, selected and canceled',
      reading:
        'Each application has its own path and its own times, which begin with its selection. The statuses that a scenario reads of an application follow one path, in its order. Some may be unseen, and a DELETE may end the path early.',
      tags: ['time'],
    }),
  }),
  '| Cancelled | NEW -> LOAN_APPLICATION_IN_PROGRESS -> CANCELED |': at(`${STATES}, row Cancelled`, {
    cancelledScenarioKeepsItsPath: must('LOA-25', {
      claim: 'the scenario Cancelled goes from NEW through LOAN_APPLICATION_IN_PROGRESS to CANCELED',
      tags: ['time'],
    }),
  }),
  '| Expired | NEW -> LOAN_APPLICATION_IN_PROGRESS -> EXPIRED |': at(`${STATES}, row Expired`, {
    expiredScenarioKeepsItsPath: must('LOA-26', {
      claim: 'the scenario Expired goes from NEW through LOAN_APPLICATION_IN_PROGRESS to EXPIRED',
      tags: ['time'],
    }),
  }),
  '| Non-client | NEW -> CUSTOMER_CREATION_IN_PROGRESS -> LOAN_APPLICATION_IN_PROGRESS -> LOAN_APPLICATION_FINISHED -> LOAN_DISBURSED |':
    at(`${STATES}, row Non-client`, {
      nonClientScenarioKeepsItsPath: must('LOA-27', {
        claim: 'the scenario Non-client goes through CUSTOMER_CREATION_IN_PROGRESS to LOAN_DISBURSED',
        tags: ['time'],
      }),
    }),
  '| Client | NEW -> LOAN_APPLICATION_IN_PROGRESS -> LOAN_APPLICATION_FINISHED -> LOAN_DISBURSED |': at(
    `${STATES}, row Client`,
    {
      submittedApplicationIsNew: must('LOA-22', {
        claim: 'an application is NEW after its submission',
        reading: 'Each of the four paths begins with NEW.',
      }),
      clientScenarioKeepsItsPath: must('LOA-28', {
        claim: 'the scenario Client goes from NEW through LOAN_APPLICATION_IN_PROGRESS to LOAN_DISBURSED',
        tags: ['time'],
      }),
    },
  ),
  'Transitions outside the sandbox scenarios: not shown.': at(STATES, {
    otherTransitions: notShown('LOA-U3', { subject: 'the transitions outside the sandbox scenarios' }),
  }),
  'The set of statuses in which DELETE is refused: not shown': at(STATES, {
    statusesThatRefuseDelete: notShown('LOA-U4', {
      subject: 'the set of statuses in which DELETE is refused',
    }),
  }),
  'it is refused with NOT_ALLOWED_OPER when the request is in a status that cannot be canceled': at(STATES, {
    refusedCancellationChangesNothing: must('LOA-38', {
      claim: 'an application keeps its status when its cancellation is answered NOT_ALLOWED_OPER',
    }),
  }),
  'Obtains the access token.': at(TOKEN, {
    sandboxIssuesAToken: must('LOA-01', {
      claim: 'the token endpoint of the loan sandbox issues an access_token that is not empty',
      answers: 'POST loanToken',
    }),
  }),
  'Token response (scope PAY_LATER).': at(TOKEN, {
    sandboxTokenHasTheScopePayLater: must('LOA-02', {
      claim: 'the scope of a loan sandbox token is PAY_LATER',
      reading:
        'RFC 6749 §5.1 lets an answer leave out the scope that was asked for; the interface has it in the answer.',
    }),
  }),
  'See Limits for scenario values. The field names: not shown.': at(
    'Endpoints, Installment-loan sandbox, PUT /v1/applications/precalculation',
    {
      namesOfTheCalculationFields: notShown('LOA-U5', {
        subject: 'the field names of the precalculation',
      }),
    },
  ),
  'After submission one status scenario is selected.': at(SUBMIT, {
    scenarioIsSelectedAfterSubmission: must('LOA-24', {
      claim: 'a scenario can be selected once the application has been submitted',
    }),
  }),
  'Cancels the application. Errors: NOT_ALLOWED_OPER, APP_NOT_FOUND.': at(CANCEL, {
    newApplicationIsCanceled: must('LOA-33', {
      claim: 'a DELETE of an application in NEW cancels it or is answered NOT_ALLOWED_OPER',
      reading: `In which statuses DELETE is refused is not shown: NEW may be one of them. ${BY_CODE}`,
    }),
    cancellationCancelsOrIsNotAllowed: must('LOA-60', {
      claim: 'a DELETE of an application on its path cancels it or is answered NOT_ALLOWED_OPER',
      reading: `In which of the statuses between NEW and the end of the path it is refused is not shown. ${BY_CODE}`,
      tags: ['time'],
    }),
  }),
  'Cancels the application.': at(CANCEL, {
    someStatusCanBeCanceled: must('LOA-83', {
      claim: 'in at least one status of the path Non-client a DELETE cancels the application',
      reading:
        'In which statuses it is refused is not shown, but an operation that always refuses cancels nothing.',
      tags: ['time'],
    }),
    foreignApplicationIsNotCanceled: should('LOA-59', {
      claim: 'an application is not canceled by a client that did not submit it',
      reading: FOREIGN,
      tags: ['security'],
    }),
    canceledApplicationLeavesItsPath: must('LOA-34', {
      claim: 'an application that was canceled does not continue on its path',
      reading: FINAL,
      tags: ['time'],
    }),
  }),
  'Result code OK (status received) or error APP_NOT_FOUND.': at(
    'Endpoints, Installment-loan sandbox, GET /v1/applications/{application-id}/status',
    {
      unknownApplicationHasNoStatus: must('LOA-40', {
        claim: 'a GET of the status of an application that does not exist is answered APP_NOT_FOUND',
        reading: `${BY_CODE} A server error each time is no such answer.`,
      }),
    },
  ),
  'Bodies and responses of the loan operations, and the field names of the status response: not shown.': at(
    'Endpoints, Installment-loan sandbox',
    {
      bodiesOfTheLoanOperations: notShown('LOA-U6', {
        subject: 'the bodies and responses of the loan operations',
      }),
      namesOfTheStatusFields: notShown('LOA-U7', { subject: 'the field names of the status response' }),
    },
  ),
  'Data calls carry the access token as a Bearer token.': at('Authentication, 3', {
    loanCallWithoutTokenIsRefused: must('LOA-07', {
      claim: 'a loan operation without an access token is refused',
      reading: AUTHENTICATION,
      tags: ['security'],
    }),
    loanCallWithUnknownTokenIsRefused: must('LOA-46', {
      claim: 'a loan operation with a token that the bank never issued is refused',
      reading: AUTHENTICATION,
      tags: ['security'],
    }),
  }),
  'The loan sandbox has its own token endpoint, with scope PAY_LATER.': at('Authentication, 7', {
    sandboxHasItsOwnTokenEndpoint: must('LOA-06', {
      claim: 'the token endpoint below the loan base path serves the scope PAY_LATER',
    }),
    tokenOfAnotherScopeIsRefused: should('LOA-47', {
      claim: 'a token with another scope than PAY_LATER does not open the loan operations',
      reading:
        'The token endpoint may refuse another scope, or grant PAY_LATER and say so (RFC 6749 §3.3). Which scopes open the loan operations besides is not shown, hence no more than a SHOULD.',
      tags: ['security'],
    }),
  }),
  'HTTP 401 Unauthorized answers a call with a revoked or expired token.': at('Errors, 3', {
    expiredTokenHasStatus401: must('LOA-81', {
      claim: 'a loan operation with an expired token is answered with the HTTP status 401',
      reading: 'Judged for every operation, a minute after the day of the token.',
      tags: ['time'],
    }),
  }),
  '| NOT_ALLOWED_OPER | DELETE application | The request is already in a status that cannot be canceled. |':
    at('Errors, 5, row NOT_ALLOWED_OPER', {
      canceledApplicationIsNotCanceledAgain: must('LOA-35', {
        claim: 'a DELETE of an application in CANCELED is answered NOT_ALLOWED_OPER',
        reading: `${FINAL} ${BY_CODE}`,
      }),
      expiredApplicationIsNotCanceled: must('LOA-36', {
        claim: 'a DELETE of an application in EXPIRED is answered NOT_ALLOWED_OPER',
        reading: `${FINAL} ${BY_CODE}`,
        tags: ['time'],
      }),
      disbursedApplicationIsNotCanceled: must('LOA-37', {
        claim: 'a DELETE of an application in LOAN_DISBURSED is answered NOT_ALLOWED_OPER',
        reading: `${FINAL} ${BY_CODE}`,
        tags: ['time'],
      }),
    }),
  '| APP_NOT_FOUND | DELETE, GET status | No request with that id exists. |': at(
    'Errors, 5, row APP_NOT_FOUND',
    {
      unknownApplicationIsNotCanceled: must('LOA-39', {
        claim: 'a DELETE of an application that does not exist is answered APP_NOT_FOUND',
        reading: `${BY_CODE} A server error each time is no such answer.`,
      }),
      foreignApplicationIsNotDisclosed: should('LOA-58', {
        claim: 'the status of an application is not reported to a client that did not submit it',
        reading: `No answer to another client has its application-id either. ${FOREIGN}`,
        tags: ['security'],
      }),
      deletedApplicationIsNotCanceled: must('LOA-64', {
        claim: 'a DELETE of an application that the bank has deleted is answered APP_NOT_FOUND',
        reading: `Judged a day after the 7 days, since a bank may delete once a day. ${BY_CODE}`,
        tags: ['time'],
      }),
    },
  ),
  '| OK | GET status | The status was received. |': at('Errors, 5, row OK', {
    statusIsAnsweredWithOk: must('LOA-41', {
      claim: 'a GET of the status of an application is answered OK',
      answers: 'GET readLoan',
      reading: 'Where the profile names no field for the code, any member or header may have it.',
    }),
  }),
  'HTTP status codes that accompany the loan result codes: not shown.': at('Errors, 7', {
    statusCodesOfTheLoanOperations: notShown('LOA-U8', {
      subject: 'the HTTP status codes that accompany the loan result codes',
    }),
  }),
  '| Sandbox token expires_in | 86400 seconds | Loan sandbox token. |': at(
    'Limits, row Sandbox token expires_in',
    {
      sandboxTokenEndsAfterADay: must('LOA-05', {
        claim: 'a loan sandbox token is refused once 86400 seconds have passed since its issue',
        reading: 'Judged a minute later, since clocks may differ.',
        tags: ['time', 'security'],
      }),
      sandboxTokenLivesForADay: must('LOA-44', {
        claim: 'a loan sandbox token is accepted until 86400 seconds have passed since its issue',
        reading: 'Judged a minute before.',
        tags: ['time'],
      }),
    },
  ),
  '| Loan amount | minimum 100 EUR, maximum 2,000 EUR | Loan operations. |': at('Limits, row Loan amount', {
    lowestAmountIsCalculated: must('LOA-14', {
      claim: 'a precalculation of 100 EUR is positive',
      reading: `${NO_INCOME} ${SCRIPTED}`,
    }),
    highestAmountIsCalculated: must('LOA-15', {
      claim: 'a precalculation of 2000 EUR is positive',
      reading: `${NO_INCOME} ${SCRIPTED}`,
    }),
    lowestAmountIsAppliedFor: must('LOA-16', {
      claim: 'an application for 100 EUR is accepted',
      reading: BOUNDS_OF_BOTH,
    }),
    highestAmountIsAppliedFor: must('LOA-17', {
      claim: 'an application for 2000 EUR is accepted',
      reading: BOUNDS_OF_BOTH,
    }),
    tooLowApplicationIsRefused: must('LOA-18', {
      claim: 'an application for less than 100 EUR is refused',
      reading: 'No application-id is answered. Whole amounts are tried.',
      tags: ['property'],
    }),
    tooHighApplicationIsRefused: must('LOA-19', {
      claim: 'an application for more than 2000 EUR is refused',
      reading: 'No application-id is answered. Whole amounts are tried.',
      tags: ['property'],
    }),
    amountWithinTheBoundsIsPositive: must('LOA-51', {
      claim: 'a precalculation of any whole amount from 100 to 2000 EUR is positive',
      reading: `${NO_INCOME} ${SCRIPTED}`,
      tags: ['property'],
    }),
    amountBelowTheBoundsIsNegative: must('LOA-52', {
      claim: 'a precalculation of any whole amount below 100 EUR is negative',
      reading: 'Zero and amounts below zero are below 100 EUR.',
      tags: ['property'],
    }),
    amountAboveTheBoundsIsNegative: must('LOA-53', {
      claim: 'a precalculation of any whole amount above 2000 EUR is negative',
      tags: ['property'],
    }),
    malformedAmountIsNotCalculated: should('LOA-54', {
      claim: 'a precalculation without a valid amount is not positive',
      reading: OF_NO_AMOUNT,
    }),
    malformedAmountIsNoBreakdown: should('LOA-55', {
      claim: 'a loan operation does not answer a malformed amount with a server error',
      reading: 'It is answered with a status below 500.',
    }),
    malformedApplicationIsRefused: should('LOA-56', {
      claim: 'an application without a valid amount is refused',
      reading: `No application-id is answered. ${OF_NO_AMOUNT}`,
    }),
    amountWithinTheBoundsIsAppliedFor: must('LOA-57', {
      claim: 'an application for any whole amount from 100 to 2000 EUR is accepted',
      reading: BOUNDS_OF_BOTH,
      tags: ['property'],
    }),
    refusedApplicationDoesNotExist: must('LOA-82', {
      claim: 'an application that was refused for its amount does not exist afterwards',
      reading:
        'The status is asked for every value of the refusal that may be an application-id, in its body or in its header Location, and is not answered. A refusal without such a value shows nothing.',
      tags: ['security'],
    }),
    amountWithCentsOutOfBoundsIsNotCalculated: must('LOA-84', {
      claim: 'a precalculation of 99.99 or 2000.01 EUR is not positive',
      reading: WITH_CENTS,
    }),
    amountWithCentsOutOfBoundsIsNotAppliedFor: must('LOA-85', {
      claim: 'an application for 99.99 or 2000.01 EUR is refused',
      reading: `No application-id is answered. ${WITH_CENTS}`,
    }),
  }),
  '| Sandbox request retention | deleted after 7 days | Loan sandbox applications. |': at(
    'Limits, row Sandbox request retention',
    {
      applicationIsKeptForSevenDays: must('LOA-42', {
        claim: 'the status of an application is still answered shortly before 7 days have passed',
        reading: 'Judged an hour and a minute before 7 times 24 hours have passed since the submission.',
        tags: ['time'],
      }),
      applicationIsDeletedAfterSevenDays: must('LOA-43', {
        claim: 'an application is unknown more than 7 days after its submission',
        reading: 'Judged a day and a minute later, since a bank may delete once a day.',
        tags: ['time'],
      }),
      applicationIsKeptToTheMinute: should('LOA-62', {
        claim: 'the status of an application is still answered a minute before 7 days have passed',
        reading: `${AROUND_RETENTION} A bank may count calendar days, one of which may be an hour shorter, hence no more than a SHOULD.`,
        tags: ['time'],
      }),
      applicationIsDeletedToTheMinute: should('LOA-63', {
        claim: 'an application is unknown a minute after 7 days have passed since its submission',
        reading: `${AROUND_RETENTION} A bank may delete once a day, hence no more than a SHOULD.`,
        tags: ['time'],
      }),
    },
  ),
  '| Sandbox status change interval | about 3 minutes | Loan sandbox, after scenario selection. |': at(
    'Limits, row Sandbox status change interval',
    {
      statusChangesEveryThreeMinutes: must('LOA-30', {
        claim: 'a status lasts about three minutes before the next one of its path',
        fromProfile: 'loans.timing.intervalMs',
        reading:
          '3 min ± 60 s unless the profile says otherwise, plus the time between two polls. NEW may end sooner where the profile says that all applications move at the same times (loans.timing.ticks).',
        tags: ['time'],
      }),
    },
  ),
  '| 1 | Positive | 250 | - | - | - |': at(`${SCENARIOS}, row 1`, {
    smallLoanIsPositive: must('LOA-08', {
      claim: 'a precalculation of 250 EUR is positive',
      answers: 'PUT precalculateLoan',
      reading: 'A dash means that the field is not sent.',
    }),
  }),
  '| 2 | Positive | 1850 | - | - | - |': at(`${SCENARIOS}, row 2`, {
    largeLoanIsPositive: must('LOA-09', {
      claim: 'a precalculation of 1850 EUR is positive',
      reading: 'A dash means that the field is not sent.',
    }),
  }),
  '| 3 | Positive | 250 | 1050 | 410 | 2 |': at(`${SCENARIOS}, row 3`, {
    sufficientCapacityIsPositive: must('LOA-10', {
      claim: 'a precalculation of 250 EUR with an income of 1050, expenses of 410 and 2 children is positive',
    }),
  }),
  '| 4 | Negative (insufficient capacity) | 1850 | 1050 | 410 | 2 |': at(`${SCENARIOS}, row 4`, {
    insufficientCapacityIsNegative: must('LOA-11', {
      claim:
        'a precalculation of 1850 EUR with an income of 1050, expenses of 410 and 2 children is negative',
      reading: NEGATIVE,
    }),
    insufficientCapacityHasItsCause: should('LOA-50', {
      claim: 'the negative result of scenario 4 says that the capacity is insufficient',
      reading: CAUSE,
    }),
  }),
  '| 5 | Negative (amount too low) | 99 | - | - | - |': at(`${SCENARIOS}, row 5`, {
    tooLowAmountIsNegative: must('LOA-12', {
      claim: 'a precalculation of 99 EUR is negative',
      reading: NEGATIVE,
    }),
    tooLowAmountHasItsCause: should('LOA-48', {
      claim: 'a negative result for less than 100 EUR says that the amount is too low',
      reading: CAUSE,
      tags: ['property'],
    }),
  }),
  '| 6 | Negative (amount too high) | 2001 | - | - | - |': at(`${SCENARIOS}, row 6`, {
    tooHighAmountIsNegative: must('LOA-13', {
      claim: 'a precalculation of 2001 EUR is negative',
      reading: NEGATIVE,
    }),
    tooHighAmountHasItsCause: should('LOA-49', {
      claim: 'a negative result for more than 2000 EUR says that the amount is too high',
      reading: CAUSE,
      tags: ['property'],
    }),
  }),
  'The client MUST authenticate with the authorization server': ofStandard(
    'RFC 6749 §4.4.2',
    'Access Token Request',
    {
      wrongSecretGetsNoLoanToken: should('LOA-80', {
        claim: 'the token endpoint of the loan sandbox refuses a client with a wrong secret',
        reading:
          'No access_token is given. The grant type of the loan sandbox is not shown, so that the standard need not apply: hence no more than a SHOULD.',
        tags: ['security'],
      }),
    },
  ),
})

export default chapterRows('loans', LOA)
