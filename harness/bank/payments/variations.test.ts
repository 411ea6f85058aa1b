import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import { DAY } from '../rules/facts.ts'
import { bodyVariations } from '../variations/body-variations.ts'
import { pageVariations } from '../variations/page-variations.ts'
import { paymentVariations } from '../variations/payment-variations.ts'
import { TestPayer, type Told } from './test-payer.ts'

const CODE = /^(AC01|AC04|AG01|AM03|AM04|AM05|AM09|AM10|DT01|MS03|RC01|RR03|TM01)$/

/** Extended, by week, or basic. */
const DATE_TIME =
  /^(\d{4}-(\d\d-\d\d|W\d\d-\d)T\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)|\d{8}T\d{6}\.\d{3}[+-]\d{4})$/

/** Every record has this form, wherever it is told. */
const expectRecord = (record: Told, ...statuses: readonly string[]): void => {
  expect(statuses).toContain(record.status)
  expect(record.statusDateTime).toMatch(DATE_TIME)
  if (record.status !== 'RJCT') return expect(record.reasonCode ?? '').toBe('')
  expect(record.reasonCode).toMatch(CODE)
  expect(record.additionalInformation).toMatch(/\S/)
}

/** What the interface says of payments, from the initiation to what time makes of them. */
const payThrough = async (bank: Bank): Promise<void> => {
  const payer = new TestPayer(bank)
  const payment = await payer.initiate()
  expect(payment.http).toBe(201)
  expect(payment.orderId).toMatch(/^.{1,35}$/)
  expectRecord(payment, 'ACTC')
  expectRecord(await payer.submit(await payer.authorize(payment)), 'ACSP')
  expectRecord(await payer.status(payment), 'ACSP', 'ACSC')
  const late = await payer.pay({ requestedExecutionDate: '2026-01-08' }, 'standard')
  expectRecord(late, 'PDNG')
  const wrong = await payer.initiate({ debtor: { name: 'X', iban: 'SK00' } })
  expect(wrong.http).toBe(201)
  expectRecord(wrong, 'RJCT')
  const denied = await payer.initiate()
  expect(await payer.authorize(denied, { decision: 'deny' })).toBeUndefined()
  expectRecord(await payer.status(denied), 'ACTC', 'RJCT')
  await bank.clock.advance(4 * DAY)
  const later = new TestPayer(bank)
  expectRecord(await later.status(payment), 'ACSP', 'ACSC')
  expectRecord(await later.status(late), 'PDNG', 'ACSP', 'ACSC', 'RJCT')
  expectRecord(await later.status(wrong), 'RJCT')
}

/** Those that payments meet, and whose records stand where this payer looks for them; the proof tries all of them. */
const met = [...pageVariations, ...bodyVariations, ...paymentVariations].filter(
  ({ id }) => !id.startsWith('refusals-') && id !== 'payments-in-an-envelope',
)

describe('every variation pays as the interface says', () => {
  test.each(met)('$id: $story', async (variation) => {
    await payThrough(createBank({ variation }))
  })
})
