import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { profileSchema } from '../schema.ts'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { withMismatches as addMismatches, type Finding } from '../../engine/verdict-steps.ts'
import { mismatchesExplaining } from './explain.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ProfileInput } from '../schema.ts'
import type { RunExchanges } from './mismatch.ts'

const BASE = 'https://api.bank.example/premium/sandbox'

interface Answered {
  readonly id?: string
  readonly status?: number
  readonly json: unknown
}

const asked = (
  operation: string,
  path: string,
  { id = `accounts/a-scenario/${operation}`, status = 200, json }: Answered,
): Exchange => ({
  ...sampleExchange({ id, operation, status, body: JSON.stringify(json) }),
  request: { method: 'GET', url: `${BASE}${path}`, headers: [] },
})

const page = (json: unknown, id?: string): Exchange =>
  asked('listTransactions', '/v1/accounts/1f/transactions?pageSize=10', {
    json,
    ...(id !== undefined && { id }),
  })

const withMismatches = (finding: Finding, seen: RunExchanges): Finding =>
  addMismatches(finding, mismatchesExplaining(finding.violation, seen))

const violationOf = ({ id }: Exchange) =>
  ({
    verdict: 'fail',
    violation: { subject: 'the request', expected: 'to be accepted', received: 'a refusal', exchange: id },
  }) as const

const judged = (
  exchanges: readonly Exchange[],
  change: Partial<ProfileInput> = {},
  { on = exchanges[0], before = [] }: { readonly on?: Exchange; readonly before?: readonly Exchange[] } = {},
) =>
  withMismatches(violationOf(on ?? page({})), {
    profile: profileSchema.parse({ ...sampleProfile(), ...change }),
    exchanges,
    all: () => [...before, ...exchanges],
  })

const BOOKINGS = { account: { iban: 'SK11' }, bookings: [{ transactionId: 't1' }], _links: {} }
const TRANSACTIONS = { transactions: [{ transactionId: 't1' }] }

describe('a list that is not under its name', () => {
  test('is a mismatch of the profile if there is another list', () => {
    const { verdict, violation, because, mismatches } = judged([page(BOOKINGS)])
    expect({ verdict, violation }).toEqual({ verdict: 'not-reached', violation: undefined })
    expect(mismatches?.map(({ key }) => key)).toEqual(['operations.listTransactions.transactions'])
    expect(because).toBe(
      '`operations.listTransactions.transactions` of the profile is "transactions": no array there; ' +
        'the answer has the keys account, bookings, _links (accounts/a-scenario/listTransactions)',
    )
  })

  test('is a violation of the target if there is no other list', () => {
    expect(judged([page({ account: { iban: 'SK11' } })]).verdict).toBe('fail')
  })

  test('is a violation of the target if it has occurred before, in the same scenario or in another one', () => {
    expect(judged([page(TRANSACTIONS, 'a/1'), page(BOOKINGS, 'a/2')]).verdict).toBe('fail')
    expect(judged([page(BOOKINGS)], {}, { before: [page(TRANSACTIONS, 'other/1')] }).verdict).toBe('fail')
  })

  test('is not concluded from an answer that is not a success', () => {
    const refusal = asked('listTransactions', '/v1/accounts/1f/transactions', { status: 400, json: BOOKINGS })
    expect(judged([refusal]).verdict).toBe('fail')
  })
})

test('a value that no request depends on explains only violations in the answers that contain it', () => {
  const token = asked('token', '/auth/oauth/v2/token', {
    json: { access_token: 'a', renewal: 'q7-Zx92-k3-Lm50-r8' },
  })
  const list = asked('listAccounts', '/v1/accounts', { status: 200, json: { accounts: [] } })
  expect(judged([token, list]).mismatches?.[0]?.key).toBe('operations.token.refreshToken')
  expect(judged([token, list], {}, { on: list }).verdict).toBe('fail')
})

