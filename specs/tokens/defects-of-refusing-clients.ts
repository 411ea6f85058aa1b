import { isOfATpp, pairOf, readingExchanges } from './defect-wires.ts'
import { TOK } from './requirements.ts'
import type { Defect, RuleChange, Wire } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** What a bank can get wrong about who sends a code exchange. */

interface Claim {
  readonly clientId: string
  readonly secret: string
}

/** Takes a Basic header for one that was good before, where both together pass. */
const forgiving = (passes: (given: Claim, known: Claim, form: URLSearchParams) => boolean): Wire =>
  readingExchanges(({ form, headers }, { authorizations }) => {
    const given = claimOf(headers.get('authorization'))
    const meant = authorizations.find((known) => passes(given, claimOf(known), form))
    if (headers.has('authorization') && meant !== undefined) headers.set('authorization', meant)
  })

const claimOf = (authorization: string | null): Claim => {
  const [clientId, secret] = pairOf(authorization)
  return { clientId, secret }
}

/** Compares the secrets of one client so. */
const forgivingSecrets = (passes: (given: string, right: string) => boolean): Wire =>
  forgiving((given, known) => given.clientId === known.clientId && passes(given.secret, known.secret))

/** Takes whoever sends a code of such a client, without a client_id, for that client. */
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

/** Takes whoever names such a client in a code exchange for that client. */
const nameIsEnough =
  (kinds: readonly string[]): NonNullable<Defect['rules']> =>
  (lawful) => ({
    clientWithoutBasic: (facts) =>
      facts.form.get('grant_type') === 'authorization_code'
        ? facts.clients.find(
            ({ clientId, kind }) => kinds.includes(kind) && clientId === facts.form.get('client_id'),
          )
        : lawful.clientWithoutBasic(facts),
  })

type RefusalFacts = Parameters<Rules['refusalStatus']>[0]

const isOfTheTokenEndpoint = ({ error, endpoint }: RefusalFacts): boolean =>
  endpoint === 'token' && error === 'invalid_client'

const withStatus =
  (status: number): RuleChange =>
  (lawful) => ({
    refusalStatus: (facts) => (isOfTheTokenEndpoint(facts) ? status : lawful.refusalStatus(facts)),
  })

const withHeaders =
  (headers: Readonly<Record<string, string>>): RuleChange =>
  (lawful) => ({
    refusalHeaders: (facts) => (isOfTheTokenEndpoint(facts) ? headers : lawful.refusalHeaders(facts)),
  })

const wrongSecrets: readonly Defect[] = [
  {
    id: 'secret-is-not-looked-at',
    story: 'A client that was authenticated once can exchange codes with whatever secret.',
    breaks: [TOK.wrongSecretIsRefused],
    wire: forgivingSecrets(() => true),
  },
  {
    id: 'secret-is-compared-as-far-as-it-goes',
    story: 'A secret is accepted that begins like the right one.',
    breaks: [TOK.wrongSecretIsRefused],
    wire: forgivingSecrets((given, right) => given !== '' && right.startsWith(given)),
  },
  {
    id: 'secret-is-cut-to-its-length',
    story: 'Of a secret, what stands behind the right one is ignored.',
    breaks: [TOK.wrongSecretIsRefused],
    wire: forgivingSecrets((given, right) => given.startsWith(right)),
  },
  {
    id: 'longer-secret-of-a-tpp-is-accepted',
    story: 'Of the secret of a TPP, what stands behind the right one is ignored.',
    breaks: [TOK.wrongSecretIsRefused],
    wire: forgiving(
      (given, known, form) =>
        isOfATpp(form) && given.clientId === known.clientId && given.secret.startsWith(known.secret),
    ),
  },
  {
    id: 'empty-secret-is-accepted',
    story: 'A client that sends an empty secret is taken for a public one.',
    breaks: [TOK.wrongSecretIsRefused],
    wire: forgivingSecrets((given) => given === ''),
  },
  {
    id: 'secret-is-compared-in-any-case',
    story: 'Secrets are compared by a collation that ignores the case.',
    breaks: [TOK.wrongSecretIsRefused],
    wire: forgivingSecrets((given, right) => given.toLowerCase() === right.toLowerCase()),
  },
  {
    id: 'secret-of-any-client-is-accepted',
    story: 'A secret is looked up among those of all clients.',
    breaks: [TOK.wrongSecretIsRefused, TOK.refreshWithAWrongSecretIsRefused],
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
]

const unknownClients: readonly Defect[] = [
  {
    id: 'client-is-known-by-its-beginning',
    story: 'A client_id is accepted that begins like one that is known.',
    breaks: [TOK.unknownClientIsRefused],
    wire: forgiving(
      (given, known) => given.clientId.startsWith(known.clientId) && given.secret === known.secret,
    ),
  },
  {
    id: 'client-is-known-by-its-secret',
    story: 'The client of a code exchange is looked up by its secret alone, in production.',
    breaks: [TOK.unknownClientIsRefused],
    environment: 'production',
    wire: forgiving((given, known) => given.secret === known.secret),
  },
  {
    id: 'code-names-the-client',
    story: 'Without an Authorization header, the client is the one that the code was issued to.',
    breaks: [TOK.missingClientAuthenticationIsRefused],
    rules: codeNamesTheClient,
  },
  {
    id: 'client-id-is-enough',
    story: 'A client_id in the form is enough for a code exchange, as for a public client.',
    breaks: [TOK.missingClientAuthenticationIsRefused],
    rules: nameIsEnough(['FAC', 'TPP']),
  },
  {
    id: 'client-id-of-a-tpp-is-enough',
    story: 'A client_id in the form is enough for the code exchange of a TPP.',
    breaks: [TOK.missingClientAuthenticationIsRefused],
    rules: nameIsEnough(['TPP']),
  },
  {
    id: 'code-is-good-for-every-client',
    story: 'The client of a code is not looked at.',
    breaks: [TOK.anotherClientsCodeIsRefused],
    rules: { codeBelongsTo: () => true },
  },
  {
    id: 'code-is-good-for-every-tpp',
    story: 'A TPP can exchange the code of another TPP.',
    breaks: [TOK.anotherClientsCodeIsRefused],
    rules: (lawful) => ({
      codeBelongsTo: (facts) => facts.client.kind === 'TPP' || lawful.codeBelongsTo(facts),
    }),
  },
]

const formOfRefusals: readonly Defect[] = [
  {
    id: 'failed-client-authentication-is-forbidden',
    story: 'A failed Basic authentication is answered with the status 403.',
    breaks: [TOK.failedClientAuthenticationHasStatus401],
    rules: withStatus(403),
  },
  {
    id: 'failed-client-authentication-is-a-bad-request',
    story: 'A failed Basic authentication is answered with the status 400.',
    breaks: [TOK.failedClientAuthenticationHasStatus401],
    rules: withStatus(400),
  },
  {
    id: 'failed-client-authentication-is-not-challenged',
    story: 'A failed Basic authentication is answered without a WWW-Authenticate header.',
    breaks: [TOK.failedClientAuthenticationIsChallenged],
    rules: withHeaders({}),
  },
  {
    id: 'failed-client-authentication-asks-for-a-token',
    story: 'A failed Basic authentication is answered with a challenge of the scheme Bearer.',
    breaks: [TOK.failedClientAuthenticationIsChallenged],
    rules: withHeaders({ 'www-authenticate': 'Bearer realm="Basic"' }),
  },
]

export const defectsOfRefusingClients: readonly Defect[] = [
  ...wrongSecrets,
  ...unknownClients,
  ...formOfRefusals,
]
