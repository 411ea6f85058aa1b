/** The life of a consent: who creates it, who may use it, and what ends it. */
import { randomUUID } from 'node:crypto'
import type { Client, Consent, ConsentStatus } from '../world.ts'
import type { ClientFacts, Endpoint, Facts } from './facts.ts'

interface ConsentFacts extends ClientFacts {
  readonly consent: Consent
}

export interface ConsentRules {
  readonly mayCreateConsents: (facts: ClientFacts) => boolean
  /** Whether the X-Request-ID (nothing if it is absent) lets the request pass. */
  readonly requestIdIsAccepted: (facts: ClientFacts & { readonly requestId: string | undefined }) => boolean
  /** What the response carries as X-Request-ID. */
  readonly requestIdEchoed: (
    facts: Facts & { readonly requestId: string; readonly endpoint: Endpoint },
  ) => string | undefined
  readonly newConsentId: (facts: ClientFacts) => string
  /** HTTP status of a creation that succeeded. */
  readonly consentCreatedStatus: (facts: ConsentFacts) => number
  readonly consentBody: (facts: ConsentFacts) => Readonly<Record<string, unknown>>
  readonly mayReadConsent: (facts: ConsentFacts) => boolean
  readonly mayEndConsent: (facts: ConsentFacts) => boolean
  /** HTTP status of a deletion that succeeded. */
  readonly consentEndedStatus: (facts: ConsentFacts) => number
  /** Whether a consent that its client has ended is no longer known. */
  readonly endedConsentIsForgotten: (facts: ConsentFacts) => boolean
  /** Whether a consent opens an authorization to this client. */
  readonly consentBelongsTo: (facts: ConsentFacts) => boolean
  /** Whether a consent in this status opens an authorization. */
  readonly consentIsUsable: (facts: ConsentFacts) => boolean
  /** The status once the customer has decided. */
  readonly consentAfterDecision: (
    facts: Facts & { readonly client: Client; readonly consent: Consent; readonly granted: boolean },
  ) => ConsentStatus
  /** Whether the tokens of a consent die with it. */
  readonly endOfConsentRevokes: (
    facts: Facts & { readonly consent: Consent; readonly by: 'client' | 'customer' },
  ) => boolean
}

const isOwner = ({ consent, client }: ConsentFacts): boolean => consent.clientId === client.clientId

export const consentRules: ConsentRules = {
  mayCreateConsents: ({ client }) => client.kind === 'TPP',
  requestIdIsAccepted: ({ requestId }) => requestId !== undefined && requestId !== '',
  requestIdEchoed: ({ requestId }) => requestId,
  newConsentId: () => randomUUID(),
  consentCreatedStatus: () => 201,
  consentBody: ({ consent }) => ({ consentId: consent.consentId, consentStatus: consent.status }),
  mayReadConsent: isOwner,
  mayEndConsent: isOwner,
  consentEndedStatus: () => 204,
  endedConsentIsForgotten: () => true,
  consentBelongsTo: isOwner,
  // A valid consent opens further authorizations: a new code grant after 90 days uses the existing consent.
  consentIsUsable: ({ consent }) => consent.status === 'received' || consent.status === 'valid',
  // A customer who says no to a renewal leaves standing what was granted before.
  consentAfterDecision: ({ consent, granted }) =>
    granted || consent.status === 'valid' ? 'valid' : 'rejected',
  endOfConsentRevokes: () => true,
}
