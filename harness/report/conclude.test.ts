import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VERDICTS, type Verdict } from '../check/verdict.ts'
import {
  checkVerdict,
  conclude,
  EXIT_CODES,
  facetVerdicts,
  requirementVerdict,
  sentenceOf,
  verdicts,
  type Levels,
  type RunFlags,
} from './conclude.ts'
import { reportWaivers, staleSentences } from './waivers.ts'
import { CONCLUSIONS, type CheckReport, type Conclusion } from './schema.ts'
import {
  found,
  LEVELS,
  PAY_NOT_ALLOWED,
  PLAN,
  planned,
  REJECTION,
  RESULTS,
} from '../testing/samples/reports.ts'
import type { Level } from '../check/requirement.ts'
import type { CheckResult } from '../check/result.ts'
import type { Plan } from '../plan/plan.ts'
import type { Waiver } from '../plan/waivers.ts'

const CALM: RunFlags = { strict: false, interrupted: false, unreachable: false }

const planOf = (changes: Partial<Plan>): Plan => ({ ...PLAN, checks: [], leftOut: [], ...changes })

describe('the verdict of a check', () => {
  const check = planned('PAY-09/1')

  test('is not-reached where the run ended without it', () => {
    expect(checkVerdict(check, [], 'MUST')).toMatchObject({ verdict: 'not-reached' })
  })

  test('is not-tested where the plan holds it back, with the reason', () => {
    const heldBack = planned('PAY-09/1', { heldBack: PAY_NOT_ALLOWED })
    const expected = {
      verdict: 'not-tested',
      because: 'pay is not allowed (--allow pay)',
      reason: 'effect-not-allowed',
    }
    expect(checkVerdict(heldBack, [], 'MUST')).toEqual(expected)
  })

  test('is no pass without an exchange', () => {
    const verdict = checkVerdict(check, [found('PAY-09/1', 'pass', { exchanges: [] })], 'MUST')
    expect(verdict).toEqual({ verdict: 'harness-error', because: 'a pass without an exchange' })
  })

  test('is not a pass with a violation', () => {
    const verdict = checkVerdict(check, [found('PAY-09/1', 'pass', { violation: REJECTION })], 'MUST')
    expect(verdict.verdict).toBe('harness-error')
  })

  test('is no fail without a violation', () => {
    expect(checkVerdict(check, [found('PAY-09/1', 'fail')], 'MUST').verdict).toBe('harness-error')
  })

  test.each([
    ['MUST', 'fail'],
    ['SHOULD', 'warn'],
    ['MAY', 'warn'],
  ] as const)('of a violated %s is %s, whichever word was reported', (level, verdict) => {
    for (const word of ['fail', 'warn'] as const)
      expect(checkVerdict(check, [found('PAY-09/1', word, { violation: REJECTION })], level)).toEqual({
        verdict,
      })
  })

  test('keeps the reason that was reported, and says so where there is none', () => {
    const reported = found('PAY-09/1', 'inconclusive', { because: 'ECONNRESET' })
    expect(checkVerdict(check, [reported], 'MUST').because).toBe('ECONNRESET')
    expect(checkVerdict(check, [found('PAY-09/1', 'waived')], 'MUST').because).toBe('no reason was recorded')
  })
})

describe('the verdict on a requirement', () => {
  test('is not-applicable where the plan leaves it out, with the reason', () => {
    const because = 'the profile declares it'
    expect(requirementVerdict([], [], { level: 'MUST', leftOut: { kind: 'declared', because } })).toEqual({
      verdict: 'not-applicable',
      because,
      reason: 'declared',
    })
  })

  test('is not-reached where the plan forgot it', () => {
    expect(requirementVerdict([], [], { level: 'MUST' }).verdict).toBe('not-reached')
  })

  test('names each reason once', () => {
    const checks = [planned('PAY-09/1'), planned('PAY-09/2'), planned('PAY-09/3')]
    const results = [
      found('PAY-09/1', 'inconclusive', { because: 'timeout' }),
      found('PAY-09/2', 'inconclusive', { because: 'reset' }),
      found('PAY-09/3', 'inconclusive', { because: 'timeout' }),
    ]
    const expected = { verdict: 'inconclusive', because: 'reset; timeout' }
    expect(requirementVerdict(checks, results, { level: 'MUST' })).toEqual(expected)
  })
})

