import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../check/model.ts'
import { note } from '../check/note.ts'
import { must, should, notShown } from '../check/requirement.ts'
import { property, scenario } from '../session/scenario.ts'
import { sampleExchange, TIMED_OUT } from '../testing/samples/exchange.ts'
import { assert } from '../check/verdict.ts'
import { traced } from '../check/time-line/time-line.ts'
import { HeldBack, Inconclusive, NotReached, Waiting } from '../evidence/signals.ts'
import { describeScenario, judgeCheck, type JudgedRun } from './judge.ts'
import type { Arbitrary } from 'fast-check'
import type { StatedCheck } from '../plan/catalogue.ts'
import type { CheckResult } from '../check/result.ts'
import type { ObservedExchange } from '../check/observed/exchange.ts'
import type { Requirement } from '../check/requirement.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { JudgedOutcome, Outcome } from './records/outcome.ts'

const text = { claim: 'a claim', quote: 'words', place: 'here' }
const MUST = must('TST-01', text)
const SHOULD = should('TST-02', text)
const options = { effect: 'read', as: 'any' } as const
const done = scenario('something done', options, async () => ({ answer: sampleExchange() }))

const planned: PlannedCheck = {
  id: 'TST-01/1',
  key: 'specs/x.spec.ts#1',
  requirement: 'TST-01',
  chapter: 'tokens',
  title: 'a claim: something done',
  scenario: 'tokens/something-done',
  file: 'specs/x.spec.ts:1',
  effect: 'read',
  authorizations: 0,
  sharesGrant: false,
  property: false,
}

const seen = (outcome: Outcome): JudgedOutcome => ({ facts: new Map(), ...outcome })

const performanceOf = (outcome: (value: unknown) => Outcome): JudgedRun => ({
  interferingScenario: undefined,
  explain: () => [],
  hideKnown: (text) => text.replaceAll('hush-hush', '[client_secret:1]'),
  outcome: async (value) => seen(outcome(value)),
  outcomes: async () => [],
})

type Seen = { readonly answer: ObservedExchange }

interface JudgeOptions {
  readonly row?: Requirement
  readonly on?: StatedCheck['scenario']
  readonly seed?: number
  readonly runs?: number
  readonly interferingScenario?: string
  readonly waiver?: string
}

const SITE = { needs: [], isOnly: false, statedAt: new Error('here') }

const judge = (
  look: (record: Seen, value: unknown) => void,
  outcome: Outcome | ((value: unknown) => Outcome) = { record: { answer: sampleExchange() } },
  { row = MUST, on = done, seed = 42, runs = 50, interferingScenario, waiver }: JudgeOptions = {},
): Promise<CheckResult> => {
  const check: StatedCheck = { requirement: row, scenario: on, judge: look as StatedCheck['judge'], ...SITE }
  const performance = {
    ...performanceOf(typeof outcome === 'function' ? outcome : () => outcome),
    interferingScenario,
  }
  return judgeCheck({ ...planned, ...(waiver !== undefined && { waiver }) }, check, performance, {
    seed,
    runs,
  })
}

test('a judge that read an exchange and returned passes, and the result lists the exchange', async () => {
  expect(await judge(({ answer }) => answer.status.equals(200))).toMatchObject({
    verdict: 'pass',
    exchanges: ['sample/1'],
  })
})

test('a judge that read nothing does not pass', async () => {
  expect(await judge(() => undefined)).toMatchObject({ verdict: 'not-reached', judged: 0, exchanges: [] })
  expect(await judge(({ answer }) => answer.use())).toMatchObject({
    verdict: 'not-reached',
    because: 'nothing occurred that it could judge',
    judged: 0,
  })
})

test('a pass counts its assertions', async () => {
  const look = ({ answer }: Seen): void => {
    answer.status.equals(200)
    answer.isAccepted('it is valid')
  }
  expect(await judge(look)).toMatchObject({ verdict: 'pass', judged: 2 })
})

test('a violation is a fail for a MUST, and a warn for a SHOULD', async () => {
  const look = ({ answer }: Seen): void => answer.status.equals(201)
  const violation = { subject: 'status', expected: '201', received: '200', exchange: 'sample/1' }
  expect(await judge(look)).toMatchObject({ verdict: 'fail', violation })
  expect(await judge(look, undefined, { row: SHOULD })).toMatchObject({ verdict: 'warn', violation })
})

