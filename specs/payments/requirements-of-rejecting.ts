import { must, should } from '../../harness/check/requirement.ts'

const RECORD = 'Resources and their fields, Payment status record'

const PROVOKED = 'The profile says how the case is provoked; where it cannot be, nothing is judged.'

/** Sentences that more than one row quotes. */
const REJECTED = {
  quote: 'A rejected payment carries status RJCT, reasonCode, additionalInformation and statusDateTime.',
  place: 'Errors, 4',
}

/** What a rejected payment says of its rejection; then the reason codes, one row each. */
export const REJECTING = {
  rejectedPaymentHasStatusRjct: must('PAY-34', {
    claim: 'the record of a rejected payment carries the status RJCT',
    ...REJECTED,
  }),
  rejectionCarriesItsReason: must('PAY-35', {
    claim: 'a rejected payment carries a reasonCode',
    ...REJECTED,
  }),
  rejectionCarriesAdditionalInformation: must('PAY-36', {
    claim: 'a rejected payment carries additionalInformation',
    ...REJECTED,
  }),
  rejectionCarriesItsDateTime: must('PAY-37', {
    claim: 'a rejected payment carries a statusDateTime',
    ...REJECTED,
  }),
  reasonCodeIsOneOfThirteen: must('PAY-38', {
    claim: 'a reasonCode is one of the reason codes in Errors',
    quote: 'One of the reason codes in Errors (ISO 20022 transaction reason codes).',
    place: `${RECORD}, row reasonCode`,
  }),
  reasonCodeStandsOnRejectionAlone: should('PAY-39', {
    claim: 'a payment that is not rejected carries no reasonCode',
    quote: '| reasonCode | string | Present on rejection.',
    place: `${RECORD}, row reasonCode`,
    reading:
      'Null and an empty string count as none. That it is absent otherwise is not said, hence no more than a SHOULD.',
  }),
  additionalInformationIsText: must('PAY-40', {
    claim: 'additionalInformation is a string',
    quote: '| additionalInformation | string | Free text explaining the reason. |',
    place: `${RECORD}, row additionalInformation`,
    reading: 'Judged on the raw JSON where the field is given.',
  }),
  additionalInformationStandsOnRejectionAlone: should('PAY-54', {
    claim: 'a payment that is not rejected carries no additionalInformation',
    quote: '| additionalInformation | string | Free text explaining the reason. |',
    place: `${RECORD}, row additionalInformation`,
    reading: 'Without a reason there is nothing to explain; that it is absent is not said, hence a SHOULD.',
  }),

  malformedAccountNumberIsAc01: must('PAY-41', {
    claim: 'a payment with a malformed account number is rejected with AC01',
    quote: '| AC01 | Format of the account number is not correct. |',
    place: 'Errors, 6, row AC01',
    reading: PROVOKED,
  }),
  closedAccountIsAc04: must('PAY-42', {
    claim: 'a payment to a closed account is rejected with AC04',
    quote: "| AC04 | Account number has been closed on the receiver's books. |",
    place: 'Errors, 6, row AC04',
    reading: PROVOKED,
  }),
  forbiddenAccountTypeIsAg01: must('PAY-43', {
    claim: 'a payment that the type of the account forbids is rejected with AG01',
    quote: '| AG01 | Transaction forbidden on this type of account. |',
    place: 'Errors, 6, row AG01',
    reading: PROVOKED,
  }),
  foreignCurrencyIsAm03: must('PAY-44', {
    claim: 'a payment in a currency that cannot be processed is rejected with AM03',
    quote: '| AM03 | Amount is in a non-processable currency outside the agreement. |',
    place: 'Errors, 6, row AM03',
    reading: PROVOKED,
  }),
  missingFundsAreAm04: must('PAY-45', {
    claim: 'a payment beyond the available funds is rejected with AM04',
    quote: '| AM04 | Available funds are insufficient to cover the amount. |',
    place: 'Errors, 6, row AM04',
    reading: PROVOKED,
  }),
  duplicateIsAm05: must('PAY-46', {
    claim: 'a payment that repeats an earlier message is rejected with AM05',
    quote: '| AM05 | The message appears duplicated. |',
    place: 'Errors, 6, row AM05',
    reading: PROVOKED,
  }),
  wrongAmountIsAm09: must('PAY-47', {
    claim: 'a payment of another amount than agreed is rejected with AM09',
    quote: '| AM09 | Amount received is not the amount agreed or expected. |',
    place: 'Errors, 6, row AM09',
    reading: PROVOKED,
  }),
  wrongControlSumIsAm10: must('PAY-48', {
    claim: 'a payment whose amounts do not add up to the control sum is rejected with AM10',
    quote: '| AM10 | Sum of instructed amounts does not equal the control sum. |',
    place: 'Errors, 6, row AM10',
    reading: PROVOKED,
  }),
  invalidDateIsDt01: must('PAY-49', {
    claim: 'a payment with an invalid date is rejected with DT01',
    quote: '| DT01 | Invalid date (for example wrong settlement date). |',
    place: 'Errors, 6, row DT01',
    reading: PROVOKED,
  }),
  unspecifiedReasonIsMs03: must('PAY-50', {
    claim: 'a payment that is rejected for a reason not specified is rejected with MS03',
    quote: '| MS03 | Reason not specified by the agent. |',
    place: 'Errors, 6, row MS03',
    reading: PROVOKED,
  }),
  malformedBankIdentifierIsRc01: must('PAY-51', {
    claim: 'a payment with a malformed bank identifier code is rejected with RC01',
    quote: '| RC01 | Bank identifier code has an incorrect format. |',
    place: 'Errors, 6, row RC01',
    reading: PROVOKED,
  }),
  missingCreditorIsRr03: must('PAY-52', {
    claim: 'a payment without the name or address of the creditor is rejected with RR03',
    quote: '| RR03 | Missing creditor name or address (SEPA Credit Transfer rulebook). |',
    place: 'Errors, 6, row RR03',
    reading: PROVOKED,
  }),
  lateMessageIsTm01: must('PAY-53', {
    claim: 'a payment received after the cut-off time is rejected with TM01',
    quote: '| TM01 | Message received after the agreed processing cut-off time. |',
    place: 'Errors, 6, row TM01',
    reading: PROVOKED,
  }),
} as const
