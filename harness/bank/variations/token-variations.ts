/**
 * Identifiers and secrets in other formats, which a client treats as opaque; and the freedoms of the interface and RFC
 * 6749 in the issue and renewal of tokens.
 */
import { accept, alter, refuse, type FactsOf } from '../changes/alter.ts'
import { variationsOf } from '../changes/named.ts'
import type { Variation } from '../defect.ts'
import { randomBytes, randomUUID } from '../random.ts'
import { DAY, MINUTE } from '../rules/facts.ts'
import { offsetAt } from '../rules/payment-calendar.ts'
import { jwtLike, sixteenDigits } from './words.ts'

const hex = (): string => randomBytes(24).toString('hex')

const secrets = (form: () => string) => alter({ newCode: form, newAccessToken: form, newRefreshToken: form })

/** 90 days of the calendar are an hour shorter or longer over a change of summer time. */
const calendarDays = (usual: number, { now }: FactsOf<'accessLifetime' | 'refreshLifetime'>): number =>
  usual + offsetAt(now) - offsetAt(new Date(now.getTime() + usual))

/** The bytes of a base64 text, in hexadecimal. The padding is optional for the decoder. */
const decoded = (text: string): string => Buffer.from(text, 'base64').toString('hex')

export const identifierVariations: readonly Variation[] = variationsOf({
  'Codes and tokens look like JWTs': secrets(() => jwtLike(420)),
  'Codes and tokens are 48 hexadecimal digits': secrets(hex),
  // One UUID has 122 random bits; a secret needs 128 (RFC 6749 §10.10).
  'Codes and tokens are pairs of UUIDs': secrets(() => `${randomUUID()}.${randomUUID()}`),
  'Codes and tokens are in base64': secrets(() => `${randomBytes(32).toString('base64').slice(0, -2)}+/==`),
  'Consent ids are sixteen digits': alter({ newConsentId: () => sixteenDigits(1) }),
  'Consent ids have colons, as the scope': alter({ newConsentId: () => `urn:consent:${randomUUID()}` }),
  'Consent ids are base64 and are compared after decoding': alter({
    newConsentId: () => randomBytes(16).toString('base64'),
    requestedScope: (requested, _, { of }) => {
      const { consentId } = requested ?? {}
      if (requested === undefined || consentId === undefined) return requested
      const issued = of('newConsentId').find(({ answer }) => decoded(answer) === decoded(consentId))
      return { ...requested, consentId: issued?.answer ?? consentId }
    },
  }),
  'Consent ids are 48 hexadecimal digits': alter({ newConsentId: hex }),
})

/** The rest, in ms, of the 90 days since the authorization by the customer. */
const restOfTheGrant = (_: number, { grant, now }: FactsOf<'accessLifetime' | 'refreshLifetime'>): number =>
  Math.max(0, grant.grantedAt.getTime() + 90 * DAY - now.getTime())

/** @param lifetime in ms. */
const codesLiveFor = (lifetime: number) =>
  alter({ codeIsFresh: (_, { code, now }) => now.getTime() < code.issuedAt.getTime() + lifetime })

export const tokenVariations: readonly Variation[] = variationsOf({
  'A refresh token expires with its access token': alter({
    refreshIsFresh: (_, { refreshToken, now }) => now < refreshToken.expiresAt,
  }),
  'A refresh token can be used for 180 days': alter({
    refreshIsFresh: (_, { refreshToken, now }) => now.getTime() < refreshToken.issuedAt.getTime() + 180 * DAY,
  }),
  'Only expired access tokens are renewed, for 90 days more': alter({
    refreshIsFresh: (_, { refreshToken: { issuedAt, expiresAt }, now }) =>
      now >= expiresAt && now.getTime() < issuedAt.getTime() + 180 * DAY,
  }),
  // RFC 6749 §6: the server may revoke it.
  'A refresh token can be used again after a renewal': accept('redeemsRefreshToken'),
  'A renewal ends the access token that it replaces': accept('renewalRetiresAccess'),
  'A refresh token that is used twice ends its grant': accept('refreshReplayRevokes'),
  'A refresh token that another client has sent is ended': refuse(
    'refreshBelongsTo',
    ({ refreshToken: { grantId } }, { of }) =>
      of('refreshBelongsTo').some(({ facts, answer }) => !answer && facts.refreshToken.grantId === grantId),
  ),
  'A refresh token that is sent with a wrong scope is ended': alter(
    {
      refreshBelongsTo: (belongs, { refreshToken: { value } }, { of }) =>
        belongs &&
        !of('refreshScopeIsAccepted').some(
          ({ facts, answer }) => !answer && facts.refreshToken.value === value,
        ),
    },
    'refreshScopeIsAccepted',
  ),
  'A failed exchange ends the code': accept('failureSpendsCode'),
  'All tokens end 90 days after the authorization': alter({
    accessLifetime: restOfTheGrant,
    refreshLifetime: restOfTheGrant,
  }),
  'Refresh tokens end 90 days after the authorization': alter({ refreshLifetime: restOfTheGrant }),
  'The scope of token answers has no consentId': alter({
    statedScope: (_, { scope }) => scope.split(':')[0],
  }),
  // RFC 6749 §3.3.
  'More than the sent scope is granted': alter({ statedScope: (_, { scope }) => `${scope} offline_access` }),
  'A new grant ends the tokens of the older ones': accept('newGrantRevokes'),
  'The Cache-Control of token answers has more directives': alter({
    tokenHeaders: { 'cache-control': 'private, max-age=0, No-Store', pragma: 'no-cache' },
  }),
  'Tokens end after 90 days of the calendar, at the same local time': alter({
    accessLifetime: calendarDays,
    refreshLifetime: calendarDays,
  }),
  'A revocation by the customer reaches the gateway after ten seconds': alter(
    {
      accessIsRevoked: (usual, { grant, revokedAt, now }, { of }) =>
        usual &&
        (now.getTime() - (revokedAt?.getTime() ?? 0) >= 10_000 ||
          of('replayRevokes').some(({ facts, answer }) => answer && facts.code.grantId === grant.grantId)),
    },
    'replayRevokes',
  ),
  'A code lives for one minute': codesLiveFor(MINUTE),
  // The most that RFC 6749 §4.1.2 recommends.
  'A code lives for ten minutes': codesLiveFor(10 * MINUTE),
})
