import { expect, test } from 'vitest'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { oauthOf } from '../../profile/oauth.ts'
import { profileSchema } from '../../profile/schema.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { openTokenEndpoint } from './token-endpoint.ts'
import type { GrantingContext } from './grant-request.ts'

/** The profile says that the bank renews only expired access tokens. */

const DAY = 24 * 60 * 60_000

const endpointAt = (kind: 'wall' | 'testHook') => {
  const own = profileSchema.parse(referenceProfile())
  const profile = structuredClone(own)
  Object.assign(profile.operations.token, { refreshesOnlyExpired: true })
  const passed: number[] = []
  const clock = {
    kind,
    now: () => new Date('2026-01-05T09:00:00Z'),
    pass: async (ms: number) => void passed.push(ms),
  }
  const http = { send: async () => sampleExchange({ body: '{"access_token":"a","refresh_token":"r"}' }) }
  const context = {
    profile,
    http,
    clock,
    application: profile.applications[0],
    oauth: oauthOf(profile, 'first'),
  }
  return {
    passed,
    endpoint: openTokenEndpoint({ ...context, baseUrl: 'http://b' } as unknown as GrantingContext),
  }
}

const GRANT = { code: 'c', verifier: 'v', redirectUri: 'http://r', scope: 'PREMIUM_AIS' }

test('the clock is moved until what is renewed has expired', async () => {
  const { passed, endpoint } = endpointAt('testHook')
  await endpoint.refresh({ refreshToken: 'r' })
  expect(passed).toEqual([])
  await endpoint.exchangeCode(GRANT)
  await endpoint.refresh({ refreshToken: 'r' })
  expect(passed[0]).toBeGreaterThan(90 * DAY)
})

test('a refresh is not reached where the clock cannot be moved', async () => {
  const { endpoint } = endpointAt('wall')
  await endpoint.exchangeCode(GRANT)
  await expect(endpoint.refresh({ refreshToken: 'r' })).rejects.toThrow(
    'operations.token.refreshesOnlyExpired',
  )
})
