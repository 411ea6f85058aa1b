import { expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { sampleApplication, sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema } from '../schema.ts'
import { mismatchesExplaining } from './explain.ts'
import type { Exchange } from '../../evidence/exchange.ts'

const profile = profileSchema.parse({
  ...sampleProfile(),
  applications: [{ ...sampleApplication(), clientSecret: 'last-year' }],
})

const CREDENTIALS = `Basic ${Buffer.from('shop-id:last-year').toString('base64')}`
const BASE = 'https://api.bank.example/premium/sandbox'

const tokenCall = (status: number, answer: object, credentials = CREDENTIALS): Exchange => ({
  ...sampleExchange({ operation: 'token', status, body: JSON.stringify(answer) }),
  request: {
    method: 'POST',
    url: `${BASE}/auth/oauth/v2/token`,
    headers: [['Authorization', credentials]],
  },
})

const authorization = (status: number, uri = 'https://client.example/callback', text = ''): Exchange => ({
  ...sampleExchange({ operation: 'authorize', status, body: text }),
  request: {
    method: 'GET',
    url: `${BASE}/auth/oauth/v2/authorize?${new URLSearchParams({ client_id: 'shop-id', redirect_uri: uri }).toString()}`,
    headers: [],
  },
})

const seen = (exchanges: readonly Exchange[], before: readonly Exchange[] = []) => ({
  profile,
  exchanges,
  all: () => [...before, ...exchanges],
})

const UNKNOWN = { error: 'invalid_client', error_description: 'Client authentication failed.' }

test('a secret that is never accepted may be wrong; the answer is quoted, and the secret is not shown', () => {
  const [mismatch, ...others] = mismatchesExplaining(undefined, seen([tokenCall(401, UNKNOWN)]))
  expect(others).toEqual([])
  expect(mismatch).toMatchObject({ key: 'applications.0.clientSecret', bound: '…' })
  expect(mismatch?.shown).toContain('401 (invalid_client: Client authentication failed.)')
  expect(JSON.stringify(mismatch)).not.toContain('last-year')
})

test.each([
  ['a request with it was accepted', [tokenCall(200, { access_token: 'a' })]],
  ['the bank has examined the code', [tokenCall(400, { error: 'invalid_grant' })]],
])('the secret is right if %s', (_, before) => {
  expect(mismatchesExplaining(undefined, seen([tokenCall(401, UNKNOWN)], before))).toEqual([])
})

test('a wrong secret that a check sends intentionally is not a mismatch', () => {
  expect(mismatchesExplaining(undefined, seen([tokenCall(401, UNKNOWN, 'Basic b3RoZXI=')]))).toEqual([])
})

test('a redirect URI with which no authorization starts may be unregistered; the page is quoted', () => {
  const page = '<style>p {}</style><p>This address is not <b>registered</b>.</p>'
  const [mismatch] = mismatchesExplaining(undefined, seen([authorization(400, undefined, page)]))
  expect(mismatch).toMatchObject({ key: 'applications.0.redirectUris.0.uri' })
  expect(mismatch?.shown).toContain('400 (This address is not registered .)')
})

test('a redirect URI is registered if an authorization began with it, or the customer was sent back', () => {
  for (const status of [200, 302])
    expect(mismatchesExplaining(undefined, seen([authorization(400), authorization(status)]))).toEqual([])
})

test.each([404, 405])('a %i says nothing about the redirect URI, which was not examined', (status) => {
  expect(mismatchesExplaining(undefined, seen([authorization(status)]))).toEqual([])
})

test('an invented redirect URI of a check is not a mismatch', () => {
  expect(mismatchesExplaining(undefined, seen([authorization(400, 'https://client.example/other')]))).toEqual(
    [],
  )
})

test('a secret of one environment names its own key', () => {
  const own = profileSchema.parse({
    ...sampleProfile(),
    applications: [
      {
        ...sampleApplication(),
        clientSecret: 'of-the-sandbox',
        environments: { sandbox: {}, production: { clientSecret: 'last-year' } },
      },
    ],
  })
  const [mismatch, ...others] = mismatchesExplaining(undefined, {
    ...seen([tokenCall(401, UNKNOWN)]),
    profile: own,
  })
  expect(others).toEqual([])
  expect(mismatch?.key).toBe('applications.0.environments.production.clientSecret')
})
