import { describe, expect, test } from 'vitest'
import { headlineOf } from './headline.ts'
import { sampleReport } from '../testing/samples/reports.ts'
import type { Report } from './schema.ts'

const REPORT = sampleReport()

type Scope = Report['scope']

/** The sample with another scope and conclusion. */
const reporting = (
  changes: Partial<Omit<Scope, 'coverage'>> & { readonly coverage?: Partial<Scope['coverage']> },
  ending: Partial<Report> = {},
): Report => ({
  ...REPORT,
  conclusion: 'conforms',
  gate: 'conforms',
  ...ending,
  scope: {
    ...REPORT.scope,
    ...changes,
    coverage: { ...REPORT.scope.coverage, partly: 0, ...changes.coverage },
  },
})

const AIS = { name: 'account-information', asked: 'account-information' } as const

const waiver = (requirement: string, state: 'needed' | 'stale' | 'idle') => ({
  requirement,
  reason: 'a reason',
  owner: 'an owner',
  expires: '2030-12-31',
  state,
})

describe('the headline of a run', () => {
  test('names the scope that was judged completely', () => {
    const report = reporting({ ...AIS, coverage: { judged: 236, of: 236 } })
    expect(headlineOf(report)).toBe('conforms: account-information, 236 of 236 judged')
  })

  test('of one requirement does not look like that of the whole', () => {
    const report = reporting({ name: 'partial', asked: 'full', coverage: { judged: 1, of: 460 } })
    expect(headlineOf(report)).toBe('conforms so far (partial): 1 of 460 judged')
  })

  test('names the scope that was asked for and not judged completely', () => {
    const report = reporting({ ...AIS, name: 'partial', coverage: { judged: 230, of: 236, partly: 12 } })
    expect(headlineOf(report)).toBe(
      'conforms so far (partial): account-information, 230 of 236 judged, 12 of them not in every facet',
    )
  })

  test.each(['nonconforming', 'incomplete', 'unreachable', 'harness-error', 'interrupted'] as const)(
    'carries its coverage if it is %s',
    (conclusion) => {
      const report = reporting(
        { name: 'partial', asked: 'full', coverage: { judged: 3, of: 460 } },
        { conclusion, gate: conclusion },
      )
      expect(headlineOf(report)).toBe(`${conclusion} (partial): 3 of 460 judged`)
    },
  )

  test('says how many violations are accepted', () => {
    const waivers = [waiver('PAY-09', 'needed'), waiver('PAY-10', 'needed'), waiver('LOA-01', 'idle')]
    const coverage = { judged: 5, of: 5 }
    expect(headlineOf(reporting({ name: 'full', coverage }, { waivers }))).toBe(
      'conforms with 2 accepted exceptions: full, 5 of 5 judged',
    )
    expect(headlineOf(reporting({ name: 'partial', coverage }, { waivers: waivers.slice(1) }))).toBe(
      'conforms so far with 1 accepted exception (partial): 5 of 5 judged',
    )
  })

  test('reports no failure of the target for a waiver that is no longer needed', () => {
    const waivers = [waiver('PAY-09', 'stale')]
    const report = reporting(
      { name: 'full', coverage: { judged: 5, of: 5 } },
      { waivers, gate: 'stale-waiver' },
    )
    expect(headlineOf(report)).toBe(
      'stale-waiver: 1 accepted exception is no longer needed; the target conforms: full, 5 of 5 judged',
    )
  })
})
