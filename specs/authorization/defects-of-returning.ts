import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { AUT } from './requirements.ts'

/** Codes and states that come back wrong, at another place, or not at all. */

type Return = Parameters<Rules['returnLocation']>[0]

const isGrant = ({ ending }: Pick<Return, 'ending'>): boolean => ending === 'granted'

const hasQuery = ({ redirectUri }: Return): boolean => redirectUri.includes('?')

const hasAmpersand = ({ parameters }: Return): boolean => parameters['state']?.includes('&') === true

/** Sends the code to where `edit` makes of the lawful address. */
const sending =
  (applies: (facts: Return) => boolean, edit: (location: string, facts: Return) => string): RuleChange =>
  (lawful) => ({
    returnLocation: (facts) => {
      const location = lawful.returnLocation(facts)
      return isGrant(facts) && applies(facts) ? edit(location, facts) : location
    },
  })

const always = (): boolean => true

const codes: readonly Defect[] = [
  {
    id: 'reserved-character-in-the-state-ends-in-an-error',
    story:
      'Where the state has an ampersand, the customer grants and the application is told of a server_error.',
    breaks: [AUT.grantGivesACode],
    rules: sending(hasAmpersand, (location) => location.replace(/code=[^&]*/, 'error=server_error')),
  },
  {
    id: 'grant-to-a-tpp-is-reported-as-a-denial',
    story: 'Where the state has an ampersand, a TPP is told that the customer has denied.',
    breaks: [AUT.grantGivesACode],
    rules: sending(
      (facts) => facts.client.kind === 'TPP' && hasAmpersand(facts),
      (location) => location.replace(/code=[^&]*/, 'error=access_denied'),
    ),
  },
  {
    id: 'reserved-character-in-the-state-loses-the-code',
    story: 'Where the state has an ampersand, the browser is sent back without a code.',
    breaks: [AUT.grantGivesACode, AUT.codeStandsInTheQuery],
    rules: sending(hasAmpersand, (location) => location.replace(/code=[^&]*&?/, '')),
  },
  {
    id: 'code-goes-to-the-first-registered-redirect-uri',
    story:
      'The code is sent to the first redirect URI that is registered, and not to the one that was asked for.',
    breaks: [AUT.codeGoesToTheRegisteredRedirectUri],
    rules: sending(hasQuery, (location, { client }) => {
      const [first = ''] = client.redirectUris
      return `${first}${new URL(location).search}`
    }),
  },
  {
    id: 'code-goes-to-another-port',
    story: 'The code is sent to port 8443 of the registered host.',
    breaks: [AUT.codeGoesToTheRegisteredRedirectUri],
    rules: sending(always, (location) => location.replace(/^(https:\/\/[^/]+)/, '$1:8443')),
  },
  {
    id: 'code-of-a-tpp-goes-over-http',
    story: 'The code for a TPP is sent to the registered redirect URI with http for https.',
    breaks: [AUT.codeGoesToTheRegisteredRedirectUri],
    rules: sending(
      ({ client }) => client.kind === 'TPP',
      (location) => location.replace('https:', 'http:'),
    ),
  },
  {
    id: 'code-goes-to-the-path-with-a-slash-in-production',
    story: 'In production the path of a redirect URI ends with a slash when the code is sent there.',
    breaks: [AUT.codeGoesToTheRegisteredRedirectUri],
    environment: 'production',
    rules: sending(always, (location) => location.replace('?', '/?')),
  },
  {
    id: 'code-stands-in-the-fragment',
    story: 'Where a redirect URI has a query already, the code goes into the fragment.',
    breaks: [AUT.codeStandsInTheQuery],
    rules: sending(hasQuery, (location) => location.replace(/code=([^&]*)&(.*)$/, '$2#code=$1')),
  },
  {
    id: 'code-has-another-name',
    story: 'Where a redirect URI has a query already, the code goes there as authorization_code.',
    breaks: [AUT.codeStandsInTheQuery],
    rules: sending(hasQuery, (location) => location.replace('code=', 'authorization_code=')),
  },
  {
    id: 'state-stands-there-twice',
    story: 'Where a redirect URI has a query already, the state is added twice.',
    breaks: [AUT.redirectNamesEachParameterOnce],
    rules: sending(hasQuery, (location) => `${location}&${/state=[^&]*/.exec(location)?.[0] ?? ''}`),
  },
  {
    id: 'code-for-a-tpp-stands-there-twice',
    story: 'A TPP gets the code twice in one redirect.',
    breaks: [AUT.redirectNamesEachParameterOnce],
    rules: sending(
      ({ client }) => client.kind === 'TPP',
      (location) => `${location}&${/code=[^&]*/.exec(location)?.[0] ?? ''}`,
    ),
  },
  {
    id: 'state-of-a-denial-stands-there-twice',
    story: 'A denial is sent back with the state twice.',
    breaks: [AUT.redirectNamesEachParameterOnce],
    rules: (lawful) => ({
      returnLocation: (facts) => {
        const location = lawful.returnLocation(facts)
        const [state = ''] = /&state=[^&]*/.exec(location) ?? []
        return facts.ending === 'denied' ? `${location}${state}` : location
      },
    }),
  },
  {
    id: 'redirect-uri-loses-its-query',
    story: 'The query of a redirect URI makes way for the code.',
    breaks: [AUT.redirectUriKeepsItsOwnQuery],
    rules: sending(hasQuery, (location) => location.replace(/\?.*(?=code=)/, '?')),
  },
  {
    id: 'redirect-uri-keeps-one-parameter',
    story: 'Of the query of a redirect URI the first parameter alone is kept.',
    breaks: [AUT.redirectUriKeepsItsOwnQuery],
    rules: sending(hasQuery, (location) => location.replace(/&.*(?=&code=)/, '')),
  },
  {
    id: 'code-stands-behind-a-second-question-mark',
    story: 'The code is added with a question mark, whether the redirect URI has a query or not.',
    breaks: [AUT.codeStandsInTheQuery, AUT.redirectUriKeepsItsOwnQuery],
    rules: sending(hasQuery, (location) => location.replace('&code=', '?code=')),
  },
]

