import { must } from '../../harness/check/requirement.ts'

const SETTINGS = 'Events, Configuration'

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

export const CALLING = {
  everyCallIsOneOfTheTwoEvents: must('WEB-01', {
    claim: 'every webhook call is a transactionEvent or an accountEvent',
    quote: 'Two event types exist: transactionEvent and accountEvent.',
    place: 'Events',
    reading:
      'Told apart by taskId, which an accountEvent alone has. A call that has no member of either is not judged.',
  }),
  enabledWebhookIsCalled: must('WEB-02', {
    claim: 'an application with webhooks enabled is notified',
    ...ENABLED,
  }),
  disabledWebhookIsNotCalled: must('WEB-03', {
    claim: 'an application with webhooks disabled is not notified',
    ...ENABLED,
    reading: 'Judged of webhooks that were never enabled, or were disabled before the last full hour.',
    tags: ['silence'],
  }),
  callsGoToTheConfiguredUrl: must('WEB-04', {
    claim: 'webhook calls go to the configured URL',
    quote: 'The URL where notifications are received.',
    place: `${SETTINGS}, row Webhook Endpoint (URL)`,
  }),
  urlWithParametersIsRefused: must('WEB-05', {
    claim: 'a webhook URL with parameters is not taken into the settings',
    quote: 'It must not contain parameters.',
    place: `${SETTINGS}, row Webhook Endpoint (URL)`,
    reading:
      'Parameters are a query. A question mark with nothing behind it, a fragment and what stands behind a semicolon are not judged.',
  }),
  plainUrlIsAccepted: must('WEB-06', {
    claim: 'a webhook URL without parameters is taken into the settings',
    quote: '| Webhook URL | no parameters allowed | Webhooks. |',
    place: 'Limits, row Webhook URL',
  }),
  emptySecurityHeaderIsAccepted: must('WEB-07', {
    claim: 'an empty security header is taken into the settings',
    ...SECURITY_HEADER,
  }),
  matchingSecurityHeaderIsAccepted: must('WEB-08', {
    claim: 'every security header of the letters, digits and signs allowed is taken into the settings',
    ...SECURITY_HEADER,
    reading:
      'The expression matches the whole value. No length is given; values of up to 100 characters are tried.',
    tags: ['property'],
  }),
  otherSecurityHeaderIsRefused: must('WEB-09', {
    claim: 'a security header with any other character is not taken into the settings',
    ...SECURITY_HEADER,
    reading: 'Line breaks are not tried, nor what looks blank at the ends: a form may take them away.',
    tags: ['property', 'security'],
  }),
  securityHeaderIsSentAsAuthorization: must('WEB-10', {
    claim: 'the security header is sent as the Authorization header',
    quote: 'an Authorization header whose value is the configured Webhook Security Header',
    place: 'Authentication, 8',
    reading: 'Blanks at the ends cannot be carried by HTTP: what is left is compared.',
    tags: ['security'],
  }),
  securityHeaderIsSentInEachCall: must('WEB-11', {
    claim: 'no webhook call lacks the security header when it is set',
    quote: 'When set, it is sent in each webhook call as the Authorization header.',
    place: `${SETTINGS}, row Webhook Security Header`,
    tags: ['security'],
  }),
  emptySecurityHeaderSendsNone: must('WEB-12', {
    claim: 'a webhook call has no Authorization header when the security header is empty',
    quote: 'When set, it is sent in each webhook call as the Authorization header.',
    place: `${SETTINGS}, row Webhook Security Header`,
    reading: 'An empty Authorization header counts as none.',
  }),
  nothingIsSentBeforeTheNextFullHour: must('WEB-13', {
    claim: 'no webhook call is made before the full hour that follows the enabling',
    ...ACTIVATION,
    reading:
      'Whether a change of the time before is notified later is left open. A full hour is one of UTC. Webhooks that are enabled at a full hour exactly may be active at once or an hour later: they are not judged.',
    tags: ['time', 'silence'],
  }),
  webhooksAreActiveFromTheNextFullHour: must('WEB-14', {
    claim: 'a change after the full hour that follows the enabling is notified',
    ...ACTIVATION,
    tags: ['time'],
  }),
  activationWaitsForTheNextHourAlone: must('WEB-15', {
    claim: 'webhooks enabled a minute before the full hour are active a minute after it',
    quote: '| Webhook activation | at the next full hour after enabling | Webhooks. |',
    place: 'Limits, row Webhook activation',
    tags: ['time'],
  }),
  accountWithoutConsentIsNotNotified: must('WEB-16', {
    claim: 'a change on an account that the application was not authorized for is not notified',
    ...AUTHORIZED_FOR,
    tags: ['security', 'silence'],
  }),
  anotherApplicationIsNotNotified: must('WEB-17', {
    claim: 'a change is not notified to an application that the customer has not authorized',
    ...AUTHORIZED_FOR,
    reading: 'Judged by the consentId of the call: the consent of one application is none of another.',
    tags: ['security', 'silence'],
  }),
  revokedConsentIsNotNotified: must('WEB-41', {
    claim: 'no webhook call names a consent that was revoked',
    ...AUTHORIZED_FOR,
    reading: 'What is under way when the consent is revoked has a minute to arrive.',
    tags: ['security', 'silence'],
  }),
  oldUrlIsNotCalled: must('WEB-42', {
    claim: 'a URL that was replaced by another one is not called any more',
    quote: 'The URL where notifications are received.',
    place: `${SETTINGS}, row Webhook Endpoint (URL)`,
    reading: 'Judged after the full hour that follows the change, which may wait for it like the enabling.',
    tags: ['silence'],
  }),
  refusedSettingsChangeNothing: must('WEB-45', {
    claim: 'settings that are refused leave the URL and the security header of the calls as they were',
    ...SECURITY_HEADER,
  }),
} as const
