import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OUTPUT } from './output.ts'
import { sampleReport } from './sample.ts'
import { scratch } from './scratch.ts'
import { discardOld, prepareOut, writeReports } from './write.ts'

test('the output directory is made where there is none', () => {
  const out = join(scratch(), 'reports', 'latest')
  prepareOut(out)
  expect(existsSync(out)).toBe(true)
})

test('what an earlier run wrote is removed, and nothing else', () => {
  const out = scratch()
  mkdirSync(join(out, OUTPUT.allureResults))
  mkdirSync(join(out, 'src'))
  const files = [
    'thesis.md',
    'src/report.json',
    'report.json',
    'report.json.draft',
    'evidence.jsonl',
    'junit.xml',
  ]
  for (const file of [...files, 'allure-results/1-result.json']) writeFileSync(join(out, file), '')
  prepareOut(out)
  expect(readdirSync(out).sort()).toEqual(['allure-results.old', 'src', 'thesis.md'])
  discardOld(out)
  expect(readdirSync(out).sort()).toEqual(['src', 'thesis.md'])
  expect(readdirSync(join(out, 'src'))).toEqual(['report.json'])
})

test('every rendering is written', async () => {
  const out = scratch()
  await writeReports(sampleReport(), out)
  expect(readdirSync(out).sort()).toEqual(['junit.xml', 'report.json', 'summary.md'])
})
