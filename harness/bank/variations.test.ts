import { describe, expect, test } from 'vitest'
import type { Variation } from './defect.ts'
import { DAY } from './rules/facts.ts'
import { startBank } from './server.ts'
import { aClient, TestClient } from './test-client.ts'
import { variations } from './variations.ts'
import type { ClientKind } from './world.ts'

/** What the interface says, over HTTP, from the consent to a token's end; of it every variation is a bank. */
const liveThrough = async (variation: Variation, kind: ClientKind): Promise<void> => {
  const { url, bank, close } = await startBank({ variation })
  try {
    const client = new TestClient({ fetch, origin: url, client: aClient(kind) })
    const denied = await denialOf(client)
    expect(denied).toMatchObject({ error: 'access_denied', state: 'state-1' })
    if (kind === 'TPP') await client.createConsent()
    const { parameters } = await client.authorize()
    expect(parameters).toMatchObject({ state: 'state-1' })
    const tokens = await client.exchange(parameters['code'])
    expect(tokens.status).toBe(200)
    const { access_token, refresh_token, token_type } = (await tokens.json()) as Record<string, string>
    expect(token_type).toBe('Bearer')
    expect(await accountIdsOf(await client.accounts(access_token ?? ''))).toHaveLength(3)
    const renewed = (await (await client.renew(refresh_token ?? '')).json()) as Record<string, string>
    expect(renewed['access_token']).not.toBe(access_token)
    expect(renewed['refresh_token']).not.toBe(refresh_token)
    await bank.clock.advance(90 * DAY)
    expect((await client.accounts(renewed['access_token'] ?? '')).status).toBe(401)
    expect((await client.authorize()).parameters).toHaveProperty('code')
  } finally {
    await close()
  }
}

const denialOf = async (client: TestClient): Promise<unknown> => {
  if (client.client.kind === 'TPP') await client.createConsent()
  return (await client.authorize({}, { decision: 'deny' })).parameters
}

const accountIdsOf = async (response: Response): Promise<unknown[]> => {
  expect(response.status).toBe(200)
  const body = (await response.json()) as { accounts: { accountId: string }[] } | { accountId: string }[]
  return (Array.isArray(body) ? body : body.accounts).map(({ accountId }) => accountId)
}

describe('every variation keeps the interface', () => {
  test.each(variations)('$id: $story', async (variation) => {
    await liveThrough(variation, 'FAC')
    await liveThrough(variation, 'TPP')
  })

  test('and has a name of its own', () => {
    expect(new Set(variations.map(({ id }) => id)).size).toBe(variations.length)
  })
})
