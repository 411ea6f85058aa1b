import {
  alter,
  answer,
  defectsOf,
  forAFac,
  forATpp,
  inProduction,
  isOfATpp,
  on,
  refuse,
  when,
  type Defect,
  type FactsOf,
} from '../../shared/changes.ts'
import { RESULT_SCREEN } from './messages.ts'
import { AUT } from '../requirements.ts'

/** Codes and states that are sent back wrong, to another address, or not at all. */

type Return = FactsOf<'returnLocation'>

const isGranted = ({ ending }: Pick<Return, 'ending'>): boolean => ending === 'granted'
const isDenied = ({ ending }: Pick<Return, 'ending'>): boolean => ending === 'denied'
const hasQuery = ({ redirectUri }: Pick<Return, 'redirectUri'>): boolean => redirectUri.includes('?')
const hasAmpersand = ({ parameters }: Return): boolean => parameters['state']?.includes('&') === true

/** Another address to which a code is sent. */
const sent = (part: string | RegExp, replacement: string) =>
  when(isGranted, alter({ returnLocation: (usual) => usual.replace(part, replacement) }))

type State = FactsOf<'stateCarriedBack'>

/** Another state that is sent back. */
const state = (change: (state: string) => string | undefined, ending: State['ending'] = 'granted') =>
  when(
    (facts: State) => facts.ending === ending,
    alter({ stateCarriedBack: (usual) => usual && change(usual) }),
  )

const cut = (length: number, ending?: State['ending']) => state((text) => text.slice(0, length), ending)

const lost = (ending?: State['ending']) => state(() => undefined, ending)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const withoutEscapes = (text: string): string => text.replaceAll(/%[0-9A-Fa-f]{2}/g, decoded)

