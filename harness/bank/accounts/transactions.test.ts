import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBank, type BankOptions } from '../bank.ts'
import { conformingRules } from '../rules.ts'
import type { AccountFacts } from '../rules/account-rules.ts'
import type { Variant } from '../rules/facts.ts'
import type { Transaction } from '../state.ts'
import { aClient, aCustomer, TestClient } from '../../testing/bank-clients/test-client.ts'

const accountWith = (count: number): string =>
  aCustomer().accounts.find(({ openingTransactions }) => openingTransactions === count)?.accountId ?? ''

const setup = async (options: BankOptions = {}): Promise<{ client: TestClient; token: string }> => {
  const client = new TestClient({ fetch: createBank(options).fetch })
  return { client, token: (await client.obtainTokens()).access_token }
}

const address = (count: number, query = ''): string =>
  `v1/accounts/${accountWith(count)}/transactions${query}`

describe('GET /v1/accounts/{account-id}/transactions', () => {
  test('shows the same transactions for the same seed, and others for another seed', async () => {
    const read = async (options: BankOptions): Promise<string> => {
      const { client, token } = await setup(options)
      return (await client.get(token, address(11))).text()
    }
    expect(await read({})).toBe(await read({}))
    expect(await read({ seed: 7 })).not.toBe(await read({}))
    expect(await read({ seed: 7 })).toBe(await read({ seed: 7 }))
  })
})

const customer = aCustomer()
const now = new Date('2026-01-05T09:00:00Z')

const factsOf = (variant: Variant): AccountFacts => {
  const [account] = customer.accounts
  if (!account) throw new Error('no account')
  const { clientId } = aClient('FAC')
  const common = { environment: 'sandbox', clientId, grantId: 'g', scope: 'PREMIUM_AIS' } as const
  return {
    environment: 'sandbox',
    now,
    endpoint: 'transactions',
    variant,
    token: { ...common, value: 't', issuedAt: now, expiresAt: now, retiredAt: undefined },
    grant: {
      ...common,
      username: customer.username,
      consentId: undefined,
      accountIds: [account.accountId],
      grantedAt: now,
    },
    customer,
    customers: [customer],
    account,
  }
}

const transactions = (count: number): readonly Transaction[] =>
  Array.from({ length: count }, (_, place) => ({
    transactionId: `t${place}`,
    amount: place - 3,
    bookingDate: '2026-01-05',
    valueDate: '2026-01-05',
    counterparty: { name: 'n', iban: 'i' },
    remittanceInformation: 'r',
  }))

const counts = fc.nat(450)
const sizes = fc.integer({ min: 1, max: 100 })

describe('the pages of an account', () => {
  test('contain each transaction once, along the cursors', () => {
    fc.assert(
      fc.property(counts, sizes, (count, size) => {
        const facts = { ...factsOf('first'), all: transactions(count), size }
        const walked: Transaction[] = []
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const page: typeof facts & { offset: number } = { ...facts, offset }
          const items = conformingRules.pageItems(page)
          walked.push(...items)
          if (!conformingRules.hasNextPage(page)) break
          expect(items).toHaveLength(size)
          const next = conformingRules.nextOffset({ ...page, items })
          offset = conformingRules.offsetOfCursor({
            ...facts,
            cursor: conformingRules.cursorAt({ ...page, offset: next }),
          })
        }
        expect(walked).toEqual(facts.all)
      }),
    )
  })

  test('contain each transaction once, by their numbers', () => {
    fc.assert(
      fc.property(counts, sizes, (count, size) => {
        const facts = { ...factsOf('second'), all: transactions(count), size }
        const pages = Array.from({ length: conformingRules.pageCount(facts) }, (_, place) => {
          const offset = conformingRules.offsetOfPage({ ...facts, number: place + 1 })
          return conformingRules.pageItems({ ...facts, offset })
        })
        expect(pages.flat()).toEqual(facts.all)
        expect(pages.slice(0, -1).every(({ length }) => length === size)).toBe(true)
        expect(pages.at(-1)?.length ?? 1).toBeGreaterThan(0)
      }),
    )
  })
})

describe('bookedAmount', () => {
  test('is the sum of the opening balance and all bookings', () => {
    const facts = factsOf('first')
    const bookings = transactions(10)
    expect(conformingRules.bookedAmount({ ...facts, bookings: [] })).toBe(facts.account.openingBalance)
    expect(conformingRules.bookedAmount({ ...facts, bookings })).toBe(facts.account.openingBalance + 15)
  })
})