test.each([
  ['NotReached', new NotReached('no code came'), 'not-reached', 'no code came'],
  ['Inconclusive', new Inconclusive('the line is dead'), 'inconclusive', 'the line is dead'],
  ['HeldBack', new HeldBack('a payment'), 'harness-error', /sends more than it declares: a payment/],
  ['a TypeError', new TypeError('x is undefined'), 'harness-error', /x is undefined/],
  ['not an Error', 'oops', 'harness-error', 'oops'],
])('%s that ends a scenario or a judge is not a violation', async (_, thrown, verdict, because) => {
  const throwing = (): never => {
    // oxlint-disable-next-line typescript/only-throw-error -- other values than errors can be thrown, too
    throw thrown
  }
  for (const result of [await judge(throwing), await judge(() => undefined, { stopped: thrown })]) {
    expect(result.verdict).toBe(verdict)
    expect(result.because).toMatch(because)
    expect(result.violation).toBeUndefined()
  }
})

test('a waiting check is not reached, and the reason says when it can be judged', async () => {
  const until = new Date('2026-04-05T09:00:00.000Z')
  expect(await judge(() => undefined, { stopped: new Waiting(until) })).toMatchObject({
    verdict: 'not-reached',
    until: until.toISOString(),
    because: 'waits until 2026-04-05 09:00 UTC; the resumed run judges it',
  })
})

test('a violation that another grant may have caused is inconclusive, and a pass stays a pass', async () => {
  const interfered = { interferingScenario: 'tokens/another' }
  const result = await judge(({ answer }) => answer.status.equals(201), undefined, interfered)
  expect(result).toMatchObject({ verdict: 'inconclusive', exchanges: ['sample/1'] })
  expect(result.because).toMatch(/status: expected 201; received 200; but while .* tokens\/another had/)
  expect(result.violation).toBeUndefined()
  expect(await judge(({ answer }) => answer.status.equals(200), undefined, interfered)).toMatchObject({
    verdict: 'pass',
  })
})

test('an exchange without an answer is inconclusive, and the reason contains the cause', async () => {
  const lost = { record: { answer: sampleExchange({ fault: TIMED_OUT }) } }
  const result = await judge(({ answer }) => answer.status.equals(200), lost)
  expect(result).toMatchObject({ verdict: 'inconclusive', because: 'no whole answer came (DEADLINE)' })
})

test('a step that changes the verdict is named', async () => {
  const wrong = ({ answer }: Seen): void => answer.status.equals(201)
  const interfered = await judge(wrong, undefined, { interferingScenario: 'tokens/another' })
  expect(interfered.decidedBy).toBe('interference')
  expect((await judge(wrong)).decidedBy).toBeUndefined()
  expect(await judge(wrong, undefined, { waiver: 'agreed' })).toMatchObject({
    verdict: 'waived',
    because: 'agreed',
    decidedBy: 'waiver',
  })
  expect(
    await judge(() => assert(true, () => ({ subject: '', expected: '', received: '', exchange: '' }))),
  ).toMatchObject({ verdict: 'harness-error', decidedBy: 'no-exchange' })
})

