import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'
import { CON } from './requirements.ts'

/** Credentials that are taken for others than they are. */

type Client = NonNullable<ReturnType<Rules['clientOf']>>
type SecretFacts = Parameters<Rules['secretMatches']>[0]

/** Compares the secret of a consent request in another way. */
const comparing =
  (matches: (facts: SecretFacts) => boolean): RuleChange =>
  (lawful) => ({
    secretMatches: (facts) =>
      (facts.endpoint === 'consents' && matches(facts)) || lawful.secretMatches(facts),
  })

const secrets: readonly Defect[] = [
  {
    id: 'any-secret-creates-a-consent',
    story: 'POST /v1/consents looks at the client_id and not at the secret.',
    breaks: [CON.wrongSecretIsRefused],
    rules: comparing(() => true),
  },
  {
    id: 'secret-is-compared-at-its-beginning',
    story: 'A secret is right if its first eight characters are.',
    breaks: [CON.wrongSecretIsRefused],
    rules: comparing(({ client, secret }) => secret.startsWith(client.secret.slice(0, 8))),
  },
  {
    id: 'secret-is-compared-as-far-as-it-is-known',
    story: 'A secret may be longer than the right one.',
    breaks: [CON.wrongSecretIsRefused],
    rules: comparing(({ client, secret }) => secret.startsWith(client.secret)),
  },
  {
    id: 'secret-is-compared-as-far-as-it-is-sent',
    story: 'A secret may lack characters at its end.',
    breaks: [CON.wrongSecretIsRefused],
    rules: comparing(({ client, secret }) => secret !== '' && client.secret.startsWith(secret)),
  },
  {
    id: 'secret-is-compared-without-its-case',
    story: 'The letters of a secret may have any case.',
    breaks: [CON.wrongSecretIsRefused],
    rules: comparing(({ client, secret }) => secret.toLowerCase() === client.secret.toLowerCase()),
  },
  {
    id: 'empty-secret-is-enough-in-production',
    story: 'In production an empty secret is as good as the right one.',
    breaks: [CON.wrongSecretIsRefused],
    environment: 'production',
    rules: comparing(({ secret }) => secret === ''),
  },
  {
    id: 'secret-may-differ-in-one-character',
    story: 'A secret of the right length may differ in one of its characters.',
    breaks: [CON.wrongSecretIsRefused],
    rules: comparing(({ client, secret }) => {
      const differing = Array.from(secret).filter((character, at) => character !== client.secret[at])
      return secret.length === client.secret.length && differing.length === 1
    }),
  },
  {
    id: 'secret-of-any-client-creates-a-consent',
    story: 'The secret of a consent request is looked up among those of all clients.',
    breaks: [CON.wrongSecretIsRefused],
    rules: (lawful) => {
      let all: readonly Client[] = []
      return {
        clientOf: (facts) => {
          all = facts.clients
          return lawful.clientOf(facts)
        },
        secretMatches: (facts) =>
          lawful.secretMatches(facts) ||
          (facts.endpoint === 'consents' && all.some(({ secret }) => secret === facts.secret)),
      }
    },
  },
  {
    id: 'fifth-wrong-secret-passes',
    story: 'After four wrong secrets a TPP is let in with a fifth.',
    breaks: [CON.wrongSecretIsRefused],
    rules: (lawful) => {
      let wrong = 0
      return {
        secretMatches: (facts) => {
          if (facts.endpoint !== 'consents' || lawful.secretMatches(facts)) return lawful.secretMatches(facts)
          wrong += 1
          return wrong === 5
        },
      }
    },
  },
]

/** Takes a consent request without a client of its own for one of the TPP that was served last. */
const rememberingTheLast =
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

