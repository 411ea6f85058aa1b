import { must, should } from '../../harness/check/requirement.ts'

const SUBMIT = 'Endpoints, Installment-loan sandbox, POST /v1/applications'
const CANCEL = 'Endpoints, Installment-loan sandbox, DELETE /v1/applications/{application-id}'
const STATES = 'States and transitions, Loan application status'

/** Sentences that more than one row quotes. */
const BY_ITSELF = {
  quote: 'From then on the status changes by itself about every 3 minutes along the chosen path:',
  place: STATES,
}
const NAMED_STATES = {
  quote:
    'States: NEW, CUSTOMER_CREATION_IN_PROGRESS, LOAN_APPLICATION_IN_PROGRESS, LOAN_APPLICATION_FINISHED, LOAN_DISBURSED, CANCELED, EXPIRED.',
  place: STATES,
}
const NOT_ALLOWED = {
  quote:
    '| NOT_ALLOWED_OPER | DELETE application | The request is already in a status that cannot be canceled. |',
  place: 'Errors, 5, row NOT_ALLOWED_OPER',
}
const RETENTION = {
  quote: '| Sandbox request retention | deleted after 7 days | Loan sandbox applications. |',
  place: 'Limits, row Sandbox request retention',
}

const BY_CODE =
  'The result code decides, not the HTTP status beside it; the profile says where the code stands.'
const FINAL = 'No move out of this status is given.'
const AROUND_RETENTION = 'The time counts from the submission.'

