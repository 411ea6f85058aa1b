import { describe, expect, test } from 'vitest'
import { NotReached } from '../../evidence/signals.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { requireAccepted } from './valid-order.ts'

const initiation = (status: number, body: unknown) =>
  sampleExchange({ operation: 'initiatePayment', status, body: JSON.stringify(body) })

const rejected = (reasonCode?: string) => ({
  orderId: 'A1',
  status: 'RJCT',
  reasonCode,
  additionalInformation: 'Payments are not allowed from this type of account.',
})

describe('a valid order that is not accepted', () => {
  test.each([
    ['AG01', 'payments.debtor and payments.creditor'],
    ['AC01', 'payments.debtor and payments.creditor'],
    ['MS03', 'payments.debtor and payments.creditor'],
    ['AM04', 'payments.debtor and payments.amount'],
    ['TM01', 'payments.hours'],
  ])('with %s points at %s, in the words of the bank', (code, keys) => {
    const act = (): void => requireAccepted(initiation(201, rejected(code)))
    expect(act).toThrow(NotReached)
    expect(act).toThrow(
      `rejected the valid order of the profile with ${code} ("Payments are not allowed from this type of account."): look at ${keys}`,
    )
  })

  test('without a reason code, or within another object, is one as well', () => {
    expect(() => requireAccepted(initiation(201, rejected()))).toThrow('with no reason code')
    expect(() => requireAccepted(initiation(201, { payment: rejected('AC04') }))).toThrow('with AC04')
  })

  test('that is refused points at the body and the token', () => {
    expect(() => requireAccepted(initiation(400, { error: 'invalid_request' }))).toThrow(
      'refused the valid order of the profile (HTTP status 400): look at payments.initiations and payments.authentication',
    )
  })
})

test('an accepted order, and an answer that says nothing about the order, are left to others', () => {
  expect(() => requireAccepted(initiation(201, { orderId: 'A1', status: 'ACTC' }))).not.toThrow()
  expect(() => requireAccepted(initiation(404, { orderId: 'A1', status: 'ACTC' }))).not.toThrow()
  expect(() => requireAccepted(initiation(503, {}))).not.toThrow()
  expect(() => requireAccepted(initiation(429, {}))).not.toThrow()
})
