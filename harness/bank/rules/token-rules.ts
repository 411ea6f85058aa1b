/** The issue and the single use of authorization codes, and the issue and renewal of tokens. */
import { createHash } from 'node:crypto'
import type { Code, Grant, RefreshToken } from '../state.ts'
import {
  type Awaitable,
  type ClientFacts,
  DAY,
  type Facts,
  MINUTE,
  newSecret,
  SECOND,
  rule,
} from './facts.ts'

export interface CodeFacts extends ClientFacts {
  readonly code: Code
}

const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

const CODE_LIFETIME = 5 * MINUTE

export const codeRules = {
  newCode: rule<ClientFacts, string>(newSecret),
  /** The media type of a token request, as its header states it. */
  contentTypeIsAccepted: rule<Facts & { readonly contentType: string }>(
    ({ contentType }) =>
      contentType.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded',
  ),
  grantTypeIsAccepted: rule<ClientFacts & { readonly grantType: string }>(
    ({ grantType }) => grantType === 'authorization_code' || grantType === 'refresh_token',
  ),
  codeBelongsTo: rule<CodeFacts>(({ code, client }) => code.clientId === client.clientId),
  /** Whether redirect_uri of the token request is the one used at authorization. */
  redirectUriMatches: rule<CodeFacts & { readonly redirectUri: string | undefined }>(
    ({ code, redirectUri }) => redirectUri === code.redirectUri,
  ),
  verifierMatches: rule<CodeFacts & { readonly verifier: string | undefined }>(({ code, verifier }) => {
    // Only a bank that does not require PKCE, or accepts "plain", reaches the two cases that are not S256.
    if (code.challenge === undefined) return verifier === undefined
    if (verifier === undefined || !VERIFIER.test(verifier)) return false
    return (code.challengeMethod === 'S256' ? s256(verifier) : verifier) === code.challenge
  }),
  /** Whether the scope of the token request is accepted, given the granted one. */
  exchangeScopeIsAccepted: rule<
    CodeFacts & { readonly requested: string | undefined; readonly granted: string }
  >(({ requested, granted }) => requested === undefined || requested === granted),
  /**
   * Uses the code, and returns whether it was unused. Atomic: of two concurrent requests, one gets `true`.
   * A rule that awaits between the test and the use is wrong for concurrent requests only.
   */
  redeemsCode: rule<CodeFacts & { readonly redemptions: Set<string> }, Awaitable<boolean>>(
    ({ code, redemptions }) => {
      if (redemptions.has(code.value)) return false
      redemptions.add(code.value)
      return true
    },
  ),
  codeIsFresh: rule<CodeFacts, Awaitable<boolean>>(
    ({ code, now }) => now.getTime() < code.issuedAt.getTime() + CODE_LIFETIME,
  ),
  codeIsRevoked: rule<CodeFacts & { readonly grant: Grant; readonly revokedAt: Date | undefined }>(
    ({ revokedAt }) => revokedAt !== undefined,
  ),
  /** Whether a second use revokes the tokens of the first (RFC 6749 §4.1.2). */
  replayRevokes: rule<CodeFacts>(() => true),
  /** Whether a refused request (wrong verifier, wrong redirect_uri) ends the code. */
  failureSpendsCode: rule<CodeFacts & { readonly error: string }>(() => false),
}

export type GrantType = 'authorization_code' | 'refresh_token'

export interface IssueFacts extends ClientFacts {
  readonly grant: Grant
  readonly grantType: GrantType
  /** The refresh token that is being renewed; undefined for a code exchange. */
  readonly previous: RefreshToken | undefined
}

export interface RenewalFacts extends ClientFacts {
  readonly refreshToken: RefreshToken
}

export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  readonly tokenType: string
  readonly expiresIn: number
  readonly scope: string | undefined
}

const LIFETIME = 90 * DAY

export const tokenRules = {
  newAccessToken: rule<IssueFacts, Awaitable<string>>(newSecret),
  newRefreshToken: rule<IssueFacts & { readonly accessToken: string }, Awaitable<string>>(newSecret),
  /** Whether the answer has a refresh token. */
  refreshTokenIsIssued: rule<IssueFacts>(() => true),
  /** In ms. */
  accessLifetime: rule<IssueFacts, number>(() => LIFETIME),
  /** In ms. */
  refreshLifetime: rule<IssueFacts, number>(() => LIFETIME),
  tokenType: rule<IssueFacts, string>(() => 'Bearer'),
  /** The value of expires_in, given the lifetime in ms. */
  expiresIn: rule<IssueFacts & { readonly lifetime: number }, number>(({ lifetime }) =>
    Math.floor(lifetime / SECOND),
  ),
  /** The scope in the answer; undefined leaves it out. */
  statedScope: rule<IssueFacts & { readonly scope: string }, string | undefined>(({ scope }) => scope),
  /** The token response, member by member, in order. */
  tokenBody: rule<IssueFacts & { readonly tokens: IssuedTokens }, Readonly<Record<string, unknown>>>(
    ({ tokens }) => ({
      access_token: tokens.accessToken,
      token_type: tokens.tokenType,
      expires_in: tokens.expiresIn,
      refresh_token: tokens.refreshToken,
      scope: tokens.scope,
    }),
  ),
  tokenHeaders: rule<Facts, Readonly<Record<string, string>>>(() => ({
    'cache-control': 'no-store',
    pragma: 'no-cache',
  })),

  refreshBelongsTo: rule<RenewalFacts>(
    ({ refreshToken, client }) => refreshToken.clientId === client.clientId,
  ),
  // Both tokens are issued together and last 90 days. At that instant the access token has expired and the refresh
  // token is valid for the last time: otherwise an expired access token could never be renewed.
  refreshIsFresh: rule<RenewalFacts>(({ refreshToken, now }) => now <= refreshToken.expiresAt),
  refreshIsRevoked: rule<RenewalFacts & { readonly grant: Grant; readonly revokedAt: Date | undefined }>(
    ({ revokedAt }) => revokedAt !== undefined,
  ),
  /** Whether a renewal may ask for this scope (RFC 6749 §6: no more than was granted). */
  refreshScopeIsAccepted: rule<
    RenewalFacts & { readonly requested: string | undefined; readonly granted: string }
  >(({ requested, granted }) => requested === undefined || requested === granted),
  /** Uses the refresh token, and returns whether it was unused. Atomic, like `redeemsCode`. */
  redeemsRefreshToken: rule<RenewalFacts & { readonly redemptions: Set<string> }, Awaitable<boolean>>(
    ({ refreshToken, redemptions }) => {
      if (redemptions.has(refreshToken.value)) return false
      redemptions.add(refreshToken.value)
      return true
    },
  ),
  /** Whether a second use of a refresh token revokes its whole grant. */
  refreshReplayRevokes: rule<RenewalFacts>(() => false),
  /** Whether a renewal ends the access token that was issued with the renewed refresh token. */
  renewalRetiresAccess: rule<RenewalFacts>(() => false),
}
