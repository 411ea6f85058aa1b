import { at, chapterRows, must, should, statements, notShown } from '../../harness/check/requirement.ts'

const ACCOUNT_EVENT = 'Events, accountEvent'
const SETTINGS = 'Events, Configuration'
const TRANSACTION_EVENT = 'Events, transactionEvent'

export const WEB = {
  ...statements({
    'an Authorization header whose value is the configured Webhook Security Header': at('Authentication, 8', {
      securityHeaderIsSentAsAuthorization: must('WEB-10', {
        claim: 'the security header is sent as the Authorization header',
        reading: 'Blanks at the ends cannot be carried by HTTP: what is left is compared.',
        tags: ['security'],
      }),
      removedSecurityHeaderIsNotSent: must('WEB-49', {
        claim: 'a security header that was removed from the settings is not sent',
        reading:
          'Judged after the full hour that follows the change: like the enabling, it may wait until then.',
        tags: ['security'],
      }),
    }),
    'A webhook notification informs the application of changes on accounts that it was authorized for.': at(
      'Events',
      {
        accountWithoutConsentIsNotNotified: must('WEB-16', {
          claim: 'a change on an account that the application was not authorized for is not notified',
          fromProfile: 'customers.*.accounts.*.consented',
          reading: 'Nor is such an account named in the transactionEvent of another account.',
          tags: ['security', 'silence'],
        }),
        anotherApplicationIsNotNotified: must('WEB-17', {
          claim: 'a change is not notified to an application that the customer has not authorized',
          reading: 'Judged by the consentId of the call: a consent belongs to one application.',
          tags: ['security', 'silence'],
        }),
        revokedConsentIsNotNotified: must('WEB-41', {
          claim: 'no webhook call names a consent that was revoked',
          reading: 'Calls that are under way when the consent is revoked may arrive within a minute.',
          tags: ['security', 'silence'],
        }),
        accountEventNamesAccountsOfItsConsent: must('WEB-44', {
          claim: 'an accountEvent names no account that its consent does not open',
          reading: 'An account that the refresh itself has brought is in the list of accounts afterwards.',
          tags: ['security'],
        }),
        facIsNotified: should('WEB-46', {
          claim: "a new transaction on an account of the service's own bank is notified to a FAC",
          reading:
            'Both kinds of application use the account API. But every event carries a consentId, and a FAC has no consent, hence no more than a SHOULD.',
          tags: ['fac'],
        }),
      },
    ),
    'Two event types exist: transactionEvent and accountEvent.': at('Events', {
      everyCallIsOneOfTheTwoEvents: must('WEB-01', {
        claim: 'every webhook call is a transactionEvent or an accountEvent',
        reading:
          'Only an accountEvent has a taskId. Judged for the calls that have a field of one of the two events; the others are judged by WEB-48.',
      }),
      everyCallCarriesAnEvent: should('WEB-48', {
        claim: 'no webhook call comes without an event',
        reading:
          'A call without any field of the two events has no event. A call that only tests the address is not forbidden, hence no more than a SHOULD.',
      }),
    }),
    '| Webhook Enabled | Yes or No. Whether the application receives notifications. |': at(
      `${SETTINGS}, row Webhook Enabled`,
      {
        enabledWebhookIsCalled: must('WEB-02', { claim: 'an application with webhooks enabled is notified' }),
        disabledWebhookIsNotCalled: must('WEB-03', {
          claim: 'an application with webhooks disabled is not notified',
          reading: 'Judged for webhooks that were never enabled, or were disabled before the last full hour.',
          tags: ['silence'],
        }),
      },
    ),
    'The URL where notifications are received.': at(`${SETTINGS}, row Webhook Endpoint (URL)`, {
      callsGoToTheConfiguredUrl: must('WEB-04', { claim: 'webhook calls go to the configured URL' }),
      oldUrlIsNotCalled: must('WEB-42', {
        claim: 'a URL that was replaced by another one is not called any more',
        reading:
          'Judged after the full hour that follows the change: like the enabling, it may wait until then.',
        tags: ['silence'],
      }),
    }),
    'It must not contain parameters.': at(`${SETTINGS}, row Webhook Endpoint (URL)`, {
      urlWithParametersIsRefused: must('WEB-05', {
        claim: 'a webhook URL with parameters is refused as a setting',
        reading:
          'Parameters are a query. A question mark at the end, a fragment, and text after a semicolon are not judged.',
      }),
    }),
    'It is empty or matches the regular expression [ a-zA-Z0-9=+/]*.': at(
      `${SETTINGS}, row Webhook Security Header`,
      {
        emptySecurityHeaderIsAccepted: must('WEB-07', {
          claim: 'an empty security header is accepted as a setting',
        }),
        matchingSecurityHeaderIsAccepted: must('WEB-08', {
          claim: 'every security header of the letters, digits and signs allowed is accepted as a setting',
          reading:
            'The expression matches the whole value. No length is given; values of up to 100 characters are tried.',
          tags: ['property'],
        }),
        otherSecurityHeaderIsRefused: must('WEB-09', {
          claim: 'a security header with any other character is refused as a setting',
          reading: 'Line breaks, and white space at the ends, are not tried: a form may remove them.',
          tags: ['property', 'security'],
        }),
        refusedSettingsChangeNothing: must('WEB-45', {
          claim: 'settings that are refused leave the URL and the security header of the calls as they were',
        }),
      },
    ),
    'When set, it is sent in each webhook call as the Authorization header.': at(
      `${SETTINGS}, row Webhook Security Header`,
      {
        securityHeaderIsSentInEachCall: must('WEB-11', {
          claim: 'no webhook call lacks the security header when it is set',
          tags: ['security'],
        }),
        emptySecurityHeaderSendsNone: should('WEB-12', {
          claim: 'a webhook call has no Authorization header when the security header is empty',
          reading:
            'An empty Authorization header counts as none. What a bank sends when nothing is set is not stated: it may have an Authorization header of its own, hence no more than a SHOULD.',
        }),
      },
    ),
    'When webhooks are enabled, they become active at the start of the next full hour (enabled at 11:31, active from 12:00).':
      at(SETTINGS, {
        nothingIsSentBeforeTheNextFullHour: must('WEB-13', {
          claim: 'no webhook call is made before the full hour that follows the enabling',
          reading:
            'Whether an earlier change is notified later is not judged. A full hour is one of the time zone of the profile (`timeZone`), by default UTC. Webhooks that are enabled at a full hour exactly may be active at once or an hour later: they are not judged.',
          tags: ['time', 'silence'],
        }),
        webhooksAreActiveFromTheNextFullHour: must('WEB-14', {
          claim: 'a change after the full hour that follows the enabling is notified',
          tags: ['time'],
        }),
      }),
    "Provided only for accounts held at the service's own bank.": at(TRANSACTION_EVENT, {
      transactionEventIsOfTheOwnBank: must('WEB-19', {
        claim: 'no transactionEvent names an account at another bank',
        fromProfile: 'customers.*.accounts.*.bank',
        tags: ['silence'],
      }),
    }),
    'It reports changes of transactions for an account.': at(TRANSACTION_EVENT, {
      bookingIsNotified: must('WEB-18', {
        claim:
          "a new transaction on an account of the service's own bank is notified with a transactionEvent",
        reading:
          'Bookings may share an event, and two on one account make equal events: a repeated delivery may pass for the second. The profile says how long to wait.',
      }),
      transactionEventNamesNoOtherAccount: must('WEB-26', {
        claim: 'a transactionEvent names no account whose transactions have not changed',
        reading:
          'Judged for accounts whose number of transactions the profile knows: nobody else books on them.',
        tags: ['silence'],
      }),
      callToAFacIsComplete: should('WEB-47', {
        claim:
          'a transactionEvent to a FAC has the URL, the security header, the eventType and the accounts of any other',
        reading: 'Whether it has a consentId is not judged. Like WEB-46, no more than a SHOULD.',
        tags: ['fac'],
      }),
    }),
    'Only eventType NEW is supported, and it is always the value.': at(TRANSACTION_EVENT, {
      transactionEventIsNew: must('WEB-22', { claim: 'the eventType of a transactionEvent is NEW' }),
    }),
    '| consentId | string | The consent. |': at(`${TRANSACTION_EVENT}, row consentId`, {
      transactionEventNamesItsConsent: must('WEB-20', {
        claim: 'a transactionEvent carries the consentId of the consent that the account belongs to',
        reading: 'Each consent that opens the account has an event of its own.',
      }),
      transactionEventNamesAccountsOfItsConsent: must('WEB-43', {
        claim: 'a transactionEvent names no account that only the consent of another customer opens',
        tags: ['security'],
      }),
    }),
    '| eventType | string | NEW. |': at(`${TRANSACTION_EVENT}, row eventType`, {
      transactionEventHasAnEventType: must('WEB-21', {
        claim: 'a transactionEvent carries an eventType that is a string',
      }),
    }),
    '| accounts | array | Each item has accountId (string). |': at(`${TRANSACTION_EVENT}, row accounts`, {
      transactionEventHasAnArrayOfAccounts: must('WEB-23', {
        claim: 'accounts of a transactionEvent is an array',
      }),
      transactionEventItemsHaveAnAccountId: must('WEB-24', {
        claim: 'each item of accounts of a transactionEvent has an accountId that is a string',
        reading: 'Judged on the raw JSON.',
      }),
      transactionEventNamesTheAccount: must('WEB-25', {
        claim: 'a transactionEvent names the account of the new transaction',
        reading: 'By the accountId of the list of accounts.',
      }),
    }),
    'Provided only for accounts at other banks.': at(ACCOUNT_EVENT, {
      refreshIsNotified: must('WEB-27', {
        claim: 'a refresh of accounts at other banks is notified with an accountEvent',
      }),
      accountEventIsOfOtherBanks: must('WEB-28', {
        claim: "no accountEvent names an account of the service's own bank",
        fromProfile: 'customers.*.accounts.*.bank',
      }),
    }),
    "Balances and transactions of the service's own bank's accounts stay current.": at(ACCOUNT_EVENT, {
      notifiedTransactionIsInTheList: must('WEB-40', {
        claim: 'a transaction is in the list of its account once its transactionEvent has arrived',
        reading:
          'How soon the list is current is not shown: it has the deadline of the profile (deadlines.currentMs), or a minute.',
      }),
    }),
    'A webhook is sent per consent and per bank, because each bank is updated separately.': at(
      ACCOUNT_EVENT,
      {
        accountEventIsSentForEachBank: must('WEB-29', {
          claim: 'each other bank of a refreshed consent has an accountEvent of its own',
          fromProfile: 'customers.*.accounts.*.bankCode',
          reading: 'A delivery may be repeated.',
        }),
        accountEventIsSentForEachConsent: must('WEB-30', {
          claim: 'each of two refreshed consents with accounts at one bank has an accountEvent of its own',
          reading:
            'A delivery may be repeated. Judged for the consents of two applications: a later one of the same application may replace the earlier.',
        }),
        accountEventNamesAccountsOfItsBank: must('WEB-31', {
          claim: 'an accountEvent names only accounts of its own bank',
          fromProfile: 'customers.*.accounts.*.bankCode',
        }),
        finishedIsReportedInOneCall: must('WEB-50', {
          claim: 'the end of a refresh at one bank is reported in one accountEvent, and not in several parts',
          reading:
            'A delivery may be repeated. Judged by the accounts and their eventTypes of the events with FINISHED.',
        }),
      },
    ),
    '| taskId | string | The id returned by PUT /refresh. |': at(`${ACCOUNT_EVENT}, row taskId`, {
      accountEventRepeatsTheTaskId: must('WEB-33', {
        claim: 'an accountEvent carries the taskId that PUT /refresh has answered',
      }),
    }),
    '| taskStatus | string | For example FINISHED. |': at(`${ACCOUNT_EVENT}, row taskStatus`, {
      accountEventHasATaskStatus: must('WEB-34', {
        claim: 'an accountEvent carries a taskStatus that is a string',
      }),
    }),
    '| bankCode | string | Code of the bank. |': at(`${ACCOUNT_EVENT}, row bankCode`, {
      accountEventHasABankCode: must('WEB-35', {
        claim: 'an accountEvent carries a bankCode that is a string',
      }),
    }),
    '| bankName | string | Name of the bank. |': at(`${ACCOUNT_EVENT}, row bankName`, {
      accountEventHasABankName: must('WEB-36', {
        claim: 'an accountEvent carries a bankName that is a string, and not that of another bankCode',
        reading: 'A bank may have several names, and several codes one name.',
      }),
    }),
    '| accounts | array | Each item has accountId (string) and eventType (for example ADDED). |': at(
      `${ACCOUNT_EVENT}, row accounts`,
      {
        accountEventHasAnArrayOfAccounts: must('WEB-37', {
          claim: 'accounts of an accountEvent is an array',
        }),
        accountEventItemsHaveAnAccountId: must('WEB-38', {
          claim: 'each item of accounts of an accountEvent has an accountId that is a string',
          reading: 'Judged on the raw JSON.',
        }),
        accountEventItemsHaveAnEventType: must('WEB-39', {
          claim: 'each item of accounts of an accountEvent has an eventType that is a string',
        }),
      },
    ),
    'Other eventType values of accountEvent: not shown.': at(ACCOUNT_EVENT, {
      otherEventTypes: notShown('WEB-U1', { subject: 'the other values of eventType of an accountEvent' }),
    }),
    'Delivery retries and timing guarantees: not shown.': at(ACCOUNT_EVENT, {
      deliveryRetries: notShown('WEB-U2', { subject: 'whether and when a failed delivery is repeated' }),
      deliveryTiming: notShown('WEB-U3', { subject: 'how soon after a change the webhook is called' }),
    }),
    'The HTTP method and encoding of the webhook call: not shown.': at(ACCOUNT_EVENT, {
      methodOfTheCall: notShown('WEB-U4', { subject: 'the HTTP method of the webhook call' }),
      encodingOfTheCall: notShown('WEB-U5', { subject: 'the encoding of the webhook call' }),
    }),
    '| Webhook activation | at the next full hour after enabling | Webhooks. |': at(
      'Limits, row Webhook activation',
      {
        activationWaitsForTheNextHourAlone: must('WEB-15', {
          claim: 'webhooks enabled a minute before the full hour are active a minute after it',
          tags: ['time'],
        }),
      },
    ),
    '| Webhook URL | no parameters allowed | Webhooks. |': at('Limits, row Webhook URL', {
      plainUrlIsAccepted: must('WEB-06', {
        claim: 'a webhook URL without parameters is accepted as a setting',
      }),
    }),
    'Environments are separated by the base path': at('Versioning, 2', {
      settingsOfOneEnvironment: should('WEB-51', {
        claim: 'webhooks that are enabled in one environment are not called for the other environment',
        reading:
          'Application settings have no base path, and one application may exist in both environments, hence no more than a SHOULD.',
        tags: ['silence'],
      }),
    }),
  }),
  // The same words at another place.
  ...statements({
    '| consentId | string | The consent. |': at(`${ACCOUNT_EVENT}, row consentId`, {
      accountEventNamesItsConsent: must('WEB-32', {
        claim: 'an accountEvent carries the consentId of the refreshed consent',
      }),
    }),
  }),
}

export default chapterRows('webhooks', WEB)
