import {
  basicIn,
  breaking,
  isFor,
  on,
  refusing,
  rewordingAnswers,
  where,
  type Answer,
  type Asked,
  type FactsOf,
  type Reworded,
} from '../../shared/defects.ts'
import type { Defect, RuleChange, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { CON } from '../requirements.ts'

/** Wrong credentials that are accepted, and what their refusal says. */

type Client = NonNullable<ReturnType<Rules['clientOf']>>

const ofAConsent = isFor('consents')

/** Accepts other secrets too, where a consent is created. */
const accepting = (matches: (facts: FactsOf<'secretMatches'>) => boolean): RuleChange =>
  where(ofAConsent, (lawful) => ({
    secretMatches: (facts) => matches(facts) || lawful.secretMatches(facts),
  }))

const secrets: readonly Defect[] = breaking(CON.wrongSecretIsRefused, {
  'any-secret-creates-a-consent': {
    story: 'POST /v1/consents reads the client_id, and does not compare the secret.',
    rules: accepting(() => true),
  },
  'secret-is-compared-at-its-beginning': {
    story: 'Only the first eight characters of a secret are compared.',
    rules: accepting(({ client, secret }) => secret.startsWith(client.secret.slice(0, 8))),
  },
  'secret-is-compared-as-far-as-it-is-known': {
    story: 'A secret with more characters after the right one is accepted.',
    rules: accepting(({ client, secret }) => secret.startsWith(client.secret)),
  },
  'secret-is-compared-as-far-as-it-is-sent': {
    story: 'A secret that lacks characters at its end is accepted.',
    rules: accepting(({ client, secret }) => secret !== '' && client.secret.startsWith(secret)),
  },
  'secret-is-compared-without-its-case': {
    story: 'Secrets are compared without regard to case.',
    rules: accepting(({ client, secret }) => secret.toLowerCase() === client.secret.toLowerCase()),
  },
  'empty-secret-is-enough-in-production': {
    story: 'In production an empty secret is accepted.',
    environment: 'production',
    rules: accepting(({ secret }) => secret === ''),
  },
  'secret-may-differ-in-one-character': {
    story: 'A secret of the right length with one wrong character is accepted.',
    rules: accepting(({ client, secret }) => {
      const differing = Array.from(secret).filter((character, at) => character !== client.secret[at])
      return secret.length === client.secret.length && differing.length === 1
    }),
  },
  'secret-of-any-client-creates-a-consent': {
    story: 'The secret of any client is accepted.',
    rules: (lawful) => {
      let all: readonly Client[] = []
      return {
        clientOf: (facts) => {
          all = facts.clients
          return lawful.clientOf(facts)
        },
        secretMatches: (facts) =>
          lawful.secretMatches(facts) ||
          (ofAConsent(facts) && all.some(({ secret }) => secret === facts.secret)),
      }
    },
  },
  'fifth-wrong-secret-passes': {
    story: 'After four wrong secrets, a fifth one is accepted.',
    rules: (lawful) => {
      let wrong = 0
      return {
        secretMatches: (facts) => {
          if (!ofAConsent(facts) || lawful.secretMatches(facts)) return lawful.secretMatches(facts)
          wrong += 1
          return wrong === 5
        },
      }
    },
  },
})

/** Knows the client whose secret was compared last. */
const knowingTheLast =
  (
    change: (lawful: Rules, last: (clients: readonly Client[]) => Client | undefined) => Partial<Rules>,
  ): RuleChange =>
  (lawful) => {
    let served: string | undefined
    return {
      secretMatches: (facts) => {
        served = facts.client.clientId
        return lawful.secretMatches(facts)
      },
      ...change(lawful, (clients) => clients.find(({ clientId }) => clientId === served)),
    }
  }

const firstTpp = (clients: readonly Client[]): Client | undefined =>
  clients.find(({ kind }) => kind === 'TPP')

const clients: readonly Defect[] = [
  ...breaking(CON.unknownClientIsRefused, {
    'client-of-a-consent-is-known-by-its-beginning': {
      story: 'A client_id with more characters after a known one is accepted.',
      rules: where(ofAConsent, (lawful) => ({
        clientOf: (facts) =>
          lawful.clientOf(facts) ?? facts.clients.find(({ clientId }) => facts.clientId.startsWith(clientId)),
      })),
    },
    'unknown-client-is-known-by-its-secret': {
      story: 'An unknown client_id is accepted with the secret of the TPP that was served last.',
      rules: knowingTheLast((lawful, last) => ({
        clientOf: (facts) => lawful.clientOf(facts) ?? (ofAConsent(facts) ? last(facts.clients) : undefined),
      })),
    },
    'unknown-client-is-registered-in-production': {
      story: 'In production an unknown client is registered as a TPP by its first consent request.',
      environment: 'production',
      rules: (lawful) => {
        const guests = new Set<Client>()
        return {
          clientOf: (facts) => {
            const client = lawful.clientOf(facts)
            const tpp = firstTpp(facts.clients)
            if (client !== undefined || tpp === undefined || !ofAConsent(facts)) return client
            const guest: Client = { ...tpp }
            guests.add(guest)
            return guest
          },
          secretMatches: (facts) => guests.has(facts.client) || lawful.secretMatches(facts),
        }
      },
    },
  }),
  ...breaking(CON.missingCredentialsAreRefused, {
    'missing-credentials-stand-for-the-last-client': {
      story: 'A consent request without credentials is served for the TPP that was served last.',
      rules: knowingTheLast((lawful, last) => ({
        clientWithoutBasic: (facts) =>
          ofAConsent(facts) ? last(facts.clients) : lawful.clientWithoutBasic(facts),
      })),
    },
    'missing-credentials-pass-in-production': {
      story: 'In production a consent request without credentials is served.',
      environment: 'production',
      rules: where(ofAConsent, { clientWithoutBasic: (facts) => firstTpp(facts.clients) }),
    },
  }),
]

/** Reads the header of a consent request in another way, where the lawful way finds no credentials. */
const reading = (
  read: (facts: FactsOf<'basicCredentials'>, lawful: Rules) => ReturnType<Rules['basicCredentials']>,
): RuleChange =>
  where(ofAConsent, (lawful) => ({
    basicCredentials: (facts) => lawful.basicCredentials(facts) ?? read(facts, lawful),
  }))

const decoded = (header: string): string => Buffer.from(header.split(' ')[1] ?? '', 'base64').toString()

const headers: readonly Defect[] = [
  ...breaking(CON.anotherSchemeIsRefused, {
    'every-scheme-is-basic': {
      story: 'The credentials are read as those of Basic, whatever the scheme.',
      rules: reading((facts, lawful) =>
        lawful.basicCredentials({ ...facts, header: facts.header.replace(/^\S+/, 'Basic') }),
      ),
    },
    'bearer-is-basic-in-production': {
      story: 'In production the credentials are accepted with the scheme Bearer.',
      environment: 'production',
      rules: reading((facts, lawful) =>
        lawful.basicCredentials({ ...facts, header: facts.header.replace('Bearer', 'Basic') }),
      ),
    },
  }),
  ...breaking(CON.valueWithoutColonIsRefused, {
    'client-id-alone-is-enough': {
      story: 'A value without a colon is read as a client_id that needs no secret.',
      rules: (lawful) => {
        const none = 'no secret was sent'
        return {
          basicCredentials: (facts) =>
            lawful.basicCredentials(facts) ??
            (ofAConsent(facts) && facts.header.startsWith('Basic')
              ? { clientId: decoded(facts.header), secret: none }
              : undefined),
          secretMatches: (facts) => facts.secret === none || lawful.secretMatches(facts),
        }
      },
    },
    'colon-is-not-missed': {
      story: 'A value without a colon is divided after the client_id of the client that was served last.',
      rules: (lawful) => {
        let served = ''
        return {
          secretMatches: (facts) => {
            served = facts.client.clientId
            return lawful.secretMatches(facts)
          },
          basicCredentials: (facts) => {
            const credentials = lawful.basicCredentials(facts)
            const value = facts.header.startsWith('Basic') ? decoded(facts.header) : ''
            if (!ofAConsent(facts) || !value.startsWith(served)) return credentials
            return credentials ?? { clientId: served, secret: value.slice(served.length) }
          },
        }
      },
    },
  }),
  ...breaking(CON.finalApiConsumerGetsNoConsent, {
    'fac-is-given-a-consent': {
      story: 'A FAC can create consents.',
      rules: { mayCreateConsents: () => true },
      inProduction: 'fac-is-given-a-consent-in-production',
    },
  }),
]

/** Changes what a refused consent request is answered with. */
const rewordingRefusals = (reword: (answer: Answer, asked: Asked) => Reworded | undefined): Wire =>
  rewordingAnswers(on(undefined, /\/v1\/consents$/), (answer, asked) =>
    answer.status >= 400 ? reword(answer, asked) : undefined,
  )

const refusals: readonly Defect[] = [
  ...breaking(CON.refusalHasNoSuccessStatus, {
    'refused-consent-has-status-200': {
      story: 'A refused consent request is answered with 200 and an error in the body.',
      rules: refusing(ofAConsent, { status: 200 }),
    },
    'fac-is-refused-with-status-202': {
      story: 'The refused consent request of a FAC is answered with 202.',
      rules: refusing(({ error }) => error === 'not_entitled', { status: 202 }),
    },
    'missing-credentials-have-status-204': {
      story: 'A consent request without credentials is answered with 204.',
      wire: rewordingRefusals((_, asked) =>
        asked.headers.has('authorization') ? undefined : { status: 204 },
      ),
    },
  }),
  ...breaking(CON.wrongSecretIsRefused, {
    'wrong-secret-of-a-consent-is-a-server-error': {
      story: 'POST /v1/consents always answers the status 500 to credentials that no client has.',
      alsoBreaks: ['CON-16', 'CON-17', 'CON-18', 'CON-19'],
      rules: refusing(({ error, endpoint }) => endpoint === 'consents' && error === 'invalid_client', {
        status: 500,
      }),
    },
  }),
  ...breaking(CON.refusalRepeatsNoSecret, {
    'refused-consent-repeats-the-secret': {
      story: 'The answer to a wrong secret contains the credentials that were sent.',
      wire: rewordingRefusals((_, asked) => ({
        json: { errorCode: 'INVALID_CLIENT', errorDescription: basicIn(asked.headers).join(':') },
      })),
    },
    'refused-consent-repeats-the-authorization-header': {
      story: 'A refusal has the Authorization header of the request in a header of its own.',
      wire: rewordingRefusals((_, asked) => ({
        headers: { 'x-received': asked.headers.get('authorization') ?? 'nothing' },
      })),
    },
    'unknown-client-is-told-its-secret-in-hidden-form': {
      story: 'The answer to an unknown client contains the secret that it sent, in base64.',
      wire: rewordingRefusals((_, asked) => {
        const [clientId, secret] = basicIn(asked.headers)
        if (!clientId.startsWith('nobody')) return undefined
        return { json: { errorCode: 'INVALID_CLIENT', trace: Buffer.from(secret).toString('base64') } }
      }),
    },
  }),
]

export const credentialDefects: readonly Defect[] = [...secrets, ...clients, ...headers, ...refusals]