type StateFacts = Parameters<Rules['stateCarriedBack']>[0]

/** Carries the state of a grant back as `edit` makes it. */
const carrying =
  (
    edit: (state: string, facts: StateFacts) => string | undefined,
    ending: StateFacts['ending'] = 'granted',
  ): RuleChange =>
  (lawful) => ({
    stateCarriedBack: (facts) => {
      const state = lawful.stateCarriedBack(facts)
      return state === undefined || facts.ending !== ending ? state : edit(state, facts)
    },
  })

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const state = (id: string, story: string, rules: RuleChange): Defect => ({
  id,
  story,
  breaks: [AUT.stateIsReturnedUnchanged],
  rules,
})

const states: readonly Defect[] = [
  state(
    'state-of-a-fac-is-lost',
    'A FAC does not get its state back.',
    carrying((text, { client }) => (client.kind === 'FAC' ? undefined : text)),
  ),
  state(
    'state-is-lost-beside-a-query',
    'Where a redirect URI has a query of its own, the state is left out.',
    carrying((text, { redirectUri }) => (redirectUri.includes('?') ? undefined : text)),
  ),
  state(
    'state-is-cut-at-64-characters',
    'A state comes back without what goes beyond 64 characters.',
    carrying((text) => text.slice(0, 64)),
  ),
  state(
    'state-is-cut-at-128-characters',
    'A state comes back without what goes beyond 128 characters.',
    carrying((text) => text.slice(0, 128)),
  ),
  state(
    'state-is-cut-at-its-first-ampersand',
    'A state comes back up to its first ampersand.',
    carrying((text) => text.split('&')[0]),
  ),
  state(
    'state-is-in-lower-case',
    'A state comes back in lower case.',
    carrying((text) => text.toLowerCase()),
  ),
  state(
    'state-of-a-tpp-is-in-upper-case',
    'The state of a TPP comes back in upper case.',
    carrying((text, { client }) => (client.kind === 'TPP' ? text.toUpperCase() : text)),
  ),
  state(
    'blank-in-the-state-becomes-a-plus',
    'A blank in the state comes back as a plus sign.',
    carrying((text) => text.replaceAll(' ', '+')),
  ),
  state(
    'plus-in-the-state-becomes-a-blank',
    'A plus sign in the state comes back as a blank.',
    carrying((text) => text.replaceAll('+', ' ')),
  ),
  state(
    'state-is-trimmed',
    'Blanks at the ends of a state are lost.',
    carrying((text) => text.trim()),
  ),
  state(
    'state-is-decoded-twice',
    'What looks like a percent escape in the state is decoded.',
    carrying((text) => text.replaceAll(/%[0-9A-Fa-f]{2}/g, decoded)),
  ),
  state(
    'state-is-escaped-for-a-page',
    'A state comes back as it would be written into a page.',
    carrying((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')),
  ),
  state(
    'backslash-in-the-state-is-taken-for-an-escape',
    'A state comes back without its backslashes.',
    carrying((text) => text.replaceAll('\\', '')),
  ),
  {
    ...state(
      'state-is-cut-at-a-hash-in-production',
      'In production a state comes back up to its first number sign.',
      carrying((text) => text.split('#')[0]),
    ),
    environment: 'production',
  },
]

const errorState = (id: string, story: string, rules: RuleChange): Defect => ({
  ...state(id, story, rules),
  breaks: [AUT.denialReturnsTheState],
})

const errorStates: readonly Defect[] = [
  errorState(
    'denial-loses-the-state',
    'A denial is sent back without the state.',
    carrying(() => undefined, 'denied'),
  ),
  errorState(
    'denial-to-a-tpp-cuts-the-state',
    'A denial is sent to a TPP with no more than 16 characters of the state.',
    carrying((text, { client }) => (client.kind === 'TPP' ? text.slice(0, 16) : text), 'denied'),
  ),
  errorState(
    'refusal-loses-the-state',
    'A request that the bank refuses is sent back without the state.',
    carrying(() => undefined, 'refused'),
  ),
  errorState(
    'refusal-decodes-the-state',
    'A request that the bank refuses is sent back with percent escapes of the state decoded.',
    carrying((text) => text.replaceAll(/%[0-9A-Fa-f]{2}/g, decoded), 'refused'),
  ),
]

export const defectsOfReturning: readonly Defect[] = [...codes, ...states, ...errorStates]
