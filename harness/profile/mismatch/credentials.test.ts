import { expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { sampleApplication, sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema } from '../schema.ts'
import { mismatchesExplaining } from './explain.ts'
import type { Exchange } from '../../evidence/exchange.ts'

const profileWith = (own: object) =>
  profileSchema.parse({ ...sampleProfile(), applications: [{ ...sampleApplication(), ...own }] })

const profile = profileWith({ clientSecret: 'last-year' })

const CREDENTIALS = `Basic ${Buffer.from('shop-id:last-year').toString('base64')}`
const BASE = 'https://api.bank.example/premium/sandbox'

const tokenCall = (status: number, answer: object, credentials = CREDENTIALS): Exchange => ({
  ...sampleExchange({ operation: 'token', status, body: JSON.stringify(answer) }),
  request: { method: 'POST', url: `${BASE}/auth/oauth/v2/token`, headers: [['Authorization', credentials]] },
})

const authorization = (status: number, uri = 'https://client.example/callback', text = ''): Exchange => ({
  ...sampleExchange({ operation: 'authorize', status, body: text }),
  request: {
    method: 'GET',
    url: `${BASE}/auth/oauth/v2/authorize?${new URLSearchParams({ client_id: 'shop-id', redirect_uri: uri }).toString()}`,
    headers: [],
  },
})

const REFUSED = tokenCall(401, {
  error: 'invalid_client',
  error_description: 'Client authentication failed.',
})

const PAGE = '<style>p {}</style><p>This address is not <b>registered</b>.</p>'

const OWN_SECRET = profileWith({
  clientSecret: 'of-the-sandbox',
  environments: { sandbox: {}, production: { clientSecret: 'last-year' } },
})

const found = (exchanges: readonly Exchange[], of = profile) =>
  mismatchesExplaining(undefined, { profile: of, exchanges, all: () => exchanges })

test.each([
  [
    'a secret that is never accepted',
    [REFUSED],
    profile,
    { key: 'applications.0.clientSecret', bound: '…' },
    '401 (invalid_client: Client authentication failed.)',
  ],
  [
    'a secret of one environment',
    [REFUSED],
    OWN_SECRET,
    { key: 'applications.0.environments.production.clientSecret' },
    '401',
  ],
  [
    'a redirect URI with which no authorization starts',
    [authorization(400, undefined, PAGE)],
    profile,
    { key: 'applications.0.redirectUris.0.uri' },
    '400 (This address is not registered.)',
  ],
])('%s may be wrong; the answer is quoted, and no secret is shown', (_, exchanges, of, expected, answer) => {
  const mismatches = found(exchanges, of)
  expect(mismatches).toMatchObject([expected])
  expect(mismatches[0]?.shown).toContain(answer)
  expect(JSON.stringify(mismatches)).not.toContain('last-year')
})

test.each([
  ['a secret with which a request was accepted', [tokenCall(200, { access_token: 'a' }), REFUSED]],
  [
    'a secret after which the bank has examined the code',
    [tokenCall(400, { error: 'invalid_grant' }), REFUSED],
  ],
  ['a wrong secret that a check sends intentionally', [tokenCall(401, {}, 'Basic b3RoZXI=')]],
  ['a redirect URI with which an authorization began', [authorization(400), authorization(200)]],
  ['a redirect URI to which the customer was sent back', [authorization(400), authorization(302)]],
  ['a redirect URI that was not examined, but answered 404', [authorization(404)]],
  ['a redirect URI that was not examined, but answered 405', [authorization(405)]],
  ['an invented redirect URI of a check', [authorization(400, 'https://client.example/other')]],
])('%s is no mismatch', (_, exchanges) => {
  expect(found(exchanges)).toEqual([])
})
