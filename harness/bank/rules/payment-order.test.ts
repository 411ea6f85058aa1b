import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import { HOUR } from './facts.ts'
import { PAYMENT_ACCOUNTS } from '../seed-data.ts'
import { type Members, TestPayer } from '../../testing/bank-clients/test-payer.ts'

const { creditor, savings, poor, closed, held } = PAYMENT_ACCOUNTS

const transfer = (value: number): Members => ({ creditor, instructedAmount: { value, currency: 'EUR' } })

const onDay = (requestedExecutionDate: string): Members => ({ requestedExecutionDate })

/** A reason code, its cause, the change of the order that causes it, and the method. */
type Case = readonly [code: string, cause: string, changes: Members, method?: string]

const CAUSES: readonly Case[] = [
  ['AC01', 'wrong check digits', { creditor: { ...creditor, iban: 'SK6998010000005100001118' } }],
  ['AC01', 'a Slovak IBAN too short', { creditor: { ...creditor, iban: 'SK689801000000510000111' } }],
  ['AC01', 'an IBAN with blanks', { creditor: { ...creditor, iban: 'SK68 9801 0000 0051 0000 1118' } }],
  ['AC01', 'a debtor unknown here', { debtor: { name: 'X', iban: 'CZ6508000000192000145399' } }],
  ['RC01', 'a BIC of nine characters', { creditor: { ...creditor, bic: 'REFBSKBXX' } }],
  ['RC01', 'a BIC in small letters', { creditor: { ...creditor, bic: 'refbskbx' } }],
  ['RR03', 'a blank name', { creditor: { ...creditor, name: ' ' } }],
  ['RR03', 'no name', { creditor: { iban: creditor.iban } }],
  ['RR03', 'no address abroad', { creditor: { name: 'Ann', iban: 'GB82WEST12345698765432' } }],
  ['AM03', 'dollars', { instructedAmount: { value: 1, currency: 'USD' } }],
  ['AM10', 'a wrong sum', { transfers: [transfer(0.1), transfer(0.2)], controlSum: 0.31 }, 'batch'],
  ['AM09', 'another amount agreed', { agreedAmount: { value: 12.33, currency: 'EUR' } }],
  ['AG01', 'a savings account', { debtor: savings }],
  ['AG01', 'an account of a payee', { debtor: creditor }],
  ['AC04', 'a closed account', { creditor: closed }],
  ['AC04', 'a closed account of the debtor', { debtor: closed }],
  ['DT01', 'yesterday', onDay('2026-01-04'), 'standard'],
  ['DT01', 'a Saturday', onDay('2026-01-10'), 'standard'],
  ['DT01', 'Easter Monday', onDay('2026-04-06'), 'standard'],
  ['DT01', 'the first of May', onDay('2026-05-01'), 'standard'],
  ['DT01', 'more than a year ahead', onDay('2027-01-06'), 'standard'],
  ['DT01', 'no day at all', onDay('2026-02-30'), 'standard'],
  ['DT01', 'no day of its month', onDay('2026-02-31'), 'standard'],
  ['DT01', 'no day of its month, at once', onDay('2026-02-31'), 'ecomm'],
  [
    'DT01',
    'no day of its month, in a batch',
    { transfers: [transfer(0.1)], controlSum: 0.1, ...onDay('2026-02-31') },
    'batch',
  ],
  ['DT01', 'tomorrow, at once', onDay('2026-01-06'), 'ecomm'],
  ['DT01', 'a message of last week', { creationDateTime: '2026-01-01T09:00:00Z' }],
  ['MS03', 'an account under a hold', { creditor: held }],
  ['AM04', 'an empty account', { debtor: poor }],
  ['AM04', 'a cent too much', { instructedAmount: { value: 2145.31, currency: 'EUR' } }],
]

describe('an order is rejected', () => {
  const cases = CAUSES.map(([reasonCode, cause, changes, method]) => ({ reasonCode, cause, changes, method }))

  test.each(cases)('with $reasonCode for $cause', async ({ reasonCode, changes, method }) => {
    const payer = new TestPayer(createBank())
    const rejected = await payer.initiate(changes, method)
    expect(rejected).toMatchObject({ http: 201, status: 'RJCT', reasonCode })
    expect(rejected.additionalInformation).toMatch(/\w/)
    expect(await payer.status(rejected)).toEqual({ ...rejected, http: 200 })
    expect(await payer.authorize(rejected)).toBeUndefined()
  })

  test('with AM05 if it is repeated, also concurrently', async () => {
    const payer = new TestPayer(createBank())
    const order = payer.order()
    const answers = await Promise.all([payer.initiate(order), payer.initiate(order)])
    expect(answers.map(({ status }) => status)).toEqual(['ACTC', 'RJCT'])
    expect(await payer.initiate(order)).toMatchObject({ reasonCode: 'AM05' })
  })

  test('with TM01 after the cut-off time, except for another day', async () => {
    const bank = createBank()
    await bank.clock.advance(11 * HOUR)
    const payer = new TestPayer(bank)
    expect(await payer.initiate()).toMatchObject({ reasonCode: 'TM01' })
    expect(await payer.initiate(onDay('2026-01-07'), 'standard')).toMatchObject({ status: 'ACTC' })
  })
})

describe('a malformed order is refused', () => {
  test.each<readonly [string, unknown]>([
    ['broken JSON', '{"debtor":'],
    ['nothing', ''],
    ['a list', []],
    ['null', 'null'],
    ['an empty object', {}],
  ])('%s', async (_, body) => {
    expect((await new TestPayer(createBank()).call('ecomm/sba', body)).status).toBe(400)
  })

  test.each<readonly [string, Members]>([
    ['an amount below zero', { instructedAmount: { value: -1, currency: 'EUR' } }],
    ['nothing to pay', { instructedAmount: { value: 0, currency: 'EUR' } }],
    ['a tenth of a cent', { instructedAmount: { value: 0.001, currency: 'EUR' } }],
    ['an amount in words', { instructedAmount: { value: '1.00', currency: 'EUR' } }],
    ['an amount beyond measure', { instructedAmount: { value: 1e21, currency: 'EUR' } }],
    ['no creditor', { creditor: undefined }],
    ['no account', { creditor: { name: 'X' } }],
    ['a long identification', { instructionIdentification: 'X'.repeat(36) }],
    ['a long remittance', { remittanceInformation: 'X'.repeat(141) }],
    ['a text of a mebibyte', { remittanceInformation: 'X'.repeat(1024 * 1024) }],
    ['a date in words', { requestedExecutionDate: 'tomorrow' }],
  ])('%s', async (_, changes) => {
    const refused = await new TestPayer(createBank()).initiate(changes, 'standard')
    expect(refused).toMatchObject({ http: 400, errorCode: 'INVALID_REQUEST' })
  })

  test('any body is answered without a server error', async () => {
    const payer = new TestPayer(createBank())
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.constantFrom('ecomm', 'standard', 'batch'),
        async (body, method) => {
          expect((await payer.call(`${method}/sba`, body)).status).toBe(400)
        },
      ),
    )
  })

  test('without a token it is refused', async () => {
    const payer = new TestPayer(createBank())
    const response = await payer.fetch(`${payer.base}/ecomm/sba`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(401)
  })
})
