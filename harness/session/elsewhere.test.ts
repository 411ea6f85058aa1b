import { expect, test } from 'vitest'
import { createRedactor } from '../evidence/redaction.ts'
import { environmentsBelow, heldEnvironments } from '../profile/environments.ts'
import { sampleProfile } from '../profile/sample.ts'
import { profileSchema } from '../profile/schema.ts'
import { actingIn, guardElsewhere } from './elsewhere.ts'
import type { ProfileInput } from '../profile/schema.ts'
import type { Http } from './http.ts'
import type { HttpRequest } from './request.ts'

const BASE = 'https://api.bank.example/open'

const profileOf = (changes: Partial<ProfileInput> = {}) =>
  profileSchema.parse({
    ...sampleProfile(),
    secondVariant: {},
    payments: {
      debtor: { name: 'Anna', iban: 'SK2998010000002600001129' },
      creditor: { name: 'Ján', iban: 'SK1198010000004000007788' },
    },
    loans: {},
    ...changes,
  })

test.each([
  ['/premium/sandbox/v1/accounts', 'sandbox'],
  ['/premium/production/v1/accounts', 'production'],
  ['/premium/production/v999/accounts', 'production'],
  ['/premium/productions', undefined],
  ['/sandbox/api/v1/accounts', 'sandbox'],
  ['/api/v1/accounts/information', 'production'],
  ['/sandbox/api/v1/payments/ecomm/sba', 'sandbox'],
  ['/api/v1/payments/17/status', 'production'],
  ['/auth/oauth/v2/token', 'production'],
  ['/paylater/sandbox/v1/applications', 'sandbox'],
  ['/login', undefined],
  ['/_levers/clock', undefined],
])('%s belongs to %s', (path, environment) => {
  expect(environmentsBelow(profileOf(), BASE)(BASE + path)).toBe(environment)
})

test.each([
  ['another host', 'https://api.bank.example.org/open/premium/production/v1/accounts'],
  ['another port', 'https://api.bank.example:8443/open/premium/production/v1/accounts'],
  ['outside of the base URL', 'https://api.bank.example/premium/production/v1/accounts'],
])('an address at %s belongs to none', (_, url) => {
  expect(environmentsBelow(profileOf(), BASE)(url)).toBeUndefined()
})

test('a path that both environments share belongs to neither', () => {
  const profile = profileOf({ basePaths: { sandbox: '/v', production: '/v' } })
  expect(environmentsBelow(profile, BASE)(`${BASE}/v/v1/accounts`)).toBeUndefined()
})

test('the longer base path counts where one is within the other', () => {
  const profile = profileOf({ basePaths: { sandbox: '/bank/sandbox', production: '/bank' } })
  expect(environmentsBelow(profile, BASE)(`${BASE}/bank/sandbox/v1/accounts`)).toBe('sandbox')
  expect(environmentsBelow(profile, BASE)(`${BASE}/bank/v1/accounts`)).toBe('production')
})

test('credentials hold where the profile says, or in the environment that is judged', () => {
  expect(heldEnvironments(profileOf())).toEqual(['sandbox'])
  expect(heldEnvironments(profileOf({ environment: 'production' }))).toEqual(['production'])
  expect(heldEnvironments(profileOf({ environments: ['sandbox', 'production'] }))).toEqual([
    'sandbox',
    'production',
  ])
})

const request = (path: string, parts: Partial<HttpRequest> = {}): HttpRequest => ({
  ...{ operation: 'listAccounts', sender: 'scenario', method: 'GET', url: BASE + path, headers: [] },
  ...parts,
})

const guard = guardElsewhere(profileOf(), BASE, ['read'])

test('what is allowed elsewhere counts for every request that goes there, whoever sends it', () => {
  expect(guard(request('/premium/sandbox/v1/accounts'))).toBeUndefined()
  expect(guard(request('/premium/production/v1/accounts'))).toEqual(['read'])
  expect(guard(request('/premium/production/v1/accounts', { environment: 'sandbox' }))).toEqual(['read'])
})

test('an address that tells nothing is where the request is meant to be', () => {
  expect(guard(request('/login'))).toBeUndefined()
  expect(guard(request('/login', { environment: 'production' }))).toEqual(['read'])
})

test('an authorization belongs where it begins, wherever the bank leads the browser', () => {
  const led = (path: string, environment?: 'production') =>
    guard(request(path, { sender: 'customer', ...(environment && { environment }) }))
  expect(led('/premium/production/auth/oauth/v2/authorize')).toEqual(['read'])
  expect(led('/auth/oauth/v2/authorize/login')).toBeUndefined()
  expect(led('/auth/oauth/v2/authorize/login', 'production')).toEqual(['read'])
})

test('who acts in an environment says so with each request', async () => {
  const sent: HttpRequest[] = []
  const http: Http = {
    origins: [BASE],
    redactor: createRedactor([]),
    send: async (one) => {
      sent.push(one)
      throw new Error('sent')
    },
  }
  await expect(actingIn(http, 'production').send(request('/login'))).rejects.toThrow('sent')
  expect(sent).toEqual([request('/login', { environment: 'production' })])
})
