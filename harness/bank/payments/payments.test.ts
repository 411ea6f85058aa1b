import { expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import { SECOND } from '../rules/facts.ts'
import { PAYMENT_ACCOUNTS } from '../seed-data.ts'
import { aCustomer } from '../../testing/bank-clients/test-client.ts'
import { TestPayer } from '../../testing/bank-clients/test-payer.ts'

test.each(['sandbox', 'production'] as const)(
  'a payment in the %s is booked in this environment only, when it is settled',
  async (environment) => {
    const bank = createBank()
    const creditor = aCustomer(2).accounts[0]
    const payer = new TestPayer(bank, environment)
    const { status } = await payer.pay({ creditor: { name: 'Cyril', iban: creditor?.iban } })
    expect(status).toBe('ACSP')
    const other = environment === 'sandbox' ? 'production' : 'sandbox'
    expect(bank.world.ledgers[environment].bookings.size).toBe(0)
    await bank.clock.advance(30 * SECOND)
    expect(bank.world.ledgers[other].bookings.size).toBe(0)
    const booked = [...bank.world.ledgers[environment].bookings.values()].map(({ known }) => known[0])
    expect(booked).toEqual([
      expect.objectContaining({ amount: -1234, counterparty: { name: 'Cyril', iban: creditor?.iban } }),
      expect.objectContaining({ amount: 1234, counterparty: PAYMENT_ACCOUNTS.debtor }),
    ])
  },
)
