import { describe, expect, test } from 'vitest'
import { DAY, SECOND } from '../rules/facts.ts'
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
})
