import {
  accept,
  alter,
  body,
  defectsOf,
  from,
  when,
  type Defect,
  type FactsOf,
  type Incoming,
} from '../../shared/changes.ts'
import { DAY, fromRecord, having, inStatus, isRejected, isSentIn, record } from './records.ts'
import { PAY } from '../requirements.ts'

/** Rejections that do not occur, that have a wrong reason or status, that are not explained, or that do not last. */

/** The right code, and the code that the bank gives. */
const SWAPS = [
  ['AC01', 'AC04', PAY.malformedAccountNumberIsAc01],
  ['AC04', 'AC01', PAY.closedAccountIsAc04],
  ['AG01', 'AC04', PAY.forbiddenAccountTypeIsAg01],
  ['AM03', 'AG01', PAY.foreignCurrencyIsAm03],
  ['AM04', 'AM09', PAY.missingFundsAreAm04, PAY.rejectedSubmissionHasItsReasonCode],
  ['AM05', 'MS03', PAY.duplicateIsAm05, PAY.concurrentDuplicateIsRejected],
  ['AM09', 'AM10', PAY.wrongAmountIsAm09],
  ['AM10', 'AM09', PAY.wrongControlSumIsAm10],
  ['DT01', 'TM01', PAY.invalidDateIsDt01],
  ['MS03', 'AM04', PAY.unspecifiedReasonIsMs03],
  ['RC01', 'AC01', PAY.malformedBankIdentifierIsRc01],
  ['RR03', 'MS03', PAY.missingCreditorIsRr03],
  ['TM01', 'DT01', PAY.lateMessageIsTm01, PAY.rejectedSubmissionHasItsReasonCode],
] as const

const swaps = SWAPS.flatMap(([right, wrong, ...breaks]) =>
  defectsOf(breaks, {
    [`A payment that is to be rejected with ${right} is rejected with ${wrong}`]: when(
      isRejected(right),
      record(having({ reasonCode: wrong })),
    ),
  }),
)

const inInitiation = isSentIn('initiation')
const inStatusAnswer = isSentIn('status')
const withoutReason = record(having({ reasonCode: undefined }))
const withoutText = record(having({ additionalInformation: undefined }))

const codes: readonly Defect[] = [
  ...defectsOf([PAY.rejectedSubmissionHasItsReasonCode], {
    'A submission after the cut-off time is rejected with DT01, an initiation with TM01': alter({
      reportedReason: (code, { cause, stage }) =>
        stage === 'submission' && cause === 'TM01' ? 'DT01' : code,
    }),
  }),
  ...defectsOf([PAY.rejectedSubmissionHasItsReasonCode, PAY.missingFundsAreAm04], {
    'A submission without funds is rejected with MS03, an initiation with AM04': alter({
      reportedReason: (code, { cause, stage }) =>
        stage === 'submission' && cause === 'AM04' ? 'MS03' : code,
    }),
  }),
  ...defectsOf([PAY.reasonCodeIsOneOfThirteen, PAY.unspecifiedReasonIsMs03], {
    'A reason that is not specified has a code of the bank, X901': when(
      isRejected('MS03'),
      record(having({ reasonCode: 'X901' })),
    ),
  }),
  ...defectsOf(
    [PAY.reasonCodeIsOneOfThirteen, PAY.missingFundsAreAm04, PAY.rejectedSubmissionHasItsReasonCode],
    {
      'The reasonCode of missing funds is AM02 when the status is read': when(
        inStatusAnswer,
        when(isRejected('AM04'), record(having({ reasonCode: 'AM02' }))),
      ),
    },
  ),
  ...defectsOf([PAY.forbiddenAccountTypeIsAg01], {
    'The second payment from a savings account is rejected with AC04': when(
      ({ cause }) => cause === 'AG01',
      when(from(2), alter({ reportedReason: 'AC04' })),
    ),
  }),
  ...defectsOf([PAY.invalidDateIsDt01], {
    'The status of a payment for the day before says TM01, its initiation DT01': when(
      inStatusAnswer,
      when(
        ({ payment: { reason, order } }) =>
          reason === 'DT01' && order.requestedDate?.startsWith('2020-') !== true,
        record(having({ reasonCode: 'TM01' })),
      ),
    ),
  }),
]

