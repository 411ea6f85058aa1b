import { expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema } from '../schema.ts'
import { bodyKeys } from './bodies.ts'
import { mismatchOf } from './mismatch.ts'
import { requestKeys } from './requests.ts'
import type { PaymentsProfile } from '../schema/payments.ts'
import type { Exchange } from '../../evidence/exchange.ts'

const CAUSE = { tooLow: 'LOW', tooHigh: 'HIGH', insufficient: 'INSUFFICIENT' }

const profile = profileSchema.parse({
  ...sampleProfile(),
  loans: { precalculation: { cause: CAUSE } },
  payments: {
    debtor: { name: 'Anna', iban: 'SK2998010000002600001129' },
    creditor: { name: 'Ján', iban: 'SK1198010000004000007788' },
  },
})

const calculated = (body: object, status: number, answer: object = {}): Exchange => {
  const text = JSON.stringify(body)
  return {
    ...sampleExchange({ operation: 'precalculateLoan', status, body: JSON.stringify(answer) }),
    request: {
      method: 'PUT',
      url: 'https://api.bank.example/paylater/sandbox/v1/applications/precalculation',
      headers: [],
      body: { text, bytes: text.length },
    },
  }
}

const HOUSEHOLD = { capacityInfo: { monthlyIncome: 1050, monthlyExpenses: 410, numberOfChildren: 2 } }

const keysFound = (exchanges: readonly Exchange[], own: Partial<PaymentsProfile> = {}): readonly string[] => {
  const { payments } = profile
  if (payments === undefined) throw new Error('the profile has payments')
  const seen = { profile: { ...profile, payments: { ...payments, ...own } }, exchanges, all: () => exchanges }
  return [...bodyKeys(seen.profile), ...requestKeys(seen.profile)].flatMap((row) =>
    mismatchOf(row, seen).map(({ key }) => key),
  )
}

const keysOf = (...exchanges: readonly Exchange[]): readonly string[] => keysFound(exchanges)

test('a body that was never accepted may be the cause', () => {
  expect(keysOf(calculated({ loanAmount: 250 }, 400), calculated({ loanAmount: 1850 }, 422))).toEqual([
    'loans.precalculation.body',
  ])
})

test('it is not the cause if it was accepted once, or refused with a documented reason', () => {
  expect(keysOf(calculated({ loanAmount: 250 }, 400), calculated({ loanAmount: 1850 }, 200))).toEqual([])
  const told = calculated({ loanAmount: 2001 }, 422, { errorCode: 'HIGH' })
  expect(keysOf(calculated({ loanAmount: 250 }, 400), told)).toEqual([])
})

test('values outside of the documented limits, and refusals without examination, show nothing', () => {
  expect(keysOf(calculated({ loanAmount: 99 }, 400), calculated({}, 400))).toEqual([])
  for (const status of [401, 403, 404, 429, 503])
    expect(keysOf(calculated({ loanAmount: 250 }, status))).toEqual([])
})

test('the capacity may be the cause if all requests without it are accepted', () => {
  const [plain, whole] = [{ loanAmount: 250 }, { loanAmount: 250, ...HOUSEHOLD }]
  expect(keysOf(calculated(plain, 200), calculated(whole, 400))).toEqual(['loans.precalculation.capacity'])
  const insufficient = calculated({ ...whole, loanAmount: 1850 }, 422, { errorCode: 'INSUFFICIENT' })
  expect(keysOf(calculated(plain, 200), calculated(whole, 400), insufficient)).toEqual([])
})

const SUBMITTED = 'https://api.bank.example/sandbox/api/v1/payments/submission'
const AUTHORIZED = 'https://api.bank.example/sandbox/auth/oauth/v2/authorize'

const sent = (operation: 'authorizePayment' | 'submitPayment', status: number, body = '{}'): Exchange => ({
  ...sampleExchange({ operation, status, body }),
  request: {
    method: operation === 'submitPayment' ? 'POST' : 'GET',
    url: operation === 'submitPayment' ? SUBMITTED : AUTHORIZED,
    headers: [],
  },
})

const HEADERS = { headers: { Approval: '{approval}' } }

test('what a submission carries may be the cause if it is always refused after an authorization', () => {
  const refused = [sent('authorizePayment', 302), sent('submitPayment', 403)]
  expect(keysFound(refused, HEADERS)).toEqual(['payments.headers'])
  expect(keysFound([...refused, sent('submitPayment', 200)], HEADERS)).toEqual([])
  const carriedOut = sent('submitPayment', 409, '{"status":"ACSP"}')
  expect(keysFound([...refused, carriedOut], HEADERS)).toEqual([])
})

test('a submission without anything of the profile, without an authorization, or at a missing path is the matter of the bank', () => {
  const refused = [sent('authorizePayment', 302), sent('submitPayment', 403)]
  expect(keysFound(refused)).toEqual([])
  expect(keysFound([sent('submitPayment', 403)], HEADERS)).toEqual([])
  expect(keysFound([sent('authorizePayment', 302), sent('submitPayment', 404)], HEADERS)).toEqual([])
})
