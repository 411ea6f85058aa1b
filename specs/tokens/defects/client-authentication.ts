import {
  basicIn,
  breaking,
  hasScopeOfATpp,
  isOfATpp,
  refusing,
  where,
  type FactsOf,
} from '../../shared/defects.ts'
import { isRecasedOnce, readingExchanges } from './requests.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import { TOK } from '../requirements.ts'

/** Code exchanges that are accepted from the wrong client, and the form of their refusal. */

interface Credentials {
  readonly clientId: string
  readonly secret: string
}

const credentialsIn = (authorization: string): Credentials => {
  const [clientId, secret] = basicIn(new Headers({ authorization }))
  return { clientId, secret }
}

/** Replaces a Basic header by one that was accepted before, where both together are accepted. */
const accepting = (
  accepts: (given: Credentials, known: Credentials, form: URLSearchParams) => boolean,
): Wire =>
  readingExchanges(({ form, headers }, { issued }) => {
    const authorization = headers.get('authorization')
    if (authorization === null) return
    const given = credentialsIn(authorization)
    const meant = issued.find((known) => accepts(given, credentialsIn(known.authorization), form))
    if (meant !== undefined) headers.set('authorization', meant.authorization)
  })

/** Compares the secret of a known client in another way. */
const acceptingSecrets = (accepts: (given: string, right: string) => boolean): Wire =>
  accepting((given, known) => given.clientId === known.clientId && accepts(given.secret, known.secret))

/** Without credentials, the client is the one that the code was issued to. */
const codeNamesTheClient: RuleChange = (lawful) => {
  const owners = new Map<string, string>()
  return {
    newCode: (facts) => {
      const code = lawful.newCode(facts)
      owners.set(code, facts.client.clientId)
      return code
    },
    clientWithoutBasic: ({ form, clients }) =>
      form.has('client_id')
        ? undefined
        : clients.find(({ clientId }) => clientId === owners.get(form.get('code') ?? '')),
  }
}

/** Without credentials, the client is the one in the client_id of the form. */
const nameIsEnough =
  (kinds: readonly string[]): RuleChange =>
  (lawful) => ({
    clientWithoutBasic: (facts) =>
      facts.form.get('grant_type') === 'authorization_code'
        ? facts.clients.find(
            ({ clientId, kind }) => kinds.includes(kind) && clientId === facts.form.get('client_id'),
          )
        : lawful.clientWithoutBasic(facts),
  })

const isFailedAuthentication = ({
  error,
  endpoint,
}: Pick<FactsOf<'refusalBody'>, 'error' | 'endpoint'>): boolean =>
  endpoint === 'token' && error === 'invalid_client'

const wrongSecrets: readonly Defect[] = [
  ...breaking(TOK.wrongSecretIsRefused, {
    'secret-is-not-looked-at': {
      story: 'After its first authentication a client can exchange codes with any secret.',
      wire: acceptingSecrets(() => true),
    },
    'secret-is-compared-as-far-as-it-goes': {
      story: 'A secret that lacks characters at its end is accepted.',
      wire: acceptingSecrets((given, right) => given !== '' && right.startsWith(given)),
    },
    'secret-is-cut-to-its-length': {
      story: 'A secret with more characters after the right one is accepted.',
      wire: acceptingSecrets((given, right) => given.startsWith(right)),
    },
    'longer-secret-of-a-tpp-is-accepted': {
      story: 'The secret of a TPP is accepted with more characters after the right one.',
      wire: accepting(
        (given, known, form) =>
          hasScopeOfATpp(form) && given.clientId === known.clientId && given.secret.startsWith(known.secret),
      ),
    },
    'empty-secret-is-accepted': {
      story: 'An empty secret is accepted.',
      wire: acceptingSecrets((given) => given === ''),
    },
    'secret-is-compared-in-any-case': {
      story: 'Secrets are compared without regard to case.',
      wire: acceptingSecrets((given, right) => given.toLowerCase() === right.toLowerCase()),
    },
    'secret-with-one-letter-of-another-case-is-accepted': {
      story: 'A secret with one letter of the other case is accepted.',
      wire: acceptingSecrets(isRecasedOnce),
    },
    'secret-is-compared-without-its-beginning': {
      story: 'A secret that lacks its first character is accepted.',
      wire: acceptingSecrets((given, right) => given !== '' && right.slice(1) === given),
    },
    'secret-of-any-client-is-accepted': {
      story: 'The secret of any client is accepted.',
      alsoBreaks: [TOK.refreshWithAWrongSecretIsRefused],
      rules: (lawful) => {
        const secrets = new Set<string>()
        return {
          clientOf: (facts) => {
            for (const { secret } of facts.clients) secrets.add(secret)
            return lawful.clientOf(facts)
          },
          secretMatches: (facts) =>
            facts.endpoint === 'token' ? secrets.has(facts.secret) : lawful.secretMatches(facts),
        }
      },
    },
  }),
]

