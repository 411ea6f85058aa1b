import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from './bank.ts'
import { aClient, TestClient } from '../testing/bank-clients/test-client.ts'

const pull = (bank: Bank, path: string, body?: unknown): Promise<Response> => {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return bank.fetch(new Request(`http://bank.test/_test-hooks/${path}`, init))
}

describe('the test hooks', () => {
  test('read and advance the clock', async () => {
    const bank = createBank()
    expect(await (await pull(bank, 'clock')).json()).toEqual({ now: '2026-01-05T09:00:00.000Z' })
    const advanced = await pull(bank, 'clock/advance', { milliseconds: 90_000 })
    expect(await advanced.json()).toEqual({ now: '2026-01-05T09:01:30.000Z' })
  })

  test.each([
    ['clock/advance', { milliseconds: -1 }, 400],
    ['clock/advance', { milliseconds: '5' }, 400],
    ['clock/advance', { milliseconds: 9e15 }, 400],
    ['clock/advance', { minutes: 1 }, 400],
    ['tokens/revoke', {}, 400],
    ['tokens/revoke', { token: 'unknown' }, 404],
    ['consents/revoke', { consentId: 'unknown' }, 404],
    ['no/such/testHook', {}, 404],
  ])('say what is wrong with %s %j', async (path, body, status) => {
    const response = await pull(createBank(), path, body)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toMatch('json')
    expect(Object.values((await response.json()) as object).join()).not.toBe('')
  })

  test('revoke a grant by either of its tokens', async () => {
    for (const name of ['access_token', 'refresh_token'] as const) {
      const bank = createBank()
      const client = new TestClient({ fetch: bank.fetch })
      const tokens = await client.obtainTokens()
      const others = await client.obtainTokens()
      expect((await pull(bank, 'tokens/revoke', { token: tokens[name] })).status).toBe(204)
      expect((await client.accounts(tokens.access_token)).status).toBe(401)
      expect((await client.renew(tokens.refresh_token)).status).toBe(400)
      expect((await client.accounts(others.access_token)).status).toBe(200)
    }
  })

  test('revoke a consent and its tokens', async () => {
    const bank = createBank()
    const client = new TestClient({ fetch: bank.fetch, client: aClient('TPP') })
    const { access_token } = await client.obtainTokens()
    const consentId = client.scope.slice('PREMIUM_AIS:'.length)
    expect((await pull(bank, 'consents/revoke', { consentId })).status).toBe(204)
    expect((await client.accounts(access_token)).status).toBe(401)
    expect((await client.authorize()).parameters).toMatchObject({ error: 'invalid_scope' })
  })

  test('can be switched off', async () => {
    expect((await pull(createBank({ testHooks: false }), 'clock')).status).toBe(404)
  })
})
