import { breaking, isOfATpp, on, rewordingAnswers, where } from '../../shared/defects.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { AUT } from '../requirements.ts'

/** Codes and states that are sent back wrong, to another address, or not at all. */

type Return = Parameters<Rules['returnLocation']>[0]

const isGrant = ({ ending }: Pick<Return, 'ending'>): boolean => ending === 'granted'

const hasQuery = ({ redirectUri }: Return): boolean => redirectUri.includes('?')

const hasAmpersand = ({ parameters }: Return): boolean => parameters['state']?.includes('&') === true

/** Changes the address to which a code is sent. */
const sending = (
  applies: (facts: Return) => boolean,
  edit: (location: string, facts: Return) => string,
): RuleChange =>
  where<'returnLocation'>(
    (facts) => isGrant(facts) && applies(facts),
    (lawful) => ({
      returnLocation: (facts) => edit(lawful.returnLocation(facts), facts),
    }),
  )

const always = (): boolean => true

const codes: readonly Defect[] = [
  ...breaking(AUT.grantGivesACode, {
    'reserved-character-in-the-state-ends-in-an-error': {
      story: 'A grant is reported as server_error if the state has an ampersand.',
      rules: sending(hasAmpersand, (location) => location.replace(/code=[^&]*/, 'error=server_error')),
    },
    'grant-to-a-tpp-is-reported-as-a-denial': {
      story: 'A grant to a TPP is reported as access_denied if the state has an ampersand.',
      rules: sending(
        (facts) => isOfATpp(facts) && hasAmpersand(facts),
        (location) => location.replace(/code=[^&]*/, 'error=access_denied'),
      ),
    },
    'reserved-character-in-the-state-loses-the-code': {
      story: 'A grant is sent back without a code if the state has an ampersand.',
      alsoBreaks: [AUT.codeStandsInTheQuery],
      rules: sending(hasAmpersand, (location) => location.replace(/code=[^&]*&?/, '')),
    },
  }),
  ...breaking(AUT.codeGoesToTheRegisteredRedirectUri, {
    'code-goes-to-the-first-registered-redirect-uri': {
      story: 'The code is sent to the first registered redirect URI, and not to the requested one.',
      rules: sending(hasQuery, (location, { client }) => {
        const [first = ''] = client.redirectUris
        return `${first}${new URL(location).search}`
      }),
    },
    'code-goes-to-another-port': {
      story: 'The code is sent to port 8443 of the registered host.',
      rules: sending(always, (location) => location.replace(/^(https:\/\/[^/]+)/, '$1:8443')),
    },
    'code-of-a-tpp-goes-over-http': {
      story: 'The code for a TPP is sent to the registered redirect URI by http.',
      rules: sending(isOfATpp, (location) => location.replace('https:', 'http:')),
    },
    'code-goes-to-the-path-with-a-slash-in-production': {
      story: 'In production the code is sent to the redirect URI with a slash after its path.',
      environment: 'production',
      rules: sending(always, (location) => location.replace('?', '/?')),
    },
  }),
  ...breaking(AUT.codeStandsInTheQuery, {
    'code-stands-in-the-fragment': {
      story: 'The code is in the fragment if the redirect URI has a query.',
      rules: sending(hasQuery, (location) => location.replace(/code=([^&]*)&(.*)$/, '$2#code=$1')),
    },
    'code-has-another-name': {
      story: 'The code is called authorization_code if the redirect URI has a query.',
      rules: sending(hasQuery, (location) => location.replace('code=', 'authorization_code=')),
    },
    'code-stands-behind-a-second-question-mark': {
      story: 'The code is added after a second question mark if the redirect URI has a query.',
      alsoBreaks: [AUT.redirectUriKeepsItsOwnQuery],
      rules: sending(hasQuery, (location) => location.replace('&code=', '?code=')),
    },
  }),
  ...breaking(AUT.redirectNamesEachParameterOnce, {
    'state-stands-there-twice': {
      story: 'The state is sent twice if the redirect URI has a query.',
      rules: sending(hasQuery, (location) => `${location}&${/state=[^&]*/.exec(location)?.[0] ?? ''}`),
    },
    'code-for-a-tpp-stands-there-twice': {
      story: 'The code for a TPP is sent twice in one redirect.',
      rules: sending(isOfATpp, (location) => `${location}&${/code=[^&]*/.exec(location)?.[0] ?? ''}`),
    },
    'state-of-a-denial-stands-there-twice': {
      story: 'A denial is sent back with the state twice.',
      rules: (lawful) => ({
        returnLocation: (facts) => {
          const location = lawful.returnLocation(facts)
          const [state = ''] = /&state=[^&]*/.exec(location) ?? []
          return facts.ending === 'denied' ? `${location}${state}` : location
        },
      }),
    },
  }),
  ...breaking(AUT.redirectUriKeepsItsOwnQuery, {
    'redirect-uri-loses-its-query': {
      story: 'The query of a redirect URI is replaced by the code.',
      rules: sending(hasQuery, (location) => location.replace(/\?.*(?=code=)/, '?')),
    },
    'redirect-uri-of-a-later-application-loses-its-query': {
      story:
        'The query of a redirect URI is replaced by the code, for all but the first application of a kind.',
      rules: sending(
        (facts) => hasQuery(facts) && /orchard|lantern/.test(facts.redirectUri),
        (location) => location.replace(/\?.*(?=code=)/, '?'),
      ),
    },
    'redirect-uri-keeps-one-parameter': {
      story: 'Only the first parameter of the query of a redirect URI is kept.',
      rules: sending(hasQuery, (location) => location.replace(/&.*(?=&code=)/, '')),
    },
  }),
]

