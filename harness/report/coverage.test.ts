import { describe, expect, test } from 'vitest'
import { found, PLAN, planned, RESULTS, sampleReport } from '../testing/samples/reports.ts'
import type { CheckResult } from '../check/result.ts'
import type { Plan, PlannedCheck } from '../plan/plan.ts'
import type { Reason } from '../plan/reason.ts'

const SECOND: Reason = {
  kind: 'missing-in-profile',
  because: 'it needs the second accounts variant (secondVariant)',
  changes: [{ change: 'profile', what: 'the second accounts variant (secondVariant)' }],
}

const DECLARED: Reason = { kind: 'declared', because: 'the profile declares: it has none' }

const PAYING = [planned('PAY-09/1', { actingKind: 'TPP' }), planned('PAY-10/1', { actingKind: 'TPP' })]

const passing = (checks: readonly PlannedCheck[]): readonly CheckResult[] =>
  checks.filter(({ heldBack }) => heldBack === undefined).map(({ id }) => found(id, 'pass', { judged: 1 }))

/** The sample, of which the scope `payments` is asked for. */
const reportOn = (checks: readonly PlannedCheck[], changes: Partial<Plan> = {}) => {
  const plan: Plan = { ...PLAN, checks, leftOut: [], scope: 'payments', ...changes }
  return sampleReport({ plan, results: passing(checks) })
}

describe('the scope of a report', () => {
  test('counts what was judged, left out and not reached, by level', () => {
    const results = [...RESULTS.filter(({ id }) => !id.startsWith('PAY')), found('PAY-09/1', 'inconclusive')]
    const { scope } = sampleReport({ results })
    expect(scope).toMatchObject({ name: 'partial', asked: 'full', version: 1, requirements: 5 })
    expect(scope.coverage).toEqual({
      of: 5,
      judged: 2,
      partly: 0,
      notTested: 2,
      notReached: 1,
      declared: 0,
      unchecked: 0,
      levels: { MUST: { judged: 1, of: 4 }, SHOULD: { judged: 1, of: 1 }, MAY: { judged: 0, of: 0 } },
    })
  })

  test('is named also if the target does not conform, or an exception was accepted', () => {
    const plan: Plan = { ...PLAN, checks: PAYING, leftOut: [], scope: 'payments' }
    for (const verdict of ['warn', 'waived'] as const) {
      const violation = { subject: 'a', expected: 'b', received: 'c', exchange: 'PAY-10/1/1' }
      const results = [found('PAY-09/1', 'pass'), found('PAY-10/1', verdict, { violation })]
      expect(sampleReport({ plan, results }).scope.name).toBe('payments')
    }
  })

  test('is partial if a requirement was left out or not reached', () => {
    const [first] = PAYING
    if (first === undefined) throw new Error('there are two')
    expect(reportOn([first, planned('PAY-10/1', { heldBack: SECOND })]).scope.name).toBe('partial')
    const plan: Plan = { ...PLAN, checks: PAYING, leftOut: [], scope: 'payments' }
    expect(sampleReport({ plan, results: [found('PAY-09/1', 'pass')] }).scope.name).toBe('partial')
  })

  test('does not count what the bank does not have, unless that is a whole chapter', () => {
    const [first, second] = PAYING
    if (first === undefined || second === undefined) throw new Error('there are two')
    const some = reportOn([first, { ...second, heldBack: DECLARED }])
    expect(some.scope).toMatchObject({ name: 'payments', coverage: { of: 1, judged: 1, declared: 1 } })
    const all = reportOn(PAYING.map((check) => ({ ...check, heldBack: DECLARED })))
    expect(all.scope).toMatchObject({ name: 'partial', coverage: { of: 0, judged: 0, declared: 2 } })
  })

  test('is partial if a facet that belongs to it was left out', () => {
    const checks = [
      ...PAYING,
      planned('PAY-09/2', { actingKind: 'TPP', facets: ['second variant'], heldBack: SECOND }),
    ]
    const { scope, testable } = reportOn(checks, { scope: 'full' })
    expect(scope.coverage.partly).toBe(1)
    expect(testable).toEqual([
      {
        ...SECOND.changes?.[0],
        requirements: [],
        partly: ['PAY-09'],
        sentence: 'the second accounts variant (secondVariant): a further facet of 1 requirement',
      },
    ])
    // The scope of the payments has no variants.
    expect(reportOn(checks).scope.name).toBe('payments')
  })

  test('is partial if the profile lacks a kind of application, and says so', () => {
    const checks = [planned('TOK-03/1@TPP', { application: 'TPP', missingKind: 'FAC' })]
    const { scope, testable = [] } = reportOn(checks, { scope: 'authorization-server' })
    expect(scope.coverage).toMatchObject({ judged: 1, partly: 1 })
    expect(testable.map(({ sentence }) => sentence)).toEqual([
      'an application of the kind FAC (applications): a further facet of 1 requirement',
    ])
  })
})
