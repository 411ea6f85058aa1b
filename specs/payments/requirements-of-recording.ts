import { must, should } from '../../harness/check/requirement.ts'

const INITIATION = 'Endpoints, Payments, POST /payments/ecomm/sba'
const STATUS = 'Endpoints, Payments, GET /payments/{orderId}/status'
const RECORD = 'Resources and their fields, Payment status record'
const STATES = 'States and transitions, Payment status'

const DATE_TIME = {
  quote: '| statusDateTime | string | ISO 8601 date-time with UTC offset, milliseconds included. |',
  place: `${RECORD}, row statusDateTime`,
}
const ASKED = {
  quote: '| GET | /payments/{orderId}/status | path orderId | Payment status record. |',
  place: STATUS,
}
const INITIATED = {
  quote:
    '| (none) | successful initiation, HTTP 201 | business validation passes | ACTC | orderId is returned.',
  place: STATES,
}

const ANSWERED_401 = {
  quote: 'HTTP 401 Unauthorized answers a call with a revoked or expired token.',
  place: 'Errors, 3',
}

const FROM_ITS_NAME =
  'That it is the time of the status follows from its name alone, hence no more than a SHOULD.'

/** What a record says as time goes by; then what is no payment, and whose payment it is. */
export const RECORDING = {
  statusDateTimeIsTheTimeOfTheStatus: should('PAY-55', {
    claim:
      'statusDateTime is not before the initiation of the payment, nor behind the answer that carries it',
    ...DATE_TIME,
    reading: `${FROM_ITS_NAME} The clocks of two machines may differ by half an hour.`,
  }),
  statusDateTimeChangesWithTheStatus: should('PAY-56', {
    claim: 'a payment that has changed its status has changed its statusDateTime',
    ...DATE_TIME,
    reading: FROM_ITS_NAME,
  }),
  statusDateTimeStaysWithTheStatus: should('PAY-57', {
    claim: 'a payment that nothing has moved keeps its statusDateTime',
    ...DATE_TIME,
    reading: FROM_ITS_NAME,
  }),
  statusRecordHasStatusAndDateTime: must('PAY-58', {
    claim: 'the status record carries status and statusDateTime',
    ...ASKED,
  }),
  noPaymentReturnsToValidation: must('PAY-59', {
    claim: 'a payment that has left ACTC does not return to it',
    quote: '| (none) | successful initiation, HTTP 201 | business validation passes | ACTC |',
    place: STATES,
    reading: 'The initiation alone leads to ACTC.',
  }),
  concurrentSubmissionsMoveOnce: must('PAY-60', {
    claim: 'an authorized payment that is submitted twice at the same moment is in ACSP afterwards',
    quote: '| ACTC | POST /payments/submission | customer authorizes successfully | ACSP | |',
    place: STATES,
    reading: 'One of the two submissions moves it; from ACSP it may have moved on to ACSC.',
    tags: ['concurrency'],
  }),
  foreignPaymentIsRefused: should('PAY-61', {
    claim: 'the status of a payment is not told to another application than the one that initiated it',
    ...ASKED,
    reading: 'The authentication of the payment operations is not shown, hence no more than a SHOULD.',
    tags: ['security'],
  }),
  refusedStatusIsNoSuccess: should('PAY-62', {
    claim: 'a status that is refused is not answered with the HTTP status of a success',
    quote: 'The HTTP status code gives the result of the call.',
    place: 'Errors, 1',
    reading: 'The codes beside 201 and 401 are not shown, hence no more than a SHOULD.',
    tags: ['refusal-form'],
  }),
  malformedInitiationIsNotAccepted: must('PAY-63', {
    claim: 'an initiation that names no payment does not lead to ACTC',
    ...INITIATED,
    reading:
      'No JSON, no amount, an amount below zero or in words, no account of the creditor: none of these passes a business validation. It may be refused, or RJCT.',
  }),
  oversizedTextIsNotAccepted: should('PAY-64', {
    claim: 'an initiation with a text of 1 MiB does not lead to ACTC',
    ...INITIATED,
    reading:
      'SEPA allows 140 characters of remittance information; the limits of this interface are not shown.',
  }),
  malformedInitiationIsNoBreakdown: should('PAY-65', {
    claim: 'the bank does not break down over an initiation that names no payment',
    quote: 'The HTTP status code gives the result of the call.',
    place: 'Errors, 1',
    reading: 'A status from 500 blames the bank, and the request is at fault.',
    tags: ['refusal-form'],
  }),
  lawfulInitiationIsNoBreakdown: should('PAY-66', {
    claim: 'the bank does not break down over a payment within the limits of SEPA',
    quote:
      'Payment initiation. The request body: not shown. | HTTP 201 with orderId, status, statusDateTime.',
    place: INITIATION,
    reading:
      'Amounts from 0.01 to 9,999,999,999.99, texts in the characters of SEPA, names in Slovak letters. A bank may refuse or reject what it does not take.',
  }),
  statesFollowTheTable: must('PAY-67', {
    claim:
      'every payment is in a state to which the table of transitions leads after what was done to it, whatever was done to others',
    quote: '| ACTC | POST /payments/submission | customer authorizes successfully | ACSP | |',
    place: STATES,
    reading:
      'Judged of stories of several payments, by the rows of the table. Moves into ACSC and out of PDNG are not shown, and are let pass but for those out of ACSC or RJCT and back to ACTC; so is a rejection of what nobody has authorized, and of what is in process. A customer who denies what was granted before may be taken either way.',
    tags: ['property', 'model'],
  }),
  expiredTokenHasStatus401: must('PAY-68', {
    claim: 'a payment operation with an expired token is answered with the HTTP status 401',
    ...ANSWERED_401,
    reading:
      'A token has expired ten minutes after the end of the lifetime that its own answer tells (expires_in, RFC 6749 §5.1): the clocks of two machines may differ. Where the answer tells none, a token that is refused after 90 days is judged, and one that is still taken is not. What is answered with 401 is not carried out.',
    tags: ['time', 'security'],
  }),
  revokedTokenHasStatus401: must('PAY-69', {
    claim: 'a submission with a revoked token is answered with the HTTP status 401',
    ...ANSWERED_401,
    reading:
      'Judged of the token that the authorization of a payment has given, where it gives one. What is answered with 401 is not carried out.',
    tags: ['security'],
  }),
  rejectedSubmissionHasItsReasonCode: must('PAY-70', {
    claim: 'a submission that is rejected for a cause of the list has the reasonCode of that cause',
    quote:
      '| ACTC | POST /payments/submission | a business validation rule fails | RJCT | reasonCode is set. |',
    place: STATES,
    reading:
      'Which cause has which code says the table of Errors, 6. Judged of the causes that the profile names.',
  }),
} as const
