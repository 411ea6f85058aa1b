import {
  accept,
  alter,
  defectsOf,
  each,
  EVERYWHERE,
  IN_PRODUCTION,
  isFor,
  isOfATpp,
  production,
  refusal,
  when,
  type Defect,
  type FactsOf,
  type Incoming,
  type Past,
} from '../../shared/changes.ts'
import { CON } from '../requirements.ts'

/** Wrong credentials of consent requests that are accepted, and what their refusal says. */

const ofAConsent = isFor('consents')

type Secret = FactsOf<'secretMatches'>

/** Accepts other secrets too. */
const acceptSecret = (where: (facts: Secret, past: Past<'secretMatches'>) => boolean) =>
  when(ofAConsent, accept('secretMatches', where))

const isWrong = ({ client, secret }: Secret): boolean => client.secret !== secret

const secrets: readonly Defect[] = defectsOf([CON.wrongSecretIsRefused], {
  'POST /v1/consents does not compare the secret': acceptSecret(() => true),
  'Only the first eight characters of a secret are compared': acceptSecret(({ client, secret }) =>
    secret.startsWith(client.secret.slice(0, 8)),
  ),
  'A secret with more characters after the right one is accepted': acceptSecret(({ client, secret }) =>
    secret.startsWith(client.secret),
  ),
  'A secret that lacks characters at its end is accepted': acceptSecret(
    ({ client, secret }) => secret !== '' && client.secret.startsWith(secret),
  ),
  'Secrets are compared without regard to case': acceptSecret(
    ({ client, secret }) => secret.toLowerCase() === client.secret.toLowerCase(),
  ),
  'In production an empty secret is accepted': when(
    production,
    acceptSecret(({ secret }) => secret === ''),
  ),
  'A secret of the right length with one wrong character is accepted': acceptSecret(({ client, secret }) => {
    const wrong = Array.from(secret).filter((character, at) => character !== client.secret[at])
    return secret.length === client.secret.length && wrong.length === 1
  }),
  'POST /v1/consents accepts the secret of any client': when(
    ofAConsent,
    alter(
      {
        secretMatches: (usual, { secret }, { of }) =>
          usual || of('clientOf').some(({ facts }) => facts.clients.some((one) => one.secret === secret)),
      },
      'clientOf',
    ),
  ),
  'After four wrong secrets, a fifth one is accepted': acceptSecret(
    (facts, { of }) =>
      isWrong(facts) &&
      of('secretMatches').filter((call) => ofAConsent(call.facts) && isWrong(call.facts)).length === 4,
  ),
})

/** The client whose secret was compared last. */
const lastClient = (past: Past<'secretMatches'>) => past.of('secretMatches').at(-1)?.facts.client

/** The name of a client that is registered by its first request. */
const NEW = 'new'

const clients: readonly Defect[] = [
  ...defectsOf([CON.unknownClientIsRefused], {
    'A consent is created for a client_id with more characters after a known one': when(
      ofAConsent,
      alter({
        clientOf: (usual, { clientId, clients: known }) =>
          usual ?? known.find((client) => clientId.startsWith(client.clientId)),
      }),
    ),
    'An unknown client_id is accepted with the secret of the client that was served last': when(
      ofAConsent,
      alter({ clientOf: (usual, _, past) => usual ?? lastClient(past) }, 'secretMatches'),
    ),
    'In production an unknown client is registered as a TPP by its first consent request': when(
      production,
      when(
        ofAConsent,
        alter({
          clientOf: (usual, { clients: [first] }) => usual ?? (first && { ...first, kind: 'TPP', name: NEW }),
          secretMatches: (usual, { client }) => usual || client.name === NEW,
        }),
      ),
    ),
  }),
  ...defectsOf([CON.missingCredentialsAreRefused], {
    'A consent request without credentials is served for the client that was served last': when(
      ofAConsent,
      alter({ clientWithoutBasic: (_, __, past) => lastClient(past) }, 'secretMatches'),
    ),
    'In production a consent request without credentials is served': when(
      production,
      when(
        ofAConsent,
        alter({
          clientWithoutBasic: (_, { clients: known }) => known.find((client) => isOfATpp({ client })),
        }),
      ),
    ),
  }),
]

/** Reads this scheme of a header as Basic. */
const readAsBasic = (scheme: string | RegExp) =>
  when(
    ofAConsent,
    alter({
      basicCredentials: (usual, facts, { rules }) =>
        usual ?? rules.basicCredentials({ ...facts, header: facts.header.replace(scheme, 'Basic') }),
    }),
  )

const decoded = (header: string | null): string =>
  Buffer.from(header?.split(' ')[1] ?? '', 'base64').toString()

/** Stands for a secret that was not sent. */
const NO_SECRET = 'no secret was sent'

const headers: readonly Defect[] = [
  ...defectsOf([CON.anotherSchemeIsRefused], {
    'The credentials are read as those of Basic, whatever the scheme': readAsBasic(/^\S+/),
    'In production the credentials are accepted with the scheme Bearer': when(
      production,
      readAsBasic('Bearer'),
    ),
  }),
  ...defectsOf([CON.valueWithoutColonIsRefused], {
    'A value without a colon is read as a client_id that needs no secret': when(
      ofAConsent,
      alter({
        basicCredentials: (usual, { header }) => usual ?? { clientId: decoded(header), secret: NO_SECRET },
        secretMatches: (usual, { secret }) => usual || secret === NO_SECRET,
      }),
    ),
    'A value without a colon is divided after the client_id that was served last': when(
      ofAConsent,
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
]

type Refusal = FactsOf<'refusalStatus'>

const refusalStatus = (status: number) => when(ofAConsent, alter({ refusalStatus: status }))

const refusals: readonly Defect[] = [
  ...defectsOf([CON.refusalHasNoSuccessStatus], {
    'A refused consent request has the status 200': refusalStatus(200),
    'The refused consent request of a FAC has the status 202': when(
      ({ error }: Refusal) => error === 'not_entitled',
      refusalStatus(202),
    ),
    'A consent request without credentials is answered with the status 204': when(
      (asked: Incoming) => !asked.headers.has('authorization'),
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
      'POST /v1/consents answers the status 500 to credentials that no client has': when(
        ({ error }: Refusal) => error === 'invalid_client',
        refusalStatus(500),
      ),
    },
  ),
  ...defectsOf([CON.refusalRepeatsNoSecret], {
    'The refusal of a consent request contains the credentials that were sent': refusal(
      'createConsent',
      (_, asked) => ({
        json: {
          errorCode: 'INVALID_CLIENT',
          errorDescription: decoded(asked.headers.get('authorization')),
        },
      }),
    ),
    'The refusal of a consent request has its Authorization header in another header': refusal(
      'createConsent',
      (_, asked) => ({ headers: { 'x-received': asked.headers.get('authorization') ?? 'nothing' } }),
    ),
    'The answer to an unknown client contains the secret that it sent, in base64': refusal(
      'createConsent',
      (_, asked) => {
        const [clientId = '', ...secret] = decoded(asked.headers.get('authorization')).split(':')
        if (!clientId.startsWith('nobody')) return undefined
        return {
          json: { errorCode: 'INVALID_CLIENT', trace: Buffer.from(secret.join(':')).toString('base64') },
        }
      },
    ),
  }),
]

export const credentialDefects: readonly Defect[] = [...secrets, ...clients, ...headers, ...refusals]
