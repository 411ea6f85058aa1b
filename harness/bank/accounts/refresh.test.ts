import { describe, expect, test } from 'vitest'
import { DAY, SECOND } from '../rules/facts.ts'
import { aClient, aCustomer, TestClient } from '../../testing/bank-clients/test-client.ts'
import { anAccount, BankWithSink, refresh, type Subscription } from '../../testing/bank-clients/test-sink.ts'

const neighbour = anAccount('Salary account')
const river = anAccount('Cottage account')

const newestAmount = async (
  { application, token }: Subscription,
  accountId: string,
): Promise<number | undefined> => {
  const response = await application.get(token, `v1/accounts/${accountId}/transactions`)
  const { transactions } = (await response.json()) as {
    transactions: { transactionAmount: { amount: number } }[]
  }
  return transactions[0]?.transactionAmount.amount
}

const balanceOf = async ({ application, token }: Subscription, accountId: string): Promise<number> => {
  const response = await application.get(token, `v1/accounts/${accountId}`)
  const { account } = (await response.json()) as {
    account: { balances: { balanceAmount: { amount: number } }[] }
  }
  return account.balances[0]?.balanceAmount.amount ?? Number.NaN
}

describe('PUT /refresh', () => {
  test('answers with the id of a task', async () => {
    const subscription = await new BankWithSink().subscribe()
    const response = await refresh(subscription, { headers: { 'x-request-id': 'r-7' } })
    expect(response.status).toBe(202)
    expect(response.headers.get('x-request-id')).toBe('r-7')
    expect(await response.json()).toEqual({ taskId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string })
  })

  test('copies the bookings of each other bank when that bank is FINISHED', async () => {
    const world = new BankWithSink()
    const subscription = await world.subscribe()
    const before = await balanceOf(subscription, neighbour.accountId)
    for (const account of [neighbour, river]) await world.book(account, -77.01)
    await refresh(subscription)
    await world.pass(5 * SECOND - 1)
    expect(await newestAmount(subscription, neighbour.accountId)).not.toBe(-77.01)
    await world.pass(1)
    expect(await newestAmount(subscription, neighbour.accountId)).toBe(-77.01)
    expect(await balanceOf(subscription, neighbour.accountId)).toBeCloseTo(before - 77.01, 2)
    expect(await newestAmount(subscription, river.accountId)).not.toBe(-77.01)
    await world.pass(2 * SECOND)
    expect(await newestAmount(subscription, river.accountId)).toBe(-77.01)
  })

  test('updates the accounts without webhooks as well', async () => {
    const world = new BankWithSink()
    const subscription = await world.subscribe({ change: { enabled: false } })
    await world.book(neighbour, 5.5)
    await refresh(subscription)
    await world.pass(DAY)
    expect(await newestAmount(subscription, neighbour.accountId)).toBe(5.5)
    expect(world.received).toEqual([])
  })

  test("accepts only the token's own consent", async () => {
    const world = new BankWithSink()
    const subscription = await world.subscribe()
    const other = await world.subscribe({ customer: aCustomer(2) })
    const named = (consentId: unknown): Promise<Response> =>
      refresh(subscription, { body: JSON.stringify({ consentId }) })
    expect((await named(subscription.consentId)).status).toBe(202)
    expect((await named(other.consentId)).status).toBe(404)
    expect((await named('unknown')).status).toBe(404)
    expect((await named(7)).status).toBe(400)
    expect((await refresh(subscription, { body: '[]' })).status).toBe(400)
    expect((await refresh(subscription, { body: '{' })).status).toBe(400)
    expect((await refresh(subscription, { body: '{}' })).status).toBe(202)
  })

  test('needs a valid token that was granted under a consent', async () => {
    const world = new BankWithSink()
    const subscription = await world.subscribe()
    expect((await refresh({ ...subscription, token: 'unknown' })).status).toBe(401)
    const fac = new TestClient({ fetch: world.bank.fetch, client: aClient('FAC') })
    const { access_token } = await fac.obtainTokens()
    expect((await refresh({ application: fac, token: access_token })).status).toBe(403)
    await world.pass(90 * DAY)
    expect((await refresh(subscription)).status).toBe(401)
  })

  test('starts a new task each time', async () => {
    const world = new BankWithSink()
    const subscription = await world.subscribe()
    const first = await (await refresh(subscription)).json()
    expect(await (await refresh(subscription)).json()).not.toEqual(first)
  })
})
