import {
  accept,
  alter,
  defectsOf,
  each,
  EVERYWHERE,
  IN_PRODUCTION,
  inProduction,
  isFor,
  refusal,
  when,
  refuseWith,
  type Change,
  type Defect,
  type FactsOf,
  type Incoming,
  type Past,
} from '../../shared/changes.ts'
import { CON } from '../requirements.ts'

/** Wrong credentials of consent requests that are accepted, and what their refusal says. */

/** The change for consent requests only. */
const ofConsents = <Facts extends Pick<FactsOf<'secretMatches'>, 'endpoint'>>(change: Change<Facts>) =>
  when<Change<Facts>>(isFor('consents'), change)

/** Accepts other secrets too. */
const acceptSecret = (isAccepted: (sent: string, right: string) => boolean) =>
  ofConsents(accept('secretMatches', ({ secret, client }) => isAccepted(secret, client.secret)))

const isWrong = ({ client, secret }: FactsOf<'secretMatches'>): boolean => client.secret !== secret

/** The client whose secret was compared last. */
const lastClient = (past: Past<'secretMatches'>) => past.of('secretMatches').at(-1)?.facts.client

/** The name of a client that is registered by its first request. */
const NEW = 'new'

/** Reads this scheme of a header as Basic. */
const readAsBasic = (scheme: string | RegExp) =>
  ofConsents(
    alter({
      basicCredentials: (usual, facts, { rules }) =>
        usual ?? rules.basicCredentials({ ...facts, header: facts.header.replace(scheme, 'Basic') }),
    }),
  )

const decoded = (header: string): string => Buffer.from(header.split(' ')[1] ?? '', 'base64').toString()

/** Stands for a secret that was not sent. */
const NO_SECRET = 'no secret was sent'

const sentHeader = ({ headers: sent }: Incoming): string => sent.get('authorization') ?? ''

