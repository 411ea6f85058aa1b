import { expect, test } from 'vitest'
import { oauthOf } from '../../profile/oauth.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { openTokenEndpoint } from './token-endpoint.ts'
import type { GrantingContext } from './grant-request.ts'

/** The profile says that the bank renews only expired access tokens. That the clock is moved, a variation shows. */

test('a refresh is not reached where the clock cannot be moved', async () => {
  const profile = parsedProfile({ operations: { token: { refreshesOnlyExpired: true } } })
  const endpoint = openTokenEndpoint({
    baseUrl: 'http://b',
    profile,
    application: profile.applications[0],
    oauth: oauthOf(profile, 'first'),
    clock: { kind: 'wall', now: () => new Date('2026-01-05T09:00:00Z') },
    http: { send: async () => sampleExchange({ body: '{"access_token":"a","refresh_token":"r"}' }) },
  } as unknown as GrantingContext)
  await endpoint.exchangeCode({ code: 'c', verifier: 'v', redirectUri: 'http://r', scope: 'PREMIUM_AIS' })
  await expect(endpoint.refresh({ refreshToken: 'r' })).rejects.toThrow(
    'operations.token.refreshesOnlyExpired',
  )
})
