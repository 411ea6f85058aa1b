import { must, shelf, undisclosed } from '../../harness/check/requirement.ts'

const pending = 'no check yet'

const SETTINGS = 'Events, Configuration'
const TRANSACTION_EVENT = 'Events, transactionEvent'
const ACCOUNT_EVENT = 'Events, accountEvent'

/** Sentences that more than one row quotes. */
const AUTHORIZED_FOR = {
  quote: 'A webhook notification informs the application of changes on accounts that it was authorized for.',
  place: 'Events',
}
const ENABLED = {
  quote: '| Webhook Enabled | Yes or No. Whether the application receives notifications. |',
  place: `${SETTINGS}, row Webhook Enabled`,
}
const ACTIVATION = {
  quote:
    'When webhooks are enabled, they become active at the start of the next full hour (enabled at 11:31, active from 12:00).',
  place: SETTINGS,
}
const SECURITY_HEADER = {
  quote: 'It is empty or matches the regular expression [ a-zA-Z0-9=+/]*.',
  place: `${SETTINGS}, row Webhook Security Header`,
}
const TRANSACTION_ACCOUNTS = {
  quote: '| accounts | array | Each item has accountId (string). |',
  place: `${TRANSACTION_EVENT}, row accounts`,
}
const ACCOUNT_ACCOUNTS = {
  quote: '| accounts | array | Each item has accountId (string) and eventType (for example ADDED). |',
  place: `${ACCOUNT_EVENT}, row accounts`,
}
const PER_BANK = {
  quote: 'A webhook is sent per consent and per bank, because each bank is updated separately.',
  place: ACCOUNT_EVENT,
}

