import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sampleReport } from '../../testing/samples/reports.ts'
import { statementOf, statementSchema } from './statement.ts'
import type { Report } from '../schema.ts'
import type { Inputs } from './inputs-file.ts'

/** What the statement of a certificate says of a run. */

const INPUTS = { format: 1 } as unknown as Inputs
const MANIFEST = {
  format: 1 as const,
  files: [
    { path: 'inputs.json', bytes: 2, sha256: 'aa' },
    { path: 'report.json', bytes: 3, sha256: 'bb' },
  ],
}
const ISSUED = new Date('2026-01-12T09:30:00.000Z')

const statementOn = (changes: Partial<Report> = {}) =>
  statementSchema.parse(statementOf({ ...sampleReport(), ...changes }, INPUTS, MANIFEST, ISSUED)).predicate

type Verdicts = readonly Report['requirements'][number]['verdict'][]

const withVerdicts = (...verdicts: Verdicts) =>
  sampleReport().requirements.map((row, at) => ({
    ...row,
    verdict: verdicts[at % verdicts.length] ?? 'pass',
  }))

test('it names every file, and the inputs and the catalogue as the configuration', () => {
  const report = sampleReport()
  const { subject, predicate } = statementOf(report, INPUTS, MANIFEST, ISSUED)
  expect(subject).toEqual([
    { name: 'inputs.json', digest: { sha256: 'aa' } },
    { name: 'report.json', digest: { sha256: 'bb' } },
  ])
  expect(predicate.configuration).toEqual([
    { name: 'inputs.json', digest: { sha256: 'aa' } },
    { name: 'catalogue', digest: { sha256: report.suite.catalogueDigest } },
  ])
})

test('a run that does not conform has failed, with the requirements', () => {
  const requirements = withVerdicts('pass', 'fail')
  const { result, failedTests, passedTests } = statementOn({ conclusion: 'nonconforming', requirements })
  const idsOf = (verdict: string) => requirements.filter((row) => row.verdict === verdict).map(({ id }) => id)
  expect(result).toBe('FAILED')
  expect([passedTests, failedTests]).toEqual([idsOf('pass'), idsOf('fail')])
})

test('a run that conforms has warned if a SHOULD is broken or an exception was accepted, and passed otherwise', () => {
  const on = (...verdicts: Verdicts) =>
    statementOn({ conclusion: 'conforms', requirements: withVerdicts(...verdicts) }).result
  expect([on('pass', 'warn'), on('pass', 'waived'), on('pass')]).toEqual(['WARNED', 'WARNED', 'PASSED'])
})

test('it has the plan, the counts of each level, and the time with its zone', () => {
  const { conformance } = statementOn()
  const { requirements } = sampleReport()
  const ids = requirements.flatMap(({ id, checks }) => checks.map(({ title }) => `${id} ${title}`)).sort()
  expect(conformance.plan).toEqual({
    checks: ids.length,
    sha256: createHash('sha256')
      .update(`${ids.join('\n')}\n`)
      .digest('hex'),
  })
  const countOf = (levels: Readonly<Record<string, number>> = {}): number =>
    Object.values(levels).reduce((sum, count) => sum + count, 0)
  expect(countOf(conformance.levels['MUST']) + countOf(conformance.levels['SHOULD'])).toBe(
    requirements.length,
  )
  expect(new Date(conformance.issuedAt)).toEqual(ISSUED)
  expect(conformance.issuedAt).toMatch(/[+-]\d\d:\d\d$/)
})
