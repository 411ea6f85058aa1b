import {
  alter,
  defectsOf,
  hasScopeOfATpp,
  inProduction,
  isFor,
  read,
  when,
  type Defect,
  type Incoming,
} from '../../shared/changes.ts'
import { isAuthorization, redirectError, RESULT_SCREEN } from './messages.ts'
import { AUT } from '../requirements.ts'

/** Authorization requests of unknown clients that are granted, or whose error is sent to them. */

const isUnknown = ({ query }: Incoming): boolean => query.get('client_id')?.startsWith('nobody') === true
const isMissing = ({ query }: Incoming): boolean => !query.has('client_id')

/** Reads such a request as one of the client that asked last, and with this redirect URI. */
const readAsTheLast = (where: (asked: Incoming) => boolean, redirectUri?: string) =>
  when(
    where,
    read(isAuthorization, ({ query }, { earlier }) => {
      const last = earlier.findLast(({ asked }) => !isUnknown(asked) && !isMissing(asked))
      query.set('client_id', last?.asked.query.get('client_id') ?? '')
      if (redirectUri !== undefined) query.set('redirect_uri', redirectUri)
    }),
  )

export const clientDefects: readonly Defect[] = [
  ...defectsOf([AUT.unknownClientIsRefused, AUT.unknownClientIsNotRedirected], {
    'An unknown client_id is read as that of the client that asked last': readAsTheLast(isUnknown),
  }),
  ...defectsOf([AUT.unknownClientIsRefused], {
    'A client_id of an authorization may have more characters at its end': when(
      isFor('authorize'),
      alter({
        clientOf: (usual, { clientId, clients }) =>
          usual ?? clients.find((known) => clientId.startsWith(known.clientId)),
      }),
    ),
    'An unknown client gets a code on the result screen': readAsTheLast(isUnknown, RESULT_SCREEN),
  }),
  ...defectsOf([AUT.unknownClientIsNotRedirected], {
    'The error of an unknown client is sent to its redirect URI': when(isUnknown, redirectError),
    'The error of an unknown client with a consent is sent to its redirect URI': when(
      (asked) => isUnknown(asked) && hasScopeOfATpp(asked),
      redirectError,
    ),
  }),
  ...defectsOf([AUT.missingClientIsRefused, AUT.missingClientIsNotRedirected], {
    'A request without a client_id is read as one of the client that asked last': readAsTheLast(isMissing),
  }),
  ...defectsOf([AUT.missingClientIsRefused], {
    'In production a request without a client_id gets a code on the result screen': inProduction(
      readAsTheLast(isMissing, RESULT_SCREEN),
    ),
  }),
  ...defectsOf([AUT.missingClientIsNotRedirected], {
    'The error of a request without a client_id is sent to its redirect URI': when(isMissing, redirectError),
  }),
]
