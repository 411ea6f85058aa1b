import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleProfile } from '../profile/sample.ts'
import { profileSchema } from '../profile/schema.ts'
import { exchange, scratch } from '../testing/samples/reports.ts'
import { readApplications, readCreated, readPayments } from './created.ts'
import type { Exchange } from '../evidence/exchange.ts'

const { loans } = profileSchema.parse({ ...sampleProfile(), loans: {} })

interface Told {
  readonly path?: string
  readonly sent?: unknown
  readonly status?: number
  readonly answer?: unknown
}

const told = (
  id: string,
  operation: string,
  { path = '', sent, status = 200, answer = {} }: Told,
): Exchange =>
  exchange(id, {
    operation,
    request: {
      method: 'POST',
      url: `https://bank.example/paylater/sandbox/v1/applications${path}`,
      headers: [],
      body: { text: JSON.stringify(sent ?? {}), bytes: 2 },
    },
    response: { status, headers: [], body: { text: JSON.stringify(answer), bytes: 2 } },
  })

const order = (totalAmount: unknown) => ({ financeApplication: { order: { totalAmount } } })

const submission = (id: string, applicationId: unknown, totalAmount: unknown = 250): Exchange =>
  told(id, 'applyForLoan', { sent: order(totalAmount), status: 201, answer: { applicationId } })

const applications = (...exchanges: readonly Exchange[]) => {
  const file = join(scratch(), 'evidence.jsonl')
  writeFileSync(file, exchanges.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return readApplications(file, loans)
}

const NEW = { applicationStatus: 'NEW' }

test('every created application is reported with its amount and its last status', () => {
  expect(
    applications(
      submission('s/1', 'A1'),
      submission('s/2', 7, 2000),
      told('s/3', 'readLoan', { path: '/A1/status', answer: NEW }),
      told('s/4', 'readLoan', { path: '/7/status', answer: { applicationStatus: 'LOAN_DISBURSED' } }),
    ),
  ).toEqual([
    {
      applicationId: 'A1',
      amount: 250,
      status: 'NEW',
      canceled: false,
      submission: 's/1',
      seen: 's/3',
    },
    {
      applicationId: '7',
      amount: 2000,
      status: 'LOAN_DISBURSED',
      canceled: false,
      submission: 's/2',
      seen: 's/4',
    },
  ])
})

test('an application is canceled once a DELETE was answered as done', () => {
  const [first, second, third] = applications(
    submission('s/1', 'A1'),
    submission('s/2', 'A/2'),
    submission('s/3', 'A3'),
    told('s/4', 'cancelLoan', { path: '/A1', answer: { applicationStatus: 'CANCELED' } }),
    told('s/5', 'cancelLoan', { path: '/A%2F2', answer: { errorCode: 'NOT_ALLOWED_OPER' } }),
    told('s/6', 'cancelLoan', { path: '/A3', status: 422, answer: { errorCode: 'NOT_ALLOWED_OPER' } }),
  )
  expect(first).toMatchObject({ canceled: true, status: 'CANCELED', seen: 's/4' })
  expect(second).toMatchObject({ applicationId: 'A/2', canceled: false, seen: 's/2' })
  expect(third).toMatchObject({ canceled: false })
})

test('a request that creates no application is not reported', () => {
  expect(
    applications(
      told('s/1', 'applyForLoan', { sent: order(99), status: 422, answer: { errorCode: 'TOT_AMNT_LOW' } }),
      told('s/2', 'readLoan', { path: '/unknown/status', answer: NEW }),
      told('s/3', 'readPayment', { path: '/A1/status', answer: NEW }),
    ),
  ).toEqual([])
})

test('an amount that was sent as something else than a number is left out', () => {
  expect(applications(submission('s/1', 'A1', '250'))[0]).not.toHaveProperty('amount')
})

test('a target without loans has no applications', () => {
  expect(readApplications(join(scratch(), 'none.jsonl'), undefined)).toEqual([])
  expect(readApplications(join(scratch(), 'none.jsonl'), loans)).toEqual([])
})

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

test('every created payment is reported with its last status', () => {
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

test('a request that creates no payment is not reported', () => {
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

const created = (...exchanges: readonly Exchange[]) => {
  const file = join(scratch(), 'evidence.jsonl')
  writeFileSync(file, exchanges.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return readCreated(file, { loans }, [{ name: 'Shop', shownId: 'shop' }])
}

const faulty = (id: string, operation: string, fault: NonNullable<Exchange['fault']>): Exchange => ({
  kind: 'exchange',
  id,
  sender: 'scenario',
  operation,
  effect: 'consent',
  request: told(id, operation, {}).request,
  fault,
  sentAt: '2026-01-05T09:00:00.000Z',
  durationMs: 1,
})

test('a request that may have created an object is listed if its answer is not known', () => {
  const cut = { kind: 'timeout', cause: 'RUN_KILLED', message: 'killed' } as const
  expect(
    created(
      faulty('s/1', 'initiatePayment', cut),
      faulty('s/2', 'createConsent', { ...cut, cause: 'UNCONNECTED' }),
      faulty('s/3', 'applyForLoan', { ...cut, kind: 'refused', cause: 'ECONNREFUSED' }),
      faulty('s/4', 'createConsent', { ...cut, kind: 'reset', status: 201 }),
      faulty('s/5', 'createConsent', { ...cut, kind: 'reset', status: 403 }),
      faulty('s/6', 'readPayment', cut),
    ).map(({ kind, id, exchange, cleaned }) => [kind, id, exchange, cleaned]),
  ).toEqual([
    ['payment', 'unknown', 's/1', false],
    ['consent', 'unknown', 's/4', false],
  ])
})

test('a consent that its application has deleted is cleaned up', () => {
  const deletion = told('clean-up/1', 'deleteConsent', { path: '/C-1' })
  expect(created(told('s/1', 'createConsent', { answer: { consentId: 'C-1' } }), deletion)).toMatchObject([
    { id: 'C-1', cleaned: true },
  ])
})

test('webhook settings that the clean-up has restored are restored', () => {
  const change = (id: string) => told(id, 'configureWebhook', { path: '/shop' })
  expect(created(change('s/1'), change('s~2/1'), change('s~2:end/1'))).toMatchObject([
    { id: 'Shop', cleaned: false },
    { id: 'Shop', cleaned: true },
  ])
  expect(created(change('s/1'), change('clean-up~2/1'))).toMatchObject([{ id: 'Shop', cleaned: true }])
})