/** What the status of an application does by itself, and how long it is there to be read. */
export const PATHS = {
  applicationWaitsForItsScenario: must('LOA-23', {
    claim: 'an application stays NEW as long as no scenario has been selected',
    quote: 'After submission, the caller selects one scenario.',
    place: STATES,
    tags: ['time'],
  }),
  scenarioIsSelectedAfterSubmission: must('LOA-24', {
    claim: 'a scenario can be selected once the application has been submitted',
    quote: 'After submission one status scenario is selected.',
    place: SUBMIT,
  }),
  cancelledScenarioKeepsItsPath: must('LOA-25', {
    claim: 'the scenario Cancelled goes from NEW over LOAN_APPLICATION_IN_PROGRESS to CANCELED',
    quote: '| Cancelled | NEW -> LOAN_APPLICATION_IN_PROGRESS -> CANCELED |',
    place: `${STATES}, row Cancelled`,
    tags: ['time'],
  }),
  expiredScenarioKeepsItsPath: must('LOA-26', {
    claim: 'the scenario Expired goes from NEW over LOAN_APPLICATION_IN_PROGRESS to EXPIRED',
    quote: '| Expired | NEW -> LOAN_APPLICATION_IN_PROGRESS -> EXPIRED |',
    place: `${STATES}, row Expired`,
    tags: ['time'],
  }),
  nonClientScenarioKeepsItsPath: must('LOA-27', {
    claim: 'the scenario Non-client goes over CUSTOMER_CREATION_IN_PROGRESS and on to LOAN_DISBURSED',
    quote:
      '| Non-client | NEW -> CUSTOMER_CREATION_IN_PROGRESS -> LOAN_APPLICATION_IN_PROGRESS -> LOAN_APPLICATION_FINISHED -> LOAN_DISBURSED |',
    place: `${STATES}, row Non-client`,
    tags: ['time'],
  }),
  clientScenarioKeepsItsPath: must('LOA-28', {
    claim: 'the scenario Client goes from NEW over LOAN_APPLICATION_IN_PROGRESS and on to LOAN_DISBURSED',
    quote: '| Client | NEW -> LOAN_APPLICATION_IN_PROGRESS -> LOAN_APPLICATION_FINISHED -> LOAN_DISBURSED |',
    place: `${STATES}, row Client`,
    tags: ['time'],
  }),
  statusChangesByItself: must('LOA-29', {
    claim: 'the status of an application changes without a further call of the caller',
    ...BY_ITSELF,
    reading: 'Nothing is asked between the selection and the end of the path.',
    tags: ['time'],
  }),
  statusChangesEveryThreeMinutes: must('LOA-30', {
    claim: 'a status lasts about three minutes before the next one of its path',
    quote: '| Sandbox status change interval | about 3 minutes | Loan sandbox, after scenario selection. |',
    place: 'Limits, row Sandbox status change interval',
    reading:
      '3 min ± 60 s unless the profile says otherwise, plus the time between two polls. NEW may end sooner where the profile says that all applications move at the same times (loans.timing.ticks).',
    tags: ['time'],
  }),
  statusIsOneOfSeven: must('LOA-31', {
    claim: 'the status of an application is one of the seven states',
    ...NAMED_STATES,
  }),
  endOfThePathIsFinal: must('LOA-32', {
    claim: 'an application that has come to the end of its path keeps its status',
    ...NAMED_STATES,
    reading:
      'The end is CANCELED, EXPIRED or LOAN_DISBURSED. Judged for twice the longest interval; LOA-66 looks later.',
    tags: ['time'],
  }),
  canceledApplicationLeavesItsPath: must('LOA-34', {
    claim: 'an application that was canceled does not go on along its path',
    quote: 'Cancels the application.',
    place: CANCEL,
    reading: FINAL,
    tags: ['time'],
  }),
  expiredApplicationIsNotCanceled: must('LOA-36', {
    claim: 'a DELETE of an application in EXPIRED is answered NOT_ALLOWED_OPER',
    ...NOT_ALLOWED,
    reading: `${FINAL} ${BY_CODE}`,
    tags: ['time'],
  }),
  disbursedApplicationIsNotCanceled: must('LOA-37', {
    claim: 'a DELETE of an application in LOAN_DISBURSED is answered NOT_ALLOWED_OPER',
    ...NOT_ALLOWED,
    reading: `${FINAL} ${BY_CODE}`,
    tags: ['time'],
  }),
  applicationIsKeptForSevenDays: must('LOA-42', {
    claim: 'the status of an application is still answered shortly before 7 days have passed',
    ...RETENTION,
    reading: 'Judged an hour and a minute before 7 times 24 hours have passed since the submission.',
    tags: ['time'],
  }),
  applicationIsDeletedAfterSevenDays: must('LOA-43', {
    claim: 'an application is unknown more than 7 days after its submission',
    ...RETENTION,
    reading: 'Judged a day and a minute later, since a bank may delete once a day.',
    tags: ['time'],
  }),
  cancellationCancelsOrIsNotAllowed: must('LOA-60', {
    claim: 'a DELETE of an application on its path cancels it or is answered NOT_ALLOWED_OPER',
    quote: 'Cancels the application. Errors: NOT_ALLOWED_OPER, APP_NOT_FOUND.',
    place: CANCEL,
    reading: `In which of the statuses between NEW and the end of the path it is refused is undisclosed. ${BY_CODE}`,
    tags: ['time'],
  }),
  refusedApplicationKeepsItsPath: must('LOA-61', {
    claim: 'an application whose cancellation was answered NOT_ALLOWED_OPER goes on to the end of its path',
    ...BY_ITSELF,
    reading: 'A cancellation that is refused has done nothing.',
    tags: ['time'],
  }),
  applicationIsKeptToTheMinute: should('LOA-62', {
    claim: 'the status of an application is still answered a minute before 7 days have passed',
    ...RETENTION,
    reading: `${AROUND_RETENTION} A bank may count days of its calendar, which an hour may be taken from, hence no more than a SHOULD.`,
    tags: ['time'],
  }),
  applicationIsDeletedToTheMinute: should('LOA-63', {
    claim: 'an application is unknown a minute after 7 days have passed since its submission',
    ...RETENTION,
    reading: `${AROUND_RETENTION} A bank may delete once a day, hence no more than a SHOULD.`,
    tags: ['time'],
  }),
  deletedApplicationIsNotCanceled: must('LOA-64', {
    claim: 'a DELETE of an application that the bank has deleted is answered APP_NOT_FOUND',
    quote: '| APP_NOT_FOUND | DELETE, GET status | No request with that id exists. |',
    place: 'Errors, 5, row APP_NOT_FOUND',
    reading: `Judged a day after the 7 days, since a bank may delete once a day. ${BY_CODE}`,
    tags: ['time'],
  }),
  applicationsMoveOnTheirOwn: must('LOA-65', {
    claim: 'an application keeps its path and its times while others are submitted, selected and canceled',
    ...BY_ITSELF,
    reading:
      'Each application has a path of its own, and a time of its own, which begins with its selection.',
    tags: ['time'],
  }),
  lastStatusIsKeptUntilTheDeletion: must('LOA-66', {
    claim: 'a disbursed and a canceled application keep their status as long as they are there',
    ...NAMED_STATES,
    reading: `${FINAL} Judged an hour and a minute before 7 days have passed.`,
    tags: ['time'],
  }),
} as const
