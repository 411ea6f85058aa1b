import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from './bank.ts'
import { seedData } from './seed-data.ts'
import { aCustomer } from '../testing/bank-clients/test-client.ts'
import { historyOf } from './bookings.ts'

const openedAt = new Date('2026-01-05T09:00:00Z')
const accounts = seedData.customers.flatMap((customer) => customer.accounts)

describe('the transactions before the opening', () => {
  test.each(accounts)('of $name are as many as the account has', async (account) => {
    const history = await historyOf({ seed: 42, openedAt }, account)
    expect(history).toHaveLength(account.openingTransactions)
    expect(history.every(({ amount }) => Number.isInteger(amount) && amount !== 0)).toBe(true)
    for (const { counterparty } of history) expect(counterparty.iban).toMatch(/^SK\d{22}$/)
  })

  test('have unique ids', async () => {
    const histories = await Promise.all(accounts.map((account) => historyOf({ seed: 42, openedAt }, account)))
    const ids = histories.flat().map(({ transactionId }) => transactionId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('are generated once', async () => {
    for (const account of accounts) {
      expect(await historyOf({ seed: 42, openedAt }, account)).toBe(
        await historyOf({ seed: 42, openedAt }, account),
      )
    }
  })

  test('end on the day on which the bank opens', async () => {
    const [account] = accounts
    if (!account) throw new Error('no account')
    const later = new Date('2031-07-01T00:00:00Z')
    const [newest] = await historyOf({ seed: 42, openedAt: later }, account)
    expect(newest?.bookingDate).toMatch(/^2031-0(7-01|6-(30|29))$/)
  })
})

const book = (bank: Bank, body: unknown): Promise<Response> =>
  bank.fetch(
    new Request('http://bank.test/_test-hooks/bookings', { method: 'POST', body: JSON.stringify(body) }),
  )

const iban = aCustomer().accounts[0]?.iban

test.each([
  [{ iban: 'SK0000000000000000000000', amount: 1 }, 404],
  [{ iban }, 400],
  [{ iban, amount: '1' }, 400],
  [{ iban, amount: 1, currency: 'EUR' }, 400],
])('a booking of %j is refused', async (body, status) => {
  expect((await book(createBank(), body)).status).toBe(status)
})
