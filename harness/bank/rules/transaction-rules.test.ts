import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawfulRules } from '../rules.ts'
import { aClient, aCustomer } from '../test-client.ts'
import type { Transaction } from '../world.ts'
import type { AccountFacts } from './account-rules.ts'
import type { Variant } from './facts.ts'

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
  test('hold each transaction once, by way of the cursors', () => {
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

  test('hold each transaction once, by their numbers', () => {
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
  test('is the opening balance and every booking', () => {
    const facts = factsOf('first')
    const bookings = transactions(10)
    expect(lawfulRules.bookedAmount({ ...facts, bookings: [] })).toBe(facts.account.openingBalance)
    expect(lawfulRules.bookedAmount({ ...facts, bookings })).toBe(facts.account.openingBalance + 15)
  })
})
