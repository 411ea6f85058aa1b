import {
  accept,
  alter,
  defectsOf,
  isOfATpp,
  production,
  when,
  type Defect,
  type FactsOf,
  type Incoming,
} from '../../shared/changes.ts'
import { redirectError, RESULT_SCREEN } from './messages.ts'
import { AUT } from '../requirements.ts'

/** Redirect URIs that are not registered. */

/** Accepts other redirect URIs too, by a comparison with the registered ones. */
const acceptUri = (isAccepted: (uri: string, registered: string) => boolean) =>
  accept('redirectUriIsRegistered', ({ client, redirectUri }) =>
    client.redirectUris.some((registered) => isAccepted(redirectUri, registered)),
  )

const hostOf = (uri: string): string => new URL(uri).host

const withoutQuery = (uri: string): string => uri.replace(/\?.*$/, '')

const inOrder = (uri: string): string => {
  const [base = '', query = ''] = uri.split('?')
  return [base, ...query.split('&').sort()].join(' ')
}

/** Whether a redirect URI has another host than all registered ones. */
const isForeign = ({ client, redirectUri }: FactsOf<'redirectUriIsRegistered'>): boolean =>
  !client.redirectUris.some((registered) => hostOf(registered) === hostOf(redirectUri))

const foreign: readonly Defect[] = [
  ...defectsOf(
    [
      AUT.unregisteredRedirectUriIsRefused,
      AUT.unregisteredRedirectUriIsNotRedirectedTo,
      AUT.redirectUriIsComparedToTheLetter,
      AUT.redirectUriIsNotNormalized,
    ],
    {
      'Any redirect URI is accepted': accept('redirectUriIsRegistered'),
      'A redirect URI of a TPP is accepted if it begins with the origin of a registered one': when(
        isOfATpp,
        acceptUri((uri, registered) => uri.startsWith(new URL(registered).origin)),
      ),
    },
  ),
  ...defectsOf([AUT.unregisteredRedirectUriIsRefused, AUT.unregisteredRedirectUriIsNotRedirectedTo], {
    'A redirect URI with the registered host before an at sign is accepted': acceptUri(
      (uri, registered) =>
        uri.includes(`${hostOf(registered)}@`) && uri.endsWith(new URL(registered).pathname),
    ),
  }),
  ...defectsOf([AUT.unregisteredRedirectUriIsRefused], {
    'A request with a redirect URI on a foreign host gets a code on the result screen': when(
      isForeign,
      alter({ redirectUriIsRegistered: true, resultIsShown: true }),
    ),
  }),
  ...defectsOf([AUT.unregisteredRedirectUriIsNotRedirectedTo], {
    'The error of a redirect URI on a foreign host is sent there': when(
      ({ query }: Incoming) => hostOf(query.get('redirect_uri') ?? RESULT_SCREEN).length > 40,
      redirectError,
    ),
    'The error of a missing response_type is sent to a redirect URI that was not compared': when(
      ({ query }: Incoming) => !query.has('response_type'),
      redirectError,
    ),
  }),
]

const similar: readonly Defect[] = [
  ...defectsOf([AUT.redirectUriIsComparedToTheLetter], {
    'A redirect URI with more characters after the registered one is accepted': acceptUri((uri, registered) =>
      uri.startsWith(registered),
    ),
    'A redirect URI that lacks the last character is accepted': acceptUri(
      (uri, registered) => uri === registered.slice(0, -1),
    ),
    'A redirect URI with a slash at its end is accepted': acceptUri(
      (uri, registered) => uri === `${registered}/`,
    ),
    'In production the query of a redirect URI is not compared': when(
      production,
      acceptUri((uri, registered) => withoutQuery(uri) === withoutQuery(registered)),
    ),
    'The parameters in the query of a redirect URI may have any order': acceptUri(
      (uri, registered) => inOrder(uri) === inOrder(registered),
    ),
  }),
  ...defectsOf([AUT.redirectUriIsComparedToTheLetter, AUT.redirectUriIsNotNormalized], {
    'Redirect URIs are compared without regard to case': acceptUri(
      (uri, registered) => uri.toLowerCase() === registered.toLowerCase(),
    ),
  }),
  ...defectsOf([AUT.redirectUriIsNotNormalized], {
    'Redirect URIs are compared after they were normalized': acceptUri(
      (uri, registered) => new URL(uri).href === new URL(registered).href,
    ),
    'The percent escapes in a redirect URI of a TPP are decoded before it is compared': when(
      isOfATpp,
      acceptUri((uri, registered) => decodeURIComponent(uri) === registered),
    ),
  }),
]

export const redirectUriDefects: readonly Defect[] = [...foreign, ...similar]
