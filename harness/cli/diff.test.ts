import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { suite } from '../testing/program.ts'
import { sampleReport, scratch } from '../testing/samples/reports.ts'
import type { Report } from '../report/schema.ts'

const folderWith = (report: Report): string => {
  const folder = scratch()
  writeFileSync(join(folder, 'report.json'), JSON.stringify(report))
  return folder
}

const REPORT = sampleReport()

const WORSE: Report = {
  ...REPORT,
  requirements: REPORT.requirements.map((row) =>
    row.verdict === 'pass' ? { ...row, verdict: 'not-reached' as const } : row,
  ),
}

const diff = (...given: readonly string[]) =>
  execa(process.execPath, suite('diff', ...given), { reject: false })

test('a regression is exit code 1, with the id of its requirement', async () => {
  const { exitCode, stdout } = await diff(folderWith(REPORT), join(folderWith(WORSE), 'report.json'))
  expect(exitCode).toBe(1)
  expect(stdout).toContain('pass → not-reached')
})

test('an improvement is exit code 0', async () => {
  const { exitCode, stdout } = await diff(folderWith(WORSE), folderWith(REPORT))
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/\d+ improved$/)
})

test('a file that is not a report is quoted, with exit code 3', async () => {
  const { exitCode, stderr } = await diff(folderWith(REPORT), 'no-such-folder')
  expect(exitCode).toBe(3)
  expect(stderr).toContain('no-such-folder: the report does not exist')
})
