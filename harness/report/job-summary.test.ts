import { describe, expect, test } from 'vitest'
import { annotationsOf } from './annotations.ts'
import { renderJobSummary } from './job-summary.ts'
import { sampleReport } from '../testing/samples/reports.ts'
import type { Report } from './schema.ts'

const REPORT = sampleReport()

/** The sample, in which the target says this wherever it is quoted. */
const quoting = (received: string): Report => ({
  ...REPORT,
  requirements: REPORT.requirements.map((row) => ({
    ...row,
    checks: row.checks.map((check) => ({
      ...check,
      ...(check.violation && { violation: { ...check.violation, received } }),
    })),
  })),
})

describe('the summary of a job', () => {
  test('begins with the conclusion, and counts by chapter', () => {
    const text = renderJobSummary(REPORT)
    expect(text.split('\n')[0]).toBe('## ❌ nonconforming (partial): 3 of 5 judged')
    expect(text).toMatch(/^\| payments \|/m)
    expect(text).toMatch(/^\| \*\*all\*\* \|/m)
  })

  test('names each finding with its exchange and the command that runs it again', () => {
    const rows = renderJobSummary(REPORT).split('\n')
    const reported = REPORT.requirements.flatMap(({ id, checks }) =>
      checks.flatMap(({ violation }) => (violation === undefined ? [] : [[id, violation.exchange]])),
    )
    expect(reported.length).toBeGreaterThan(1)
    for (const [id = '', exchange = ''] of reported)
      expect(rows.find((row) => row.startsWith(`| **${id}**`))).toContain(
        `| \` ${exchange} \` | \` npm test -- --only ${id} `,
      )
  })

  test('lists accepted exceptions with reason, owner and last day', () => {
    const waiver = { requirement: 'PAY-09', reason: 'the new core', owner: 'payments', expires: '2030-12-31' }
    expect(renderJobSummary({ ...REPORT, waivers: [{ ...waiver, state: 'needed' }] })).toContain(
      '| requirement | reason | owner | last day | state |\n|---|---|---|---|---|\n| PAY\\-09 | the new core | payments | 2030-12-31 | needed |',
    )
  })

  test('counts requirements and checks, and says what makes the rest testable', () => {
    const text = renderJobSummary(REPORT)
    expect(text).toContain('pass: 1 requirement (2 checks) · not-tested: 2 requirements (1 check)')
    expect(text).toContain(
      '### Not tested: 2 requirements\n\n- \\-\\-allow pay\\: 1 requirement\n- LOA-01: no check exists yet',
    )
  })

  test('lists what is not applicable, by reason', () => {
    const because = 'the profile declares: it has none'
    const requirements = REPORT.requirements.map((row) =>
      row.id === 'LOA-01' ? { ...row, verdict: 'not-applicable' as const, because } : row,
    )
    expect(renderJobSummary({ ...REPORT, requirements })).toContain(
      '### Not applicable: 1 requirement\n\n| reason | requirements |\n|---|---|\n| the profile declares\\: it has none | LOA-01 |',
    )
  })

  test('what a target says stays in its cell', () => {
    const row = renderJobSummary(quoting('a | b\n| c [d](https://evil.example) <img src=x>'))
      .split('\n')
      .find((line) => line.includes('evil'))
    expect(row).toContain('a \\| b')
    expect(row).not.toMatch(/[^\\]\[d|[^\\]</)
  })
})

describe('annotations', () => {
  test('each broken requirement is one line, whatever the target says', () => {
    const lines = annotationsOf(quoting('100%\n::error::planted'))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatch(/^::(error|warning) title=[A-Z]{3}-\d+ [^:,]*::\S.*$/)
    expect(lines.join('\n')).toContain('100%25')
  })

  test('a waiver that is no longer needed is an error of its own', () => {
    const waiver = { requirement: 'PAY-10', reason: 'a reason', owner: 'payments', expires: '2030-12-31' }
    const report: Report = {
      ...REPORT,
      waivers: [
        { ...waiver, state: 'stale' },
        { ...waiver, requirement: 'PAY-09', state: 'needed' },
      ],
    }
    expect(annotationsOf(report).filter((line) => line.includes('accepted exception'))).toEqual([
      '::error title=PAY-10 an accepted exception that is no longer needed::PAY-10 passes now: remove its accepted exception (payments) from the file',
    ])
  })
})