const PATH = { operations: { createConsent: { path: '/v2/consents' } } }

const consents = (path: string, status: number): Exchange =>
  asked('createConsent', path, { status, json: { consentId: 'c' } })

const MISSING = consents('/v2/consents', 404)

describe('a path without a resource', () => {
  test('is a violation of the target if it is documented', () => {
    expect(judged([consents('/v1/consents', 404)]).verdict).toBe('fail')
  })

  test('is a mismatch of the profile if that has another one', () => {
    expect(judged([MISSING], PATH).mismatches).toEqual([
      {
        key: 'operations.createConsent.path',
        bound: '/v2/consents',
        expected: 'operation',
        shown: 'each request is answered 404, and the interface has /v1/consents',
        exchange: 'accounts/a-scenario/createConsent',
      },
    ])
  })

  test('is a violation of the target if it has answered before', () => {
    expect(judged([MISSING], PATH, { before: [consents('/v2/consents', 201)] }).verdict).toBe('fail')
  })

  test('explains nothing that was answered before the first request to it', () => {
    const list = asked('listAccounts', '/v1/accounts', { status: 403, json: {} })
    expect(judged([list, MISSING], PATH, { on: list }).verdict).toBe('fail')
    expect(judged([MISSING, list], PATH, { on: list }).mismatches?.[0]?.key).toBe(
      'operations.createConsent.path',
    )
  })

  test('does not explain data that must not be shown: an operation has answered', () => {
    const profile = profileSchema.parse({ ...sampleProfile(), ...PATH })
    const seen = { profile, exchanges: [MISSING], all: () => [MISSING] }
    const violated = { exchange: MISSING.id }
    expect(mismatchesExplaining(violated, seen)).toHaveLength(1)
    expect(mismatchesExplaining({ ...violated, isDisclosure: true }, seen)).toEqual([])
  })
})

test('an answer with a result code of loans is that of an operation, whatever its status', () => {
  const loans: NonNullable<ProfileInput['loans']> = {
    submission: { body: { amount: '{amount}' } },
    scenario: { kind: 'parameter', patch: { path: '{scenario}' } },
    cancellation: { path: '/v1/loans/{application-id}' },
  }
  const answered = (errorCode: string): Exchange => ({
    ...sampleExchange({ operation: 'cancelLoan', status: 404, body: JSON.stringify({ errorCode }) }),
    request: {
      method: 'DELETE',
      url: 'https://api.bank.example/paylater/sandbox/v1/loans/7',
      headers: [],
    },
  })
  expect(judged([answered('NOT_FOUND')], { loans }).mismatches?.[0]?.key).toBe('loans.cancellation.path')
  expect(judged([answered('NOT_ALLOWED_OPER')], { loans }).verdict).toBe('fail')
})

test.each(['self', 'first', 'next'])(
  'a link to a page is that to the next one, unless it is named %s',
  (name) => {
    const links = { [name]: { href: '?page=2' } }
    const { mismatches = [] } = judged([page({ ...TRANSACTIONS, links })])
    expect(mismatches.map(({ key }) => key)).toEqual(
      name === 'next' ? ['operations.listTransactions.paging.next'] : [],
    )
  },
)

test('the test hook that reads the clock is reported by the name of its result', () => {
  const testHooks = { readClock: { method: 'GET' as const, url: '/_test-hooks/clock', result: 'time' } }
  const clock = {
    ...sampleExchange({ operation: 'testHook', body: '{"now":"2026-01-05T09:00:00.000Z"}' }),
    request: { method: 'GET', url: 'https://api.bank.example/_test-hooks/clock', headers: [] },
  }
  expect(judged([clock], { testHooks }).mismatches?.map(({ key }) => key)).toEqual([
    'testHooks.readClock.result',
  ])
})

