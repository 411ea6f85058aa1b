import { expect, test } from 'vitest'
import { createBank } from '../bank/bank.ts'
import { conformingRules } from '../bank/rules.ts'
import { RESULT_SCREEN, seedData } from '../bank/seed-data.ts'
import { CONDITIONS, isConditional, under, type ConditionId } from './conditions.ts'
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

test('a defect on the wire has no facts, and so no condition', () => {
  expect(isConditional(WRONG)).toBe(true)
  expect(isConditional({ ...WRONG, wire: (next) => next })).toBe(false)
  expect(Object.values(CONDITIONS).map(({ title }) => title)).toHaveLength(Object.keys(CONDITIONS).length)
})