describe('a check in which nothing occurred', () => {
  const nothing = (id: string) =>
    found(id, 'not-reached', { because: 'nothing occurred that it could judge', judged: 0 })

  test('lowers no requirement that another check of the same facet has judged', () => {
    const checks = [planned('PAY-09/1'), planned('PAY-09/2')]
    const results = [found('PAY-09/1', 'pass'), nothing('PAY-09/2')]
    expect(requirementVerdict(checks, results, { level: 'MUST' }).verdict).toBe('pass')
  })

  test('makes a facet not-reached that no other check has judged', () => {
    const checks = [
      planned('PAY-09/1@FAC', { application: 'FAC' }),
      planned('PAY-09/1@TPP', { application: 'TPP' }),
      planned('PAY-09/2@TPP', { application: 'TPP', facets: ['second variant'] }),
    ]
    const results = [found('PAY-09/1@FAC', 'pass'), found('PAY-09/1@TPP', 'pass'), nothing('PAY-09/2@TPP')]
    expect(requirementVerdict(checks, results, { level: 'MUST' }).verdict).toBe('not-reached')
    expect(facetVerdicts(checks, results, 'MUST').map(({ facet, verdict }) => [facet, verdict])).toEqual([
      ['FAC', 'pass'],
      ['TPP', 'pass'],
      ['TPP, second variant', 'not-reached'],
    ])
  })

  test('lowers no requirement that another check has judged for the same kind of application', () => {
    const checks = [
      planned('PAY-09/1@TPP', { application: 'TPP' }),
      planned('PAY-09/2', { actingKind: 'TPP' }),
    ]
    const results = [found('PAY-09/1@TPP', 'pass'), nothing('PAY-09/2')]
    expect(requirementVerdict(checks, results, { level: 'MUST' }).verdict).toBe('pass')
    expect(facetVerdicts(checks, results, 'MUST')).toEqual([{ facet: 'TPP', verdict: 'pass', judged: 0 }])
    const other = [checks[0], planned('PAY-09/2', { actingKind: 'FAC' })].flatMap((check) => check ?? [])
    expect(requirementVerdict(other, results, { level: 'MUST' }).verdict).toBe('not-reached')
  })

  test('is no pass where all checks are such', () => {
    const checks = [planned('PAY-09/1'), planned('PAY-09/2')]
    const results = checks.map(({ id }) => nothing(id))
    expect(requirementVerdict(checks, results, { level: 'MUST' }).verdict).toBe('not-reached')
  })
})

describe('the conclusion', () => {
  const passes = RESULTS.map(({ id }) => found(id, 'pass'))
  const failing = [...passes.slice(0, -1), found('PAY-09/1', 'fail', { violation: REJECTION })]
  const broken = [found('TOK-03/1@FAC', 'harness-error'), ...passes.slice(1)]
  const cases: readonly (readonly [string, Conclusion, readonly CheckResult[], Partial<RunFlags>])[] = [
    ['every check passes', 'conforms', passes, {}],
    ['a MUST is broken', 'nonconforming', failing, {}],
    [
      'a MUST is broken and the harness too',
      'nonconforming',
      [...failing.slice(1), ...broken.slice(0, 1)],
      {},
    ],
    [
      'a SHOULD is broken',
      'conforms',
      [...passes.slice(0, 2), ...RESULTS.slice(2, 3), ...passes.slice(3)],
      {},
    ],
    ['a SHOULD is broken, under --strict', 'nonconforming', RESULTS.slice(0, 3), { strict: true }],
    ['the harness breaks', 'harness-error', broken, {}],
    ['a result comes that nobody planned', 'harness-error', [...passes, found('PAY-09/7', 'pass')], {}],
    ['the target is away', 'unreachable', [], { unreachable: true }],
    ['not all of it could be written', 'harness-error', passes, { unkept: true }],
    ['a MUST is not reached', 'incomplete', passes.slice(1), {}],
    ['a MUST is left open', 'incomplete', [found('TOK-03/1@FAC', 'inconclusive'), ...passes.slice(1)], {}],
    ['a SHOULD is not reached', 'conforms', passes.filter(({ id }) => id !== 'TOK-07/1'), {}],
    [
      'a SHOULD is not reached, under --strict',
      'incomplete',
      passes.filter(({ id }) => id !== 'TOK-07/1'),
      { strict: true },
    ],
    ['the run is interrupted', 'interrupted', failing, { interrupted: true }],
  ]

  test.each(cases)('where %s is %s', (_, conclusion, results, flags) => {
    expect(conclude(PLAN, LEVELS, results, { ...CALM, ...flags })).toEqual({
      conclusion,
      gate: conclusion,
      exitCode: EXIT_CODES[conclusion],
    })
  })

  test('of a run that judged nothing is incomplete', () => {
    const plan = planOf({ checks: [planned('PAY-10/1', { heldBack: PAY_NOT_ALLOWED })] })
    expect(conclude(plan, new Map([['PAY-10', 'MUST']]), [], CALM).conclusion).toBe('incomplete')
    expect(conclude(planOf({}), new Map(), [], CALM).conclusion).toBe('incomplete')
  })

  test('of a run with waivers alone is incomplete: a waiver is no evidence', () => {
    const plan = planOf({ checks: [planned('PAY-09/1')] })
    const ending = conclude(plan, new Map([['PAY-09', 'MUST']]), [found('PAY-09/1', 'waived')], CALM)
    expect(ending.conclusion).toBe('incomplete')
  })
})

