import { must, shelf, should, undisclosed } from '../../harness/check/requirement.ts'
import { RECORDING } from './requirements-of-recording.ts'
import { REJECTING } from './requirements-of-rejecting.ts'

const INITIATION = 'Endpoints, Payments, POST /payments/ecomm/sba'
const OTHER = 'Endpoints, Payments, POST /payments/<other initiation method>'
const STATUS = 'Endpoints, Payments, GET /payments/{orderId}/status'
const SUBMISSION = 'Endpoints, Payments, POST /payments/submission'
const RECORD = 'Resources and their fields, Payment status record'
const STATES = 'States and transitions, Payment status'

/** Sentences that more than one row quotes. */
const INITIATED = { quote: 'HTTP 201 with orderId, status, statusDateTime.', place: INITIATION }
const SUBMITTED = { quote: 'Payment status record with new status.', place: SUBMISSION }
const ORDER_ID = {
  quote: '| orderId | string | Unique identifier of the payment, returned on successful initiation.',
  place: `${RECORD}, row orderId`,
}
const DATE_TIME = {
  quote: '| statusDateTime | string | ISO 8601 date-time with UTC offset, milliseconds included. |',
  place: `${RECORD}, row statusDateTime`,
}
const ACCEPTED = {
  quote: '| ACTC | POST /payments/submission | customer authorizes successfully | ACSP | |',
  place: STATES,
}
const NAMED_STATES = {
  quote:
    'States: ACTC (Accepted Technical Validation), ACSP (Accepted Settlement In Process), ACSC (Accepted Settlement Completed), PDNG (Pending), RJCT (Rejected).',
  place: STATES,
}

