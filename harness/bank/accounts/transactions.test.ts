import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBank, type BankOptions } from '../bank.ts'
import { lawfulRules } from '../rules.ts'
import type { AccountFacts } from '../rules/account-rules.ts'
import type { Variant } from '../rules/facts.ts'
import type { Transaction } from '../state.ts'
import { aClient, aCustomer, TestClient } from '../../testing/bank-clients/test-client.ts'

interface Page {
  readonly transactions: readonly { readonly transactionId: string; readonly bookingDate: string }[]
  readonly _links: { readonly next?: { readonly href: string } }
}

interface NumberedPage extends Page {
  readonly pageCount: number
}

const accountWith = (count: number): string =>
  aCustomer().accounts.find(({ openingTransactions }) => openingTransactions === count)?.accountId ?? ''

const setup = async (options: BankOptions = {}): Promise<{ client: TestClient; token: string }> => {
  const client = new TestClient({ fetch: createBank(options).fetch })
  return { client, token: (await client.obtainTokens()).access_token }
}

const address = (count: number, query = ''): string =>
  `v1/accounts/${accountWith(count)}/transactions${query}`

/** The sizes of all pages, along the links. */
const sizesOf = async (start: string): Promise<readonly number[]> => {
  const { client, token } = await setup()
  const ids = new Set<string>()
  const sizes: number[] = []
  for (let path: string | undefined = start; path !== undefined;) {
    const page = (await (await client.get(token, path)).json()) as Page
    for (const { transactionId } of page.transactions) ids.add(transactionId)
    sizes.push(page.transactions.length)
    path = page._links.next?.href
  }
  expect(ids.size).toBe(sizes.reduce((sum, size) => sum + size, 0))
  return sizes
}

describe('GET /v1/accounts/{account-id}/transactions', () => {
  test.each([
    [0, '', [0]],
    [1, '?pageSize=10', [1]],
    [9, '?pageSize=10', [9]],
    [10, '?pageSize=10', [10]],
    [11, '?pageSize=10', [10, 1]],
    [100, '', [50, 50]],
    [101, '?pageSize=100', [100, 1]],
    [101, '?pageSize=1000', [100, 1]],
    [9, '?pageSize=4', [4, 4, 1]],
    [1237, '?pageSize=100', [...Array.from({ length: 12 }, () => 100), 37]],
  ])('divides %d transactions by %j', async (count, query, sizes) => {
    expect(await sizesOf(address(count, query))).toEqual(sizes)
  })

  test.each(['0', '-1', '1.5', 'ten', '10x', '0x10'])('refuses a pageSize of %j', async (pageSize) => {
    const { client, token } = await setup()
    expect((await client.get(token, address(11, `?pageSize=${pageSize}`))).status).toBe(400)
  })

  test('refuses a repeated pageSize, and an unknown page', async () => {
    const { client, token } = await setup()
    expect((await client.get(token, address(11, '?pageSize=10&pageSize=10'))).status).toBe(400)
    expect((await client.get(token, address(11, '?entryReferenceFrom=nothing'))).status).toBe(400)
  })

  test('starts with the newest transaction', async () => {
    const { client, token } = await setup()
    const { transactions } = (await (await client.get(token, address(100))).json()) as Page
    const dates = transactions.map(({ bookingDate }) => bookingDate)
    expect(dates).toEqual([...dates].sort().reverse())
    expect(dates[0] && dates[0] <= '2026-01-05').toBe(true)
  })

  test('refuses an account that was not granted', async () => {
    const { client, token } = await setup()
    for (const accountId of [accountWith(25), aCustomer(1).accounts[0]?.accountId, 'nothing']) {
      expect((await client.get(token, `v1/accounts/${accountId ?? ''}/transactions`)).status).toBe(404)
    }
  })

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

describe('POST /api/v1/accounts/transactions', () => {
  const ask = async (count: number, body: object): Promise<Response> => {
    const { client, token } = await setup()
    return client.ask(token, 'transactions', { accountId: accountWith(count), ...body })
  }

  test.each([
    [0, { pageSize: 10 }, 0, 0],
    [9, { pageSize: 10 }, 1, 9],
    [10, { pageSize: 10, page: 1 }, 1, 10],
    [11, { pageSize: 10, page: 2 }, 2, 1],
    [101, { pageSize: 100, page: 2 }, 2, 1],
    [1237, { pageSize: 10, page: 124 }, 124, 7],
    [1237, { pageSize: 10, page: 125 }, 124, 0],
    [100, {}, 2, 50],
  ])('divides %d transactions by %j', async (count, body, pageCount, size) => {
    const page = (await (await ask(count, body)).json()) as NumberedPage
    expect(page.pageCount).toBe(pageCount)
    expect(page.transactions).toHaveLength(size)
  })

  test.each([{ pageSize: 9 }, { pageSize: 101 }, { pageSize: '10' }, { pageSize: 10.5 }, { pageSize: null }])(
    'refuses %j',
    async (body) => {
      expect((await ask(11, body)).status).toBe(400)
    },
  )

  test.each([0, -1, 1.5, '1', null])('refuses the page %j', async (page) => {
    expect((await ask(11, { pageSize: 10, page })).status).toBe(400)
  })

  test('shows the transactions of the first variant', async () => {
    const { client, token } = await setup()
    const first = (await (await client.get(token, address(11))).json()) as Page
    const body = { accountId: accountWith(11), pageSize: 100 }
    const second = (await (await client.ask(token, 'transactions', body)).json()) as Page
    expect(second.transactions.map(({ transactionId }) => transactionId)).toEqual(
      first.transactions.map(({ transactionId }) => transactionId),
    )
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
          const items = lawfulRules.pageItems(page)
          walked.push(...items)
          if (!lawfulRules.hasNextPage(page)) break
          expect(items).toHaveLength(size)
          const next = lawfulRules.nextOffset({ ...page, items })
          offset = lawfulRules.offsetOfCursor({
            ...facts,
            cursor: lawfulRules.cursorAt({ ...page, offset: next }),
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
        const pages = Array.from({ length: lawfulRules.pageCount(facts) }, (_, place) => {
          const offset = lawfulRules.offsetOfPage({ ...facts, number: place + 1 })
          return lawfulRules.pageItems({ ...facts, offset })
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
    expect(lawfulRules.bookedAmount({ ...facts, bookings: [] })).toBe(facts.account.openingBalance)
    expect(lawfulRules.bookedAmount({ ...facts, bookings })).toBe(facts.account.openingBalance + 15)
  })
})
