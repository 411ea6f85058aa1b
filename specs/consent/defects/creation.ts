import {
  alter,
  defectsOf,
  every,
  from,
  inProduction,
  isFor,
  jsonAnswer,
  refuse,
  reply,
  when,
  type Defect,
  type Incoming,
} from '../../shared/changes.ts'
import { shareFirstAnswer } from '../../shared/overlap.ts'
import { CON } from '../requirements.ts'

/** Wrong answers to a correct consent request. */

/** Another value of the consentId in the answer. */
const consentId = (change: (consentId: string) => unknown) =>
  alter({ consentBody: (usual, { consent }) => ({ ...usual, consentId: change(consent.consentId) }) })

/** The id of an earlier consent for a new one. */
const repeatId = (place: number) =>
  alter({ newConsentId: (usual, _, { of }) => of('newConsentId').at(place)?.answer ?? usual })

/** Refuses some consent requests, whatever their credentials. */
const refuseRequest = (status: number, where: (asked: Incoming) => boolean) =>
  when(
    where,
    reply('createConsent', () => jsonAnswer(status, { errorCode: 'INVALID_REQUEST' })),
  )

/** How long a request waits for another one that may come, however busy the machine is. */
const OVERLAP_MS = 80

export const creationDefects: readonly Defect[] = [
  ...defectsOf([CON.answerCarriesAConsentId], {
    'The answer to a consent request has an id in the place of the consentId': alter({
      consentBody: (_, { consent }) => ({ id: consent.consentId, consentStatus: consent.status }),
    }),
    'In production the consentId of the answer is an empty string': inProduction(consentId(() => '')),
    'The consentId of the answer is null': consentId(() => null),
  }),
  ...defectsOf([CON.consentIdIsAString], {
    'The consentId of the answer is a JSON number': alter({
      newConsentId: (_, __, { calls }) => String(730_000 + 17 * calls),
      consentBody: (_, { consent }) => ({ consentId: Number(consent.consentId) }),
    }),
    'From the third consent on, the consentId of the answer is an object': when(
      from(3),
      consentId((value) => ({ value, version: 2 })),
    ),
  }),
  ...defectsOf([CON.consentIdFitsIntoAScope], {
    'A consentId begins and ends with a quotation mark': alter({ newConsentId: (usual) => `"${usual}"` }),
    'Every third consentId contains a backslash': when(
      every(3),
      alter({ newConsentId: (usual) => usual.replace('-', '\\') }),
    ),
  }),
  ...defectsOf([CON.basicHeaderIsAccepted], {
    'POST /v1/consents ignores the Basic header': when(
      isFor('consents'),
      alter({ basicCredentials: undefined }),
    ),
    'A consent request is read with a secret that ends at its first colon': when(
      isFor('consents'),
      alter({ basicCredentials: (usual) => usual && { ...usual, secret: usual.secret.replace(/:.*/, '') } }),
    ),
    'Only the client of the first consent request can create consents': refuse(
      'mayCreateConsents',
      ({ client }, { of }) => (of('mayCreateConsents')[0]?.facts.client ?? client) !== client,
    ),
  }),
  ...defectsOf([CON.schemeIsMatchedInAnyCase], {
    'A consent request whose scheme is not spelled Basic is refused': refuseRequest(401, ({ headers }) =>
      /^(?!Basic )./.test(headers.get('authorization') ?? ''),
    ),
  }),
  ...defectsOf([CON.requestIdHeaderIsAccepted], {
    'A consent request with an X-Request-ID is refused': alter({
      requestIdIsAccepted: (_, { requestId }) => requestId === undefined,
    }),
    'An X-Request-ID of more than 32 characters, as a UUID has, is refused': refuse(
      'requestIdIsAccepted',
      ({ requestId = '' }) => requestId.length > 32,
    ),
  }),
  ...defectsOf([CON.noBodyIsNeeded], {
    'A consent request without a body is refused': refuseRequest(400, ({ body }) => body === ''),
    'In production a consent request without the content type of JSON is refused': inProduction(
      refuseRequest(415, ({ headers }) => headers.get('content-type') !== 'application/json'),
    ),
  }),
  ...defectsOf([CON.consentsAreDistinct, CON.concurrentConsentsAreDistinct], {
    'Every third consent has the id of the consent before it': when(every(3), repeatId(-1)),
    'A consentId is the client_id and the second of its creation': alter({
      newConsentId: (_, { client, now }) => `${client.clientId}-${Math.floor(now.getTime() / 1000)}`,
    }),
  }),
  ...defectsOf([CON.consentsAreDistinct], {
    'Every fifth consent has the id of the fourth consent before it': when(every(5), repeatId(-4)),
  }),
  ...defectsOf([CON.concurrentConsentsAreDistinct], {
    'A consent request during the first one gets the same answer': shareFirstAnswer(
      'createConsent',
      OVERLAP_MS,
    ),
  }),
]