const isPage = on('GET', /\/oauth\//)
const POLICY = 'content-security-policy'
const FRAMES = /frame-ancestors[^;]*/

/** Another policy of the pages of an authorization. */
const policy = (part: RegExp, replacement: string) =>
  answer(isPage, ({ headers }) => ({
    headers: { [POLICY]: headers.get(POLICY)?.replace(part, replacement) },
  }))

export const answerDefects: readonly Defect[] = [
  ...defectsOf([AUT.grantGivesACode], {
    'With an ampersand in the state a grant is reported as server_error': when(
      hasAmpersand,
      sent(/code=[^&]*/, 'error=server_error'),
    ),
    'With an ampersand in the state a grant to a TPP is reported as access_denied': forATpp(
      when(hasAmpersand, sent(/code=[^&]*/, 'error=access_denied')),
    ),
  }),
  ...defectsOf([AUT.grantGivesACode, AUT.codeStandsInTheQuery], {
    'With an ampersand in the state a grant has no code': when(hasAmpersand, sent(/code=[^&]*&?/, '')),
  }),
  ...defectsOf([AUT.codeGoesToTheRegisteredRedirectUri], {
    'The code is sent to the first registered redirect URI': when(
      (facts: Return) => isGranted(facts) && hasQuery(facts),
      alter({
        returnLocation: (usual, { client }) => `${client.redirectUris[0] ?? ''}${new URL(usual).search}`,
      }),
    ),
    'The code is sent to port 8443 of the registered host': sent(/^(https:\/\/[^/]+)/, '$1:8443'),
    'The code for a TPP is sent to the redirect URI by http': forATpp(sent('https:', 'http:')),
    'In production the code is sent to a path with a slash at its end': inProduction(sent('?', '/?')),
  }),
  ...defectsOf([AUT.codeStandsInTheQuery], {
    'With a query in the redirect URI the code is in the fragment': when(
      hasQuery,
      sent(/code=([^&]*)&(.*)$/, '$2#code=$1'),
    ),
    'With a query in the redirect URI the code is called authorization_code': when(
      hasQuery,
      sent('code=', 'authorization_code='),
    ),
  }),
  ...defectsOf([AUT.codeStandsInTheQuery, AUT.redirectUriKeepsItsOwnQuery], {
    'The code is added after a second question mark': when(hasQuery, sent('&code=', '?code=')),
  }),
  ...defectsOf([AUT.redirectNamesEachParameterOnce], {
    'With a query in the redirect URI the state is sent twice': when(hasQuery, sent(/state=[^&]*/, '$&&$&')),
    'The code for a TPP is sent twice in one redirect': forATpp(sent(/code=[^&]*/, '$&&$&')),
    'A denial is sent back with the state twice': when(
      isDenied,
      alter({ returnLocation: (usual) => usual.replace(/&state=[^&]*/, '$&$&') }),
    ),
  }),
  ...defectsOf([AUT.redirectUriKeepsItsOwnQuery], {
    'The query of a redirect URI is replaced by the code': when(hasQuery, sent(/\?.*(?=code=)/, '?')),
    'The query of a redirect URI is lost, except for the first application of a kind': when(
      (facts: Return) => hasQuery(facts) && /orchard|lantern/.test(facts.redirectUri),
      sent(/\?.*(?=code=)/, '?'),
    ),
    'Only the first parameter of a query of a redirect URI is kept': when(
      hasQuery,
      sent(/&.*(?=&code=)/, ''),
    ),
  }),
  ...defectsOf([AUT.stateIsReturnedUnchanged], {
    'The state of a FAC is not sent back': forAFac(lost()),
    'Of two authorizations that are open at the same moment, one is sent back without its state': alter(
      {
        stateCarriedBack: (usual, _, past) =>
          past.of('scopeFitsClient').length - past.of('stateCarriedBack').length > 1 ? undefined : usual,
      },
      'scopeFitsClient',
    ),
    'With a query in the redirect URI the state is not sent back': when(hasQuery, lost()),
    'A state is cut after 128 characters': cut(128),
    'A state is cut after 255 characters': cut(255),
    'The state 0 is lost': state((text) => (text === '0' ? undefined : text)),
    'A state is cut at its first ampersand': state((text) => text.split('&')[0]),
    'The state of a TPP is sent back in upper case': forATpp(state((text) => text.toUpperCase())),
    'A blank in the state is sent back as a plus sign': state((text) => text.replaceAll(' ', '+')),
    'A plus sign in the state is sent back as a blank': state((text) => text.replaceAll('+', ' ')),
    'A state is sent back without the blanks at its ends': state((text) => text.trim()),
    'Percent escapes in the state are decoded twice': state(withoutEscapes),
    'A state is sent back with the escapes of HTML': state((text) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    ),
    'A state is sent back without its backslashes': state((text) => text.replaceAll('\\', '')),
    'In production a state is cut at its first number sign': inProduction(
      state((text) => text.split('#')[0]),
    ),
  }),
  ...defectsOf([AUT.denialReturnsTheState], {
    'A denial is sent back without the state': lost('denied'),
    'The state of a denial is cut after 16 characters for a TPP': forATpp(cut(16, 'denied')),
    'A refusal is sent back without the state': lost('refused'),
    'Percent escapes in the state of a refusal are decoded twice': state(withoutEscapes, 'refused'),
  }),
  ...defectsOf([AUT.redirectRepeatsNoRequest], {
    'A grant is sent back with 307': when(isGranted, alter({ returnStatus: 307 })),
    'A denial is sent back with 307': when(isDenied, alter({ returnStatus: 307 })),
  }),
  ...defectsOf([AUT.shownCodeIsExchanged, 'TOK-01', 'TOK-21'], {
    'The token endpoint refuses a code that was shown on the result screen': refuse(
      'redirectUriMatches',
      ({ code }) => code.redirectUri === RESULT_SCREEN,
    ),
  }),
  ...defectsOf([AUT.shownCodeIsExchanged], {
    'The code on the result screen of a TPP lacks its last character': when(
      (facts: Return) => isGranted(facts) && isOfATpp(facts) && facts.redirectUri === RESULT_SCREEN,
      alter({ returnParameters: ({ code = '', ...others }) => ({ code: code.slice(0, -1), ...others }) }),
    ),
  }),
  ...defectsOf([AUT.pageCannotBeFramed], {
    'The policy of the pages has no frame-ancestors': policy(/;[^;]*frame-ancestors[^;]*/, ''),
    'Every site at every port can frame the pages': policy(FRAMES, 'frame-ancestors *:*'),
    'The policy of the pages is only reported': answer(isPage, ({ headers }) => ({
      headers: { [POLICY]: undefined, [`${POLICY}-report-only`]: headers.get(POLICY) ?? '' },
    })),
  }),
]
