import { describe, expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import { DAY, HOUR, SECOND } from '../rules/facts.ts'
import { PAYMENT_ACCOUNTS } from '../seed-data.ts'
import { aCustomer } from '../../testing/bank-clients/test-client.ts'
import { TestPayer } from '../../testing/bank-clients/test-payer.ts'

const THURSDAY = '2026-01-08'

describe.each(['sandbox', 'production'] as const)('a payment in the %s', (environment) => {
  test('is initiated, authorized, submitted and settled', async () => {
    const bank = createBank()
    const payer = new TestPayer(bank, environment)
    const initiated = await payer.initiate()
    expect(initiated).toMatchObject({ http: 201, status: 'ACTC' })
    expect(initiated.orderId).toMatch(/^[0-9A-F]{32}$/)
    expect(initiated.statusDateTime).toBe('2026-01-05T10:00:00.000+01:00')
    const token = await payer.authorize(initiated)
    expect(await payer.status(initiated)).toEqual({ ...initiated, http: 200 })
    const { orderId } = initiated
    const submitted = await payer.submit(token)
    expect(submitted).toMatchObject({ http: 200, status: 'ACSP', orderId })
    await bank.clock.advance(30 * SECOND)
    const settled = await payer.status(initiated)
    expect(settled).toMatchObject({ status: 'ACSC', statusDateTime: '2026-01-05T10:00:30.000+01:00' })
    await bank.clock.advance(30 * DAY)
    expect(await new TestPayer(bank, environment).status(initiated)).toEqual(settled)
  })

  test('with a date is executed at six on that day', async () => {
    const bank = createBank()
    const submitted = await new TestPayer(bank, environment).pay(
      { requestedExecutionDate: THURSDAY },
      'standard',
    )
    expect(submitted.status).toBe('PDNG')
    const sixOnThursday = new Date(`${THURSDAY}T06:00:00+01:00`).getTime()
    await bank.clock.advance(sixOnThursday - bank.clock.now().getTime() - 1)
    expect(await new TestPayer(bank, environment).status(submitted)).toMatchObject({ status: 'PDNG' })
    await bank.clock.advance(1)
    expect(await new TestPayer(bank, environment).status(submitted)).toMatchObject({
      status: 'ACSC',
      statusDateTime: `${THURSDAY}T06:00:00.000+01:00`,
    })
  })

  test('is booked in this environment only, when it is settled', async () => {
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
  })
})

describe('a payment that waits for its day', () => {
  test('is rejected if the balance is insufficient by then', async () => {
    const bank = createBank()
    const submitted = await new TestPayer(bank).pay({ requestedExecutionDate: THURSDAY }, 'standard')
    const body = JSON.stringify({ iban: PAYMENT_ACCOUNTS.debtor.iban, amount: -2145 })
    await bank.fetch(new Request('http://bank.test/_test-hooks/bookings', { method: 'POST', body }))
    await bank.clock.advance(3 * DAY)
    expect(await new TestPayer(bank).status(submitted)).toMatchObject({
      status: 'RJCT',
      reasonCode: 'AM04',
      additionalInformation: expect.any(String) as string,
    })
  })
})

describe('a submission', () => {
  test.each([
    ['TM01', 12 * HOUR],
    ['DT01', 5 * DAY],
  ])('is rejected with %s once it is too late for it', async (reasonCode, ms) => {
    const bank = createBank()
    const payment = await new TestPayer(bank).initiate()
    await bank.clock.advance(ms)
    const payer = new TestPayer(bank)
    const submitted = await payer.submit(await payer.authorize(payment))
    expect(submitted).toMatchObject({ http: 200, status: 'RJCT', reasonCode })
    expect(await payer.authorize(payment)).toBeUndefined()
  })

  test('is rejected if another payment in process uses the balance', async () => {
    const payer = new TestPayer(createBank())
    const all = { instructedAmount: { value: 2145.3, currency: 'EUR' } }
    const [first, second] = [await payer.initiate(all), await payer.initiate(all)]
    expect(await payer.submit(await payer.authorize(first))).toMatchObject({ status: 'ACSP' })
    expect(await payer.submit(await payer.authorize(second))).toMatchObject({ reasonCode: 'AM04' })
  })
})
