/** Consents that are created, decided and ended in other words. */
import type { Variation } from '../defect.ts'

export const consentVariations: readonly Variation[] = [
  {
    id: 'consent-created-with-200',
    story: 'A consent is created with 200 instead of 201.',
    rules: { consentCreatedStatus: () => 200 },
  },
  {
    id: 'consent-of-one-member',
    story: 'The body of a consent is its consentId alone.',
    rules: { consentBody: ({ consent }) => ({ consentId: consent.consentId }) },
  },
  {
    id: 'request-id-optional',
    story: 'A request without X-Request-ID passes, and none is echoed.',
    rules: { requestIdIsAccepted: () => true, requestIdEchoed: () => undefined },
  },
  {
    id: 'ended-consent-remembered',
    story: 'A deleted consent answers with 200 and its last status, at the deletion and afterwards.',
    rules: { consentEndedStatus: () => 200, endedConsentIsForgotten: () => false },
  },
  {
    id: 'denied-consent-stays-open',
    story: 'A customer who denied a consent may be asked again.',
    rules: { consentAfterDecision: ({ consent, granted }) => (granted ? 'valid' : consent.status) },
  },
  {
    id: 'secret-in-form-too',
    story: 'The token endpoint also takes client_id and client_secret from the form (RFC 6749 §2.3.1).',
    rules: {
      clientWithoutBasic: ({ form, clients, endpoint }) =>
        clients.find(
          ({ clientId, secret }) =>
            endpoint === 'token' &&
            form.get('client_id') === clientId &&
            form.get('client_secret') === secret,
        ),
    },
  },
]
