import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { ROOT } from '../../plan/root.ts'
import { PROOFS } from '../../proof/proof-file.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { add, NONE, runStep } from './step.ts'
import type { Count, Outcome, Step } from './step.ts'

/** `npm run verify`: all of the project's own tests, and one line that counts them. */

const OUT = join(ROOT, 'reports', 'verify')
const TESTS = join(OUT, 'tests.json')
const PROOF = join(ROOT, PROOFS, 'proof.json')

const testsSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
})

const proofSchema = z.object({
  score: z.object({ defects: z.int(), caught: z.int(), variations: z.int(), alarms: z.int() }),
})

const read = (file: string): unknown =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : undefined

const countTests = (): Count => {
  const tests = testsSchema.safeParse(read(TESTS))
  if (!tests.success) return NONE
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = tests.data
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}

const countTrials = (): Count => {
  const proof = proofSchema.safeParse(read(PROOF))
  if (!proof.success) return NONE
  const { defects, caught, variations, alarms } = proof.data.score
  return { passed: caught + variations - alarms, failed: defects - caught + alarms, skipped: 0 }
}

const vitest = [
  'vitest',
  'run',
  '--project',
  'unit',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${TESTS}`,
]

/** Steps of one row run side by side; a row begins when the one before has ended. */
const ROWS: readonly (readonly Step[])[] = [
  [
    { title: 'types', command: ['tsc', '--noEmit', '-p', '.'] },
    { title: 'lint', command: ['eslint', '.'] },
    { title: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
    { title: 'imports', command: ['depcruise', 'harness', 'specs', '--config', '.dependency-cruiser.cjs'] },
  ],
  [{ title: 'unit tests, laws, rehearsal', command: vitest, count: countTests }],
  [{ title: 'proof', command: ['node', '--import', 'tsx', 'harness/proof/prove.ts'], count: countTrials }],
]

const tell = ({ step, ok, seconds, output, count }: Outcome): void => {
  const tried = count.passed + count.failed + count.skipped
  const counts =
    tried === 0 ? '' : `  ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`
  console.log(`${ok ? '✓' : '✗'} ${step.title.padEnd(30)} ${seconds.toFixed(1).padStart(6)} s${counts}`)
  if (!ok) console.log(output)
}

const pendingRows = async (): Promise<number> =>
  (await loadCatalogue()).requirements.filter(({ pending }) => pending !== undefined).length

mkdirSync(OUT, { recursive: true })
for (const stale of [TESTS, PROOF]) rmSync(stale, { force: true })

const outcomes: Outcome[] = []
for (const row of ROWS) {
  const ended = await Promise.all(row.map((step) => runStep(step, ROOT)))
  ended.forEach(tell)
  outcomes.push(...ended)
}
const total = outcomes.reduce((sum, { count }) => add(sum, count), NONE)
console.log(`pending: ${await pendingRows()} requirements have no check yet`)
console.log(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1
