import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from './bank.ts'
import { type Account, seedData } from './seed-data.ts'
import { aCustomer, TestClient } from '../testing/bank-clients/test-client.ts'
import { historyOf, takeOver } from './bookings.ts'

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

const anAccount = (bankCode: string): Account => {
  const account = aCustomer().accounts.find((candidate) => candidate.bankCode === bankCode)
  if (!account) throw new Error(`no account at ${bankCode}`)
  return account
}

const own = anAccount('9801')
const other = anAccount('9802')

const book = (bank: Bank, body: unknown): Promise<Response> =>
  bank.fetch(
    new Request('http://bank.test/_test-hooks/bookings', { method: 'POST', body: JSON.stringify(body) }),
  )

interface Shown {
  readonly booked: number
  readonly newest: string | undefined
}

/** The answers of the bank about an account. */
const show = async (client: TestClient, token: string, { accountId }: Account): Promise<Shown> => {
  const detail = await client.get(token, `v1/accounts/${accountId}`)
  const { account } = (await detail.json()) as {
    account: { balances: { balanceAmount: { amount: number } }[] }
  }
  const page = await client.get(token, `v1/accounts/${accountId}/transactions?pageSize=1`)
  const { transactions } = (await page.json()) as { transactions: { transactionId: string }[] }
  return {
    booked: account.balances[0]?.balanceAmount.amount ?? Number.NaN,
    newest: transactions[0]?.transactionId,
  }
}

describe('a booking', () => {
  test.each(['sandbox', 'production'] as const)(
    'at the own bank is known at once in the %s',
    async (environment) => {
      const bank = createBank()
      const client = new TestClient({ fetch: bank.fetch, environment })
      const { access_token } = await client.obtainTokens()
      const response = await book(bank, { iban: own.iban, amount: -12.34 })
      expect(response.status).toBe(201)
      const { transactionId } = (await response.json()) as { transactionId: string }
      expect(await show(client, access_token, own)).toEqual({ booked: 2132.96, newest: transactionId })
    },
  )

  test('at another bank is known after its refresh', async () => {
    const bank = createBank()
    const client = new TestClient({ fetch: bank.fetch })
    const { access_token } = await client.obtainTokens()
    const before = await show(client, access_token, other)
    const { transactionId } = (await (await book(bank, { iban: other.iban, amount: 100 })).json()) as {
      transactionId: string
    }
    expect(await show(client, access_token, other)).toEqual(before)
    takeOver(bank.world.ledgers.sandbox, other)
    expect(await show(client, access_token, other)).toEqual({ booked: 1087.17, newest: transactionId })
  })

  test('changes no other account, and no page after a cursor', async () => {
    const bank = createBank()
    const client = new TestClient({ fetch: bank.fetch })
    const { access_token } = await client.obtainTokens()
    const path = `v1/accounts/${own.accountId}/transactions?pageSize=10`
    const { _links } = (await (await client.get(access_token, path)).json()) as {
      _links: { next: { href: string } }
    }
    const second = await (await client.get(access_token, _links.next.href)).text()
    await book(bank, { iban: own.iban, amount: 1 })
    expect(await (await client.get(access_token, _links.next.href)).text()).toBe(second)
    expect(bank.world.ledgers.sandbox.bookings.size).toBe(1)
  })

  test.each([
    [{ iban: 'SK0000000000000000000000', amount: 1 }, 404],
    [{ iban: own.iban }, 400],
    [{ iban: own.iban, amount: '1' }, 400],
    [{ iban: own.iban, amount: 1, currency: 'EUR' }, 400],
  ])('of %j is refused', async (body, status) => {
    expect((await book(createBank(), body)).status).toBe(status)
  })
})
