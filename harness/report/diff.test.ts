import { describe, expect, test } from 'vitest'
import { compare, hasRegressed, renderComparison, type Change } from './diff.ts'
import { sampleReport } from '../testing/samples/reports.ts'
import type { Verdict } from '../check/verdict.ts'
import type { Report } from './schema.ts'

const ID = 'TOK-03'
const REPORT = sampleReport()

/** The sample, with another word on one requirement. */
const saying = (verdict: Verdict): Report => ({
  ...REPORT,
  requirements: REPORT.requirements.map((row) => (row.id === ID ? { ...row, verdict } : row)),
})

const courseOf = (before: Verdict, after: Verdict): string | undefined =>
  compare(saying(before), saying(after)).changes.find(({ id }) => id === ID)?.course

describe('what changed', () => {
  test('nothing, between a run and itself', () => {
    const comparison = compare(REPORT, REPORT)
    expect(comparison).toEqual({ changes: [], caveats: [] })
    expect(hasRegressed(comparison)).toBe(false)
  })

  test.for<[Verdict, Verdict, string]>([
    ['pass', 'fail', 'regressed'],
    ['pass', 'warn', 'regressed'],
    ['warn', 'fail', 'regressed'],
    ['pass', 'inconclusive', 'regressed'],
    ['pass', 'not-applicable', 'regressed'],
    ['pass', 'waived', 'regressed'],
    ['fail', 'not-reached', 'regressed'],
    ['waived', 'fail', 'regressed'],
    ['waived', 'not-tested', 'regressed'],
    ['waived', 'not-applicable', 'regressed'],
    ['not-reached', 'fail', 'regressed'],
    ['not-reached', 'harness-error', 'regressed'],
    ['fail', 'warn', 'improved'],
    ['fail', 'pass', 'improved'],
    ['waived', 'pass', 'improved'],
    ['not-applicable', 'pass', 'improved'],
    ['inconclusive', 'not-applicable', 'improved'],
  ])('%s, then %s: %s', ([before, after, course]) => {
    expect(courseOf(before, after)).toBe(course)
  })

  test('a regression says what is broken now', () => {
    const broken = saying('fail')
    const [change] = compare(saying('pass'), {
      ...broken,
      requirements: broken.requirements.map((row) => ({
        ...row,
        checks: row.checks.map((check) => ({
          ...check,
          violation: { subject: 'token_type', expected: 'Bearer', received: 'mac', exchange: 'x/1' },
        })),
      })),
    }).changes
    expect(change?.because).toBe('token_type: expected Bearer, received mac')
  })

  test('rows of one catalogue alone come and go, and are no regression', () => {
    const [first, ...rest] = REPORT.requirements
    const shorter = { ...REPORT, requirements: rest }
    const [came, went] = [compare(shorter, REPORT), compare(REPORT, shorter)]
    expect(came.changes).toMatchObject([{ id: first?.id, course: 'came' }])
    expect(went.changes).toMatchObject([{ id: first?.id, course: 'went' }])
    expect(hasRegressed(came) || hasRegressed(went)).toBe(false)
  })

  test('what makes two runs unlike is said', () => {
    const elsewhere = {
      ...REPORT,
      target: { ...REPORT.target, baseUrl: 'https://other.example' },
      run: { ...REPORT.run, seed: REPORT.run.seed + 1 },
      scope: { ...REPORT.scope, asked: 'payments' as const },
    }
    const { caveats } = compare(REPORT, elsewhere)
    expect(caveats).toHaveLength(3)
    expect(caveats[0]).toContain('https://other.example')
  })
})

const change = (part: Partial<Change>): Change => ({
  id: 'TOK-03',
  level: 'MUST',
  claim:
    'the token type of each answer of the token endpoint is Bearer, for every kind of application and grant',
  course: 'regressed',
  before: 'pass',
  after: 'fail',
  ...part,
})

test('regressions come first, with their reason, within 80 columns', () => {
  const longUrl = `https://${'other'.repeat(20)}.example,`
  const text = renderComparison(
    {
      changes: [
        change({ id: 'PAY-01', course: 'improved', before: 'fail', after: 'pass' }),
        change({ because: 'token_type: expected Bearer, received something quite else '.repeat(3) }),
      ],
      caveats: [`different target: https://one.example, now ${longUrl} which answers in another language`],
    },
    { width: 80 },
  )
  const lines = text.split('\n')
  // An address is never folded.
  const folded = lines.filter((line) => line !== longUrl)
  expect(folded).toHaveLength(lines.length - 1)
  expect(Math.max(...folded.map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(text.indexOf('TOK-03')).toBeLessThan(text.indexOf('PAY-01'))
  expect(text).toContain('pass → fail')
  expect(text).toContain('token_type: expected Bearer')
  expect(lines.at(-1)).toBe('1 regressed, 1 improved')
})

test('two runs with the same verdicts have a comparison of two words', () => {
  expect(renderComparison({ changes: [], caveats: [] }, { width: 80 })).toBe('no difference')
})
