import { expect, test } from 'vitest'
import { createRedactor } from '../../evidence/redaction.ts'
import { heldEnvironments } from '../../profile/environment.ts'
import { placesBelow } from '../../profile/address-environment.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { NotReached } from '../../evidence/signals.ts'
import { createBudget, permitsFor } from './permissions.ts'
import { actingIn } from './target-http.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import type { Http } from './http.ts'
import type { HttpRequest } from './request.ts'

const BASE = 'https://api.bank.example/open'

const profileOf = (changes: Partial<ProfileInput> = {}) =>
  parsedProfile({
    secondVariant: {},
    payments: {
      debtor: { name: 'Anna', iban: 'SK2998010000002600001129' },
      creditor: { name: 'Ján', iban: 'SK1198010000004000007788' },
    },
    loans: {},
    ...changes,
  })

const environmentAt = (url: string, profile = profileOf()) => placesBelow(profile, BASE)(url)?.environment

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
  ['/_test-hooks/clock', undefined],
])('%s belongs to %s', (path, environment) => {
  expect(environmentAt(BASE + path)).toBe(environment)
})

test.each([
  ['another host', 'https://login.bank.example/premium/production/v1/accounts', 'production'],
  ['another host, without a base path', 'https://login.bank.example/auth/oauth/v2/token', undefined],
  ['another port', 'https://api.bank.example:8443/open/auth/oauth/v2/token', 'production'],
  ['another spelling of the host', 'https://API.bank.example./open/auth/oauth/v2/token', 'production'],
  ['the root of the host', 'https://api.bank.example/premium/production/v1/accounts', 'production'],
  ['the root of the host', 'https://api.bank.example/premium/sandbox/v1/accounts', undefined],
  ['outside of the base URL', 'https://api.bank.example/auth/oauth/v2/token', undefined],
])('an address at %s: %s belongs to %s', (_, url, environment) => {
  expect(environmentAt(url)).toBe(environment)
})

test('a path of both environments could be production', () => {
  const profile = profileOf({ basePaths: { sandbox: '/v', production: '/v' } })
  expect(environmentAt(`${BASE}/v/v1/accounts`, profile)).toBe('production')
})

test('the longer base path counts if one contains the other', () => {
  const profile = profileOf({
    basePaths: { sandbox: '/bank/sandbox', production: '/bank' },
    sandboxesBelowProduction: ['/bank/sandbox'],
  })
  expect(environmentAt(`${BASE}/bank/sandbox/v1/accounts`, profile)).toBe('sandbox')
  expect(environmentAt(`${BASE}/bank/v1/accounts`, profile)).toBe('production')
})

test('credentials are valid in the environments of the profile, or in the one that is judged', () => {
  expect(heldEnvironments(profileOf())).toEqual(['sandbox'])
  expect(heldEnvironments(profileOf({ environment: 'production' }))).toEqual(['production'])
  expect(heldEnvironments(profileOf({ environments: ['sandbox', 'production'] }))).toEqual([
    'sandbox',
    'production',
  ])
})

const request = (path: string, parts: Partial<HttpRequest> = {}): HttpRequest => ({
  operation: 'listAccounts',
  sender: 'scenario',
  method: 'GET',
  url: BASE + path,
  headers: [],
  ...parts,
})

const permits = permitsFor(profileOf(), BASE, { sandbox: ['read', 'pay'], production: ['read'] })
const allowed = (...given: Parameters<typeof request>) => {
  const permission = permits(request(...given))
  return permission.kind === 'allowed' ? permission.effects : permission.kind
}

test('the effects of production apply to every request that is meant for it', () => {
  expect(allowed('/premium/sandbox/v1/accounts')).toEqual(['read', 'pay'])
  expect(allowed('/premium/production/v1/accounts', { environment: 'production' })).toEqual(['read'])
  expect(allowed('/premium/sandbox/v1/accounts', { environment: 'production' })).toEqual(['read', 'pay'])
})

test('a request for the sandbox is never sent to production', () => {
  expect(allowed('/premium/production/v1/accounts')).toBe('misdirected')
  expect(allowed('/premium/production/v1/accounts', { environment: 'sandbox' })).toBe('misdirected')
  expect(allowed('/premium/production/auth/oauth/v2/authorize', { sender: 'customer' })).toBe('misdirected')
  expect(permits(request('/premium/Production/v1/accounts?token=17'))).toEqual({
    kind: 'misdirected',
    because:
      'GET https://api.bank.example/open/premium/Production/v1/accounts was not sent: it is meant for the sandbox, and its address could be one of production, /premium/production (basePaths.production); look at what leads there: the profile, or a redirect, form or link of the bank',
  })
})

test('an address of no environment belongs to the intended one', () => {
  expect(allowed('/login')).toEqual(['read', 'pay'])
  expect(allowed('/login', { environment: 'production' })).toEqual(['read'])
})

test('the bank may have the pages of all environments below an operation without a base path', () => {
  const page = '/auth/oauth/v2/authorize/login'
  expect(allowed(page, { sender: 'customer' })).toEqual(['read'])
  expect(allowed(page)).toBe('misdirected')
  expect(allowed('/auth/oauth/v2/authorize', { sender: 'customer' })).toBe('misdirected')
})

test('the client of an environment marks each request with it', async () => {
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

test('a budget limits the number of all requests', () => {
  const budget = createBudget({ requests: 2, perOperation: {} })
  budget.spend('token')
  budget.spend('readAccount')
  expect(() => budget.spend('token')).toThrow(NotReached)
  expect(() => budget.spend('token')).toThrow('the budget of 2 requests is used up (--budget')
})

test('a budget limits one operation without an effect on the others', () => {
  const budget = createBudget({ perOperation: { token: 1 } })
  budget.spend('token')
  expect(() => budget.spend('token')).toThrow('1 requests of the operation token is used up')
  for (let count = 0; count < 50; count += 1) budget.spend('readAccount')
})

test('a budget counts earlier requests', () => {
  const spent = new Map([
    ['probe', 1],
    ['token', 2],
  ])
  expect(() => createBudget({ requests: 3, perOperation: {} }, spent).spend('readLoan')).toThrow(NotReached)
  expect(() => createBudget({ perOperation: { token: 2 } }, spent).spend('token')).toThrow(NotReached)
  createBudget({ requests: 4, perOperation: { token: 3 } }, spent).spend('token')
})
