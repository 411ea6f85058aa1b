import pLimit from 'p-limit'
import { expect, test } from 'vitest'
import { createBank } from '../bank/bank.ts'
import { conformingRules } from '../bank/rules.ts'
import { RESULT_SCREEN, seedData } from '../bank/seed-data.ts'
import { refusal } from '../bank/changes/answer.ts'
import { CONDITION_IDS, isConditional, under, type ConditionId } from './conditions.ts'
import type { Defect } from '../bank/defect.ts'

const WRONG: Defect = {
  id: 'wrong',
  title: 'is wrong',
  breaks: [{ id: 'TST-01' }],
  rules: { grantTypeIsAccepted: () => false },
}

/** What the rule answers to these facts under a condition, call by call. */
const answers = (id: ConditionId, calls: readonly object[]) => {
  const exercise = { isKnown: false, isExercised: false }
  const { rules } = under(id, WRONG, exercise)
  const changed = typeof rules === 'function' ? rules(conformingRules) : (rules ?? {})
  const rule = changed.grantTypeIsAccepted as unknown as (facts: object) => boolean
  return {
    accepted: calls.map((facts) => rule({ grantType: 'authorization_code', ...facts })),
    exercise,
  }
}

const [first, second] = seedData.clients
const [alena, boris] = seedData.customers

test('a defect is wrong where its condition holds, and nowhere else', () => {
  const client = (one: typeof first) => ({ client: one })
  expect(answers('second-application', [client(first), client(second)]).accepted).toEqual([true, false])
  const of = (one: typeof alena) => ({ grant: { username: one?.username } })
  expect(answers('second-customer', [of(alena), of(boris)]).accepted).toEqual([true, false])
  const at = (redirectUri: string | undefined) => ({ code: { redirectUri } })
  expect(answers('result-screen', [at(first?.redirectUris[0]), at(RESULT_SCREEN)]).accepted).toEqual([
    true,
    false,
  ])
  expect(answers('from-the-third-time', [{}, {}, {}, {}]).accepted).toEqual([true, true, false, false])
  const now = (iso: string) => ({ now: new Date(iso) })
  // Summer time: 22:30 UTC is 0:30 in Bratislava.
  expect(answers('around-midnight', [now('2026-07-01T12:00Z'), now('2026-07-01T22:30Z')]).accepted).toEqual([
    true,
    false,
  ])
  expect(
    answers('last-day-of-a-month', [now('2028-02-28T12:00Z'), now('2028-02-29T12:00Z')]).accepted,
  ).toEqual([true, false])
})

test('a condition of which the facts say nothing is not known, and one that never held is not met', () => {
  expect(answers('second-customer', [{}]).exercise).toEqual({ isKnown: false, isExercised: false })
  expect(answers('second-application', [{ client: first }]).exercise).toEqual({
    isKnown: true,
    isExercised: false,
  })
  expect(answers('second-application', [{ client: second }]).exercise).toEqual({
    isKnown: true,
    isExercised: true,
  })
})

test('a bank with a defect under a condition starts', () => {
  const defect = under('in-summer', WRONG, { isKnown: false, isExercised: false })
  expect(createBank({ defect }).world.seedData).toBeDefined()
})

test('a small amount is that of a booking or of a payment, whatever its sign', () => {
  const bookings = [-499, -500, 500, 1].map((amount) => ({ transaction: { amount } }))
  expect(answers('small-amounts', bookings).accepted).toEqual([false, true, true, false])
  const order = (...amounts: readonly number[]) => ({
    transfers: amounts.map((amount) => ({ instructed: { amount, currency: 'EUR' } })),
  })
  const payments = [{ payment: { order: order(499) } }, { order: order(499, 1) }]
  expect(answers('small-amounts', payments).accepted).toEqual([false, true])
  expect(answers('small-amounts', [{}]).exercise.isKnown).toBe(false)
})

/** A bank with this defect under a condition: the statuses of its answers to these requests. */
const statuses = (id: ConditionId, change: Pick<Defect, 'rules' | 'wire'>, paths: readonly string[]) => {
  const defect = under(id, { ...WRONG, rules: {}, ...change }, { isKnown: false, isExercised: false })
  const bank = createBank({ defect, startAt: new Date('2026-07-08T08:00Z') })
  const ask = async (path: string) => (await bank.fetch(new Request(`https://bank.example${path}`))).status
  return {
    inTurn: () => pLimit(1).map(paths, ask),
    atOnce: () => Promise.all(paths.map(ask)),
  }
}

const [SANDBOX, PRODUCTION] = ['/premium/sandbox/v1/accounts', '/premium/production/v1/accounts']

const TEAPOT: Pick<Defect, 'rules' | 'wire'> = refusal('listAccounts', { status: 418 })([])

test('of a wrong message, the time, its number, the environment and other requests are known, and no other facts', async () => {
  const twice = [SANDBOX, '/premium/sandbox/elsewhere', SANDBOX]
  expect(await statuses('every-second-time', TEAPOT, twice).inTurn()).toEqual([401, 404, 418])
  expect(await statuses('in-summer', TEAPOT, [SANDBOX]).inTurn()).toEqual([418])
  expect(await statuses('around-midnight', TEAPOT, [SANDBOX]).inTurn()).toEqual([401])
  expect(await statuses('in-production', TEAPOT, [SANDBOX, PRODUCTION]).inTurn()).toEqual([401, 418])
  expect(await statuses('second-customer', TEAPOT, [SANDBOX]).inTurn()).toEqual([401])
  const wire = { ...WRONG, ...TEAPOT }
  expect(CONDITION_IDS.filter((id) => !isConditional(wire, id))).toEqual([
    'second-customer',
    'second-application',
    'result-screen',
    'after-a-refresh',
    'even-ids',
    'small-amounts',
  ])
  expect(CONDITION_IDS.every((id) => isConditional(WRONG, id))).toBe(true)
})

test('two calls at the same moment are those of two requests that are under way', async () => {
  const wrong = { rules: { refusalStatus: () => 418 } } satisfies Pick<Defect, 'rules'>
  const bank = statuses('at-the-same-moment', wrong, [SANDBOX, SANDBOX])
  expect(await bank.inTurn()).toEqual([401, 401])
  expect(await bank.atOnce()).toContain(418)
})
