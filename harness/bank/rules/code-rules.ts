/** The authorization code, from its issue to its one redemption. */
import { createHash } from 'node:crypto'
import { newSecret } from '../secret.ts'
import type { Code, Grant } from '../world.ts'
import { MINUTE, type Awaitable, type ClientFacts, type Facts } from './facts.ts'

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
  /** Whether the scope of the token request may stand beside the granted one. */
  readonly exchangeScopeIsAccepted: (
    facts: CodeFacts & { readonly requested: string | undefined; readonly granted: string },
  ) => boolean
  /**
   * Takes the code, and says whether it was there to take. Atomic: of two requests at once, one gets `true`.
   * A rule that awaits between looking and taking is wrong under concurrency alone.
   */
  readonly redeemsCode: (facts: CodeFacts & { readonly redemptions: Set<string> }) => Awaitable<boolean>
  readonly codeIsFresh: (facts: CodeFacts) => Awaitable<boolean>
  readonly codeIsRevoked: (
    facts: CodeFacts & { readonly grant: Grant; readonly revokedAt: Date | undefined },
  ) => boolean
  /** Whether a second use revokes the tokens of the first (RFC 6749 §4.1.2). */
  readonly replayRevokes: (facts: CodeFacts) => boolean
  /** Whether a request that failed (wrong verifier, wrong redirect_uri) uses the code up. */
  readonly failureSpendsCode: (facts: CodeFacts & { readonly error: string }) => boolean
}

const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

const LIFETIME = 5 * MINUTE

export const codeRules: CodeRules = {
  newCode: newSecret,
  contentTypeIsAccepted: ({ contentType }) =>
    contentType.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded',
  grantTypeIsAccepted: ({ grantType }) => grantType === 'authorization_code' || grantType === 'refresh_token',
  codeBelongsTo: ({ code, client }) => code.clientId === client.clientId,
  redirectUriMatches: ({ code, redirectUri }) => redirectUri === code.redirectUri,
  verifierMatches: ({ code, verifier }) => {
    // Only a bank that does not insist on PKCE, or takes "plain", comes to the two cases that are not S256.
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
  codeIsFresh: ({ code, now }) => now.getTime() < code.issuedAt.getTime() + LIFETIME,
  codeIsRevoked: ({ revokedAt }) => revokedAt !== undefined,
  replayRevokes: () => true,
  failureSpendsCode: () => false,
}
