import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleProfile } from '../profile/sample.ts'
import { profileSchema } from '../profile/schema.ts'
import { readApplications } from './applications.ts'
import { exchange } from './sample.ts'
import { scratch } from './scratch.ts'
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

test('every application that was created is told with its amount and its last status', () => {
  expect(
    applications(
      submission('s/1', 'A1'),
      submission('s/2', 7, 2000),
      told('s/3', 'readLoan', { path: '/A1/status', answer: NEW }),
      told('s/4', 'readLoan', { path: '/7/status', answer: { applicationStatus: 'LOAN_DISBURSED' } }),
    ),
  ).toEqual([
    {
      ...{ applicationId: 'A1', amount: 250, status: 'NEW' },
      ...{ canceled: false, submission: 's/1', seen: 's/3' },
    },
    {
      ...{ applicationId: '7', amount: 2000, status: 'LOAN_DISBURSED' },
      ...{ canceled: false, submission: 's/2', seen: 's/4' },
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

test('what is no application is not told', () => {
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
