/**
 * Identifiers and secrets in other formats, which a client treats as opaque; and the freedoms of the interface and RFC
 * 6749 in the issue and renewal of tokens.
 */
import { randomBytes, randomInt, randomUUID } from '../random.ts'
import type { RuleChange, Variation } from '../defect.ts'
import type { Rules } from '../rules.ts'
import { DAY, HOUR, MINUTE } from '../rules/facts.ts'

const hex = (): string => randomBytes(24).toString('hex')

/** The length and form of a signed token with a few claims. */
const jwtLike = (): string => {
  const part = (bytes: number): string => randomBytes(bytes).toString('base64url')
  return `eyJhbGciOiJFUzI1NiJ9.${part(420)}.${part(64)}`
}

/** One UUID has 122 random bits; a secret needs 128 (RFC 6749 §10.10). */
const uuids = (): string => `${randomUUID()}.${randomUUID()}`

const digits = (): string =>
  `1${randomInt(2 ** 47)
    .toString()
    .padStart(15, '0')}`

const secretsOf = (shape: () => string): NonNullable<Variation['rules']> => ({
  newCode: shape,
  newAccessToken: shape,
  newRefreshToken: shape,
})

/** The bytes of a base64 text, in hexadecimal. The padding is optional for the decoder. */
const decoded = (text: string): string => Buffer.from(text, 'base64').toString('hex')

/** Consent ids of sixteen bytes, which are compared after decoding. */
const inBase64: RuleChange = (lawful) => {
  const ids = new Map<string, string>()
  return {
    newConsentId: () => {
      const id = randomBytes(16).toString('base64')
      ids.set(decoded(id), id)
      return id
    },
    requestedScope: (facts) => {
      const requested = lawful.requestedScope(facts)
      const { consentId } = requested ?? {}
      if (requested === undefined || consentId === undefined) return requested
      return { ...requested, consentId: ids.get(decoded(consentId)) ?? consentId }
    },
  }
}

export const identifierVariations: readonly Variation[] = [
  {
    id: 'long-secrets',
    story: 'Codes and tokens look like JWTs of 680 characters.',
    rules: secretsOf(jwtLike),
  },
  { id: 'hex-secrets', story: 'Codes and tokens are 48 hexadecimal digits.', rules: secretsOf(hex) },
  { id: 'uuid-secrets', story: 'Codes and tokens are pairs of UUIDs.', rules: secretsOf(uuids) },
  {
    id: 'padded-secrets',
    story: 'Codes and tokens are padded base64, with plus signs, slashes and equals signs.',
    rules: secretsOf(() => `${randomBytes(32).toString('base64').slice(0, -2)}+/==`),
  },
  {
    id: 'numeric-consent-ids',
    story: 'Consent ids are strings of sixteen digits.',
    rules: { newConsentId: digits },
  },
  {
    id: 'urn-consent-ids',
    story: 'Consent ids contain colons, like the scope with a consent id.',
    rules: { newConsentId: () => `urn:consent:${randomUUID()}` },
  },
  {
    id: 'padded-consent-ids',
    story: 'Consent ids are base64, and are compared after decoding.',
    rules: inBase64,
  },
  {
    id: 'hex-consent-ids',
    story: 'Consent ids are 48 hexadecimal digits.',
    rules: { newConsentId: hex },
  },
]

/** Ends a grant when another client sends its refresh token. */
const endingAStolenGrant: RuleChange = (lawful) => {
  const stolen = new Set<string>()
  return {
    refreshBelongsTo: (facts) => {
      const { grantId } = facts.refreshToken
      const isOwn = lawful.refreshBelongsTo(facts)
      if (!isOwn) stolen.add(grantId)
      return isOwn && !stolen.has(grantId)
    },
  }
}

/** Ends a refresh token that is sent with another scope than its own. */
const usingUpARefusedToken: RuleChange = (lawful) => {
  const spent = new Set<string>()
  return {
    refreshBelongsTo: (facts) => lawful.refreshBelongsTo(facts) && !spent.has(facts.refreshToken.value),
    refreshScopeIsAccepted: (facts) => {
      const isAccepted = lawful.refreshScopeIsAccepted(facts)
      if (!isAccepted) spent.add(facts.refreshToken.value)
      return isAccepted
    },
  }
}

