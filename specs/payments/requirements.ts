import { at, chapterRows, must, should, statements, notShown } from '../../harness/check/requirement.ts'

const INITIATION = 'Endpoints, Payments, POST /payments/ecomm/sba'
const OTHER = 'Endpoints, Payments, POST /payments/<other initiation method>'
const STATUS = 'Endpoints, Payments, GET /payments/{orderId}/status'
const SUBMISSION = 'Endpoints, Payments, POST /payments/submission'
const RECORD = 'Resources and their fields, Payment status record'
const STATES = 'States and transitions, Payment status'
const PROVOKED =
  'The order follows from what the profile states (payments.facts), or the profile describes it (payments.provocations). This is taken as true unless the profile marks it as a guess (guesses). A valid order by the same method is accepted; otherwise nothing is judged. Each of several orders for one code is judged.'
const FROM_ITS_NAME =
  'That it is the time of the status follows only from its name, hence no more than a SHOULD.'

export const PAY = statements({
  'The payment API initiates a payment, reports its status and submits it after the customer has authorized it.':
    at('What the service does, 4', {
      statusRecordAgreesWithTheInitiation: must('PAY-21', {
        claim: 'the status of a payment that was not submitted is the one that its initiation answered',
      }),
    }),
  '| orderId | string | Unique identifier of the payment, returned on successful initiation.': at(
    `${RECORD}, row orderId`,
    {
      orderIdIsAString: must('PAY-05', {
        claim: 'an orderId is a string',
        reading: 'Judged on the raw JSON.',
      }),
      orderIdsAreDistinct: must('PAY-06', { claim: 'two payments have different orderIds' }),
      concurrentOrderIdsAreDistinct: must('PAY-07', {
        claim: 'payments initiated at the same moment have different orderIds',
        tags: ['concurrency'],
      }),
    },
  ),
  'It is used in GET /payments/{orderId}/status.': at(`${RECORD}, row orderId`, {
    statusIsAnsweredUnderTheOrderId: must('PAY-19', {
      claim: 'the status of a payment is answered under its orderId',
      answers: 'GET readPayment',
    }),
  }),
  '| status | string | One of ACTC, ACSP, ACSC, PDNG, RJCT (ISO 20022 payment status codes). |': at(
    `${RECORD}, row status`,
    {
      statusIsOneOfFive: must('PAY-14', {
        claim: 'the status of a payment is one of ACTC, ACSP, ACSC, PDNG and RJCT',
      }),
    },
  ),
  '| reasonCode | string | Present on rejection.': at(`${RECORD}, row reasonCode`, {
    reasonCodeStandsOnRejectionAlone: should('PAY-39', {
      claim: 'a payment that is not rejected carries no reasonCode',
      reading:
        'Null and an empty string count as none. That it is absent otherwise is not shown, hence no more than a SHOULD.',
    }),
  }),
  'One of the reason codes in Errors (ISO 20022 transaction reason codes).': at(`${RECORD}, row reasonCode`, {
    reasonCodeIsOneOfThirteen: must('PAY-38', { claim: 'a reasonCode is one of the reason codes in Errors' }),
  }),
  '| additionalInformation | string | Free text explaining the reason. |': at(
    `${RECORD}, row additionalInformation`,
    {
      additionalInformationIsText: must('PAY-40', {
        claim: 'additionalInformation is a string',
        reading: 'Judged on the raw JSON if the field is given.',
      }),
      additionalInformationStandsOnRejectionAlone: should('PAY-54', {
        claim: 'a payment that is not rejected carries no additionalInformation',
        reading:
          'Without a reason there is nothing to explain; that it is absent is not shown, hence a SHOULD.',
      }),
    },
  ),
  '| statusDateTime | string | ISO 8601 date-time with UTC offset, milliseconds included. |': at(
    `${RECORD}, row statusDateTime`,
    {
      statusDateTimeHasAUtcOffset: must('PAY-16', {
        claim: 'statusDateTime is an ISO 8601 date-time with a UTC offset',
        reading: 'Z and ±hh:mm are both a UTC offset. The date exists in the calendar.',
      }),
      statusDateTimeHasMilliseconds: must('PAY-17', {
        claim: 'statusDateTime includes milliseconds',
        reading: 'Three digits or more after the seconds, zeros included.',
      }),
      statusDateTimeDoesNotGoBack: should('PAY-18', {
        claim: 'the statusDateTime of a later status is not before that of an earlier one',
        reading: `${FROM_ITS_NAME} The clocks of two servers of the bank may differ by five seconds.`,
      }),
      statusDateTimeIsTheTimeOfTheStatus: should('PAY-55', {
        claim:
          'statusDateTime is neither before the initiation of the payment nor after the answer that contains it',
        reading: `${FROM_ITS_NAME} The clocks of two machines may differ by half an hour.`,
      }),
      statusDateTimeChangesWithTheStatus: should('PAY-56', {
        claim: 'a payment that has changed its status has changed its statusDateTime',
        reading: FROM_ITS_NAME,
      }),
      statusDateTimeStaysWithTheStatus: should('PAY-57', {
        claim: 'a payment that nothing has moved keeps its statusDateTime',
        reading: FROM_ITS_NAME,
      }),
    },
  ),
  'States: ACTC (Accepted Technical Validation), ACSP (Accepted Settlement In Process), ACSC (Accepted Settlement Completed), PDNG (Pending), RJCT (Rejected).':
    at(STATES, {
      statesFollowTheTable: must('PAY-67', {
        claim:
          'every payment is in a state to which the table of transitions leads after what was done to it, whatever was done to others',
        reading:
          'Judged on sequences of steps on several payments, by the rows of the table. Moves into ACSC and out of PDNG are not shown and are allowed, except out of ACSC or RJCT and back to ACTC; so is a rejection of a payment that was not authorized, and of one in process. A denial after a grant may be interpreted either way.',
        tags: ['property', 'model'],
      }),
    }),
  '| (none) | successful initiation, HTTP 201 | business validation passes | ACTC | orderId is returned.': at(
    STATES,
    {
      validPaymentIsAccepted: must('PAY-08', { claim: 'a payment that passes business validation is ACTC' }),
      malformedInitiationIsNotAccepted: must('PAY-63', {
        claim: 'an initiation that names no payment does not lead to ACTC',
        reading:
          'No JSON, no amount, an amount below zero or in words: none of these passes a business validation. It may be refused, or RJCT; a server error each time is neither.',
      }),
      oversizedTextIsNotAccepted: should('PAY-64', {
        claim: 'an initiation with a text of 1 MiB does not lead to ACTC',
        reading:
          'SEPA allows 140 characters of remittance information; the limits of this interface are not shown.',
      }),
      initiationWithoutCreditorIsNotAccepted: should('PAY-73', {
        claim: 'an initiation without an account of the creditor does not lead to ACTC',
        reading: 'A contract of the merchant may fix the creditor, hence no more than a SHOULD.',
      }),
    },
  ),
  '| (none) | successful initiation, HTTP 201 | business validation passes | ACTC |': at(STATES, {
    noPaymentReturnsToValidation: must('PAY-59', {
      claim: 'a payment that has left ACTC does not return to it',
      reading: 'Only the initiation leads to ACTC.',
    }),
  }),
  'The customer can now authorize.': at(STATES, {
    acceptedPaymentCanBeAuthorized: must('PAY-09', {
      claim: 'a payment in ACTC can be authorized by the customer',
    }),
  }),
  '| (none) | initiation, HTTP 201 | business validation fails (for example AC01) | RJCT |': at(STATES, {
    invalidPaymentIsRejected: must('PAY-10', {
      claim: 'a payment that fails business validation is RJCT',
      reading: PROVOKED,
    }),
  }),
  'reasonCode and additionalInformation are set.': at(STATES, {
    rejectedInitiationIsExplained: must('PAY-12', {
      claim: 'a rejected initiation is answered with reasonCode and additionalInformation',
    }),
  }),
  '| ACTC | POST /payments/submission | customer authorizes successfully | ACSP | |': at(STATES, {
    authorizedPaymentIsInProcess: must('PAY-23', {
      claim: 'the submission of a payment that the customer has authorized moves it from ACTC to ACSP',
      reading:
        'The answer to the submission says ACSP. Moves into ACSC are not shown: a status that is read later may be ACSC. An order for the day of its submission is not one for the future.',
    }),
    deniedPaymentIsNotSubmitted: must('PAY-30', {
      claim: 'a payment that the customer has denied does not move to ACSP, ACSC or PDNG',
      tags: ['security'],
    }),
    concurrentSubmissionsMoveOnce: must('PAY-60', {
      claim: 'an authorized payment that is submitted twice at the same moment is in ACSP afterwards',
      reading: 'One of the two submissions moves it; from ACSP it may have moved on to ACSC.',
      tags: ['concurrency'],
    }),
  }),
  '| ACTC | POST /payments/submission |': at(STATES, {
    secondSubmissionChangesNothing: must('PAY-33', {
      claim: 'a second submission does not take a payment back from ACSP',
      reading: 'Only a payment in ACTC is moved by a submission; from ACSP it may have moved on to ACSC.',
      tags: ['security'],
    }),
  }),
  '| ACTC | POST /payments/submission | requested execution date is in the future | PDNG | |': at(STATES, {
    futurePaymentIsPending: must('PAY-24', {
      claim: 'the submission of a payment whose requested execution date is in the future moves it to PDNG',
    }),
  }),
  '| ACTC | POST /payments/submission | a business validation rule fails | RJCT |': at(STATES, {
    invalidSubmissionIsRejected: must('PAY-25', {
      claim: 'the submission of a payment that fails a business validation rule moves it to RJCT',
      fromProfile: 'payments.rejectedAtSubmission',
      reading:
        'The profile states that the order is accepted and that its submission is rejected (payments.rejectedAtSubmission).',
    }),
  }),
  '| ACTC | POST /payments/submission | a business validation rule fails | RJCT | reasonCode is set. |': at(
    STATES,
    {
      rejectedSubmissionHasAReasonCode: must('PAY-26', {
        claim: 'a submission that ends in RJCT is answered with a reasonCode',
      }),
      rejectedSubmissionHasItsReasonCode: must('PAY-70', {
        claim: 'a submission that is rejected for a cause of the list has the reasonCode of that cause',
        fromProfile: 'payments.rejectedAtSubmission',
        reading:
          'The table of Errors, 6 gives the code of each cause. Judged on the causes that the profile names.',
      }),
    },
  ),
  'Moves into ACSC and out of PDNG: not shown.': at(STATES, {
    rejectedPaymentStaysRejected: must('PAY-31', {
      claim: 'nothing leaves RJCT',
      reading: 'All other moves are in the table, and none of them leaves RJCT.',
    }),
    completedPaymentStaysCompleted: must('PAY-32', {
      claim: 'nothing leaves ACSC',
      reading:
        'All other moves are in the table, and none of them leaves ACSC. Judged by each step of a payment after its submission; a payment may not get to ACSC during a run.',
    }),
    movesIntoCompletion: notShown('PAY-U1', { subject: 'the moves into ACSC' }),
    movesOutOfPending: notShown('PAY-U2', { subject: 'the moves out of PDNG' }),
  }),
  'Payment initiation. The request body: not shown. | HTTP 201 with orderId, status, statusDateTime.': at(
    INITIATION,
    {
      validInitiationIsNoBreakdown: should('PAY-66', {
        claim: 'the bank does not answer 5xx to the initiation of a payment within the limits of SEPA',
        reading:
          'Amounts from 0.01 to 9,999,999,999.99, texts in the characters of SEPA, names in Slovak letters. A bank may refuse or reject what it does not accept.',
      }),
    },
  ),
  'Payment initiation. The request body: not shown.': at(INITIATION, {
    bodyOfTheInitiation: notShown('PAY-U3', { subject: 'the request body of an initiation' }),
  }),
  'HTTP 201 with orderId, status, statusDateTime.': at(INITIATION, {
    initiationAnswersAnOrderId: must('PAY-02', {
      claim: 'the answer to an initiation carries an orderId that is not empty',
      answers: 'POST initiatePayment',
    }),
    initiationAnswersAStatus: must('PAY-03', { claim: 'the answer to an initiation carries a status' }),
    initiationAnswersAStatusDateTime: must('PAY-04', {
      claim: 'the answer to an initiation carries a statusDateTime',
    }),
  }),
  'Their paths and bodies: not shown.': at(OTHER, {
    otherInitiationMethods: notShown('PAY-U4', {
      subject: 'the paths and bodies of the further initiation methods',
    }),
  }),
  'Same shape as above.': at(OTHER, {
    otherInitiationHasTheSameShape: must('PAY-13', {
      claim:
        'every other initiation method is answered with the HTTP status 201, orderId, status and statusDateTime',
      reading: 'Judged on the methods that the profile names.',
    }),
  }),
  '| GET | /payments/{orderId}/status | path orderId | Payment status record. |': at(STATUS, {
    statusRecordIsThatOfThePayment: must('PAY-20', {
      claim: 'the status record names the orderId that was asked for',
    }),
    unknownOrderIsRefused: must('PAY-22', {
      claim: 'an orderId that the bank never issued has no status',
      reading:
        'No status record is answered; status code and body of the refusal are not shown. A server error each time is no refusal.',
    }),
    statusRecordHasStatusAndDateTime: must('PAY-58', {
      claim: 'the status record carries status and statusDateTime',
    }),
    foreignPaymentIsRefused: should('PAY-61', {
      claim: 'another application than the one that initiated a payment does not read its status',
      reading:
        'No answer to another application has its orderId either. The authentication of the payment operations is not shown, hence no more than a SHOULD.',
      tags: ['security'],
    }),
  }),
  "Submits the payment after the customer's authorization.": at(SUBMISSION, {
    unauthorizedPaymentIsNotSubmitted: must('PAY-29', {
      claim:
        'a submission without the authorization of the customer leaves the payment out of ACSP, ACSC and PDNG',
      tags: ['security'],
    }),
  }),
  "Submits the payment after the customer's authorization. The request body: not shown.": at(SUBMISSION, {
    bodyOfTheSubmission: notShown('PAY-U5', { subject: 'the request body of a submission' }),
  }),
  'Payment status record with new status.': at(SUBMISSION, {
    submissionAnswersTheStatusRecord: must('PAY-27', {
      claim: 'a submission is answered with the status record of its payment',
      answers: 'POST submitPayment',
    }),
    submissionAnswersTheNewStatus: must('PAY-28', {
      claim: 'the answer to a submission carries the status that the payment has moved to',
      reading: 'Compared with the status record read afterwards; from ACSP it may have moved on to ACSC.',
    }),
  }),
  'Scopes and authentication of the payment operations: not shown.': at('Authentication, 9', {
    scopesOfThePaymentOperations: notShown('PAY-U6', { subject: 'the scopes of the payment operations' }),
    authenticationOfThePaymentOperations: notShown('PAY-U7', {
      subject: 'the authentication of the payment operations',
    }),
  }),
  'The HTTP status code gives the result of the call.': at('Errors, 1', {
    refusalIsNoSuccess: must('PAY-62', {
      claim: 'a payment call that is refused is not answered with the HTTP status of a success',
      reading: 'A call is refused if its answer contains no payment. Which other status it has is not shown.',
    }),
    malformedInitiationIsNoBreakdown: should('PAY-65', {
      claim: 'the bank does not answer 5xx to an initiation that names no payment',
      reading: 'A status from 500 on reports an error of the bank, and here the request is at fault.',
      tags: ['refusal-form'],
    }),
  }),
  'The status field in payment payloads gives the state of the payment and is limited to ISO 20022 payment status codes.':
    at('Errors, 1', {
      statusHoldsNoResultOfTheCall: must('PAY-15', {
        claim: 'a refused payment call contains no payment whose status is another than those of ISO 20022',
        reading:
          'A payment is an object with an orderId. Other objects of a refusal may have a field status.',
      }),
    }),
  'HTTP 201 Created answers a successful payment initiation.': at('Errors, 2', {
    initiationHasStatus201: must('PAY-01', {
      claim: 'a successful initiation is answered with the HTTP status 201',
    }),
  }),
  'The payment may then be ACTC or RJCT.': at('Errors, 2', {
    rejectedInitiationHasStatus201: must('PAY-11', {
      claim: 'an initiation that is rejected for a business rule is answered with the HTTP status 201',
    }),
  }),
  'HTTP 401 Unauthorized answers a call with a revoked or expired token.': at('Errors, 3', {
    expiredTokenHasStatus401: must('PAY-68', {
      claim: 'a payment operation with an expired token is answered with the HTTP status 401',
      reading:
        'A token has expired ten minutes after the end of the lifetime in its own answer (expires_in, RFC 6749 §5.1): the clocks of two machines may differ. If the answer has none, a token that is refused after 90 days is judged, and one that is still accepted is not. What is answered with 401 is not carried out.',
      tags: ['time', 'security'],
    }),
    revokedTokenHasStatus401: must('PAY-69', {
      claim: 'a submission with a revoked token is answered with the HTTP status 401',
      reading:
        'Judged on the token that the authorization of a payment gives, if it gives one. What is answered with 401 is not carried out.',
      tags: ['security'],
    }),
    refusedInitiationIsNotExecuted: should('PAY-72', {
      claim:
        'an initiation that was refused with 401 is not carried out: the same message is no duplicate afterwards',
      reading:
        'Only a bank that rejects duplicates shows whether it has carried out the message. It may count a refused message as received, hence no more than a SHOULD.',
      tags: ['time', 'security'],
    }),
  }),
  'A rejected payment carries status RJCT, reasonCode, additionalInformation and statusDateTime.': at(
    'Errors, 4',
    {
      rejectedPaymentHasStatusRjct: must('PAY-34', {
        claim: 'the record of a rejected payment carries the status RJCT',
      }),
      rejectionCarriesItsReason: must('PAY-35', {
        claim: 'a rejected payment carries a reasonCode, the same in each of its records',
        reading: 'MS03 says that the reason is not specified: another one may follow it.',
      }),
      rejectionCarriesAdditionalInformation: must('PAY-36', {
        claim: 'a rejected payment carries additionalInformation',
      }),
      rejectionCarriesItsDateTime: must('PAY-37', { claim: 'a rejected payment carries a statusDateTime' }),
    },
  ),
  '| AC01 | Format of the account number is not correct. |': at('Errors, 6, row AC01', {
    malformedAccountNumberIsAc01: must('PAY-41', {
      claim: 'a payment with a malformed account number is rejected with AC01',
      reading: PROVOKED,
    }),
  }),
  "| AC04 | Account number has been closed on the receiver's books. |": at('Errors, 6, row AC04', {
    closedAccountIsAc04: must('PAY-42', {
      claim: 'a payment to a closed account is rejected with AC04',
      fromProfile: 'payments.facts.closedAccounts',
      reading: PROVOKED,
    }),
  }),
  '| AG01 | Transaction forbidden on this type of account. |': at('Errors, 6, row AG01', {
    forbiddenAccountTypeIsAg01: must('PAY-43', {
      claim: 'a payment that the type of the account forbids is rejected with AG01',
      fromProfile: 'payments.facts.savingsAccounts',
      reading: PROVOKED,
    }),
  }),
  '| AM03 | Amount is in a non-processable currency outside the agreement. |': at('Errors, 6, row AM03', {
    foreignCurrencyIsAm03: must('PAY-44', {
      claim: 'a payment in a currency that cannot be processed is rejected with AM03',
      reading: PROVOKED,
    }),
  }),
  '| AM04 | Available funds are insufficient to cover the amount. |': at('Errors, 6, row AM04', {
    missingFundsAreAm04: must('PAY-45', {
      claim: 'a payment beyond the available funds is rejected with AM04',
      fromProfile: 'payments.facts.funds',
      reading: `${PROVOKED} Where the bank looks at the funds when the order is submitted (payments.rejectedAtSubmission.AM04), it is judged by that.`,
    }),
  }),
  '| AM05 | The message appears duplicated. |': at('Errors, 6, row AM05', {
    duplicateIsAm05: must('PAY-46', {
      claim: 'a payment that repeats an earlier message is rejected with AM05',
      reading: PROVOKED,
    }),
    concurrentDuplicateIsRejected: must('PAY-71', {
      claim:
        'of two initiations with the same message at the same moment at most one is ACTC, and a rejected one has AM05',
      reading:
        'Judged if the profile says that a message sent twice is rejected (payments.provocations.AM05). The bank may also refuse one of the two calls.',
      tags: ['concurrency'],
    }),
  }),
  '| AM09 | Amount received is not the amount agreed or expected. |': at('Errors, 6, row AM09', {
    wrongAmountIsAm09: must('PAY-47', {
      claim: 'a payment of another amount than agreed is rejected with AM09',
      fromProfile: 'payments.facts.agreedAmounts',
      reading: PROVOKED,
    }),
  }),
  '| AM10 | Sum of instructed amounts does not equal the control sum. |': at('Errors, 6, row AM10', {
    wrongControlSumIsAm10: must('PAY-48', {
      claim: 'a payment whose amounts do not add up to the control sum is rejected with AM10',
      reading: PROVOKED,
    }),
  }),
  '| DT01 | Invalid date (for example wrong settlement date). |': at('Errors, 6, row DT01', {
    invalidDateIsDt01: must('PAY-49', {
      claim: 'a payment with an invalid date is rejected with DT01',
      reading: PROVOKED,
    }),
  }),
  '| MS03 | Reason not specified by the agent. |': at('Errors, 6, row MS03', {
    unspecifiedReasonIsMs03: must('PAY-50', {
      claim: 'a payment that is rejected for a reason not specified is rejected with MS03',
      fromProfile: 'payments.provocations.MS03',
      reading: PROVOKED,
    }),
  }),
  '| RC01 | Bank identifier code has an incorrect format. |': at('Errors, 6, row RC01', {
    malformedBankIdentifierIsRc01: must('PAY-51', {
      claim: 'a payment with a malformed bank identifier code is rejected with RC01',
      fromProfile: 'payments.provocations.RC01',
      reading: PROVOKED,
    }),
  }),
  '| RR03 | Missing creditor name or address (SEPA Credit Transfer rulebook). |': at('Errors, 6, row RR03', {
    missingCreditorIsRr03: must('PAY-52', {
      claim: 'a payment without the name or address of the creditor is rejected with RR03',
      reading: PROVOKED,
    }),
  }),
  '| TM01 | Message received after the agreed processing cut-off time. |': at('Errors, 6, row TM01', {
    lateMessageIsTm01: must('PAY-53', {
      claim: 'a payment received after the cut-off time is rejected with TM01',
      fromProfile: 'payments.facts.cutOff',
      reading: PROVOKED,
    }),
  }),
  'The full list of HTTP status codes of the payment API: not shown.': at('Errors, 7', {
    statusCodesOfThePaymentApi: notShown('PAY-U8', {
      subject: 'the HTTP status codes of the payment API other than 201 and 401',
    }),
  }),
})

export default chapterRows('payments', PAY)
