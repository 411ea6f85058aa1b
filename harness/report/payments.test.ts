import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPayments } from './payments.ts'
import { exchange } from './sample.ts'
import { scratch } from './scratch.ts'
import type { Exchange } from '../evidence/exchange.ts'

const answered = (id: string, operation: string, body: unknown): Exchange =>
  exchange(id, {
    operation,
    response: { status: 200, headers: [], body: { text: JSON.stringify(body), bytes: 2 } },
  })

const payments = (...exchanges: readonly Exchange[]) => {
  const file = join(scratch(), 'evidence.jsonl')
  writeFileSync(file, exchanges.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return readPayments(file)
}

test('every payment that was created is told with its last status', () => {
  expect(
    payments(
      answered('s/1', 'initiatePayment', { orderId: 'A1', status: 'ACTC' }),
      answered('s/2', 'initiatePayment', { payment: { orderId: 7, status: 'RJCT' } }),
      answered('s/3', 'submitPayment', { orderId: 'A1', status: 'ACSP' }),
      answered('s/4', 'readPayment', { orderId: 'A1', status: 'ACSC' }),
    ),
  ).toEqual([
    { orderId: 'A1', status: 'ACSC', initiation: 's/1', seen: 's/4' },
    { orderId: '7', status: 'RJCT', initiation: 's/2', seen: 's/2' },
  ])
})

test('what is no payment is not told', () => {
  expect(
    payments(
      answered('s/1', 'readPayment', { orderId: 'unknown', status: 'RJCT' }),
      answered('s/2', 'listAccounts', { orderId: 'A1' }),
      exchange('s/3', {
        operation: 'initiatePayment',
        response: { status: 502, headers: [], body: { text: '<h1>', bytes: 4 } },
      }),
    ),
  ).toEqual([])
})

test('a run that has sent nothing has no evidence, and no payments', () => {
  expect(readPayments(join(scratch(), 'none.jsonl'))).toEqual([])
})
