import { expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema, type Profile } from '../schema.ts'
import { bodyKeys } from './bodies.ts'
import { mismatchOf } from './mismatch.ts'
import { requestKeys } from './requests.ts'
import type { Exchange } from '../../evidence/exchange.ts'

const CAUSE = { tooLow: 'LOW', tooHigh: 'HIGH', insufficient: 'INSUFFICIENT' }

const profileWith = (ofPayments: object) =>
  profileSchema.parse({
    ...sampleProfile(),
    loans: { precalculation: { cause: CAUSE } },
    payments: {
      debtor: { name: 'Anna', iban: 'SK2998010000002600001129' },
      creditor: { name: 'Ján', iban: 'SK1198010000004000007788' },
      ...ofPayments,
    },
  })

const PLAIN = profileWith({})
const WITH_HEADER = profileWith({ headers: { Approval: '{approval}' } })

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

const asked = (loanAmount: number, status: number, errorCode?: string): Exchange =>
  calculated({ loanAmount }, status, { errorCode })

const HOUSEHOLD = { capacityInfo: { monthlyIncome: 1050, monthlyExpenses: 410, numberOfChildren: 2 } }

const askedWhole = (loanAmount: number, status: number, errorCode?: string): Exchange =>
  calculated({ loanAmount, ...HOUSEHOLD }, status, { errorCode })

const authorized: Exchange = {
  ...sampleExchange({ operation: 'authorizePayment', status: 302, body: '{}' }),
  request: {
    method: 'GET',
    url: 'https://api.bank.example/sandbox/auth/oauth/v2/authorize',
    headers: [],
  },
}

const submitted = (status: number, body = '{}'): Exchange => ({
  ...sampleExchange({ operation: 'submitPayment', status, body }),
  request: {
    method: 'POST',
    url: 'https://api.bank.example/sandbox/api/v1/payments/submission',
    headers: [],
  },
})

const BODY = 'loans.precalculation.body'
const CAPACITY = 'loans.precalculation.capacity'

const keysFound = (profile: Profile, exchanges: readonly Exchange[]): readonly string[] =>
  [...bodyKeys(profile), ...requestKeys(profile)]
    .flatMap((row) => mismatchOf(row, { profile, exchanges, all: () => exchanges }))
    .map(({ key }) => key)

test.each([
  ['a body that was never accepted', [asked(250, 400), asked(1850, 422)], [BODY]],
  ['a body that was accepted once', [asked(250, 400), asked(1850, 200)], []],
  ['a body that was refused with a documented reason', [asked(250, 400), asked(2001, 422, 'HIGH')], []],
  ['values outside of the documented limits', [asked(99, 400), calculated({}, 400)], []],
  ['a capacity that is always refused', [asked(250, 200), askedWhole(250, 400)], [CAPACITY]],
  [
    'a capacity that was refused with a documented reason',
    [asked(250, 200), askedWhole(250, 400), askedWhole(1850, 422, 'INSUFFICIENT')],
    [],
  ],
])('%s', (_, exchanges, keys) => {
  expect(keysFound(PLAIN, exchanges)).toEqual(keys)
})

test.each([401, 403, 404, 429, 503])('a body that was not examined, but answered %i', (status) => {
  expect(keysFound(PLAIN, [asked(250, status)])).toEqual([])
})

const CARRIED_OUT = submitted(409, '{"status":"ACSP"}')

test.each([
  ['that is always refused', WITH_HEADER, [authorized, submitted(403)], ['payments.headers']],
  ['that was accepted once', WITH_HEADER, [authorized, submitted(403), submitted(200)], []],
  ['that was carried out, whatever its status', WITH_HEADER, [authorized, submitted(403), CARRIED_OUT], []],
  ['without anything of the profile', PLAIN, [authorized, submitted(403)], []],
  ['without an authorization', WITH_HEADER, [submitted(403)], []],
  ['at a missing path', WITH_HEADER, [authorized, submitted(404)], []],
])('a submission %s', (_, profile, exchanges, keys) => {
  expect(keysFound(profile, exchanges)).toEqual(keys)
})
