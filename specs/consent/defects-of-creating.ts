import type { Defect, Wire } from '../../harness/bank/defect.ts'
import { meetingFor } from '../overlap.ts'
import { CON } from './requirements.ts'

/** Wrong answers to a consent request that is right. */

const isCreation = ({ method, url }: Request): boolean =>
  method === 'POST' && new URL(url).pathname.endsWith('/v1/consents')

/** Refuses a consent request of that kind, whatever else it says. */
const refusing =
  (status: number, applies: (request: Request) => Promise<boolean>): Wire =>
  (next) =>
  async (request) =>
    isCreation(request) && (await applies(request.clone()))
      ? Response.json({ errorCode: 'INVALID_REQUEST' }, { status })
      : next(request)

/** How long a request may wait for another one, however busy the machine is. */
const OVERLAP_MS = 80

const bodies: readonly Defect[] = [
  {
    id: 'consent-without-consent-id',
    story: 'The answer names the consent by id, and not by consentId.',
    breaks: [CON.answerCarriesAConsentId],
    rules: { consentBody: ({ consent }) => ({ id: consent.consentId, consentStatus: consent.status }) },
  },
  {
    id: 'consent-id-is-empty-in-production',
    story: 'In production the consentId of the answer is an empty string.',
    breaks: [CON.answerCarriesAConsentId],
    environment: 'production',
    rules: { consentBody: () => ({ consentId: '' }) },
  },
  {
    id: 'consent-id-is-null',
    story: 'The consent is created later, so that the answer has null for its consentId.',
    breaks: [CON.answerCarriesAConsentId],
    rules: { consentBody: ({ consent }) => ({ consentId: null, consentStatus: consent.status }) },
  },
  {
    id: 'consent-id-is-a-number',
    story: 'Consents are numbered, and the answer has the number as JSON has numbers.',
    breaks: [CON.consentIdIsAString],
    rules: () => {
      let count = 730_000
      return {
        newConsentId: () => String((count += 17)),
        consentBody: ({ consent }) => ({ consentId: Number(consent.consentId) }),
      }
    },
  },
  {
    id: 'third-consent-id-is-an-object',
    story: 'From its third consent on, a TPP is told the consentId as an object with a version.',
    breaks: [CON.consentIdIsAString],
    rules: () => {
      let count = 0
      return {
        consentBody: ({ consent: { consentId } }) => ({
          consentId: (count += 1) < 3 ? consentId : { value: consentId, version: 2 },
        }),
      }
    },
  },
  {
    id: 'consent-id-in-quotation-marks',
    story: 'The consentId itself begins and ends with a quotation mark.',
    breaks: [CON.consentIdFitsIntoAScope],
    rules: (lawful) => ({ newConsentId: (facts) => `"${lawful.newConsentId(facts)}"` }),
  },
  {
    id: 'every-third-consent-id-has-a-backslash',
    story: 'Every third consentId has a backslash in it.',
    breaks: [CON.consentIdFitsIntoAScope],
    rules: (lawful) => {
      let count = 0
      return {
        newConsentId: (facts) => {
          count += 1
          const consentId = lawful.newConsentId(facts)
          return count % 3 === 0 ? consentId.replace('-', '\\') : consentId
        },
      }
    },
  },
]

