import { describe, expect, test } from 'vitest'
import { createBank } from './bank.ts'
import { aCustomer, TestClient } from './test-client.ts'

describe('GET /v1/accounts', () => {
  test.each([0, 1, 2])("lists customer %d's accounts, and no others", async (place) => {
    const customer = aCustomer(place)
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens({ customer })
    const response = await client.accounts(access_token)
    const { accounts } = (await response.json()) as { accounts: { accountId: string }[] }
    expect(accounts.map(({ accountId }) => accountId)).toEqual(
      customer.accounts.map(({ accountId }) => accountId),
    )
  })

  test('names the account as its customer knows it', async () => {
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens()
    const { accounts } = (await (await client.accounts(access_token)).json()) as { accounts: unknown[] }
    expect(accounts[0]).toMatchObject({
      accountReference: { iban: 'SK2998010000002600001129', currency: 'EUR' },
      bankCode: '9801',
      usage: 'PRIV',
    })
  })

  test.each([
    ['nothing', {}, 'Bearer realm="bank"', 'TOKEN_INVALID'],
    ['Basic', { authorization: 'Basic YTpi' }, 'Bearer realm="bank"', 'TOKEN_INVALID'],
    ['an unknown token', { authorization: 'Bearer x' }, 'error="invalid_token"', 'TOKEN_UNKNOWN'],
  ])('asks for a Bearer token where %s is sent', async (_, headers, challenge, errorCode) => {
    const client = new TestClient({ fetch: createBank().fetch })
    const response = await client.send('v1/accounts', { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain(challenge)
    expect(await response.json()).toMatchObject({ errorCode })
  })

  test('takes no token from the query', async () => {
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens()
    expect((await client.send(`v1/accounts?access_token=${access_token}`)).status).toBe(401)
  })
})

describe('the environments', () => {
  test('share neither tokens nor codes nor consents', async () => {
    const { fetch } = createBank()
    const sandbox = new TestClient({ fetch })
    const production = new TestClient({ fetch, environment: 'production' })
    const { access_token, refresh_token } = await sandbox.obtainTokens()
    expect((await production.accounts(access_token)).status).toBe(401)
    expect((await production.renew(refresh_token)).status).toBe(400)
    const { parameters } = await sandbox.authorize()
    const crossed = await production.exchange(parameters['code'], { code_verifier: sandbox.verifier })
    expect(crossed.status).toBe(400)
    expect((await sandbox.accounts(access_token)).status).toBe(200)
  })

  test('are two, and no third', async () => {
    const { fetch } = createBank()
    expect((await fetch(new Request('http://bank.test/premium/staging/v1/accounts'))).status).toBe(404)
  })
})