const unknownClients: readonly Defect[] = [
  ...breaking(TOK.unknownClientIsRefused, {
    'client-is-known-by-its-beginning': {
      story: 'A client_id with more characters after a known one is accepted.',
      wire: accepting(
        (given, known) => given.clientId.startsWith(known.clientId) && given.secret === known.secret,
      ),
    },
    'client-is-known-in-any-case': {
      story: 'A client_id is compared without regard to case.',
      wire: accepting(
        (given, known) =>
          given.clientId.toLowerCase() === known.clientId.toLowerCase() && given.secret === known.secret,
      ),
    },
    'client-is-known-by-its-secret': {
      story: 'In production the client of a code exchange is found by its secret only.',
      environment: 'production',
      wire: accepting((given, known) => given.secret === known.secret),
    },
  }),
  ...breaking(TOK.missingClientAuthenticationIsRefused, {
    'code-names-the-client': {
      story: 'Without an Authorization header, the client is the one that the code was issued to.',
      rules: codeNamesTheClient,
    },
    'client-id-is-enough': {
      story: 'A client_id in the form is accepted instead of credentials.',
      rules: nameIsEnough(['FAC', 'TPP']),
    },
    'client-id-of-a-tpp-is-enough': {
      story: 'A client_id in the form is accepted instead of the credentials of a TPP.',
      rules: nameIsEnough(['TPP']),
    },
  }),
  ...breaking(TOK.anotherClientsCodeIsRefused, {
    'code-is-good-for-every-client': {
      story: 'Any client can exchange a code.',
      rules: { codeBelongsTo: () => true },
    },
    'code-is-good-for-every-tpp': {
      story: 'A TPP can exchange the code of another client.',
      rules: where(isOfATpp, { codeBelongsTo: () => true }),
    },
  }),
]

const formOfRefusals: readonly Defect[] = [
  ...breaking(TOK.wrongSecretIsRefused, {
    'failed-client-authentication-is-a-server-error': {
      story: 'A failed Basic authentication is always answered with the status 500.',
      alsoBreaks: ['TOK-28', 'TOK-29', 'TOK-72', 'TOK-73'],
      rules: refusing(isFailedAuthentication, { status: 500 }),
    },
  }),
  ...breaking(TOK.wrongVerifierIsRefused, {
    'refused-code-is-a-server-error': {
      story:
        'A request to the token endpoint that is refused for its code, code_verifier or refresh token is always answered with the status 500.',
      alsoBreaks: [
        'AUT-44',
        'ENV-09',
        'ENV-17',
        'ENV-18',
        'ENV-19',
        'TOK-31',
        'TOK-32',
        'TOK-33',
        'TOK-34',
        'TOK-35',
        'TOK-36',
        'TOK-38',
        'TOK-40',
        'TOK-41',
        'TOK-42',
        'TOK-43',
        'TOK-44',
        'TOK-74',
        'TOK-75',
        'TOK-77',
        'TOK-90',
        'TOK-92',
      ],
      rules: refusing(({ error, endpoint }) => endpoint === 'token' && error === 'invalid_grant', {
        status: 500,
      }),
    },
  }),
  ...breaking(TOK.failedClientAuthenticationHasStatus401, {
    'failed-client-authentication-is-forbidden': {
      story: 'A failed Basic authentication is answered with the status 403.',
      rules: refusing(isFailedAuthentication, { status: 403 }),
    },
    'failed-client-authentication-is-a-bad-request': {
      story: 'A failed Basic authentication is answered with the status 400.',
      rules: refusing(isFailedAuthentication, { status: 400 }),
    },
  }),
  ...breaking(TOK.failedClientAuthenticationIsChallenged, {
    'failed-client-authentication-is-not-challenged': {
      story: 'A failed Basic authentication is answered without a WWW-Authenticate header.',
      rules: refusing(isFailedAuthentication, { headers: {} }),
    },
    'failed-client-authentication-asks-for-a-token': {
      story: 'A failed Basic authentication is answered with a challenge of the scheme Bearer.',
      rules: refusing(isFailedAuthentication, { headers: { 'www-authenticate': 'Bearer realm="Basic"' } }),
    },
  }),
]

export const clientAuthenticationDefects: readonly Defect[] = [
  ...wrongSecrets,
  ...unknownClients,
  ...formOfRefusals,
]