const answers: readonly Defect[] = [
  ...defectsOf([PAY.rejectedInitiationHasStatus201], {
    'An initiation that is rejected for missing funds is answered with the status 200': when(
      isRejected('AM04'),
      alter({ initiationStatus: 200 }),
    ),
  }),
  ...defectsOf([PAY.rejectedInitiationHasStatus201, PAY.missingCreditorIsRr03], {
    'An initiation without the name of the creditor is answered with the status 422': when(
      isRejected('RR03'),
      alter({ initiationStatus: 422 }),
    ),
  }),
  ...defectsOf([PAY.rejectedInitiationIsExplained, PAY.rejectionCarriesAdditionalInformation], {
    'The answer to a rejected initiation has no additionalInformation': when(inInitiation, withoutText),
    'The additionalInformation of a duplicate is one blank': when(
      inInitiation,
      when(isRejected('AM05'), record(having({ additionalInformation: ' ' }))),
    ),
  }),
  ...defectsOf([PAY.rejectedInitiationIsExplained, PAY.rejectionCarriesItsReason, PAY.invalidDateIsDt01], {
    'An initiation with an invalid date is rejected without a reasonCode': when(
      inInitiation,
      when(isRejected('DT01'), withoutReason),
    ),
  }),
  ...defectsOf([PAY.rejectionCarriesItsReason], {
    'The status of a rejected payment has no reasonCode': when(inStatusAnswer, withoutReason),
    'The reasonCode of a rejected payment is sent three times only': when(
      isRejected(),
      fromRecord(4, having({ reasonCode: undefined })),
    ),
    'A day after its initiation, a payment is rejected with another reasonCode': when(
      isRejected(),
      record((usual, { payment, now }) =>
        now.getTime() < payment.initiatedAt.getTime() + DAY
          ? usual
          : { ...usual, reasonCode: payment.reason === 'AC01' ? 'AG01' : 'AC01' },
      ),
    ),
  }),
  ...defectsOf([PAY.rejectionCarriesAdditionalInformation], {
    'The status of a rejected payment has no additionalInformation': when(inStatusAnswer, withoutText),
  }),
  ...defectsOf([PAY.additionalInformationIsText], {
    'The additionalInformation is an object of a text for each language': when(
      isRejected(),
      record((usual) => ({
        ...usual,
        additionalInformation: { sk: 'Platba bola zamietnutá.', en: usual.additionalInformation },
      })),
    ),
    'The additionalInformation of missing funds is the amount that is missing': when(
      inInitiation,
      when(isRejected('AM04'), record(having({ additionalInformation: 12.5 }))),
    ),
  }),
  ...defectsOf([PAY.rejectionCarriesItsDateTime], {
    'The answer to an initiation from a forbidden account type has no statusDateTime': when(
      inInitiation,
      when(isRejected('AG01'), record(having({ statusDateTime: undefined }))),
    ),
  }),
  ...defectsOf([PAY.statusIsOneOfFive, PAY.rejectedPaymentHasStatusRjct], {
    'The status of a payment to a closed account says REJECTED when it is read': when(
      inStatusAnswer,
      when(isRejected('AC04'), record(inStatus('REJECTED'))),
    ),
  }),
  ...defectsOf([PAY.rejectedPaymentHasStatusRjct], {
    'A payment that was rejected for its bank identifier is in PDNG when read': when(
      inStatusAnswer,
      when(isRejected('RC01'), record(inStatus('PDNG'))),
    ),
  }),
]

const revivals: readonly Defect[] = [
  ...defectsOf([PAY.rejectedPaymentStaysRejected, PAY.noPaymentReturnsToValidation], {
    'A payment that was rejected is in ACTC some time later': when(
      isRejected(),
      fromRecord(5, inStatus('ACTC')),
    ),
  }),
]

/** Rejects the first initiation that breaks the rule, and no later one. */
const onlyOnce = (rule: 'fundsSuffice' | 'isWithinHours') =>
  accept(
    rule,
    ({ stage }, past) =>
      stage === 'initiation' &&
      past.of(rule).some((call) => call.facts.stage === 'initiation' && !call.answer),
  )

