import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from './bank.ts'
import { takeOver } from './bookings.ts'
import { aCustomer, TestClient } from './test-client.ts'
import type { Account } from './world.ts'

const anAccount = (bankCode: string): Account => {
  const account = aCustomer().accounts.find((candidate) => candidate.bankCode === bankCode)
  if (!account) throw new Error(`no account at ${bankCode}`)
  return account
}

const own = anAccount('9801')
const other = anAccount('9802')

const book = (bank: Bank, body: unknown): Promise<Response> =>
  bank.fetch(new Request('http://bank.test/_levers/bookings', { method: 'POST', body: JSON.stringify(body) }))

interface Shown {
  readonly booked: number
  readonly newest: string | undefined
}

/** What the bank tells of an account. */
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

  test('at another bank is known once it is taken over', async () => {
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

  test('moves no other account, and no page that is being read', async () => {
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
