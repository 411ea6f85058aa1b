import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parsedProfile } from '../testing/samples/profile.ts'
import { exchange, scratch, unanswered } from '../testing/samples/reports.ts'
import { readApplications, readCreated, readPayments } from './created.ts'
import type { Exchange, Fault } from '../evidence/exchange.ts'

const { loans } = parsedProfile({ loans: {} })

interface Reported {
  readonly path?: string
  readonly sent?: unknown
  readonly status?: number
  readonly answer?: unknown
}

const reported = (
  id: string,
  operation: string,
  { path = '', sent, status = 200, answer = {} }: Reported,
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
  reported(id, 'applyForLoan', { sent: order(totalAmount), status: 201, answer: { applicationId } })

/** The evidence file of a run with these exchanges. */
const evidenceOf = (exchanges: readonly Exchange[]): string => {
  const file = join(scratch(), 'evidence.jsonl')
  writeFileSync(file, exchanges.map((one) => `${JSON.stringify(one)}\n`).join(''))
  return file
}

const applications = (...exchanges: readonly Exchange[]) => readApplications(evidenceOf(exchanges), loans)
const payments = (...exchanges: readonly Exchange[]) => readPayments(evidenceOf(exchanges))
const created = (...exchanges: readonly Exchange[]) =>
  readCreated(evidenceOf(exchanges), { loans }, [{ name: 'Shop', shownId: 'shop' }])

const NEW = { applicationStatus: 'NEW' }

test('every created application is reported with its amount and its last status', () => {
  expect(
    applications(
      submission('s/1', 'A1'),
      submission('s/2', 7, 2000),
      reported('s/3', 'readLoan', { path: '/A1/status', answer: NEW }),
      reported('s/4', 'readLoan', { path: '/7/status', answer: { applicationStatus: 'LOAN_DISBURSED' } }),
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
    reported('s/4', 'cancelLoan', { path: '/A1', answer: { applicationStatus: 'CANCELED' } }),
    reported('s/5', 'cancelLoan', { path: '/A%2F2', answer: { errorCode: 'NOT_ALLOWED_OPER' } }),
    reported('s/6', 'cancelLoan', { path: '/A3', status: 422, answer: { errorCode: 'NOT_ALLOWED_OPER' } }),
  )
  expect(first).toMatchObject({ canceled: true, status: 'CANCELED', seen: 's/4' })
  expect(second).toMatchObject({ applicationId: 'A/2', canceled: false, seen: 's/2' })
  expect(third).toMatchObject({ canceled: false })
})

test('a request that creates no application is not reported', () => {
  expect(
    applications(
      reported('s/1', 'applyForLoan', {
        sent: order(99),
        status: 422,
        answer: { errorCode: 'TOT_AMNT_LOW' },
      }),
      reported('s/2', 'readLoan', { path: '/unknown/status', answer: NEW }),
      reported('s/3', 'readPayment', { path: '/A1/status', answer: NEW }),
    ),
  ).toEqual([])
})

test('an amount that was sent as something else than a number is left out', () => {
  expect(applications(submission('s/1', 'A1', '250'))).toMatchObject([{ amount: undefined }])
})

test('every created payment is reported with its last status', () => {
  expect(
    payments(
      reported('s/1', 'initiatePayment', { answer: { orderId: 'A1', status: 'ACTC' } }),
      reported('s/2', 'initiatePayment', { answer: { payment: { orderId: 7, status: 'RJCT' } } }),
      reported('s/3', 'submitPayment', { answer: { orderId: 'A1', status: 'ACSP' } }),
      reported('s/4', 'readPayment', { answer: { orderId: 'A1', status: 'ACSC' } }),
    ),
  ).toEqual([
    { orderId: 'A1', status: 'ACSC', initiation: 's/1', seen: 's/4' },
    { orderId: '7', status: 'RJCT', initiation: 's/2', seen: 's/2' },
  ])
})

test('a request that creates no payment is not reported', () => {
  expect(
    payments(
      reported('s/1', 'readPayment', { answer: { orderId: 'unknown', status: 'RJCT' } }),
      reported('s/2', 'listAccounts', { answer: { orderId: 'A1' } }),
      exchange('s/3', {
        operation: 'initiatePayment',
        response: { status: 502, headers: [], body: { text: '<h1>', bytes: 4 } },
      }),
    ),
  ).toEqual([])
})

const inPage = (one: Exchange): Exchange => {
  const text = '<!doctype html><h1>Sorry</h1>'
  return {
    ...one,
    response: { status: 200, headers: [], ...one.response, body: { text, bytes: text.length } },
  }
}

const faulty = (id: string, operation: string, fault: Fault): Exchange => ({
  ...unanswered(fault),
  id,
  operation,
  effect: 'consent',
  request: reported(id, operation, {}).request,
})

const cut = { kind: 'timeout', cause: 'RUN_KILLED', message: 'killed' } as const
const JSON_FAULT = { error: 'x' }
const UNSURE = 'unknown'

test.each<[what: string, exchange: Exchange, ids: readonly string[]]>([
  ...[200, 201, 202, 204, 302, 307, 308, 401, 407, 408, 421, 425, 429, 500, 502, 503, 504].map(
    (status): [string, Exchange, string[]] => [
      `answered ${status}`,
      reported('s/1', 'initiatePayment', { status, answer: JSON_FAULT }),
      [UNSURE],
    ],
  ),
  ...[400, 403, 404, 409, 415, 422].map((status): [string, Exchange, string[]] => [
    `refused with ${status}`,
    reported('s/1', 'initiatePayment', { status, answer: JSON_FAULT }),
    [],
  ]),
  [
    'answered with its id',
    reported('s/1', 'initiatePayment', { status: 500, answer: { orderId: 'A1' } }),
    ['A1'],
  ],
  ['rejected without an id', reported('s/1', 'initiatePayment', { answer: { status: 'RJCT' } }), []],
  ['refused with a page', inPage(reported('s/1', 'initiatePayment', { status: 403 })), [UNSURE]],
  ['a submission that is refused', reported('s/1', 'applyForLoan', { answer: { errorCode: 'LOW' } }), []],
  ['a submission without a code', reported('s/1', 'applyForLoan', { answer: JSON_FAULT }), [UNSURE]],
  ['a consent that is refused with 401', reported('s/1', 'createConsent', { status: 401 }), []],
  ['a consent with an empty success', reported('s/1', 'createConsent', {}), [UNSURE]],
  ['a request that only reads', reported('s/1', 'readPayment', { status: 500 }), []],
  ['a killed run', faulty('s/1', 'initiatePayment', cut), [UNSURE]],
  ['no connection', faulty('s/1', 'createConsent', { ...cut, cause: 'UNCONNECTED' }), []],
  ['nothing that listens', faulty('s/1', 'applyForLoan', { ...cut, kind: 'refused' }), []],
  ['a reset after 201', faulty('s/1', 'createConsent', { ...cut, kind: 'reset', status: 201 }), [UNSURE]],
  ['a reset after 500', faulty('s/1', 'createConsent', { ...cut, kind: 'reset', status: 500 }), [UNSURE]],
  ['a reset after 403', faulty('s/1', 'createConsent', { ...cut, kind: 'reset', status: 403 }), []],
  ['changed settings', reported('s/1', 'configureWebhook', { path: '/shop', status: 502 }), ['Shop']],
  ['refused settings', reported('s/1', 'configureWebhook', { path: '/shop', status: 400 }), []],
])('what a request has created is listed unless the bank says that it is nothing: %s', (_, one, ids) => {
  expect(created(one).map(({ id, cleaned }) => [id, cleaned])).toEqual(ids.map((id) => [id, false]))
})

test('each attempt is listed, also where a later one was accepted', () => {
  expect(
    created(
      reported('s/1', 'initiatePayment', { status: 503 }),
      reported('s/2', 'initiatePayment', { status: 201, answer: { orderId: 'A1' } }),
    ).map(({ id, exchange, because }) => [id, exchange, because]),
  ).toEqual([
    ['A1', 's/2', 'the interface has no operation that cancels a payment'],
    [
      'unknown',
      's/1',
      'whether it was created is not known: its request received an answer with the status 503',
    ],
  ])
})

test('a page with a success does not show that something was deleted', () => {
  expect(
    created(submission('s/1', 'A1'), inPage(reported('s/2', 'cancelLoan', { path: '/A1' }))),
  ).toMatchObject([{ id: 'A1', cleaned: false }])
})

test('a consent that its application has deleted is cleaned up', () => {
  const deletion = reported('clean-up/1', 'deleteConsent', { path: '/C-1' })
  expect(created(reported('s/1', 'createConsent', { answer: { consentId: 'C-1' } }), deletion)).toMatchObject(
    [{ id: 'C-1', cleaned: true }],
  )
})

test('webhook settings that the clean-up has restored are restored', () => {
  const change = (id: string) => reported(id, 'configureWebhook', { path: '/shop' })
  expect(created(change('s/1'), change('s~2/1'), change('s~2:end/1'))).toMatchObject([
    { id: 'Shop', cleaned: false },
    { id: 'Shop', cleaned: true },
  ])
  expect(created(change('s/1'), change('clean-up~2/1'))).toMatchObject([{ id: 'Shop', cleaned: true }])
})