const clients: readonly Defect[] = [
  {
    id: 'client-of-a-consent-is-known-by-its-beginning',
    story: 'What stands behind the client_id of a consent request is ignored.',
    breaks: [CON.unknownClientIsRefused],
    rules: (lawful) => ({
      clientOf: (facts) =>
        lawful.clientOf(facts) ??
        (facts.endpoint === 'consents'
          ? facts.clients.find(({ clientId }) => facts.clientId.startsWith(clientId))
          : undefined),
    }),
  },
  {
    id: 'unknown-client-is-known-by-its-secret',
    story: 'An unknown client_id is overlooked if the secret is that of the TPP which was served last.',
    breaks: [CON.unknownClientIsRefused],
    rules: rememberingTheLast((lawful, last) => ({
      clientOf: (facts) =>
        lawful.clientOf(facts) ?? (facts.endpoint === 'consents' ? last(facts.clients) : undefined),
    })),
  },
  {
    id: 'unknown-client-is-registered-in-production',
    story: 'In production an unknown client is registered as a TPP by its first consent request.',
    breaks: [CON.unknownClientIsRefused],
    environment: 'production',
    rules: (lawful) => {
      const guests = new Set<Client>()
      return {
        clientOf: (facts) => {
          const client = lawful.clientOf(facts)
          const [tpp] = facts.clients.filter(({ kind }) => kind === 'TPP')
          if (client !== undefined || tpp === undefined || facts.endpoint !== 'consents') return client
          const guest: Client = { ...tpp }
          guests.add(guest)
          return guest
        },
        secretMatches: (facts) => guests.has(facts.client) || lawful.secretMatches(facts),
      }
    },
  },
  {
    id: 'missing-credentials-stand-for-the-last-client',
    story: 'A consent request without credentials is taken for one of the TPP that was served last.',
    breaks: [CON.missingCredentialsAreRefused],
    rules: rememberingTheLast((lawful, last) => ({
      clientWithoutBasic: (facts) =>
        facts.endpoint === 'consents' ? last(facts.clients) : lawful.clientWithoutBasic(facts),
    })),
  },
  {
    id: 'missing-credentials-pass-in-production',
    story: 'In production a consent request without credentials is served.',
    breaks: [CON.missingCredentialsAreRefused],
    environment: 'production',
    rules: (lawful) => ({
      clientWithoutBasic: (facts) =>
        facts.endpoint === 'consents'
          ? facts.clients.find(({ kind }) => kind === 'TPP')
          : lawful.clientWithoutBasic(facts),
    }),
  },
]

type CredentialFacts = Parameters<Rules['basicCredentials']>[0]

/** Reads the header of a consent request in another way, where the right way finds nothing. */
const reading =
  (read: (facts: CredentialFacts, lawful: Rules) => ReturnType<Rules['basicCredentials']>): RuleChange =>
  (lawful) => ({
    basicCredentials: (facts) =>
      lawful.basicCredentials(facts) ?? (facts.endpoint === 'consents' ? read(facts, lawful) : undefined),
  })

const decoded = ({ header }: CredentialFacts): string =>
  Buffer.from(header.split(' ')[1] ?? '', 'base64').toString()

const schemes: readonly Defect[] = [
  {
    id: 'every-scheme-is-basic',
    story: 'Whatever stands before the blank, the value behind it is read as that of Basic.',
    breaks: [CON.anotherSchemeIsRefused],
    rules: reading((facts, lawful) =>
      lawful.basicCredentials({ ...facts, header: facts.header.replace(/^\S+/, 'Basic') }),
    ),
  },
  {
    id: 'bearer-is-basic-in-production',
    story: 'In production the credentials may follow the prefix Bearer.',
    breaks: [CON.anotherSchemeIsRefused],
    environment: 'production',
    rules: reading((facts, lawful) =>
      lawful.basicCredentials({ ...facts, header: facts.header.replace('Bearer', 'Basic') }),
    ),
  },
  {
    id: 'client-id-alone-is-enough',
    story: 'Where the value has no colon, the secret is not looked at.',
    breaks: [CON.valueWithoutColonIsRefused],
    rules: (lawful) => {
      const none = 'no secret was sent'
      return {
        basicCredentials: (facts) =>
          lawful.basicCredentials(facts) ??
          (facts.endpoint === 'consents' && facts.header.startsWith('Basic')
            ? { clientId: decoded(facts), secret: none }
            : undefined),
        secretMatches: (facts) => facts.secret === none || lawful.secretMatches(facts),
      }
    },
  },
  {
    id: 'colon-is-not-missed',
    story: 'Where the value has no colon, it is divided behind the client_id of whom was served last.',
    breaks: [CON.valueWithoutColonIsRefused],
    rules: (lawful) => {
      let served = ''
      return {
        secretMatches: (facts) => {
          served = facts.client.clientId
          return lawful.secretMatches(facts)
        },
        basicCredentials: (facts) => {
          const credentials = lawful.basicCredentials(facts)
          const value = facts.header.startsWith('Basic') ? decoded(facts) : ''
          if (facts.endpoint !== 'consents' || !value.startsWith(served)) return credentials
          return credentials ?? { clientId: served, secret: value.slice(served.length) }
        },
      }
    },
  },
  {
    id: 'fac-is-given-a-consent',
    story: 'Every application is given consents, whether it is a TPP or a FAC.',
    breaks: [CON.finalApiConsumerGetsNoConsent],
    rules: { mayCreateConsents: () => true },
  },
  {
    id: 'fac-is-given-a-consent-in-production',
    story: 'In production every application is given consents.',
    breaks: [CON.finalApiConsumerGetsNoConsent],
    environment: 'production',
    rules: { mayCreateConsents: () => true },
  },
]

export const defectsOfProving: readonly Defect[] = [...secrets, ...clients, ...schemes]