test('the reason why nothing was judged follows that of the profile', () => {
  const finding = { verdict: 'not-reached', because: 'no account was answered' } as const
  const { because, verdict } = withMismatches(finding, {
    profile: profileSchema.parse(sampleProfile()),
    exchanges: [page(BOOKINGS)],
    all: () => [],
  })
  expect(verdict).toBe('not-reached')
  expect(because).toMatch(
    /^`operations\.listTransactions\.transactions` of the profile.*; so no account was answered$/,
  )
})

test('no value of an answer is shown, and no key that may be one', () => {
  const json = { SK1198010000004000007788: [{ secret: 'hush-hush' }], name: 'Anna' }
  expect(judged([page(json)]).because).toContain('the answer has the keys …, name')
})

describe('the authorization of a payment that is refused before the customer is asked', () => {
  const PAYMENTS = {
    payments: {
      debtor: { name: 'Anna', iban: 'SK2998010000002600001129' },
      creditor: { name: 'Ján', iban: 'SK1198010000004000007788' },
    },
  }

  const redirected = (location: string, id = 'payments/a-scenario/1'): Exchange => ({
    ...sampleExchange({ id, operation: 'authorizePayment', status: 302, headers: [['Location', location]] }),
    request: {
      method: 'GET',
      url: 'https://api.bank.example/sandbox/auth/oauth/v2/authorize?scope=PISP',
      headers: [],
    },
  })

  const refused = (error: string): Exchange => redirected(`https://client.example/callback?error=${error}`)

  test.each([
    ['invalid_scope', 'payments.authorize.scope'],
    ['invalid_request', 'payments.authorize.parameter'],
  ])('with %s is a mismatch of %s', (error, key) => {
    const { verdict, mismatches } = judged([refused(error)], PAYMENTS)
    expect({ verdict, keys: mismatches?.map((mismatch) => mismatch.key) }).toEqual({
      verdict: 'not-reached',
      keys: [key],
    })
  })

  test.each(['server_error', 'constructor'])('is a violation of the bank with the error %s', (error) => {
    expect(judged([refused(error)], PAYMENTS).verdict).toBe('fail')
  })

  test('is a violation of the bank if the customer was asked about another payment', () => {
    const asksBack = redirected('/login', 'payments/another-scenario/1')
    expect(judged([refused('invalid_scope')], PAYMENTS, { before: [asksBack] }).verdict).toBe('fail')
  })
})

test('a redirect of an operation to another path names its key, with the path that it leads to', () => {
  const redirect = {
    ...asked('listAccounts', '/v1/accounts', { json: {} }),
    response: {
      status: 307,
      headers: [['Location', '/premium/sandbox/v1/accounts/']] as const,
      body: { text: '', bytes: 0 },
    },
  }
  expect(judged([redirect]).because).toContain(
    '`operations.listAccounts.path` of the profile is "/v1/accounts": no operation there; each request is redirected (307) to /v1/accounts/',
  )
})

test('one answer to every redirect URI names the path of the authorization, and no redirect URI', () => {
  const authorized = (uri: string, message: string) =>
    asked('authorize', `/auth/oauth/v2/authorize?client_id=c&redirect_uri=${encodeURIComponent(uri)}`, {
      id: `accounts/a-scenario/${uri}`,
      status: 403,
      json: { message },
    })
  const uris = ['https://client.example/callback', 'https://nobody.example/']
  const keysFor = (message: (uri: string) => string) =>
    judged(uris.map((uri) => authorized(uri, message(uri)))).mismatches?.map(({ key }) => key)
  expect(keysFor(() => 'Missing Authentication Token')).toEqual(['operations.authorize.path'])
  expect(keysFor((uri) => uri) ?? []).not.toContain('operations.authorize.path')
})

test('what is read within a list is not named where the list does not fit', () => {
  const json = { transactions: { bookings: [{ transactionId: 't1' }] }, other: [{ transactionId: 't2' }] }
  expect(judged([page(json)]).mismatches?.map(({ key }) => key)).toEqual([
    'operations.listTransactions.transactions',
  ])
})
