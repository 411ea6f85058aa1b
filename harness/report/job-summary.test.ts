import { describe, expect, test } from 'vitest'
import { annotationsOf, isAnnotated, renderJobSummary } from './job-summary.ts'
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
    expect(text.split('\n')[0]).toBe(`## ❌ ${REPORT.conclusion}`)
    expect(text).toMatch(/^\| payments \|/m)
    expect(text).toMatch(/^\| \*\*all\*\* \|/m)
  })

  test('of a part begins with the part', () => {
    const shard = { index: 2, count: 3, plan: 'sha256:33', scenarios: 5, of: 20 }
    const text = renderJobSummary({ ...REPORT, shard })
    expect(text.split('\n')[0]).toBe(`## ❌ shard 2 of 3: ${REPORT.conclusion}`)
    expect(text).toContain('5 of 20 scenarios')
  })

  test('names each requirement that did not pass, with the command that runs it again', () => {
    const text = renderJobSummary(REPORT)
    for (const { id, checks } of REPORT.requirements) {
      const isTold = checks.some(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')
      expect(text.includes(`**${id}**`)).toBe(isTold)
    }
    expect(text).toContain('npm test -- --only')
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

  test('are for GitHub Actions alone', () => {
    expect(isAnnotated({ GITHUB_ACTIONS: 'true' })).toBe(true)
    expect(isAnnotated({})).toBe(false)
  })
})