export const credentialDefects: readonly Defect[] = [
  ...defectsOf([CON.wrongSecretIsRefused], {
    'POST /v1/consents does not compare the secret': acceptSecret(() => true),
    'POST /v1/consents compares the first eight characters of a secret': acceptSecret((sent, right) =>
      sent.startsWith(right.slice(0, 8)),
    ),
    'A consent is created if the right secret has more characters after it': acceptSecret((sent, right) =>
      sent.startsWith(right),
    ),
    'A consent is created if the secret lacks characters at its end': acceptSecret(
      (sent, right) => sent !== '' && right.startsWith(sent),
    ),
    'A consent is created if a blank precedes or follows the secret': acceptSecret(
      (sent, right) => sent.trim() === right,
    ),
    'POST /v1/consents compares secrets without regard to case': acceptSecret(
      (sent, right) => sent.toLowerCase() === right.toLowerCase(),
    ),
    'In production an empty secret creates a consent': inProduction(acceptSecret((sent) => sent === '')),
    'A secret with one wrong character creates a consent': acceptSecret(
      (sent, right) =>
        sent.length === right.length &&
        Array.from(sent).filter((character, at) => character !== right[at]).length === 1,
    ),
    'The secret of any client creates a consent': ofConsents(
      alter(
        {
          secretMatches: (usual, { secret }, { of }) =>
            usual || of('clientOf').some(({ facts }) => facts.clients.some((any) => any.secret === secret)),
        },
        'clientOf',
      ),
    ),
    'After four wrong secrets, a fifth one creates a consent': ofConsents(
      accept('secretMatches', (sent, { of }) => {
        const wrong = of('secretMatches').filter(({ facts }) => isFor('consents')(facts) && isWrong(facts))
        return isWrong(sent) && wrong.length === 4
      }),
    ),
  }),
  ...defectsOf([CON.unknownClientIsRefused], {
    'A client_id of a consent request may have more characters at its end': ofConsents(
      alter({
        clientOf: (usual, facts) =>
          usual ?? facts.clients.find(({ clientId }) => facts.clientId.startsWith(clientId)),
      }),
    ),
    'An unknown client_id is accepted with the secret of the last client': ofConsents(
      alter({ clientOf: (usual, _, past) => usual ?? lastClient(past) }, 'secretMatches'),
    ),
    'In production an unknown client is registered by its first consent request': inProduction(
      ofConsents(
        alter({
          clientOf: (usual, { clients: [tpp] }) => usual ?? (tpp && { ...tpp, kind: 'TPP', name: NEW }),
          secretMatches: (usual, { client }) => usual || client.name === NEW,
        }),
      ),
    ),
  }),
  ...defectsOf([CON.missingCredentialsAreRefused], {
    'A consent request without credentials is served for the last client': ofConsents(
      alter({ clientWithoutBasic: (_, __, past) => lastClient(past) }, 'secretMatches'),
    ),
    'In production a consent request without credentials is served': inProduction(
      ofConsents(
        alter({ clientWithoutBasic: (_, facts) => facts.clients.find(({ kind }) => kind === 'TPP') }),
      ),
    ),
  }),
  ...defectsOf([CON.anotherSchemeIsRefused], {
    'Every scheme of a consent request is read as Basic': readAsBasic(/^\S+/),
    'In production the scheme Bearer of a consent request is read as Basic': inProduction(
      readAsBasic('Bearer'),
    ),
  }),
  ...defectsOf([CON.valueWithoutColonIsRefused], {
    'A value without a colon is read as a client_id that needs no secret': ofConsents(
      alter({
        basicCredentials: (usual, { header }) => usual ?? { clientId: decoded(header), secret: NO_SECRET },
        secretMatches: (usual, { secret }) => usual || secret === NO_SECRET,
      }),
    ),
    'A value without a colon is divided after the last client_id': ofConsents(
      alter(
        {
          basicCredentials: (usual, { header }, past) => {
            const clientId = lastClient(past)?.clientId ?? ''
            return usual ?? { clientId, secret: decoded(header).replace(clientId, '') }
          },
        },
        'secretMatches',
      ),
    ),
  }),
  ...defectsOf([CON.finalApiConsumerGetsNoConsent], {
    'A FAC can create consents': each([EVERYWHERE, IN_PRODUCTION], accept('mayCreateConsents')),
  }),
  ...defectsOf([CON.refusalHasNoSuccessStatus], {
    'A refused consent request has the status 200': when(isFor('consents'), alter({ refusalStatus: 200 })),
    'The refused consent request of a FAC has the status 202': refuseWith('not_entitled', 202, 'consents'),
    'A consent request without credentials is answered with the status 204': when(
      (asked: Incoming) => sentHeader(asked) === '',
      refusal('createConsent', { status: 204 }),
    ),
  }),
  ...defectsOf(
    [
      CON.wrongSecretIsRefused,
      CON.unknownClientIsRefused,
      CON.missingCredentialsAreRefused,
      CON.anotherSchemeIsRefused,
      CON.valueWithoutColonIsRefused,
    ],
    {
      'POST /v1/consents answers the status 500 to wrong credentials': refuseWith(
        'invalid_client',
        500,
        'consents',
      ),
    },
  ),
  ...defectsOf([CON.refusalRepeatsNoSecret], {
    'A refused consent request is answered with its credentials': refusal('createConsent', (_, asked) => ({
      json: { errorCode: 'INVALID_CLIENT', errorDescription: decoded(sentHeader(asked)) },
    })),
    'A refused consent request is answered with its Authorization header': refusal(
      'createConsent',
      (_, asked) => ({ headers: { 'x-received': sentHeader(asked) } }),
    ),
    'The answer to an unknown client contains its secret in base64': when(
      (asked: Incoming) => decoded(sentHeader(asked)).startsWith('nobody'),
      refusal('createConsent', (_, asked) => {
        const secret = decoded(sentHeader(asked)).replace(/^[^:]*:/, '')
        return { json: { errorCode: 'INVALID_CLIENT', trace: Buffer.from(secret).toString('base64') } }
      }),
    ),
  }),
]
