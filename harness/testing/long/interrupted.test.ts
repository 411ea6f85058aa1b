import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { linesOf, readEvidence, verifyEvidenceOf } from '../../report/evidence-file.ts'
import { resultProblems } from '../allure-results.ts'
import { credentials, RUN_DEADLINE_MS } from '../certify.ts'
import { scratchFolders, start } from '../faults/run.ts'
import { startBankProcess } from '../server-process.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { ServerProcess } from '../server-process.ts'

/** After Ctrl-C, running scenarios end, no new one starts, and the report covers all requests that were sent. */

const folders = scratchFolders()

let bank: ServerProcess | undefined

beforeAll(async () => {
  bank = await startBankProcess()
})

afterAll(() => bank?.stop())

const UNFINISHED: readonly Verdict[] = ['inconclusive', 'not-reached']
const ENDED = /the run (?:was interrupted|ended)/

const linesIn = (out: string): number => [...linesOf(readEvidence(join(out, 'evidence.jsonl')))].length

const shared = (): readonly string[] => [
  `--base-url=${bank?.url ?? ''}`,
  '--profile=docs/examples/reference-bank.yaml',
]

test.each([
  ['one bank per scenario', () => []],
  ['a bank that all scenarios share', shared],
])('on %s', async (_, args) => {
  const started = start(folders(), args(), credentials)
  // By then many checks have ended, and many are running.
  const waiting = { timeout: RUN_DEADLINE_MS, interval: 500 }
  await vi.waitFor(() => expect(linesIn(started.out)).toBeGreaterThan(1500), waiting)
  started.interrupt()
  const { exitCode, report, evidence, stdout } = await started.ended()
  expect(exitCode).toBe(130)
  expect(report).toMatchObject({ conclusion: 'interrupted', exitCode: 130 })
  expect(stdout).toContain('interrupted')
  expect(verifyEvidenceOf(started.out)).toMatchObject({ isUnchanged: true })
  expect(report?.requirements.map(({ verdict }) => verdict)).toContain('pass')
  expect(evidence.length).toBe(report?.evidence.exchanges)
  expect(report && resultProblems(report, started.out)).toEqual([])
  // Checks that had not started count as unfinished too.
  const unfinished = report?.requirements.filter(({ verdict }) => UNFINISHED.includes(verdict)) ?? []
  expect(unfinished.length).toBeGreaterThan(0)
  for (const { because } of unfinished) expect(because).toMatch(ENDED)
})
