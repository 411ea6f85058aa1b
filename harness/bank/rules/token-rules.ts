/** What the token endpoint issues, and how it is renewed. */
import { newSecret } from '../secret.ts'
import type { Grant, RefreshToken } from '../world.ts'
import { DAY, SECOND, type Awaitable, type ClientFacts, type Facts } from './facts.ts'

export type GrantType = 'authorization_code' | 'refresh_token'

export interface IssueFacts extends ClientFacts {
  readonly grant: Grant
  readonly grantType: GrantType
  /** The refresh token that is being renewed; nothing on a code exchange. */
  readonly previous: RefreshToken | undefined
}

interface RenewalFacts extends ClientFacts {
  readonly refreshToken: RefreshToken
}

export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly tokenType: string
  readonly expiresIn: number
  readonly scope: string | undefined
}

export interface TokenRules {
  readonly newAccessToken: (facts: IssueFacts) => Awaitable<string>
  readonly newRefreshToken: (facts: IssueFacts & { readonly accessToken: string }) => Awaitable<string>
  /** Whether a refresh token comes along. */
  readonly refreshTokenIsIssued: (facts: IssueFacts) => boolean
  /** In ms. */
  readonly accessLifetime: (facts: IssueFacts) => number
  /** In ms. */
  readonly refreshLifetime: (facts: IssueFacts) => number
  readonly tokenType: (facts: IssueFacts) => string
  /** What is said as expires_in, given the lifetime in ms. */
  readonly expiresIn: (facts: IssueFacts & { readonly lifetime: number }) => number
  /** What is said as scope; nothing leaves it out. */
  readonly statedScope: (facts: IssueFacts & { readonly scope: string }) => string | undefined
  /** The token response, member by member, in order. */
  readonly tokenBody: (
    facts: IssueFacts & { readonly tokens: IssuedTokens },
  ) => Readonly<Record<string, unknown>>
  readonly tokenHeaders: (facts: Facts) => Readonly<Record<string, string>>

  readonly refreshBelongsTo: (facts: RenewalFacts) => boolean
  readonly refreshIsFresh: (facts: RenewalFacts) => boolean
  readonly refreshIsRevoked: (
    facts: RenewalFacts & { readonly grant: Grant; readonly revokedAt: Date | undefined },
  ) => boolean
  /** Whether a renewal may ask for this scope (RFC 6749 §6: no more than was granted). */
  readonly refreshScopeIsAccepted: (
    facts: RenewalFacts & { readonly requested: string | undefined; readonly granted: string },
  ) => boolean
  /** Takes the refresh token, and says whether it was there to take. Atomic, like `redeemsCode`. */
  readonly redeemsRefreshToken: (
    facts: RenewalFacts & { readonly redemptions: Set<string> },
  ) => Awaitable<boolean>
  /** Whether a second use of a refresh token revokes its whole grant. */
  readonly refreshReplayRevokes: (facts: RenewalFacts) => boolean
  /** Whether the access token issued beside the renewed refresh token dies at the renewal. */
  readonly renewalRetiresAccess: (facts: RenewalFacts) => boolean
}

const LIFETIME = 90 * DAY

export const tokenRules: TokenRules = {
  newAccessToken: newSecret,
  newRefreshToken: newSecret,
  refreshTokenIsIssued: () => true,
  accessLifetime: () => LIFETIME,
  refreshLifetime: () => LIFETIME,
  tokenType: () => 'Bearer',
  expiresIn: ({ lifetime }) => Math.floor(lifetime / SECOND),
  statedScope: ({ scope }) => scope,
  tokenBody: ({ tokens }) => ({
    access_token: tokens.accessToken,
    token_type: tokens.tokenType,
    expires_in: tokens.expiresIn,
    refresh_token: tokens.refreshToken,
    scope: tokens.scope,
  }),
  tokenHeaders: () => ({ 'cache-control': 'no-store', pragma: 'no-cache' }),

  refreshBelongsTo: ({ refreshToken, client }) => refreshToken.clientId === client.clientId,
  // Both tokens are issued together and last 90 days. At that very instant the access token is expired and the
  // refresh token is good for the last time: else an expired access token could never be renewed.
  refreshIsFresh: ({ refreshToken, now }) => now <= refreshToken.expiresAt,
  refreshIsRevoked: ({ revokedAt }) => revokedAt !== undefined,
  refreshScopeIsAccepted: ({ requested, granted }) => requested === undefined || requested === granted,
  redeemsRefreshToken: ({ refreshToken, redemptions }) => {
    if (redemptions.has(refreshToken.value)) return false
    redemptions.add(refreshToken.value)
    return true
  },
  refreshReplayRevokes: () => false,
  renewalRetiresAccess: () => false,
}
