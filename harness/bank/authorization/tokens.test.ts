import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import { DAY, MINUTE } from '../rules/facts.ts'
import { aClient, basic, TestClient, type TokenSet } from '../../testing/bank-clients/test-client.ts'

interface Setup {
  readonly bank: Bank
  readonly client: TestClient
}

const setup = (): Setup => {
  const bank = createBank()
  return { bank, client: new TestClient({ fetch: bank.fetch }) }
}

const withCode = async (): Promise<Setup & { readonly code: string }> => {
  const { bank, client } = setup()
  const { parameters } = await client.authorize()
  return { bank, client, code: parameters['code'] ?? '' }
}

const errorOf = async (response: Response): Promise<unknown> => {
  expect(response.status).toBe(400)
  return ((await response.json()) as { error: unknown }).error
}

const tokensOf = async (response: Response): Promise<TokenSet> => {
  expect(response.status).toBe(200)
  return (await response.json()) as TokenSet
}

describe('a code exchange', () => {
  test('gives an access token and a refresh token for 90 days', async () => {
    const { client, code } = await withCode()
    const response = await client.exchange(code)
    expect(response.headers.get('content-type')).toBe('application/json;charset=UTF-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('pragma')).toBe('no-cache')
    const tokens = await tokensOf(response)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 7_776_000, scope: 'PREMIUM_AIS' })
    expect(tokens.access_token).not.toBe(tokens.refresh_token)
    expect((await client.accounts(tokens.access_token)).status).toBe(200)
  })

  test.each([
    ['another redirect_uri', { redirect_uri: aClient('FAC').redirectUris[1] }, 'invalid_grant'],
    ['no redirect_uri', { redirect_uri: undefined }, 'invalid_grant'],
    ['another verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'w' }, 'invalid_grant'],
    ['another code', { code: 'x' }, 'invalid_grant'],
    ['no code', { code: undefined }, 'invalid_request'],
    ['no grant type', { grant_type: undefined }, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['another scope', { scope: 'PREMIUM_AIS:x' }, 'invalid_scope'],
  ])('with %s is refused, and the code stays valid', async (_, changes, error) => {
    const { client, code } = await withCode()
    const refused = await client.exchange(code, changes)
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(await errorOf(refused)).toBe(error)
    await tokensOf(await client.exchange(code))
  })

  test('needs no scope', async () => {
    const { client, code } = await withCode()
    await tokensOf(await client.exchange(code, { scope: undefined }))
  })

  test('with a wrong secret is refused with 401', async () => {
    const { client } = await withCode()
    const form = new URLSearchParams({ grant_type: 'authorization_code', code: 'x' })
    const response = await client.token(form, basic({ ...client.client, secret: 'wrong' }))
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
  })

  test('must be a form, not JSON', async () => {
    const { client, code } = await withCode()
    const response = await client.send('auth/oauth/v2/token', {
      method: 'POST',
      headers: { authorization: basic(client.client), 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'authorization_code', code }),
    })
    expect(await errorOf(response)).toBe('invalid_request')
  })

  test('with a repeated parameter is refused', async () => {
    const { client, code } = await withCode()
    const form = new URLSearchParams({ grant_type: 'authorization_code', code })
    form.append('code', code)
    expect(await errorOf(await client.token(form))).toBe('invalid_request')
  })

  test('by another client is refused', async () => {
    const { bank, client, code } = await withCode()
    const otherClient = new TestClient({ fetch: bank.fetch, client: aClient('FAC', 1) })
    const stolen = { code_verifier: client.verifier, redirect_uri: client.redirectUri }
    expect(await errorOf(await otherClient.exchange(code, stolen))).toBe('invalid_grant')
  })

  test('succeeds once: the second one is refused, and ends the tokens of the first', async () => {
    const { client, code } = await withCode()
    const { access_token, refresh_token } = await tokensOf(await client.exchange(code))
    expect(await errorOf(await client.exchange(code))).toBe('invalid_grant')
    expect((await client.accounts(access_token)).status).toBe(401)
    expect(await errorOf(await client.renew(refresh_token))).toBe('invalid_grant')
  })

  test('succeeds once for twenty concurrent requests', async () => {
    const { client, code } = await withCode()
    const responses = await Promise.all(Array.from({ length: 20 }, () => client.exchange(code)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('succeeds before five minutes, and fails at five', async () => {
    for (const [wait, status] of [
      [5 * MINUTE - 1, 200],
      [5 * MINUTE, 400],
    ] as const) {
      const { bank, client, code } = await withCode()
      await bank.clock.advance(wait)
      expect((await client.exchange(code)).status).toBe(status)
    }
  })
})

describe('a renewal', () => {
  test('gives two new tokens, and ends the refresh token', async () => {
    const { client } = setup()
    const old = await client.obtainTokens()
    const renewed = await tokensOf(await client.renew(old.refresh_token))
    const values = [old, renewed].flatMap((tokens) => [tokens.access_token, tokens.refresh_token])
    expect(new Set(values).size).toBe(4)
    expect(await errorOf(await client.renew(old.refresh_token))).toBe('invalid_grant')
    expect((await client.accounts(renewed.access_token)).status).toBe(200)
    await tokensOf(await client.renew(renewed.refresh_token))
  })

  test('gives tokens for another 90 days', async () => {
    const { bank, client } = setup()
    const { refresh_token } = await client.obtainTokens()
    await bank.clock.advance(60 * DAY)
    const renewed = await tokensOf(await client.renew(refresh_token))
    await bank.clock.advance(90 * DAY - 1)
    expect((await client.accounts(renewed.access_token)).status).toBe(200)
    await bank.clock.advance(1)
    expect((await client.accounts(renewed.access_token)).status).toBe(401)
  })

  test('succeeds at exactly 90 days, and fails one millisecond later', async () => {
    for (const [wait, status] of [
      [90 * DAY, 200],
      [90 * DAY + 1, 400],
    ] as const) {
      const { bank, client } = setup()
      const { refresh_token } = await client.obtainTokens()
      await bank.clock.advance(wait)
      expect((await client.renew(refresh_token)).status).toBe(status)
    }
  })

  test('is refused to another client, for an access token, and for a wider scope', async () => {
    const { bank, client } = setup()
    const { access_token, refresh_token } = await client.obtainTokens()
    const otherClient = new TestClient({ fetch: bank.fetch, client: aClient('FAC', 1) })
    expect(await errorOf(await otherClient.renew(refresh_token))).toBe('invalid_grant')
    expect(await errorOf(await client.renew(access_token))).toBe('invalid_grant')
    expect(await errorOf(await client.renew(refresh_token, { scope: 'PREMIUM_AIS PISP' }))).toBe(
      'invalid_scope',
    )
    await tokensOf(await client.renew(refresh_token, { scope: 'PREMIUM_AIS' }))
  })

  test('succeeds once for twenty concurrent requests', async () => {
    const { client } = setup()
    const { refresh_token } = await client.obtainTokens()
    const responses = await Promise.all(Array.from({ length: 20 }, () => client.renew(refresh_token)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('that is too late does not prevent a new grant with the existing consent', async () => {
    const bank = createBank()
    const client = new TestClient({ fetch: bank.fetch, client: aClient('TPP') })
    const { refresh_token } = await client.obtainTokens()
    await bank.clock.advance(91 * DAY)
    expect(await errorOf(await client.renew(refresh_token))).toBe('invalid_grant')
    const { access_token } = await client.obtainTokens()
    expect((await client.accounts(access_token)).status).toBe(200)
  })
})
