/** How an application proves who it is. */
import type { Client } from '../world.ts'
import type { Awaitable, ClientFacts, Endpoint, Facts } from './facts.ts'

export interface Credentials {
  readonly clientId: string
  readonly secret: string
}

export interface ClientRules {
  /** What an Authorization header says about the client; nothing if it is not Basic credentials. */
  readonly basicCredentials: (
    facts: Facts & { readonly header: string; readonly endpoint: Endpoint },
  ) => Credentials | undefined
  /** Which client carries this client_id. */
  readonly clientOf: (
    facts: Facts & {
      readonly clientId: string
      readonly clients: readonly Client[]
      readonly endpoint: Endpoint
    },
  ) => Client | undefined
  readonly secretMatches: (
    facts: ClientFacts & { readonly secret: string; readonly endpoint: Endpoint },
  ) => Awaitable<boolean>
  /** Whom a request without an Authorization header is taken for. */
  readonly clientWithoutBasic: (
    facts: Facts & {
      readonly form: URLSearchParams
      readonly clients: readonly Client[]
      readonly endpoint: Endpoint
    },
  ) => Client | undefined
}

/** One space, base64, no quotes; the scheme in any case (RFC 9110 §11.1). */
const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i

export const clientRules: ClientRules = {
  basicCredentials: ({ header }) => {
    const pair = Buffer.from(BASIC.exec(header)?.[1] ?? '', 'base64').toString()
    const colon = pair.indexOf(':')
    return colon < 1 ? undefined : { clientId: pair.slice(0, colon), secret: pair.slice(colon + 1) }
  },
  clientOf: ({ clientId, clients }) => clients.find((client) => client.clientId === clientId),
  secretMatches: ({ client, secret }) => client.secret === secret,
  clientWithoutBasic: () => undefined,
}
