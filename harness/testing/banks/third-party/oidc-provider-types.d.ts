/** The types of oidc-provider that this server uses: the package has none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  /** The stored form of a model. `grantId` is the grant that a code or token belongs to. */
  export interface Payload {
    readonly grantId?: string
    readonly uid?: string
    readonly userCode?: string
    readonly consumed?: number
  }

  export interface Adapter {
    upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>
    find(id: string): Promise<Payload | undefined>
    findByUid(uid: string): Promise<Payload | undefined>
    findByUserCode(userCode: string): Promise<Payload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export interface Client {
    readonly clientId: string
    readonly clientName?: string
  }

  export interface Token {
    readonly accountId: string
    readonly clientId: string
    readonly grantId: string
    readonly scope?: string
  }

  export interface Grant {
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
    destroy(): Promise<void>
  }

  export interface Interaction {
    readonly prompt: {
      readonly name: string
      readonly details: { readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>> }
    }
    readonly params: { readonly client_id: string; readonly scope?: string }
    readonly session?: { readonly accountId: string }
  }

  export interface InteractionResult {
    readonly login?: { readonly accountId: string }
    readonly consent?: { readonly grantId: string }
    readonly error?: string
    readonly error_description?: string
  }

  interface Tokens {
    find(token: string): Promise<Token | undefined>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    readonly AccessToken: Tokens
    readonly RefreshToken: Tokens
    readonly AuthorizationCode: Tokens
    readonly Client: { find(clientId: string): Promise<Client | undefined> }
    readonly Grant: {
      new (owner: { readonly accountId: string | undefined; readonly clientId: string }): Grant
      find(grantId: string): Promise<Grant | undefined>
    }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    /** Resolves to the address where the authorization continues. */
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: InteractionResult,
      options: { readonly mergeWithLastSubmission: boolean },
    ): Promise<string>
  }

  export const errors: {
    readonly InvalidGrant: new (detail: string) => Error
  }
}