type StateFacts = Parameters<Rules['stateCarriedBack']>[0]

/** Changes the state that is sent back. */
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

const states: readonly Defect[] = [
  ...breaking(AUT.stateIsReturnedUnchanged, {
    'state-of-a-fac-is-lost': {
      story: 'The state of a FAC is not sent back.',
      rules: carrying((text, { client }) => (client.kind === 'FAC' ? undefined : text)),
    },
    'state-is-lost-beside-a-query': {
      story: 'The state is not sent back if the redirect URI has a query.',
      rules: carrying((text, { redirectUri }) => (redirectUri.includes('?') ? undefined : text)),
    },
    'state-is-cut-at-64-characters': {
      story: 'A state is cut after 64 characters.',
      rules: carrying((text) => text.slice(0, 64)),
    },
    'state-is-cut-at-128-characters': {
      story: 'A state is cut after 128 characters.',
      rules: carrying((text) => text.slice(0, 128)),
    },
    'state-is-cut-at-its-first-ampersand': {
      story: 'A state is cut at its first ampersand.',
      rules: carrying((text) => text.split('&')[0]),
    },
    'state-is-in-lower-case': {
      story: 'A state is sent back in lower case.',
      rules: carrying((text) => text.toLowerCase()),
    },
    'state-of-a-tpp-is-in-upper-case': {
      story: 'The state of a TPP is sent back in upper case.',
      rules: carrying((text, { client }) => (client.kind === 'TPP' ? text.toUpperCase() : text)),
    },
    'blank-in-the-state-becomes-a-plus': {
      story: 'A blank in the state is sent back as a plus sign.',
      rules: carrying((text) => text.replaceAll(' ', '+')),
    },
    'plus-in-the-state-becomes-a-blank': {
      story: 'A plus sign in the state is sent back as a blank.',
      rules: carrying((text) => text.replaceAll('+', ' ')),
    },
    'state-is-trimmed': {
      story: 'A state is sent back without the blanks at its ends.',
      rules: carrying((text) => text.trim()),
    },
    'state-is-decoded-twice': {
      story: 'Percent escapes in the state are decoded twice.',
      rules: carrying((text) => text.replaceAll(/%[0-9A-Fa-f]{2}/g, decoded)),
    },
    'state-is-escaped-for-a-page': {
      story: 'A state is sent back with the escapes of HTML.',
      rules: carrying((text) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
      ),
    },
    'backslash-in-the-state-is-taken-for-an-escape': {
      story: 'A state is sent back without its backslashes.',
      rules: carrying((text) => text.replaceAll('\\', '')),
    },
    'state-is-cut-at-a-hash-in-production': {
      story: 'In production a state is cut at its first number sign.',
      environment: 'production',
      rules: carrying((text) => text.split('#')[0]),
    },
  }),
  ...breaking(AUT.denialReturnsTheState, {
    'denial-loses-the-state': {
      story: 'A denial is sent back without the state.',
      rules: carrying(() => undefined, 'denied'),
    },
    'denial-to-a-tpp-cuts-the-state': {
      story: 'The state of a denial is cut after 16 characters for a TPP.',
      rules: carrying((text, { client }) => (client.kind === 'TPP' ? text.slice(0, 16) : text), 'denied'),
    },
    'refusal-loses-the-state': {
      story: 'A refusal is sent back without the state.',
      rules: carrying(() => undefined, 'refused'),
    },
    'refusal-decodes-the-state': {
      story: 'The percent escapes in the state of a refusal are decoded twice.',
      rules: carrying((text) => text.replaceAll(/%[0-9A-Fa-f]{2}/g, decoded), 'refused'),
    },
  }),
]