const requests: readonly Defect[] = [
  {
    id: 'basic-header-is-not-read',
    story: 'POST /v1/consents looks for the client elsewhere than in the Basic header.',
    breaks: [CON.basicHeaderIsAccepted],
    rules: (lawful) => ({
      basicCredentials: (facts) =>
        facts.endpoint === 'consents' ? undefined : lawful.basicCredentials(facts),
    }),
  },
  {
    id: 'secret-ends-at-its-colon',
    story: 'A secret that has a colon is taken to end there.',
    breaks: [CON.basicHeaderIsAccepted],
    rules: (lawful) => ({
      basicCredentials: (facts) => {
        const credentials = lawful.basicCredentials(facts)
        if (facts.endpoint !== 'consents' || credentials === undefined) return credentials
        return { ...credentials, secret: credentials.secret.split(':')[0] ?? '' }
      },
    }),
  },
  {
    id: 'one-tpp-alone-is-given-consents',
    story: 'Whoever created the first consent is the only TPP that is given any.',
    breaks: [CON.basicHeaderIsAccepted],
    rules: (lawful) => {
      let first: string | undefined
      return {
        mayCreateConsents: (facts) => {
          first ??= facts.client.clientId
          return facts.client.clientId === first && lawful.mayCreateConsents(facts)
        },
      }
    },
  },
  {
    id: 'request-id-is-refused',
    story: 'A consent request that carries an X-Request-ID is refused.',
    breaks: [CON.requestIdHeaderIsAccepted],
    rules: { requestIdIsAccepted: ({ requestId }) => requestId === undefined },
  },
  {
    id: 'request-id-is-cut-too-short-for-a-uuid',
    story: 'An X-Request-ID has no more than 32 characters, and a UUID with its hyphens is too long.',
    breaks: [CON.requestIdHeaderIsAccepted],
    rules: { requestIdIsAccepted: ({ requestId = '' }) => requestId !== '' && requestId.length <= 32 },
  },
  {
    id: 'consent-needs-a-body',
    story: 'A consent request without a body is refused.',
    breaks: [CON.noBodyIsNeeded],
    wire: refusing(400, async (request) => (await request.text()) === ''),
  },
  {
    id: 'consent-needs-a-content-type-in-production',
    story: 'In production a consent request is refused unless it says that it is JSON.',
    breaks: [CON.noBodyIsNeeded],
    environment: 'production',
    wire: refusing(415, async ({ headers }) => headers.get('content-type') !== 'application/json'),
  },
]

const ids: readonly Defect[] = [
  {
    id: 'third-consent-id-repeats-the-second',
    story: 'Every third consent gets the id of the one before it.',
    breaks: [CON.consentsAreDistinct, CON.concurrentConsentsAreDistinct],
    rules: (lawful) => {
      let count = 0
      let last = ''
      return {
        newConsentId: (facts) => {
          count += 1
          last = count % 3 === 0 ? last : lawful.newConsentId(facts)
          return last
        },
      }
    },
  },
  {
    id: 'fifth-consent-id-repeats-the-first',
    story: 'Every fifth consent gets the id of four consents before.',
    breaks: [CON.consentsAreDistinct],
    rules: (lawful) => {
      const given: string[] = []
      return {
        newConsentId: (facts) => {
          const repeated = given.length % 5 === 4 ? given.at(-4) : undefined
          given.push(repeated ?? lawful.newConsentId(facts))
          return given.at(-1) ?? ''
        },
      }
    },
  },
  {
    id: 'consent-id-is-a-reading-of-the-clock',
    story: 'A consentId is the client_id with the second in which it was created.',
    breaks: [CON.consentsAreDistinct, CON.concurrentConsentsAreDistinct],
    rules: { newConsentId: ({ client, now }) => `${client.clientId}-${Math.floor(now.getTime() / 1000)}` },
  },
  {
    id: 'consents-at-the-same-moment-share-an-id',
    story: 'A consent request that comes while the first one is under way gets the answer to that one.',
    breaks: [CON.concurrentConsentsAreDistinct],
    wire: (next) => {
      let first: Promise<Response> | undefined
      let isOver = false
      const meet = meetingFor(OVERLAP_MS)
      return async (request) => {
        if (!isCreation(request) || isOver) return next(request)
        const isFirst = first === undefined
        first ??= next(request)
        await meet()
        if (isFirst) isOver = true
        return (await first).clone()
      }
    },
  },
]

export const defectsOfCreating: readonly Defect[] = [...bodies, ...requests, ...ids]
