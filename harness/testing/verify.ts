import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import * as z from 'zod'
import { ROOT } from '../plan/root.ts'
import { PROOFS } from '../proof/folder.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { program } from './program.ts'
import { proofScore } from '../report/compliance/proof.ts'

/** `npm run verify`: runs all of the project's own tests and prints their number. */

/** One step: a command, and how many tests it ran. */
interface Step {
  readonly title: string
  readonly command: readonly string[]
  /** Counts the tests of the step from its output; a step without it runs no tests. */
  readonly count?: () => Count
}

interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

interface Outcome {
  readonly step: Step
  readonly ok: boolean
  readonly seconds: number
  readonly output: string
  readonly count: Count
}

const NONE: Count = { passed: 0, failed: 0, skipped: 0 }

const add = (a: Count, b: Count): Count => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

/** A command that fails without a failed test counts as one failed test. */
const counted = ({ count }: Step, ok: boolean): Count => {
  const found = count?.() ?? NONE
  return ok || found.failed > 0 ? found : add(found, { ...NONE, failed: 1 })
}

const runStep = async (step: Step, cwd: string): Promise<Outcome> => {
  const startedAt = performance.now()
  const [file = '', ...args] = step.command
  const { exitCode, all } = await execa(file, args, {
    cwd,
    preferLocal: true,
    reject: false,
    all: true,
    env: { FORCE_COLOR: '0', NODE_ENV: 'test' },
  })
  const ok = exitCode === 0
  const seconds = (performance.now() - startedAt) / 1000
  return { step, ok, seconds, output: all, count: counted(step, ok) }
}

const OUT = join(ROOT, 'reports', 'verify')
const TESTS = join(OUT, 'tests.json')
const PROOF = join(ROOT, PROOFS, 'proof.json')
const PROOF_ON_BANKS = join(ROOT, PROOFS, 'proof-banks.json')

const testsSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
})

const proofSchema = z.object({ score: proofScore })

const read = (file: string): unknown =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : undefined

const countTests = (): Count => {
  const tests = testsSchema.safeParse(read(TESTS))
  if (!tests.success) return NONE
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = tests.data
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}

const countTrials = (file: string) => (): Count => {
  const proof = proofSchema.safeParse(read(file))
  if (!proof.success) return NONE
  const { defects, caught, variations, alarms, banks, bankAlarms } = proof.data.score
  return {
    passed: caught + variations - alarms + banks - bankAlarms,
    failed: defects - caught + alarms + bankAlarms,
    skipped: 0,
  }
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

const PROVE = [process.execPath, ...program('harness/proof/prove.ts')]

/** The steps of one row run at the same time; a row starts when the previous one has ended. */
const ROWS: readonly (readonly Step[])[] = [
  [
    { title: 'types', command: ['tsc', '--noEmit', '-p', '.'] },
    { title: 'lint', command: ['eslint', '.'] },
    { title: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
    { title: 'sizes', command: [process.execPath, ...program('harness/testing/sizes.ts')] },
    { title: 'imports', command: ['depcruise', 'harness', 'specs', '--config', '.dependency-cruiser.cjs'] },
  ],
  [{ title: 'unit and end-to-end tests', command: vitest, count: countTests }],
  [{ title: 'proof', command: PROVE, count: countTrials(PROOF) }],
  [
    {
      title: 'proof: 50 composed banks',
      command: [...PROVE, '--banks', '50'],
      count: countTrials(PROOF_ON_BANKS),
    },
  ],
  [{ title: 'proof: 15 defects without shortcuts', command: [...PROVE, '--compare', '15'] }],
]

const print = ({ step, ok, seconds, output, count }: Outcome): void => {
  const tests = count.passed + count.failed + count.skipped
  const counts =
    tests === 0 ? '' : `  ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`
  console.log(`${ok ? '✓' : '✗'} ${step.title.padEnd(38)} ${seconds.toFixed(1).padStart(6)} s${counts}`)
  if (!ok) console.log(output)
}

const pendingRows = async (): Promise<number> =>
  (await loadCatalogue()).requirements.filter(({ pending }) => pending !== undefined).length

mkdirSync(OUT, { recursive: true })
for (const stale of [TESTS, PROOF, PROOF_ON_BANKS]) rmSync(stale, { force: true })

const outcomes: Outcome[] = []
for (const row of ROWS) {
  const ended = await Promise.all(row.map((step) => runStep(step, ROOT)))
  ended.forEach(print)
  outcomes.push(...ended)
}
const total = outcomes.reduce((sum, { count }) => add(sum, count), NONE)
console.log(`pending: ${await pendingRows()} requirements have no check yet`)
console.log(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1