export const PAY = {
  initiationHasStatus201: must('PAY-01', {
    claim: 'a successful initiation is answered with the HTTP status 201',
    quote: 'HTTP 201 Created answers a successful payment initiation.',
    place: 'Errors, 2',
  }),
  initiationAnswersAnOrderId: must('PAY-02', {
    claim: 'the answer to an initiation carries an orderId that is not empty',
    ...INITIATED,
  }),
  initiationAnswersAStatus: must('PAY-03', {
    claim: 'the answer to an initiation carries a status',
    ...INITIATED,
  }),
  initiationAnswersAStatusDateTime: must('PAY-04', {
    claim: 'the answer to an initiation carries a statusDateTime',
    ...INITIATED,
  }),
  orderIdIsAString: must('PAY-05', {
    claim: 'an orderId is a string',
    ...ORDER_ID,
    reading: 'Judged on the raw JSON.',
  }),
  orderIdsAreDistinct: must('PAY-06', {
    claim: 'two payments have different orderIds',
    ...ORDER_ID,
  }),
  concurrentOrderIdsAreDistinct: must('PAY-07', {
    claim: 'payments initiated at the same moment have different orderIds',
    ...ORDER_ID,
    tags: ['concurrency'],
  }),
  validPaymentIsAccepted: must('PAY-08', {
    claim: 'a payment that passes business validation is ACTC',
    quote:
      '| (none) | successful initiation, HTTP 201 | business validation passes | ACTC | orderId is returned.',
    place: STATES,
  }),
  acceptedPaymentCanBeAuthorized: must('PAY-09', {
    claim: 'a payment in ACTC can be authorized by the customer',
    quote: 'The customer can now authorize.',
    place: STATES,
  }),
  invalidPaymentIsRejected: must('PAY-10', {
    claim: 'a payment that fails business validation is RJCT',
    quote: '| (none) | initiation, HTTP 201 | business validation fails (for example AC01) | RJCT |',
    place: STATES,
  }),
  rejectedInitiationHasStatus201: must('PAY-11', {
    claim: 'an initiation that is rejected for a business rule is answered with the HTTP status 201',
    quote: 'The payment may then be ACTC or RJCT.',
    place: 'Errors, 2',
  }),
  rejectedInitiationIsExplained: must('PAY-12', {
    claim: 'a rejected initiation is answered with reasonCode and additionalInformation',
    quote: 'reasonCode and additionalInformation are set.',
    place: STATES,
  }),
  otherInitiationHasTheSameShape: must('PAY-13', {
    claim:
      'every other initiation method is answered with the HTTP status 201, orderId, status and statusDateTime',
    quote: 'Same shape as above.',
    place: OTHER,
    reading: 'Judged of the methods that the profile names.',
  }),
  statusIsOneOfFive: must('PAY-14', {
    claim: 'the status of a payment is one of ACTC, ACSP, ACSC, PDNG and RJCT',
    quote: '| status | string | One of ACTC, ACSP, ACSC, PDNG, RJCT (ISO 20022 payment status codes). |',
    place: `${RECORD}, row status`,
  }),
  statusHoldsNoResultOfTheCall: must('PAY-15', {
    claim: 'the field status of a refused payment call holds a payment status or nothing',
    quote:
      'The status field in payment payloads gives the state of the payment and is limited to ISO 20022 payment status codes.',
    place: 'Errors, 1',
    reading: 'Judged of JSON answers whose body is a payment status record, by its orderId.',
  }),
  statusDateTimeHasAUtcOffset: must('PAY-16', {
    claim: 'statusDateTime is an ISO 8601 date-time with a UTC offset',
    ...DATE_TIME,
    reading: 'Z and ±hh:mm are both a UTC offset. The date exists in the calendar.',
  }),
  statusDateTimeHasMilliseconds: must('PAY-17', {
    claim: 'statusDateTime includes milliseconds',
    ...DATE_TIME,
    reading: 'Three digits or more behind the seconds, zeros included.',
  }),
  statusDateTimeDoesNotGoBack: should('PAY-18', {
    claim: 'the statusDateTime of a later status is not before that of an earlier one',
    ...DATE_TIME,
    reading: 'That it is the time of the status follows from its name alone, hence no more than a SHOULD.',
  }),
  statusIsAnsweredUnderTheOrderId: must('PAY-19', {
    claim: 'the status of a payment is answered under its orderId',
    quote: 'It is used in GET /payments/{orderId}/status.',
    place: `${RECORD}, row orderId`,
  }),
  statusRecordIsThatOfThePayment: must('PAY-20', {
    claim: 'the status record names the orderId that was asked for',
    quote: '| GET | /payments/{orderId}/status | path orderId | Payment status record. |',
    place: STATUS,
  }),
  statusRecordAgreesWithTheInitiation: must('PAY-21', {
    claim: 'the status of a payment that nobody has submitted is the one that its initiation answered',
    quote:
      'The payment API initiates a payment, reports its status and submits it after the customer has authorized it.',
    place: 'What the service does, 4',
  }),
  unknownOrderIsRefused: must('PAY-22', {
    claim: 'an orderId that the bank never issued has no status',
    quote: '| GET | /payments/{orderId}/status | path orderId | Payment status record. |',
    place: STATUS,
    reading: 'No status record is answered; status code and body are undisclosed.',
  }),

  authorizedPaymentIsInProcess: must('PAY-23', {
    claim: 'the submission of a payment that the customer has authorized moves it from ACTC to ACSP',
    ...ACCEPTED,
    reading: 'Moves into ACSC are undisclosed: a status record read later may already say ACSC.',
  }),
  futurePaymentIsPending: must('PAY-24', {
    claim: 'the submission of a payment whose requested execution date is in the future moves it to PDNG',
    quote: '| ACTC | POST /payments/submission | requested execution date is in the future | PDNG | |',
    place: STATES,
  }),
  invalidSubmissionIsRejected: must('PAY-25', {
    claim: 'the submission of a payment that fails a business validation rule moves it to RJCT',
    quote: '| ACTC | POST /payments/submission | a business validation rule fails | RJCT |',
    place: STATES,
  }),
  rejectedSubmissionHasAReasonCode: must('PAY-26', {
    claim: 'a submission that ends in RJCT is answered with a reasonCode',
    quote:
      '| ACTC | POST /payments/submission | a business validation rule fails | RJCT | reasonCode is set. |',
    place: STATES,
  }),
  submissionAnswersTheStatusRecord: must('PAY-27', {
    claim: 'a submission is answered with the status record of its payment',
    ...SUBMITTED,
  }),
  submissionAnswersTheNewStatus: must('PAY-28', {
    claim: 'the answer to a submission carries the status that the payment has moved to',
    ...SUBMITTED,
    reading: 'Compared with the status record read afterwards; from ACSP it may have moved on to ACSC.',
  }),
  unauthorizedPaymentIsNotSubmitted: must('PAY-29', {
    claim:
      'a submission without the authorization of the customer leaves the payment out of ACSP, ACSC and PDNG',
    quote: "Submits the payment after the customer's authorization.",
    place: SUBMISSION,
    tags: ['security'],
  }),
  deniedPaymentIsNotSubmitted: must('PAY-30', {
    claim: 'a payment that the customer has denied does not come into ACSP, ACSC or PDNG',
    ...ACCEPTED,
    tags: ['security'],
  }),
  rejectedPaymentStaysRejected: must('PAY-31', {
    claim: 'nothing leaves RJCT',
    ...NAMED_STATES,
    reading: 'No move out of RJCT is given, and ISO 20022 has none.',
  }),
  completedPaymentStaysCompleted: must('PAY-32', {
    claim: 'nothing leaves ACSC',
    ...NAMED_STATES,
    reading:
      'No move out of ACSC is given. Judged of every payment that is seen in ACSC; moves into it are undisclosed, and a payment may not come there.',
  }),
  secondSubmissionChangesNothing: must('PAY-33', {
    claim: 'a second submission does not take a payment back from ACSP',
    quote: '| ACTC | POST /payments/submission |',
    place: STATES,
    reading: 'Only a payment in ACTC is moved by a submission; from ACSP it may have moved on to ACSC.',
    tags: ['security'],
  }),

  ...REJECTING,
  ...RECORDING,

  movesIntoCompletion: undisclosed('PAY-U1', {
    subject: 'the moves into ACSC',
    quote: 'Moves into ACSC and out of PDNG: not shown.',
    place: STATES,
  }),
  movesOutOfPending: undisclosed('PAY-U2', {
    subject: 'the moves out of PDNG',
    quote: 'Moves into ACSC and out of PDNG: not shown.',
    place: STATES,
  }),
  bodyOfTheInitiation: undisclosed('PAY-U3', {
    subject: 'the request body of an initiation',
    quote: 'Payment initiation. The request body: not shown.',
    place: INITIATION,
  }),
  otherInitiationMethods: undisclosed('PAY-U4', {
    subject: 'the paths and bodies of the further initiation methods',
    quote: 'Their paths and bodies: not shown.',
    place: OTHER,
  }),
  bodyOfTheSubmission: undisclosed('PAY-U5', {
    subject: 'the request body of a submission',
    quote: "Submits the payment after the customer's authorization. The request body: not shown.",
    place: SUBMISSION,
  }),
  scopesOfThePaymentOperations: undisclosed('PAY-U6', {
    subject: 'the scopes of the payment operations',
    quote: 'Scopes and authentication of the payment operations: not shown.',
    place: 'Authentication, 9',
  }),
  authenticationOfThePaymentOperations: undisclosed('PAY-U7', {
    subject: 'the authentication of the payment operations',
    quote: 'Scopes and authentication of the payment operations: not shown.',
    place: 'Authentication, 9',
  }),
  statusCodesOfThePaymentApi: undisclosed('PAY-U8', {
    subject: 'the HTTP status codes of the payment API beside 201 and 401',
    quote: 'The full list of HTTP status codes of the payment API: not shown.',
    place: 'Errors, 7',
  }),
} as const

export default shelf('payments', PAY)
