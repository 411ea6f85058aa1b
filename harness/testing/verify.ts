import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { execa, execaSync } from 'execa'
import * as z from 'zod'
import { ROOT } from '../plan/root.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { program } from './program.ts'
import { startingAt } from './user-environment.ts'
import { PROOFS, proofScore } from '../report/compliance/proof.ts'

/** `npm run verify`: runs the project's own tests and prints their number. */

/** One step: a command, and how many tests it ran. */
interface Step {
  readonly title: string
  readonly command: readonly string[]
  /** Counts the tests of the step from its output; a step without it runs no tests. */
  readonly count?: () => Count
  readonly env?: NodeJS.ProcessEnv
  /** Leaves most of the cores to the other steps while they need them. */
  readonly isPatient?: boolean
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

const print = ({ step, ok, seconds, output, count }: Outcome): void => {
  const tests = count.passed + count.failed + count.skipped
  const counts =
    tests === 0 ? '' : `  ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`
  console.log(`${ok ? '✓' : '✗'} ${step.title.padEnd(38)} ${seconds.toFixed(1).padStart(6)} s${counts}`)
  if (!ok) console.log(output)
}

const runStep = async ({ isPatient = false, ...step }: Step): Promise<Outcome> => {
  const startedAt = performance.now()
  const [file = '', ...args] = step.command
  const child = execa(file, args, {
    cwd: ROOT,
    preferLocal: true,
    reject: false,
    all: true,
    env: { FORCE_COLOR: '0', NODE_ENV: 'test', ...step.env },
  })
  if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  const { exitCode, all } = await child
  const ok = exitCode === 0
  const seconds = (performance.now() - startedAt) / 1000
  const outcome = { step, ok, seconds, output: all, count: counted(step, ok) }
  print(outcome)
  return outcome
}

/** One step after the other. */
const runInTurn = async (steps: readonly Step[]): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const step of steps) outcomes.push(await runStep(step))
  return outcomes
}

/** TLS keeps the time of the machine, by which a certificate that soon expires had expired after an earlier time. */
const laterTime = (given: string): Date => {
  const at = new Date(given)
  if (at > new Date()) return at
  throw new InvalidArgumentError('Expected a time in the future such as 2027-01-31T23:55:00Z.')
}

const { full: isFull = false, at } = new Command('npm run verify --')
  .option('--full', 'also what takes long: before a release, and at night')
  .option('--at <time>', 'only the tests, as if they began at this later time', laterTime)
  .parse()
  .opts<{ full?: boolean; at?: Date }>()

const OUT = join(ROOT, 'reports', 'verify')
const TESTS = join(OUT, 'tests.json')

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
  const { defects, caught, variations, alarms, banks, bankAlarms, defectsInBanks, caughtInBanks } =
    proof.data.score
  return {
    passed:
      caught +
      variations -
      alarms +
      banks -
      bankAlarms +
      caughtInBanks +
      proof.data.score.caughtUnderConditions,
    failed: defects - caught + alarms + bankAlarms + defectsInBanks - caughtInBanks,
    skipped: 0,
  }
}

const { stdout } = execaSync('git', ['rev-parse', 'HEAD:specs'], { cwd: ROOT, reject: false })
const [digest] = /^[\da-f]{7}/.exec(stdout) ?? []

/** Other checks draw others, and the same checks the same ones: a gate that says yes says yes again. */
const SEED = String(digest === undefined ? randomInt(10 ** 9) : Number.parseInt(digest, 16))
const OF_SEED = ['--seed', SEED]

/** A part of the proof. Most tests wait for something: meanwhile the proof runs, and the tests do not wait for the proof. */
const proof = (title: string, name: string, ...args: readonly string[]): Step => {
  const file = join(ROOT, PROOFS, `${name}.json`)
  rmSync(file, { force: true })
  return {
    title: `proof: ${title}`,
    command: [process.execPath, ...program('harness/proof/prove.ts', ...args)],
    count: countTrials(file),
    isPatient: true,
  }
}

const composed = (banks: number): Step =>
  proof(`${banks} composed banks, --seed ${SEED}`, 'proof-banks', ...['--banks', String(banks), ...OF_SEED])

/** Before a release, `npm run prove` tries every defect and every variation by all checks. */
const drawn = (defects: number): Step =>
  proof(
    `${defects} defects and variations by all checks, --seed ${SEED}`,
    'proof-drawn',
    ...['--draw', String(defects), ...OF_SEED],
  )

/** Always the same ones: the share that is caught is compared with that of earlier versions. */
const PAIRS = '100'

/** Without `--full`, a part that the seed draws: another part when a check has changed. */
const proofs = (): readonly Step[] =>
  isFull
    ? [
        proof('all defects, each by its checks', 'proof-caught', '--caught'),
        composed(16),
        drawn(150),
        proof(`${PAIRS} defects under a condition`, 'proof-conditions', '--conditions', PAIRS),
        proof(`5 defects without shortcuts, --seed ${SEED}`, 'none', '--compare', '5', ...OF_SEED),
      ]
    : [drawn(60), composed(4)]

const PROJECTS = ['unit', 'end-to-end', ...(isFull ? ['long', 'timed'] : [])]

const TEST_STEP: Step = {
  title: `${PROJECTS.join(', ')} tests`,
  command: [
    ...['vitest', 'run', ...PROJECTS.flatMap((project) => ['--project', project])],
    ...(isFull ? [] : ['--tags-filter=!slow']),
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${TESTS}`],
  ],
  count: countTests,
  env: { ...(isFull && { INTERRUPTIONS: '3', SEED }), ...(at && startingAt(at)) },
}

const STATIC: readonly Step[] = [
  { title: 'types', command: ['tsc', '--noEmit', '-p', '.'] },
  { title: 'lint', command: ['oxlint'] },
  { title: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  { title: 'sizes', command: [process.execPath, ...program('harness/testing/sizes.ts')] },
  { title: 'imports', command: ['depcruise', 'harness', 'specs', '--config', '.dependency-cruiser.cjs'] },
]

const pendingRows = async (): Promise<number> =>
  (await loadCatalogue()).requirements.filter(({ pending }) => pending !== undefined).length

mkdirSync(OUT, { recursive: true })
rmSync(TESTS, { force: true })

const runAll = async (): Promise<readonly Outcome[]> => [
  ...(await Promise.all(STATIC.map(runStep))),
  ...(await Promise.all([runStep(TEST_STEP), runInTurn(proofs())])).flat(),
]

const outcomes = at === undefined ? await runAll() : [await runStep(TEST_STEP)]
const total = outcomes.reduce((sum, { count }) => add(sum, count), NONE)
console.log(`pending: ${await pendingRows()} requirements have no check yet`)
console.log(`tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1