const statuses: readonly Defect[] = breaking(AUT.redirectRepeatsNoRequest, {
  'code-is-sent-with-307': {
    story:
      'The browser is redirected with 307, so that it sends the form of the customer to the application.',
    rules: where<'returnStatus'>(isGrant, { returnStatus: () => 307 }),
  },
  'denial-is-sent-with-307': {
    story: 'A denial is sent back with 307.',
    rules: where<'returnStatus'>(({ ending }) => ending === 'denied', { returnStatus: () => 307 }),
  },
})

/** Whether a code was, or is to be, shown on the result screen. */
const isShown = (redirectUri: string): boolean => redirectUri === 'https://bank.example/result'

const shown: readonly Defect[] = breaking(AUT.shownCodeIsExchanged, {
  'shown-code-is-not-exchanged': {
    story: 'The token endpoint refuses a code that was shown on the result screen.',
    rules: (lawful) => ({
      redirectUriMatches: (facts) => !isShown(facts.code.redirectUri) && lawful.redirectUriMatches(facts),
    }),
  },
  'shown-code-of-a-tpp-lacks-its-end': {
    story: 'The result screen shows a TPP all characters of a code but the last one.',
    rules: (lawful) => ({
      returnParameters: (facts) => {
        const { code, ...others } = lawful.returnParameters(facts)
        if (code === undefined) return others
        return { code: isShown(facts.redirectUri) && isOfATpp(facts) ? code.slice(0, -1) : code, ...others }
      },
    }),
  },
})

const POLICY = 'content-security-policy'

/** Changes the policy of the pages of an authorization. */
const withPolicy = (edit: (policy: string) => string): Wire =>
  rewordingAnswers(on('GET', /\/oauth\//), ({ headers }) => ({
    headers: { [POLICY]: edit(headers.get(POLICY) ?? '') },
  }))

const frames: readonly Defect[] = breaking(AUT.pageCannotBeFramed, {
  'pages-can-be-framed': {
    story: 'The policy of the pages says nothing about frames.',
    wire: withPolicy((policy) => policy.replace(/;[^;]*frame-ancestors[^;]*/, '')),
  },
  'pages-can-be-framed-by-every-site': {
    story: 'The policy of the pages lets every site with TLS frame them.',
    wire: withPolicy((policy) => policy.replace(/frame-ancestors[^;]*/, 'frame-ancestors https:')),
  },
  'second-directive-against-frames-is-ignored': {
    story:
      'The first frame-ancestors of the policy permits every site; the second one, which browsers ignore, none.',
    wire: withPolicy((policy) => `frame-ancestors *; ${policy}`),
  },
  'pages-can-be-framed-from-every-port': {
    story: 'The policy of the pages permits every site at every port.',
    wire: withPolicy((policy) => policy.replace(/frame-ancestors[^;]*/, 'frame-ancestors *:*')),
  },
  'policy-only-reports-frames': {
    story: 'The policy of the pages is only reported, and not enforced.',
    wire: rewordingAnswers(on('GET', /\/oauth\//), ({ headers }) => ({
      headers: {
        [POLICY]: undefined,
        'content-security-policy-report-only': headers.get(POLICY) ?? '',
      },
    })),
  },
})

export const answerDefects: readonly Defect[] = [...codes, ...states, ...statuses, ...shown, ...frames]
