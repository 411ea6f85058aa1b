/** Identifiers and secrets of other shapes: a client treats all of them as opaque. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { RuleChange, Variation } from '../defect.ts'

const hex = (): string => randomBytes(24).toString('hex')

/** As long as a signed token with a few claims, and shaped like one. */
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

/** What base64 stands for: a decoder stops at the padding, and does without it. */
const decoded = (text: string): string => Buffer.from(text, 'base64').toString('hex')

/** Consent ids of sixteen bytes, which are looked up once they are decoded. */
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
    story: 'Consent ids hold colons, like the scope that carries them.',
    rules: { newConsentId: () => `urn:consent:${randomUUID()}` },
  },
  {
    id: 'padded-consent-ids',
    story: 'Consent ids are base64, and stand for the bytes that a decoder finds in them.',
    rules: inBase64,
  },
  {
    id: 'hex-consent-ids',
    story: 'Consent ids are 48 hexadecimal digits.',
    rules: { newConsentId: hex },
  },
]
