import { expect, test } from 'vitest'
import { crossCheck } from '../cross-checks.ts'
import { sampleProfile, parsedProfile } from '../../testing/samples/profile.ts'
import { profileSchema } from '../schema.ts'
import type { ProfileInput } from '../schema.ts'

type LoansInput = NonNullable<ProfileInput['loans']>

const parsed = (loans: unknown) => profileSchema.safeParse({ ...sampleProfile(), loans })

const complaint = (loans: unknown): string | undefined => parsed(loans).error?.issues[0]?.message

const problemsOf = (loans: LoansInput): string => crossCheck(parsedProfile({ loans })).problems.join('\n')

test('the defaults are enough', () => {
  expect(crossCheck(parsedProfile({ loans: {} })).problems).toEqual([])
  expect(parsed({}).data?.loans).toMatchObject({
    basePath: '/paylater/sandbox',
    token: { credentials: 'form' },
    scenario: { kind: 'page', values: { nonClient: 'NON_CLIENT' } },
    timing: { intervalMs: 180_000, toleranceMs: 60_000 },
  })
})

test.each([
  ['the body passes {amount} on', { precalculation: { body: {} } }],
  ['the body passes {income}, {expenses} and {children} on', { precalculation: { capacity: {} } }],
  ['the body passes {amount} on', { submission: { body: { amount: 250 } } }],
  ['the path names the application as {application-id}', { status: { path: '/v1/applications/status' } }],
  ['the path names the application as {application-id}', { cancellation: { path: '/v1/applications' } }],
  [
    'the body, the form, the query or the path passes {scenario} on',
    { scenario: { kind: 'call', body: { scenario: 'CLIENT' } } },
  ],
  ['the body passes {scenario} on', { scenario: { kind: 'parameter', patch: {} } }],
  ['a page passes {scenario} on', { scenario: { kind: 'page', pages: [{ when: 'form', press: 'button' }] } }],
  ['the tolerance is shorter than the interval', { timing: { intervalMs: 60_000, toleranceMs: 60_000 } }],
])('%s', (message, loans) => {
  expect(complaint(loans)).toBe(message)
})

test('a result is written in one of three ways', () => {
  const reported = (positive: unknown): boolean => parsed({ precalculation: { positive } }).success
  expect(reported({ kind: 'member', member: 'result', values: ['POSITIVE', true] })).toBe(true)
  expect(reported({ kind: 'list', list: 'offers' })).toBe(true)
  expect(reported({ kind: 'list' })).toBe(false)
  expect(reported({ kind: 'code' })).toBe(false)
})

test('a placeholder that nothing stands for is a mistake', () => {
  expect(problemsOf({ submission: { body: { total: '{amount}', no: '{orderNr}' } } })).toContain(
    '`loans.submission.body.no` has the unknown placeholder {orderNr}; did you mean {orderNo}?',
  )
  expect(problemsOf({ precalculation: { body: { amount: '{amount}', income: '{income}' } } })).toContain(
    '`loans.precalculation.body.income` has the unknown placeholder {income}',
  )
  expect(
    problemsOf({ scenario: { kind: 'parameter', patch: { a: '{scenario}', b: '{scenari}' } } }),
  ).toContain('`loans.scenario.patch.b` has the unknown placeholder {scenari}; did you mean {scenario}?')
})

test('two scenarios have not one word, nor two causes', () => {
  expect(problemsOf({ scenario: { kind: 'call', values: { client: 'NON_CLIENT' } } })).toBe(
    '`loans.scenario.values.client` is the same as `loans.scenario.values.nonClient`; each scenario has its own',
  )
  expect(
    problemsOf({ precalculation: { cause: { tooLow: 'BOUNDS', tooHigh: 'BOUNDS', insufficient: 'POOR' } } }),
  ).toBe(
    '`loans.precalculation.cause.tooHigh` is the same as `loans.precalculation.cause.tooLow`; each cause has its own',
  )
})

test('the applications that ask for loans are some of the profile', () => {
  expect(problemsOf({ applications: ['shop', 'shopp'] })).toContain(
    '`loans.applications.1` names "shopp", which `applications` does not have; did you mean "shop"?',
  )
})