export const WEB = {
  everyCallIsOneOfTheTwoEvents: must('WEB-01', {
    claim: 'every webhook call is a transactionEvent or an accountEvent',
    quote: 'Two event types exist: transactionEvent and accountEvent.',
    place: 'Events',
    reading: 'Told apart by taskId, which an accountEvent alone has.',
    pending,
  }),
  enabledWebhookIsCalled: must('WEB-02', {
    claim: 'an application with webhooks enabled is notified',
    ...ENABLED,
    pending,
  }),
  disabledWebhookIsNotCalled: must('WEB-03', {
    claim: 'an application with webhooks disabled is not notified',
    ...ENABLED,
    reading: 'Judged of webhooks that were never enabled, or were disabled before the last full hour.',
    pending,
  }),
  callsGoToTheConfiguredUrl: must('WEB-04', {
    claim: 'webhook calls go to the configured URL',
    quote: 'The URL where notifications are received.',
    place: `${SETTINGS}, row Webhook Endpoint (URL)`,
    pending,
  }),
  urlWithParametersIsRefused: must('WEB-05', {
    claim: 'a webhook URL with parameters is not taken into the settings',
    quote: 'It must not contain parameters.',
    place: `${SETTINGS}, row Webhook Endpoint (URL)`,
    reading: 'Parameters are a query.',
    pending,
  }),
  plainUrlIsAccepted: must('WEB-06', {
    claim: 'a webhook URL without parameters is taken into the settings',
    quote: '| Webhook URL | no parameters allowed | Webhooks. |',
    place: 'Limits, row Webhook URL',
    pending,
  }),
  emptySecurityHeaderIsAccepted: must('WEB-07', {
    claim: 'an empty security header is taken into the settings',
    ...SECURITY_HEADER,
    pending,
  }),
  matchingSecurityHeaderIsAccepted: must('WEB-08', {
    claim: 'every security header of the letters, digits and signs allowed is taken into the settings',
    ...SECURITY_HEADER,
    reading:
      'The expression matches the whole value. No length is given; values of up to 100 characters are tried.',
    tags: ['property'],
    pending,
  }),
  otherSecurityHeaderIsRefused: must('WEB-09', {
    claim: 'a security header with any other character is not taken into the settings',
    ...SECURITY_HEADER,
    tags: ['property', 'security'],
    pending,
  }),
  securityHeaderIsSentAsAuthorization: must('WEB-10', {
    claim: 'the security header is sent as the Authorization header',
    quote: 'an Authorization header whose value is the configured Webhook Security Header',
    place: 'Authentication, 8',
    reading: 'Blanks at the ends cannot be carried by HTTP: what is left is compared.',
    tags: ['security'],
    pending,
  }),
  securityHeaderIsSentInEachCall: must('WEB-11', {
    claim: 'no webhook call lacks the security header when it is set',
    quote: 'When set, it is sent in each webhook call as the Authorization header.',
    place: `${SETTINGS}, row Webhook Security Header`,
    tags: ['security'],
    pending,
  }),
  emptySecurityHeaderSendsNone: must('WEB-12', {
    claim: 'a webhook call has no Authorization header when the security header is empty',
    quote: 'When set, it is sent in each webhook call as the Authorization header.',
    place: `${SETTINGS}, row Webhook Security Header`,
    reading: 'An empty Authorization header counts as none.',
    pending,
  }),
  nothingIsSentBeforeTheNextFullHour: must('WEB-13', {
    claim: 'no webhook call is made before the full hour that follows the enabling',
    ...ACTIVATION,
    reading: 'Whether a change of the time before is notified later is left open.',
    tags: ['time'],
    pending,
  }),
  webhooksAreActiveFromTheNextFullHour: must('WEB-14', {
    claim: 'a change after the full hour that follows the enabling is notified',
    ...ACTIVATION,
    tags: ['time'],
    pending,
  }),
  activationWaitsForTheNextHourAlone: must('WEB-15', {
    claim: 'webhooks enabled a minute before the full hour are active a minute after it',
    quote: '| Webhook activation | at the next full hour after enabling | Webhooks. |',
    place: 'Limits, row Webhook activation',
    tags: ['time'],
    pending,
  }),
  accountWithoutConsentIsNotNotified: must('WEB-16', {
    claim: 'a change on an account that the application was not authorized for is not notified',
    ...AUTHORIZED_FOR,
    tags: ['security'],
    pending,
  }),
  anotherApplicationIsNotNotified: must('WEB-17', {
    claim: 'a change is not notified to an application that the customer has not authorized',
    ...AUTHORIZED_FOR,
    tags: ['security'],
    pending,
  }),

  bookingIsNotified: must('WEB-18', {
    claim: "a new transaction on an account of the service's own bank is notified with a transactionEvent",
    quote: 'It reports changes of transactions for an account.',
    place: TRANSACTION_EVENT,
    pending,
  }),
  transactionEventIsOfTheOwnBank: must('WEB-19', {
    claim: 'no transactionEvent names an account at another bank',
    quote: "Provided only for accounts held at the service's own bank.",
    place: TRANSACTION_EVENT,
    pending,
  }),
  transactionEventNamesItsConsent: must('WEB-20', {
    claim: 'a transactionEvent carries the consentId of the consent that the account belongs to',
    quote: '| consentId | string | The consent. |',
    place: `${TRANSACTION_EVENT}, row consentId`,
    pending,
  }),
  transactionEventHasAnEventType: must('WEB-21', {
    claim: 'a transactionEvent carries an eventType that is a string',
    quote: '| eventType | string | NEW. |',
    place: `${TRANSACTION_EVENT}, row eventType`,
    pending,
  }),
  transactionEventIsNew: must('WEB-22', {
    claim: 'the eventType of a transactionEvent is NEW',
    quote: 'Only eventType NEW is supported, and it is always the value.',
    place: TRANSACTION_EVENT,
    pending,
  }),
  transactionEventHasAnArrayOfAccounts: must('WEB-23', {
    claim: 'accounts of a transactionEvent is an array',
    ...TRANSACTION_ACCOUNTS,
    pending,
  }),
  transactionEventItemsHaveAnAccountId: must('WEB-24', {
    claim: 'each item of accounts of a transactionEvent has an accountId that is a string',
    ...TRANSACTION_ACCOUNTS,
    reading: 'Judged on the raw JSON.',
    pending,
  }),
  transactionEventNamesTheAccount: must('WEB-25', {
    claim: 'a transactionEvent names the account of the new transaction',
    ...TRANSACTION_ACCOUNTS,
    reading: 'Under the accountId of the list of accounts.',
    pending,
  }),
  transactionEventNamesNoOtherAccount: must('WEB-26', {
    claim: 'a transactionEvent names no account whose transactions have not changed',
    quote: 'It reports changes of transactions for an account.',
    place: TRANSACTION_EVENT,
    pending,
  }),

  refreshIsNotified: must('WEB-27', {
    claim: 'a refresh of accounts at other banks is notified with an accountEvent',
    quote: 'Provided only for accounts at other banks.',
    place: ACCOUNT_EVENT,
    pending,
  }),
  accountEventIsOfOtherBanks: must('WEB-28', {
    claim: "no accountEvent names an account of the service's own bank",
    quote: 'Provided only for accounts at other banks.',
    place: ACCOUNT_EVENT,
    pending,
  }),
  accountEventIsSentForEachBank: must('WEB-29', {
    claim: 'each other bank of a refreshed consent has an accountEvent of its own',
    ...PER_BANK,
    reading: 'A delivery may be repeated.',
    pending,
  }),
  accountEventIsSentForEachConsent: must('WEB-30', {
    claim: 'each of two refreshed consents with accounts at one bank has an accountEvent of its own',
    ...PER_BANK,
    reading: 'A delivery may be repeated.',
    pending,
  }),
  accountEventNamesAccountsOfItsBank: must('WEB-31', {
    claim: 'an accountEvent names accounts of its own bank alone',
    ...PER_BANK,
    pending,
  }),
  accountEventNamesItsConsent: must('WEB-32', {
    claim: 'an accountEvent carries the consentId of the refreshed consent',
    quote: '| consentId | string | The consent. |',
    place: `${ACCOUNT_EVENT}, row consentId`,
    pending,
  }),
  accountEventRepeatsTheTaskId: must('WEB-33', {
    claim: 'an accountEvent carries the taskId that PUT /refresh has answered',
    quote: '| taskId | string | The id returned by PUT /refresh. |',
    place: `${ACCOUNT_EVENT}, row taskId`,
    pending,
  }),
  accountEventHasATaskStatus: must('WEB-34', {
    claim: 'an accountEvent carries a taskStatus that is a string',
    quote: '| taskStatus | string | For example FINISHED. |',
    place: `${ACCOUNT_EVENT}, row taskStatus`,
    pending,
  }),
  accountEventHasABankCode: must('WEB-35', {
    claim: 'an accountEvent carries a bankCode that is a string',
    quote: '| bankCode | string | Code of the bank. |',
    place: `${ACCOUNT_EVENT}, row bankCode`,
    pending,
  }),
  accountEventHasABankName: must('WEB-36', {
    claim: 'an accountEvent carries a bankName that is a string',
    quote: '| bankName | string | Name of the bank. |',
    place: `${ACCOUNT_EVENT}, row bankName`,
    pending,
  }),
  accountEventHasAnArrayOfAccounts: must('WEB-37', {
    claim: 'accounts of an accountEvent is an array',
    ...ACCOUNT_ACCOUNTS,
    pending,
  }),
  accountEventItemsHaveAnAccountId: must('WEB-38', {
    claim: 'each item of accounts of an accountEvent has an accountId that is a string',
    ...ACCOUNT_ACCOUNTS,
    reading: 'Judged on the raw JSON.',
    pending,
  }),
  accountEventItemsHaveAnEventType: must('WEB-39', {
    claim: 'each item of accounts of an accountEvent has an eventType that is a string',
    ...ACCOUNT_ACCOUNTS,
    pending,
  }),

  otherEventTypes: undisclosed('WEB-U1', {
    subject: 'the values of eventType of an accountEvent beside ADDED',
    quote: 'Other eventType values of accountEvent: not shown.',
    place: ACCOUNT_EVENT,
  }),
  deliveryRetries: undisclosed('WEB-U2', {
    subject: 'whether and when a failed delivery is repeated',
    quote: 'Delivery retries and timing guarantees: not shown.',
    place: ACCOUNT_EVENT,
  }),
  deliveryTiming: undisclosed('WEB-U3', {
    subject: 'how soon after a change the webhook is called',
    quote: 'Delivery retries and timing guarantees: not shown.',
    place: ACCOUNT_EVENT,
  }),
  methodOfTheCall: undisclosed('WEB-U4', {
    subject: 'the HTTP method of the webhook call',
    quote: 'The HTTP method and encoding of the webhook call: not shown.',
    place: ACCOUNT_EVENT,
  }),
  encodingOfTheCall: undisclosed('WEB-U5', {
    subject: 'the encoding of the webhook call',
    quote: 'The HTTP method and encoding of the webhook call: not shown.',
    place: ACCOUNT_EVENT,
  }),
} as const

export default shelf('webhooks', WEB)
