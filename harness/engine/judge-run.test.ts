import { expect, test } from 'vitest'
import { everyAnswer, everyCall, inWholeRun } from '../check/whole-run.ts'
import { factsOf } from '../check/facts.ts'
import { must } from '../check/requirement.ts'
import { scenario } from '../session/scenario.ts'
import { sampleExchange } from '../testing/samples/exchange.ts'
import { judgeRun } from './judge-run.ts'
import { JUDGED_AT_THE_END } from './judge.ts'
import type { ObservedExchange } from '../check/observed/exchange.ts'
import type { Selection } from '../check/selection.ts'
import type { CheckResult } from '../check/result.ts'
import { scenarioOf, type Exchange } from '../evidence/exchange.ts'
import type { StatedCheck } from '../plan/catalogue.ts'
import type { PlannedCheck } from '../plan/plan.ts'

/** A check on the whole run is judged on the stored answers of all scenarios. */

const anchor = scenario('a token', { effect: 'consent', as: 'any' }, async () => undefined)

const planned = {
  id: 'TST-01/1',
  key: 'key',
  requirement: 'TST-01',
  title: 'a claim: every answer of the run',
  scenario: 'tokens/a-token',
} as PlannedCheck

const pending: CheckResult = {
  id: 'TST-01/1',
  requirement: 'TST-01',
  title: planned.title,
  verdict: 'not-reached',
  because: JUDGED_AT_THE_END,
  durationMs: 0,
  exchanges: [],
}

const answer = (id: string, body: string, parts: Partial<Exchange> = {}): Exchange => ({
  ...sampleExchange({ id, operation: 'token', body }),
  ...parts,
})

const GOOD = '{"token_type":"Bearer"}'
const BAD = '{"token_type":"mac"}'

interface Judging {
  readonly exchanges: readonly Exchange[]
  readonly isOneBank?: boolean
  readonly others?: readonly PlannedCheck[]
  readonly results?: readonly CheckResult[]
  readonly as?: 'FAC' | 'TPP'
  /** Whether the exchanges belong to no scenario of the plan. */
  readonly isCleanUp?: boolean
}

const judged = <Record>(
  selection: Selection<Record>,
  judge: (record: Record) => void,
  { exchanges, isOneBank = false, others = [], results = [pending], as, isCleanUp = false }: Judging,
): CheckResult | undefined => {
  const check = {
    requirement: must('TST-01', { claim: 'a claim', quote: 'words', place: 'here' }),
    scenario: anchor,
    needs: [],
    isOnly: false,
    statedAt: new Error('here'),
    over: selection.over,
    judge: (whole: unknown) => selection.judge(whole, judge),
  } as unknown as StatedCheck
  const own = { ...planned, ...(as && { application: as }) }
  const known = new Set([own, ...others].map(({ scenario }) => scenario))
  const shown = [...new Set(exchanges.map(scenarioOf))].filter((scenario) => !known.has(scenario))
  const unnamed = shown.map((scenario) => ({ ...planned, id: scenario, key: scenario, scenario }))
  return judgeRun(results, {
    planned: [own, ...others, ...(isCleanUp ? [] : unnamed)],
    checks: [{ key: 'key', chapter: 'tokens', folder: 'tokens', check, file: 'specs/x.spec.ts:1' }],
    exchanges,
    isOneBank,
    profile: { operations: {}, scopes: {} } as never,
  }).at(-1)
}

const tokens = everyAnswer(anchor, ['token'])
const isBearer = ({
  body,
}: {
  readonly body: { field(name: string): { equals(value: string): void } }
}): void => body.field('token_type').equals('Bearer')

test('a violation in any scenario is found, and names its exchange', () => {
  const exchanges = [answer('tokens/a-token/1', GOOD), answer('accounts/a-list/4', BAD)]
  expect(judged(tokens, isBearer, { exchanges })).toMatchObject({
    verdict: 'fail',
    violation: { received: '"mac"', exchange: 'accounts/a-list/4' },
    exchanges: ['accounts/a-list/4'],
  })
})

test('a pass counts the assertions of all scenarios', () => {
  const exchanges = [answer('tokens/a-token/1', GOOD), answer('accounts/a-list/4', GOOD)]
  expect(judged(tokens, isBearer, { exchanges })).toMatchObject({ verdict: 'pass', judged: 2 })
})

test('answers of others than the bank, and of other operations, are not judged', () => {
  const page = answer('a/b/1', '<html>', {
    response: { status: 502, headers: [], body: { text: '', bytes: 0 } },
  })
  const exchanges = [
    page,
    answer('a/b/2', BAD, { operation: 'loanToken' }),
    answer('a/b/3', BAD, { sender: 'probe' }),
  ]
  expect(judged(tokens, isBearer, { exchanges })).toMatchObject({ verdict: 'not-reached' })
})

