/** The issue and the single use of authorization codes, and the issue and renewal of tokens. */
import { createHash } from 'node:crypto'
import type { Code, Grant, RefreshToken } from '../state.ts'
import { type Awaitable, type ClientFacts, DAY, type Facts, MINUTE, newSecret, SECOND } from './facts.ts'

interface CodeFacts extends ClientFacts {
  readonly code: Code
}

export interface CodeRules {
  readonly newCode: (facts: ClientFacts) => string
  /** The media type of a token request, as its header states it. */
  readonly contentTypeIsAccepted: (facts: Facts & { readonly contentType: string }) => boolean
  readonly grantTypeIsAccepted: (facts: ClientFacts & { readonly grantType: string }) => boolean
  readonly codeBelongsTo: (facts: CodeFacts) => boolean
  /** Whether redirect_uri of the token request is the one used at authorization. */
  readonly redirectUriMatches: (facts: CodeFacts & { readonly redirectUri: string | undefined }) => boolean
  readonly verifierMatches: (facts: CodeFacts & { readonly verifier: string | undefined }) => boolean
  /** Whether the scope of the token request is accepted, given the granted one. */
  readonly exchangeScopeIsAccepted: (
    facts: CodeFacts & { readonly requested: string | undefined; readonly granted: string },
  ) => boolean
  /**
   * Uses the code, and returns whether it was unused. Atomic: of two concurrent requests, one gets `true`.
   * A rule that awaits between the test and the use is wrong for concurrent requests only.
   */
  readonly redeemsCode: (facts: CodeFacts & { readonly redemptions: Set<string> }) => Awaitable<boolean>
  readonly codeIsFresh: (facts: CodeFacts) => Awaitable<boolean>
  readonly codeIsRevoked: (
    facts: CodeFacts & { readonly grant: Grant; readonly revokedAt: Date | undefined },
  ) => boolean
  /** Whether a second use revokes the tokens of the first (RFC 6749 §4.1.2). */
  readonly replayRevokes: (facts: CodeFacts) => boolean
  /** Whether a refused request (wrong verifier, wrong redirect_uri) ends the code. */
  readonly failureSpendsCode: (facts: CodeFacts & { readonly error: string }) => boolean
}

const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

const CODE_LIFETIME = 5 * MINUTE

export const codeRules: CodeRules = {
  newCode: newSecret,
  contentTypeIsAccepted: ({ contentType }) =>
    contentType.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded',
  grantTypeIsAccepted: ({ grantType }) => grantType === 'authorization_code' || grantType === 'refresh_token',
  codeBelongsTo: ({ code, client }) => code.clientId === client.clientId,
  redirectUriMatches: ({ code, redirectUri }) => redirectUri === code.redirectUri,
  verifierMatches: ({ code, verifier }) => {
    // Only a bank that does not require PKCE, or accepts "plain", reaches the two cases that are not S256.
    if (code.challenge === undefined) return verifier === undefined
    if (verifier === undefined || !VERIFIER.test(verifier)) return false
    return (code.challengeMethod === 'S256' ? s256(verifier) : verifier) === code.challenge
  },
  exchangeScopeIsAccepted: ({ requested, granted }) => requested === undefined || requested === granted,
  redeemsCode: ({ code, redemptions }) => {
    if (redemptions.has(code.value)) return false
    redemptions.add(code.value)
    return true
  },
  codeIsFresh: ({ code, now }) => now.getTime() < code.issuedAt.getTime() + CODE_LIFETIME,
  codeIsRevoked: ({ revokedAt }) => revokedAt !== undefined,
  replayRevokes: () => true,
  failureSpendsCode: () => false,
}

export type GrantType = 'authorization_code' | 'refresh_token'

export interface IssueFacts extends ClientFacts {
  readonly grant: Grant
  readonly grantType: GrantType
  /** The refresh token that is being renewed; undefined for a code exchange. */
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
  /** Whether the answer has a refresh token. */
  readonly refreshTokenIsIssued: (facts: IssueFacts) => boolean
  /** In ms. */
  readonly accessLifetime: (facts: IssueFacts) => number
  /** In ms. */
  readonly refreshLifetime: (facts: IssueFacts) => number
  readonly tokenType: (facts: IssueFacts) => string
  /** The value of expires_in, given the lifetime in ms. */
  readonly expiresIn: (facts: IssueFacts & { readonly lifetime: number }) => number
  /** The scope in the answer; undefined leaves it out. */
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
  /** Uses the refresh token, and returns whether it was unused. Atomic, like `redeemsCode`. */
  readonly redeemsRefreshToken: (
    facts: RenewalFacts & { readonly redemptions: Set<string> },
  ) => Awaitable<boolean>
  /** Whether a second use of a refresh token revokes its whole grant. */
  readonly refreshReplayRevokes: (facts: RenewalFacts) => boolean
  /** Whether a renewal ends the access token that was issued with the renewed refresh token. */
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
  // Both tokens are issued together and last 90 days. At that instant the access token has expired and the refresh
  // token is valid for the last time: otherwise an expired access token could never be renewed.
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
