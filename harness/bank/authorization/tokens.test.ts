import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import { DAY, MINUTE } from '../rules/facts.ts'
import { TestClient, type TokenSet } from '../../testing/bank-clients/test-client.ts'

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

const tokensOf = async (response: Response): Promise<TokenSet> => {
  expect(response.status).toBe(200)
  return (await response.json()) as TokenSet
}

describe('a code exchange', () => {
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
})