test('an answer that cannot be read leaves open no other one', () => {
  const exchanges = [answer('a/b/1', 'text', {}), answer('a/b/2', GOOD)]
  expect(judged(tokens, isBearer, { exchanges })).toMatchObject({ verdict: 'pass', judged: 1 })
})

test('what is deleted after the scenarios is not judged', () => {
  const exchanges = [answer('clean-up/1', BAD)]
  expect(judged(tokens, isBearer, { exchanges, isCleanUp: true })).toMatchObject({ verdict: 'not-reached' })
})

test('each scenario of the embedded target has a bank of its own', () => {
  const distinct = inWholeRun(anchor, ['token']).each(({ exchanges }) => [exchanges], 'none')
  const judge = (
    all: readonly { readonly status: { satisfies(holds: boolean, words: string): void } }[],
  ): void => all[0]?.status.satisfies(all.length === 1, 'one answer')
  const exchanges = [answer('a/b/1', GOOD), answer('a/c/1', GOOD)]
  expect(judged(distinct, judge, { exchanges })).toMatchObject({ verdict: 'pass' })
  expect(judged(distinct, judge, { exchanges, isOneBank: true })).toMatchObject({ verdict: 'fail' })
})

test('a check of one kind of application judges no answer to the other kind', () => {
  const others = [{ ...planned, id: 'X/1', scenario: 'a/b', application: 'FAC' } as PlannedCheck]
  const exchanges = [answer('a/b/1', BAD), answer('tokens/a-token/1', GOOD)]
  expect(judged(tokens, isBearer, { exchanges, others, as: 'TPP' })).toMatchObject({ verdict: 'pass' })
  expect(judged(tokens, isBearer, { exchanges, others, as: 'FAC' })).toMatchObject({ verdict: 'fail' })
})

test('facts about secrets are not known outside of their scenario', () => {
  const exchanges = [answer('a/b/1', '{"access_token":"[access_token:1]"}')]
  const result = judged(tokens, ({ body }) => void factsOf(String(body.field('access_token').value)), {
    exchanges,
  })
  expect(result?.because).toContain('facts about a secret')
})

test('a scenario that was not judged says why, unless others show the answer', () => {
  const results = [{ ...pending, because: 'the customer is unknown' }]
  expect(judged(tokens, isBearer, { exchanges: [], results })?.because).toBe('the customer is unknown')
  const exchanges = [answer('a/b/1', GOOD)]
  expect(judged(tokens, isBearer, { exchanges, results })?.verdict).toBe('pass')
})

test('a key of the profile that explains another finding of that scenario explains the violation', () => {
  const others = [{ ...planned, id: 'X/1', key: 'other', scenario: 'a/b' } as PlannedCheck]
  const mismatch = { key: 'operations.token.refreshToken', shown: 'refresh', exchange: 'a/b/1' } as never
  const results = [{ ...pending, id: 'X/1', mismatches: [mismatch] }, pending]
  const result = judged(tokens, isBearer, { exchanges: [answer('a/b/1', BAD)], others, results })
  expect(result).toMatchObject({ verdict: 'not-reached', decidedBy: 'profile' })
})

test('keys that explain a violation are named in the order of the plan, in whichever order the checks ended', () => {
  const keys = ['listAccounts.id', 'token.refreshToken']
  const others = keys.map((key) => ({ ...planned, id: key, key, scenario: 'a/b' }))
  const found = keys.map((key): CheckResult => {
    const mismatch = { key, shown: 'refresh', exchange: 'a/b/1' } as never
    return { ...pending, id: key, mismatches: [mismatch] }
  })
  const sentenceOf = (results: readonly CheckResult[]) =>
    judged(tokens, isBearer, { exchanges: [answer('a/b/1', BAD)], others, results: [...results, pending] })
      ?.because
  expect(sentenceOf(found.toReversed())).toBe(sentenceOf(found))
})

test('what the browser of a customer has done is judged', () => {
  const page = answer('a/b/1', '<!doctype html>', { operation: 'authorize', sender: 'customer' })
  const isSeen = (exchange: ObservedExchange): void => exchange.status.equals(200)
  expect(judged(everyAnswer(anchor, ['authorize']), isSeen, { exchanges: [page] })?.verdict).toBe('pass')
})

test('webhook calls are judged as calls', () => {
  const call: Exchange = {
    ...sampleExchange({ id: 'a/b/w1', operation: 'webhook' }),
    sender: 'target',
    request: {
      method: 'POST',
      url: 'http://sink.example/w',
      headers: [],
      body: { text: '{"accounts":1}', bytes: 14 },
    },
  }
  const result = judged(everyCall(anchor), (one) => one.kind('accounts').equals('array'), {
    exchanges: [call],
  })
  expect(result).toMatchObject({ verdict: 'fail', violation: { exchange: 'a/b/w1' } })
})
