import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { ROOT } from '../plan/root.ts'
import { suite } from '../testing/program.ts'
import { isAsListed, writeManifest } from '../report/certificate/manifest.ts'
import { digestEvidence } from '../report/evidence-file.ts'
import { sampleReport, scratch } from '../testing/samples/reports.ts'
import { writeJson } from '../report/write.ts'

/** `npm run report` without a terminal, so that it opens no browser. */
const look = (folder: string) =>
  execa(process.execPath, suite('report', folder), {
    cwd: ROOT,
    reject: false,
  })

const pageIn = (folder: string): string => join(folder, 'allure-report', 'index.html')

const runFolder = (): string => {
  const folder = scratch()
  mkdirSync(join(folder, 'allure-report'))
  writeFileSync(pageIn(folder), '<html></html>')
  writeFileSync(join(folder, 'evidence.jsonl'), '{"id":"a/1"}\n')
  writeJson(sampleReport({ evidence: digestEvidence(folder) }), folder, () => undefined)
  return folder
}

test('it prints the URL of the page, and that the evidence is unchanged', async () => {
  const folder = runFolder()
  expect(await look(folder)).toMatchObject({
    exitCode: 0,
    stdout: `${pathToFileURL(pageIn(folder)).href}\nevidence.jsonl has the 1 exchange that the report was written from.`,
  })
})

test('changed evidence is reported with exit code 1', async () => {
  const folder = runFolder()
  writeFileSync(join(folder, 'evidence.jsonl'), '{"id":"a/2"}\n')
  const { exitCode, stderr } = await look(folder)
  expect(exitCode).toBe(1)
  expect(stderr).toContain('evidence.jsonl does not belong to report.json')
})

test('an interrupted run without a page still has its verdicts and its evidence', async () => {
  const folder = runFolder()
  rmSync(join(folder, 'allure-report'), { recursive: true })
  const { exitCode, stdout } = await look(folder)
  expect(exitCode).toBe(0)
  expect(stdout).toContain(
    `The page was not generated in ${folder}; report.json there contains all verdicts.`,
  )
  expect(stdout).toContain('evidence.jsonl has the 1 exchange that the report was written from.')
})

test('a page that an interrupted run has not generated is added to its manifest, unless a file was changed', async () => {
  const interrupted = (): string => {
    const folder = scratch()
    writeFileSync(join(folder, 'evidence.jsonl'), '{"id":"a/1"}\n')
    writeJson(
      { ...sampleReport({ evidence: digestEvidence(folder) }), conclusion: 'interrupted' },
      folder,
      () => undefined,
    )
    mkdirSync(join(folder, 'allure-results'))
    writeManifest(folder)
    return folder
  }
  const folder = interrupted()
  expect((await look(folder)).stdout).toContain(pathToFileURL(pageIn(folder)).href)
  expect(isAsListed(folder)).toBe(true)

  const changed = interrupted()
  appendFileSync(join(changed, 'report.json'), ' ')
  await look(changed)
  expect(isAsListed(changed)).toBe(false)
})

test('a folder without a report is reported, with the next step', async () => {
  const folder = scratch()
  appendFileSync(join(folder, 'notes.txt'), '')
  expect(await look(folder)).toMatchObject({
    exitCode: 3,
    stderr: `There is no report in ${folder}. Run npm test first, or pass the folder of its --out.`,
  })
})