/** The rest, in ms, of the 90 days since the authorization by the customer. */
const restOfTheGrant = ({ grant, now }: Parameters<Rules['accessLifetime']>[0]): number =>
  Math.max(0, grant.grantedAt.getTime() + 90 * DAY - now.getTime())

/** @param lifetime in ms. */
const livingCodes = (lifetime: number): RuleChange => ({
  codeIsFresh: ({ code, now }) => now.getTime() < code.issuedAt.getTime() + lifetime,
})

export const tokenVariations: readonly Variation[] = [
  {
    id: 'renewal-ends-with-the-token',
    story: 'After 90 days a refresh fails: the refresh token has expired with the access token.',
    rules: { refreshIsFresh: ({ refreshToken, now }) => now < refreshToken.expiresAt },
  },
  {
    id: 'renewal-outlives-the-token',
    story: 'After 90 days a refresh succeeds, for another 90.',
    rules: {
      refreshIsFresh: ({ refreshToken, now }) => now.getTime() < refreshToken.issuedAt.getTime() + 180 * DAY,
    },
  },
  {
    id: 'renewed-token-stays',
    story: 'A refresh token can be used again after a renewal (RFC 6749 §6: the server may revoke it).',
    rules: (lawful) => ({
      redeemsRefreshToken: async (facts) => {
        await lawful.redeemsRefreshToken(facts)
        return true
      },
    }),
  },
  {
    id: 'renewal-retires-access',
    story: 'A renewal ends the access token that it replaces.',
    rules: { renewalRetiresAccess: () => true },
  },
  {
    id: 'reused-refresh-token-revokes',
    story: 'A refresh token that is used twice ends all tokens of its grant.',
    rules: { refreshReplayRevokes: () => true },
  },
  {
    id: 'stolen-refresh-token-ends-its-grant',
    story: 'A refresh token that another client has sent is refused to its own as well.',
    rules: endingAStolenGrant,
  },
  {
    id: 'wider-scope-spends-refresh-token',
    story: 'A refresh token that is sent with the scope of another consent is ended.',
    rules: usingUpARefusedToken,
  },
  {
    id: 'failure-spends-code',
    story: 'A failed exchange ends the code.',
    rules: { failureSpendsCode: () => true },
  },
  {
    id: 'tokens-end-with-the-grant',
    story: 'The 90 days are counted from the authorization by the customer: a refresh does not extend them.',
    rules: { accessLifetime: restOfTheGrant, refreshLifetime: restOfTheGrant },
  },
  {
    id: 'refresh-tokens-end-with-the-grant',
    story:
      'The 90 days of refresh tokens are counted from the authorization by the customer, and those of access tokens from their issue.',
    rules: { refreshLifetime: restOfTheGrant },
  },
  {
    id: 'scope-without-its-consent',
    story: 'The scope of the token response is PREMIUM_AIS without the consentId.',
    rules: { statedScope: ({ scope }) => scope.split(':')[0] },
  },
  {
    id: 'scope-with-more-words',
    story:
      'The bank grants more than the requested scope, and the token response contains the granted scope (RFC 6749 §3.3).',
    rules: { statedScope: ({ scope }) => `${scope} offline_access` },
  },
  {
    id: 'new-grant-ends-older',
    story: 'A new grant of the same customer to the same client ends the tokens of the older ones.',
    rules: { newGrantRevokes: () => true },
  },
  {
    id: 'more-cache-directives',
    story: 'A token response forbids storage with more cache directives, in another order.',
    rules: { tokenHeaders: () => ({ 'cache-control': 'private, max-age=0, No-Store', pragma: 'no-cache' }) },
  },
  {
    id: 'days-of-the-calendar',
    story: 'The 90 days of a token end at the same time of day, and summer time has begun since its issue.',
    rules: { accessLifetime: () => 90 * DAY - HOUR, refreshLifetime: () => 90 * DAY - HOUR },
  },
  {
    id: 'short-lived-codes',
    story: 'A code lives for one minute.',
    rules: livingCodes(MINUTE),
  },
  {
    id: 'long-lived-codes',
    story: 'A code lives for ten minutes, the most that RFC 6749 §4.1.2 recommends.',
    rules: livingCodes(10 * MINUTE),
  },
]