interface Run {
  readonly plan: Plan
  readonly levels: Levels
  readonly results: readonly CheckResult[]
  readonly flags: RunFlags
}

const LETTERS = ['A', 'B', 'C', 'D'] as const

const resultOf = (id: string): fc.Arbitrary<CheckResult> =>
  fc
    .record({
      verdict: fc.constantFrom(...VERDICTS),
      exchanges: fc.array(fc.constantFrom('s/1', 's/2'), { maxLength: 2 }),
      isProper: fc.nat(9).map((digit) => digit > 0),
    })
    .map(({ verdict, exchanges, isProper }) => {
      const isViolation = (verdict === 'fail' || verdict === 'warn') === isProper
      return found(id, verdict, { exchanges, ...(isViolation && { violation: REJECTION }) })
    })

/** A run in which each planned check reports at most once. */
const runs: fc.Arbitrary<Run> = fc
  .record({
    levels: fc.array(fc.constantFrom<Level>('MUST', 'SHOULD', 'MAY'), { minLength: 1, maxLength: 4 }),
    checks: fc.array(fc.record({ row: fc.nat(3), isHeldBack: fc.nat(4).map((digit) => digit === 0) }), {
      maxLength: 6,
    }),
    leftOut: fc.subarray([...LETTERS]),
    flags: fc.record({
      strict: fc.boolean(),
      interrupted: fc.nat(9).map((digit) => digit === 0),
      unreachable: fc.nat(9).map((digit) => digit === 0),
    }),
  })
  .chain(({ levels, checks, leftOut, flags }) => {
    const plan = planOf({
      checks: checks.map(({ row, isHeldBack }, index) =>
        planned(
          `${LETTERS[row % levels.length] ?? 'A'}/${index}`,
          isHeldBack ? { heldBack: PAY_NOT_ALLOWED } : {},
        ),
      ),
      leftOut: leftOut.map((requirement) => ({
        requirement,
        kind: 'not-selected' as const,
        because: 'left out',
      })),
    })
    return fc.record({
      plan: fc.constant(plan),
      levels: fc.constant(new Map(levels.map((level, index) => [LETTERS[index] ?? 'A', level]))),
      results: fc
        .tuple(...plan.checks.map(({ id }) => fc.option(resultOf(id), { nil: undefined })))
        .map((all) => all.filter((result) => result !== undefined)),
      flags: fc.constant(flags),
    })
  })

const concludeRun = ({ plan, levels, results, flags }: Run): Conclusion =>
  conclude(plan, levels, results, flags).conclusion

const verdictsOf = ({ plan, levels, results }: Run) => verdicts(plan, levels, results)

/** The higher, the better: the conclusions are listed worst first. */
const rank = (conclusion: Conclusion): number => CONCLUSIONS.indexOf(conclusion)

const passing = (run: Run): ReadonlySet<string> =>
  new Set([...verdictsOf(run)].filter(([, { verdict }]) => verdict === 'pass').map(([id]) => id))

/** Checks a law for a run and a poorer one of the same plan. */
const expectNoGain = (run: Run, poorer: Run): void => {
  const before = passing(run)
  for (const id of passing(poorer)) expect(before).toContain(id)
  if (concludeRun(run) === 'nonconforming') expect(concludeRun(poorer)).not.toBe('conforms')
}

