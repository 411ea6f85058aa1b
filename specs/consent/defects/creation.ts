import {
  answering,
  breaking,
  everyNth,
  fromTheNth,
  isFor,
  jsonAnswer,
  on,
  sharingTheFirstAnswer,
  where,
  type Incoming,
} from '../../shared/defects.ts'
import type { Defect, Wire } from '../../../harness/bank/defect.ts'
import { CON } from '../requirements.ts'

/** Wrong answers to a correct consent request. */

const isCreation = on('POST', /\/v1\/consents$/)

/** Refuses some consent requests, whatever their credentials. */
const refusingSome = (status: number, applies: (request: Incoming) => boolean): Wire =>
  answering(isCreation, (request) =>
    applies(request) ? jsonAnswer(status, { errorCode: 'INVALID_REQUEST' }) : undefined,
  )

/** How long a request waits for another one that may come, however busy the machine is. */
const OVERLAP_MS = 80

const answers: readonly Defect[] = [
  ...breaking(CON.answerCarriesAConsentId, {
    'consent-without-consent-id': {
      story: 'The answer has the consentId under the name id.',
      rules: { consentBody: ({ consent }) => ({ id: consent.consentId, consentStatus: consent.status }) },
    },
    'consent-id-is-empty-in-production': {
      story: 'In production the consentId of the answer is an empty string.',
      environment: 'production',
      rules: { consentBody: () => ({ consentId: '' }) },
    },
    'consent-id-is-null': {
      story: 'The consent is created later, so that the consentId of the answer is null.',
      rules: { consentBody: ({ consent }) => ({ consentId: null, consentStatus: consent.status }) },
    },
  }),
  ...breaking(CON.consentIdIsAString, {
    'consent-id-is-a-number': {
      story: 'Consents are numbered, and the consentId of the answer is a JSON number.',
      rules: () => {
        let count = 730_000
        return {
          newConsentId: () => String((count += 17)),
          consentBody: ({ consent }) => ({ consentId: Number(consent.consentId) }),
        }
      },
    },
    'third-consent-id-is-an-object': {
      story: 'From the third consent on, the consentId of the answer is an object with a version.',
      rules: fromTheNth(3, {
        consentBody: ({ consent }) => ({ consentId: { value: consent.consentId, version: 2 } }),
      }),
    },
  }),
  ...breaking(CON.consentIdFitsIntoAScope, {
    'consent-id-in-quotation-marks': {
      story: 'The consentId itself begins and ends with a quotation mark.',
      rules: (lawful) => ({ newConsentId: (facts) => `"${lawful.newConsentId(facts)}"` }),
    },
    'every-third-consent-id-has-a-backslash': {
      story: 'Every third consentId contains a backslash.',
      rules: everyNth(3, (lawful) => ({
        newConsentId: (facts) => lawful.newConsentId(facts).replace('-', '\\'),
      })),
    },
  }),
]

const requests: readonly Defect[] = [
  ...breaking(CON.basicHeaderIsAccepted, {
    'basic-header-is-not-read': {
      story: 'POST /v1/consents does not read the Basic header.',
      rules: where(isFor('consents'), { basicCredentials: () => undefined }),
    },
    'secret-ends-at-its-colon': {
      story: 'A secret that contains a colon is cut there.',
      rules: where(isFor('consents'), (lawful) => ({
        basicCredentials: (facts) => {
          const credentials = lawful.basicCredentials(facts)
          return credentials && { ...credentials, secret: credentials.secret.split(':')[0] ?? '' }
        },
      })),
    },
    'one-tpp-alone-is-given-consents': {
      story: 'Only the TPP that created the first consent can create more.',
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
  }),
  ...breaking(CON.schemeIsMatchedInAnyCase, {
    'scheme-is-compared-in-its-case': {
      story: 'A consent request whose scheme is not spelled Basic is refused.',
      wire: refusingSome(
        401,
        ({ headers }) => !(headers.get('authorization') ?? 'Basic ').startsWith('Basic '),
      ),
    },
  }),
  ...breaking(CON.requestIdHeaderIsAccepted, {
    'request-id-is-refused': {
      story: 'A consent request with an X-Request-ID is refused.',
      rules: { requestIdIsAccepted: ({ requestId }) => requestId === undefined },
    },
    'request-id-is-cut-too-short-for-a-uuid': {
      story: 'An X-Request-ID of more than 32 characters is refused, and so a UUID with its hyphens.',
      rules: { requestIdIsAccepted: ({ requestId = '' }) => requestId !== '' && requestId.length <= 32 },
    },
  }),
  ...breaking(CON.noBodyIsNeeded, {
    'consent-needs-a-body': {
      story: 'A consent request without a body is refused.',
      wire: refusingSome(400, ({ body }) => body === ''),
    },
    'consent-needs-a-content-type-in-production': {
      story: 'In production a consent request without the content type of JSON is refused.',
      environment: 'production',
      wire: refusingSome(415, ({ headers }) => headers.get('content-type') !== 'application/json'),
    },
  }),
]

const ids: readonly Defect[] = [
  ...breaking(CON.consentsAreDistinct, {
    'third-consent-id-repeats-the-second': {
      story: 'Every third consent has the id of the consent before it.',
      alsoBreaks: [CON.concurrentConsentsAreDistinct],
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
    'fifth-consent-id-repeats-the-first': {
      story: 'Every fifth consent has the id of the fourth consent before it.',
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
    'consent-id-is-a-reading-of-the-clock': {
      story: 'A consentId is the client_id and the second in which the consent was created.',
      alsoBreaks: [CON.concurrentConsentsAreDistinct],
      rules: { newConsentId: ({ client, now }) => `${client.clientId}-${Math.floor(now.getTime() / 1000)}` },
    },
  }),
  ...breaking(CON.concurrentConsentsAreDistinct, {
    'consents-at-the-same-moment-share-an-id': {
      story: 'A consent request that comes while the first one is served gets the answer to that one.',
      wire: sharingTheFirstAnswer(isCreation, OVERLAP_MS),
    },
  }),
]

export const creationDefects: readonly Defect[] = [...answers, ...requests, ...ids]
