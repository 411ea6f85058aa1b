import {
  accept,
  alter,
  defectsOf,
  forATpp,
  inProduction,
  when,
  type Defect,
  type FactsOf,
  type Incoming,
} from '../../shared/changes.ts'
import { redirectError, RESULT_SCREEN } from './messages.ts'
import { AUT } from '../requirements.ts'

/** Redirect URIs that are not registered. */

/** Accepts other redirect URIs too, by a comparison with the registered ones. */
const acceptUri = (isAccepted: (uri: string, known: string) => boolean) =>
  accept('redirectUriIsRegistered', ({ client, redirectUri }) =>
    client.redirectUris.some((known) => isAccepted(redirectUri, known)),
  )

/** Compares redirect URIs in this form. */
const compareAs = (form: (uri: string) => string) => acceptUri((uri, known) => form(uri) === form(known))

const hostOf = (uri: string): string => new URL(uri).hostname

const inOrder = (uri: string): string => {
  const [base = '', query = ''] = uri.split('?')
  return [base, ...query.split('&').sort()].join(' ')
}

/** Whether a redirect URI has another host than all registered ones. */
const isForeign = ({ client, redirectUri }: FactsOf<'redirectUriIsRegistered'>): boolean =>
  !client.redirectUris.some((registered) => hostOf(registered) === hostOf(redirectUri))

export const redirectUriDefects: readonly Defect[] = [
  ...defectsOf(
    [
      AUT.unregisteredRedirectUriIsRefused,
      AUT.unregisteredRedirectUriIsNotRedirectedTo,
      AUT.redirectUriIsComparedToTheLetter,
      AUT.redirectUriIsNotNormalized,
    ],
    {
      'Any redirect URI is accepted': accept('redirectUriIsRegistered'),
      'A redirect URI of a TPP may begin with the origin of a registered one': forATpp(
        acceptUri((uri, known) => uri.startsWith(new URL(known).origin)),
      ),
    },
  ),
  ...defectsOf([AUT.unregisteredRedirectUriIsRefused, AUT.unregisteredRedirectUriIsNotRedirectedTo], {
    'A redirect URI with the registered host before an at sign is accepted': acceptUri(
      (uri, known) => uri.includes(`${hostOf(known)}@`) && uri.endsWith(new URL(known).pathname),
    ),
  }),
  ...defectsOf([AUT.unregisteredRedirectUriIsRefused], {
    'A redirect URI that another application has registered is accepted': accept(
      'redirectUriIsRegistered',
      ({ redirectUri }) =>
        /^https:\/\/(ledgerly|orchard|pocketwise|lantern)\.example\/callback$/.test(redirectUri),
    ),
    'A redirect URI on another host leads to a code on the result screen': when(
      isForeign,
      alter({ redirectUriIsRegistered: true, resultIsShown: true }),
    ),
  }),
  ...defectsOf([AUT.unregisteredRedirectUriIsNotRedirectedTo], {
    'The error of a redirect URI on another host is sent there': when(
      ({ query }: Incoming) => hostOf(query.get('redirect_uri') ?? RESULT_SCREEN).length > 40,
      redirectError,
    ),
    'A missing response_type is reported to any redirect URI': when(
      ({ query }: Incoming) => !query.has('response_type'),
      redirectError,
    ),
  }),
  ...defectsOf([AUT.redirectUriIsComparedToTheLetter], {
    'A redirect URI may have more characters at its end': acceptUri((uri, registered) =>
      uri.startsWith(registered),
    ),
    'A redirect URI may lack its last character': acceptUri((uri, known) => uri === known.slice(0, -1)),
    'A redirect URI may have userinfo': acceptUri((uri, known) => uri.replace(/\/\/[^/@]*@/, '//') === known),
    'A redirect URI may have a fragment': acceptUri((uri, known) => uri.replace(/#.*$/, '') === known),
    'A redirect URI may have another port': acceptUri(
      (uri, known) => uri.replace(/:\d+(?=\/)/, '') === known,
    ),
    'A redirect URI may have a slash at its end': acceptUri((uri, known) => uri === `${known}/`),
    'In production the query of a redirect URI is not compared': inProduction(
      compareAs((uri) => uri.replace(/\?.*$/, '')),
    ),
    'The query of a redirect URI may have another order': compareAs(inOrder),
  }),
  ...defectsOf([AUT.redirectUriIsComparedToTheLetter, AUT.redirectUriIsNotNormalized], {
    'Redirect URIs are compared without regard to case': compareAs((uri) => uri.toLowerCase()),
  }),
  ...defectsOf([AUT.redirectUriIsNotNormalized], {
    'Redirect URIs are compared after they were normalized': compareAs((uri) => new URL(uri).href),
    'The percent escapes in a redirect URI of a TPP are decoded': forATpp(
      acceptUri((uri, known) => decodeURIComponent(uri) === known),
    ),
  }),
]