test('what was received is shown shortly', async () => {
  const long = { record: { answer: sampleExchange({ headers: [['x', 'y'.repeat(500)]] }) } }
  const { violation } = await judge(({ answer }) => answer.header('x').satisfies(false, 'another one'), long)
  expect(violation?.received).toMatch(/^"y+… \(502 characters\)$/)
})

test('a counterexample shows no secret of the profile', async () => {
  const words = property('words', options, fc.constant('hush-hush') as Arbitrary<unknown>, async () => 0)
  const { violation } = await judge(({ answer }) => answer.status.equals(201), answered, { on: words })
  expect(violation?.counterexample?.value).toBe('"[client_secret:1]"')
})

const numbers = property('numbers', options, fc.integer() as Arbitrary<unknown>, async () => ({
  answer: sampleExchange(),
}))
const answered = (): Outcome => ({ record: { answer: sampleExchange() } })
const below1000 = ({ answer }: Seen, value: unknown): void =>
  answer.status.satisfies(Number(value) < 1000, 'less')

test('a property is shrunk to the smallest counterexample, with the seed and path that reproduce it', async () => {
  const result = await judge(below1000, answered, { on: numbers })
  expect(result).toMatchObject({
    verdict: 'fail',
    violation: { counterexample: { value: '1000', seed: 42 } },
  })
  expect(await judge(below1000, answered, { on: numbers })).toMatchObject({ violation: result.violation })
})

test('the edges of a property are tried first', async () => {
  const tried: unknown[] = []
  const noted = (value: unknown): Outcome => (tried.push(value), answered())
  const edged = property('edged numbers', options, fc.integer() as Arbitrary<unknown>, async () => 0, {
    edges: [7, -1],
  })
  await judge(({ answer }) => answer.status.equals(200), noted, { on: edged, runs: 5 })
  expect(tried.slice(0, 2)).toEqual([7, -1])
  expect(tried).toHaveLength(5)
})

test('a counterexample is described by its property, or by its plain value if the description throws', async () => {
  const rendered = (render: (record: unknown, value: unknown) => string) =>
    judge(below1000, answered, {
      on: property('described numbers', options, fc.integer() as Arbitrary<unknown>, async () => 0, {
        render,
      }),
    })
  expect(await rendered((_, value) => `1. the number ${String(value)}`)).toMatchObject({
    violation: { counterexample: { value: '1. the number 1000' } },
  })
  const fails = (): string => {
    throw new Error('no description')
  }
  expect(await rendered(fails)).toMatchObject({ violation: { counterexample: { value: '1000' } } })
})

describe('an observation about a property', () => {
  const counted = property('counted numbers', options, fc.integer(), async () => ({ half: 0 }))
  const performance: JudgedRun = {
    ...performanceOf(answered),
    outcomes: async () => [
      { value: 2, outcome: seen({ record: { half: 1 } }) },
      { value: 4, outcome: seen({ record: { half: 2 } }) },
      { value: 5, outcome: seen({ record: { half: 2 } }) },
      { value: 6, outcome: { stopped: new Inconclusive('dead') } },
    ],
  }

  test('is recorded once, also if some runs were stopped', async () => {
    const row = notShown('TST-U1', { subject: 'halves', quote: 'not shown', place: 'here' })
    note(row, counted, ({ half }) => String(half))
    const { observations } = await describeScenario('tests/a-number', counted as never, performance)
    expect(observations).toEqual([
      { notShown: 'TST-U1', value: '1' },
      { notShown: 'TST-U1', value: '2' },
    ])
  })

  test('is counted in its model, unless the count throws', async () => {
    const model = { name: 'number', states: [], moves: [] }
    draws(model, counted, ({ half }, value) => {
      if (value === 5) throw new Error('not a known number')
      return ['any', half === 1 ? 'one' : 'two']
    })
    const { visits } = await describeScenario('tests/a-number', counted as never, performance)
    expect(visits).toEqual([{ scenario: 'tests/a-number', model, counts: { any: 2, one: 1, two: 1 } }])
  })
})

describe('the time line of a record', () => {
  const line = { path: 'client', expected: [], observed: [], polls: [] }
  const followed = scenario('a followed application', options, async () => ({ isSeen: true }))
  traced(followed, ({ isSeen }) => {
    if (isSeen) return line
    throw new Error('not a known line')
  })
  const lines = async (outcome: Outcome) => {
    const run = performanceOf(() => outcome)
    return (await describeScenario('loans/followed', followed, run)).timeLines
  }

  test('is stored with the id of its scenario', async () => {
    expect(await lines({ record: { isSeen: true } })).toEqual([{ scenario: 'loans/followed', ...line }])
  })

  test('is left out if there is none', async () => {
    expect(await lines({ record: { isSeen: false } })).toEqual([])
    expect(await lines({ stopped: new Inconclusive('dead') })).toEqual([])
    const other = scenario('another one', options, async () => ({ isSeen: true }))
    const { timeLines } = await describeScenario('loans/other', other, performanceOf(answered))
    expect(timeLines).toEqual([])
  })
})

test('a property that holds passes for every seed', async () => {
  for (const seed of [1, 2, 3])
    expect(
      await judge(({ answer }) => answer.status.equals(200), answered, { on: numbers, seed }),
    ).toMatchObject({
      verdict: 'pass',
    })
})

test('a property that is stopped is not judged by its earlier runs', async () => {
  let acts = 0
  const dying = (): Outcome => ((acts += 1) > 3 ? { stopped: new Inconclusive('dead') } : answered())
  const result = await judge(({ answer }) => answer.status.equals(200), dying, { on: numbers })
  expect(result).toMatchObject({ verdict: 'inconclusive', because: 'dead' })
  expect(acts).toBe(4)
})

test('shrinking ends, even if it always finds a smaller case', async () => {
  let acts = 0
  const counting = (): Outcome => ((acts += 1), answered())
  const long = fc.array(fc.integer(), { minLength: 500, maxLength: 900 }) as Arbitrary<unknown>
  const words = property('words', options, long, async () => 0)
  const never = ({ answer }: Seen): void => answer.status.satisfies(false, 'the impossible')
  expect(await judge(never, counting, { on: words, runs: 10 })).toMatchObject({ verdict: 'fail' })
  expect(acts).toBeLessThanOrEqual(10 + 100)
})