describe('for any run', () => {
  test('an added failure never improves the conclusion', () => {
    const cases = runs.filter(({ plan, levels }) =>
      plan.checks.some(({ requirement }) => levels.get(requirement) === 'MUST'),
    )
    fc.assert(
      fc.property(cases, fc.nat(), (run, pick) => {
        const musts = run.plan.checks.filter(({ requirement }) => run.levels.get(requirement) === 'MUST')
        const id = musts[pick % musts.length]?.id ?? ''
        const worse = { ...run, results: [...run.results, found(id, 'fail', { violation: REJECTION })] }
        expect(rank(concludeRun(worse))).toBeLessThanOrEqual(rank(concludeRun(run)))
      }),
    )
  })

  test('removed results make no pass, and no conformity out of nonconformity', () => {
    const cases = runs.chain((run) =>
      fc.subarray([...run.results]).map((results) => [run, { ...run, results }] as const),
    )
    fc.assert(fc.property(cases, ([run, poorer]) => expectNoGain(run, poorer)))
  })

  test('removed exchanges make no pass, and no conformity out of nonconformity', () => {
    const cases = fc.tuple(runs, fc.infiniteStream(fc.boolean())).map(([run, coins]) => {
      const results = run.results.map((result) =>
        coins.next().value === true ? { ...result, exchanges: result.exchanges.slice(1) } : result,
      )
      return [run, { ...run, results }] as const
    })
    fc.assert(fc.property(cases, ([run, poorer]) => expectNoGain(run, poorer)))
  })

  test('neither the order of the results nor hearing them twice matters', () => {
    const cases = runs.chain((run) =>
      fc
        .shuffledSubarray([...run.results, ...run.results], { minLength: run.results.length * 2 })
        .map((results) => [run, { ...run, results }] as const),
    )
    fc.assert(
      fc.property(cases, ([run, shuffled]) => {
        expect(concludeRun(shuffled)).toBe(concludeRun(run))
        expect(verdictsOf(shuffled)).toEqual(verdictsOf(run))
      }),
    )
  })

  test('a conforming one has judged something, and left no MUST open', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const words = [...verdictsOf(run)].map(([id, { verdict }]) => ({
          verdict,
          level: run.levels.get(id),
        }))
        const open = words.filter(
          ({ verdict, level }) =>
            level === 'MUST' && !['pass', 'waived', 'not-tested', 'not-applicable'].includes(verdict),
        )
        const judged = words.filter(({ verdict }) => verdict === 'pass' || verdict === 'warn')
        const isSound = concludeRun(run) !== 'conforms' || (open.length === 0 && judged.length > 0)
        expect(isSound).toBe(true)
      }),
    )
  })

  test('a waiver is never a pass', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const results = run.results.map((result) => ({ ...result, verdict: 'waived' as const }))
        expect(passing({ ...run, results }).size).toBe(0)
        expect(concludeRun({ ...run, results })).not.toBe('conforms')
      }),
    )
  })
})

const check = (changes: Partial<CheckReport>): CheckReport => ({
  title: 'a check',
  file: 'specs/payments/rejection.spec.ts:21',
  verdict: 'pass',
  durationMs: 0,
  judged: 1,
  exchanges: [],
  reproduce: 'npm test',
  ...changes,
})

test('a violation has the same sentence in every report', () => {
  const counterexample = { value: '"DE00"', seed: 42, path: '3:0' }
  expect(sentenceOf(check({ verdict: 'fail', violation: { ...REJECTION, counterexample } }))).toBe(
    'reasonCode: expected one of AC01, AC04, AG01 … TM01; received nothing (with "DE00")',
  )
})

test('without a violation the sentence is the reason', () => {
  expect(sentenceOf(check({ verdict: 'inconclusive', because: 'ECONNRESET' }))).toBe('ECONNRESET')
  expect(sentenceOf(check({ verdict: 'not-reached' }))).toBe('no reason was recorded')
})

const waiver = (requirement: string): Waiver => ({
  requirement,
  reason: 'The new core is rolled out in spring.',
  owner: 'payments@bank.example',
  expires: '2026-12-31',
})

const judged = new Map(
  (
    [
      ['PAY-01', 'waived'],
      ['PAY-02', 'pass'],
      ['PAY-03', 'not-reached'],
      ['PAY-04', 'not-applicable'],
    ] as const satisfies readonly (readonly [string, Verdict])[]
  ).map(([id, verdict]) => [id, { verdict }]),
)

test('a waiver is needed, stale, or neither', () => {
  const reported = reportWaivers(['PAY-01', 'PAY-02', 'PAY-03', 'PAY-04', 'PAY-05'].map(waiver), judged)
  expect(reported.map(({ state }) => state)).toEqual(['needed', 'stale', 'idle', 'idle', 'idle'])
  expect(staleSentences(reported)).toEqual([
    'PAY-02 passes now: remove its accepted exception (payments@bank.example) from the file',
  ])
})