const missing: readonly Defect[] = [
  ...defectsOf([PAY.invalidPaymentIsRejected, PAY.malformedAccountNumberIsAc01], {
    'An account number of a creditor that is too short is not rejected': accept(
      'accountNumbersAreCorrect',
      ({ order }) =>
        order.transfers.every(({ creditor: { iban } }) => iban.startsWith('SK') && iban.length < 24),
    ),
  }),
  ...defectsOf([PAY.invalidPaymentIsRejected, PAY.missingFundsAreAm04], {
    'Once a payment was rejected for missing funds, the next one is accepted beyond the funds':
      onlyOnce('fundsSuffice'),
  }),
  ...defectsOf([PAY.invalidPaymentIsRejected, PAY.lateMessageIsTm01], {
    'Once a payment was rejected for the cut-off time, the next one is accepted after it':
      onlyOnce('isWithinHours'),
  }),
  ...defectsOf([PAY.duplicateIsAm05], {
    'A message is a duplicate only if it repeats the one directly before': alter({
      messageIsNew: (_, facts, { rules }) =>
        rules.messageIsNew({ ...facts, earlier: facts.earlier.slice(-1) }),
    }),
  }),
  ...defectsOf([PAY.concurrentDuplicateIsRejected], {
    'A message that is sent twice at the same moment leads to two payments': when(
      ({ isConcurrent }: Incoming) => isConcurrent,
      body('initiatePayment', (members) =>
        members.reasonCode === 'AM05' ? inStatus('ACTC')(members) : members,
      ),
    ),
  }),
]

type Transfer = FactsOf<'controlSumAgrees'>['order']['transfers'][number]

const every =
  (isMeant: (transfer: Transfer) => boolean) =>
  ({ order }: FactsOf<'controlSumAgrees'>): boolean =>
    order.transfers.every(isMeant)

const isBatch = ({ order }: FactsOf<'controlSumAgrees'>): boolean => order.transfers.length > 1

/** Values that are visibly wrong, and are accepted. */
const visible: readonly Defect[] = [
  ...defectsOf([PAY.malformedAccountNumberIsAc01], {
    'An IBAN with a digit more is accepted': accept(
      'accountNumbersAreCorrect',
      every(({ creditor: { iban } }) => iban.startsWith('SK') && iban.length > 24),
    ),
    'The length of foreign IBANs is not checked': accept(
      'accountNumbersAreCorrect',
      every(({ creditor: { iban } }) => !iban.startsWith('SK')),
    ),
    'Only the IBAN of the first transfer is checked': accept('accountNumbersAreCorrect', isBatch),
  }),
  ...defectsOf([PAY.malformedBankIdentifierIsRc01], {
    ...Object.fromEntries(
      [7, 10, 12].map((length) => [
        `A bank identifier of ${length} characters is accepted`,
        accept(
          'bankIdentifiersAreWellFormed',
          every(({ creditor }) => creditor.bic?.length === length),
        ),
      ]),
    ),
    'Only the bank identifier of the first transfer is checked': accept(
      'bankIdentifiersAreWellFormed',
      isBatch,
    ),
  }),
  ...defectsOf([PAY.closedAccountIsAc04], {
    'Only the account of the first transfer must not be closed': accept('accountsAreOpen', isBatch),
  }),
  ...defectsOf([PAY.missingCreditorIsRr03], {
    'Only the name of the first creditor is checked': accept('creditorsAreNamed', isBatch),
  }),
  ...defectsOf([PAY.foreignCurrencyIsAm03], {
    'Only the currency of the first transfer is checked': accept('currencyIsProcessable', isBatch),
  }),
  ...defectsOf([PAY.invalidDateIsDt01], {
    'A payment for the 30 February is accepted': accept('datesAreValid', ({ executionDay }) =>
      executionDay.endsWith('-02-30'),
    ),
    'A payment for the 29 February of a year without it is accepted': accept(
      'datesAreValid',
      ({ executionDay }) => executionDay.endsWith('-02-29') && Number(executionDay.slice(0, 4)) % 4 > 0,
    ),
    'A payment for the 31 April is accepted': accept('datesAreValid', ({ executionDay }) =>
      executionDay.endsWith('-04-31'),
    ),
  }),
  ...defectsOf([PAY.duplicateIsAm05], {
    'A duplicate is accepted on the next day': accept('messageIsNew', ({ order, earlier, now }) =>
      earlier.every(
        ({ order: { instructionIdentification }, statusAt }) =>
          instructionIdentification !== order.instructionIdentification ||
          statusAt.getUTCDate() !== now.getUTCDate(),
      ),
    ),
  }),
]

export const defectsOfRejecting: readonly Defect[] = [
  ...swaps,
  ...codes,
  ...answers,
  ...revivals,
  ...missing,
  ...visible,
]
