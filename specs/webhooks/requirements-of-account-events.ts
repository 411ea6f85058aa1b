import { must } from '../../harness/check/requirement.ts'

const ACCOUNT_EVENT = 'Events, accountEvent'

/** Sentences that more than one row quotes. */
const AUTHORIZED_FOR = {
  quote: 'A webhook notification informs the application of changes on accounts that it was authorized for.',
  place: 'Events',
}
const ACCOUNT_ACCOUNTS = {
  quote: '| accounts | array | Each item has accountId (string) and eventType (for example ADDED). |',
  place: `${ACCOUNT_EVENT}, row accounts`,
}
const PER_BANK = {
  quote: 'A webhook is sent per consent and per bank, because each bank is updated separately.',
  place: ACCOUNT_EVENT,
}

export const ACCOUNT_EVENTS = {
  refreshIsNotified: must('WEB-27', {
    claim: 'a refresh of accounts at other banks is notified with an accountEvent',
    quote: 'Provided only for accounts at other banks.',
    place: ACCOUNT_EVENT,
  }),
  accountEventIsOfOtherBanks: must('WEB-28', {
    claim: "no accountEvent names an account of the service's own bank",
    quote: 'Provided only for accounts at other banks.',
    place: ACCOUNT_EVENT,
  }),
  accountEventIsSentForEachBank: must('WEB-29', {
    claim: 'each other bank of a refreshed consent has an accountEvent of its own',
    ...PER_BANK,
    reading: 'A delivery may be repeated.',
  }),
  accountEventIsSentForEachConsent: must('WEB-30', {
    claim: 'each of two refreshed consents with accounts at one bank has an accountEvent of its own',
    ...PER_BANK,
    reading:
      'A delivery may be repeated. Judged of the consents of two applications: a later one of the same application may replace the earlier.',
  }),
  accountEventNamesAccountsOfItsBank: must('WEB-31', {
    claim: 'an accountEvent names accounts of its own bank alone',
    ...PER_BANK,
  }),
  accountEventNamesItsConsent: must('WEB-32', {
    claim: 'an accountEvent carries the consentId of the refreshed consent',
    quote: '| consentId | string | The consent. |',
    place: `${ACCOUNT_EVENT}, row consentId`,
  }),
  accountEventRepeatsTheTaskId: must('WEB-33', {
    claim: 'an accountEvent carries the taskId that PUT /refresh has answered',
    quote: '| taskId | string | The id returned by PUT /refresh. |',
    place: `${ACCOUNT_EVENT}, row taskId`,
  }),
  accountEventHasATaskStatus: must('WEB-34', {
    claim: 'an accountEvent carries a taskStatus that is a string',
    quote: '| taskStatus | string | For example FINISHED. |',
    place: `${ACCOUNT_EVENT}, row taskStatus`,
  }),
  accountEventHasABankCode: must('WEB-35', {
    claim: 'an accountEvent carries a bankCode that is a string',
    quote: '| bankCode | string | Code of the bank. |',
    place: `${ACCOUNT_EVENT}, row bankCode`,
  }),
  accountEventHasABankName: must('WEB-36', {
    claim: 'an accountEvent carries a bankName that is a string',
    quote: '| bankName | string | Name of the bank. |',
    place: `${ACCOUNT_EVENT}, row bankName`,
  }),
  accountEventHasAnArrayOfAccounts: must('WEB-37', {
    claim: 'accounts of an accountEvent is an array',
    ...ACCOUNT_ACCOUNTS,
  }),
  accountEventItemsHaveAnAccountId: must('WEB-38', {
    claim: 'each item of accounts of an accountEvent has an accountId that is a string',
    ...ACCOUNT_ACCOUNTS,
    reading: 'Judged on the raw JSON.',
  }),
  accountEventItemsHaveAnEventType: must('WEB-39', {
    claim: 'each item of accounts of an accountEvent has an eventType that is a string',
    ...ACCOUNT_ACCOUNTS,
  }),
  accountEventNamesAccountsOfItsConsent: must('WEB-44', {
    claim: 'an accountEvent names no account that its consent does not open',
    ...AUTHORIZED_FOR,
    reading: 'An account that the refresh itself has brought is in the list of accounts afterwards.',
    tags: ['security'],
  }),
} as const
