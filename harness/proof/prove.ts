import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { faker } from '@faker-js/faker'
import { Command, InvalidArgumentError, Option } from 'commander'
import { ROOT } from '../plan/root.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { EXIT_CODES } from '../report/conclude.ts'
import { runTrials, TrialFault } from './pool.ts'
import { assembleProof, isCaught, renderProof } from './result.ts'
import { DIALECTS, type ProofOptions, PROOFS, proofFileFor, selectTasks, type Task } from './selection.ts'

/** `npm run prove`: tries every check on every defect and every permitted variation, and says which survived. */

const CONFIGURATION_ERROR = 3

const wholeNumber =
  (least: number) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
    throw new InvalidArgumentError(`It is a whole number, ${least} or more.`)
  }

const { compare, ...options } = new Command('prove')
  .option('--only <selector...>', 'judge only these chapters, requirements or tags', [])
  .option('--id <text...>', 'try only the defects and variations whose id contains this text', [])
  .option('--seed <n>', 'seed of the properties and of --compare', wholeNumber(0), 42)
  .option('--runs <n>', 'runs of each property', wholeNumber(1), 25)
  .addOption(new Option('--dialect <id>', 'have every bank speak this dialect').choices(DIALECTS))
  .option('--exhaustive', 'judge every check of every bank, with all runs of each property (slow)')
  .addOption(
    new Option('--compare <n>', 'try n defects, drawn at random, with and without --exhaustive, and compare')
      .argParser(wholeNumber(1))
      .conflicts('exhaustive'),
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : CONFIGURATION_ERROR))
  .parse()
  .opts<ProofOptions & { readonly compare?: number }>()

const tryAll = async (tasks: readonly Task[]) => {
  const onResult = (done: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${tasks.length} banks tried`)
    else if (done % 100 === 0) console.error(`${done} of ${tasks.length} banks tried`)
  }
  const results = await runTrials(tasks, { onResult }).catch((error: unknown) => {
    if (!(error instanceof TrialFault)) throw error
    console.error(`The proof failed; it says nothing about the checks: ${error.message}.`)
    process.exit(EXIT_CODES['harness-error'])
  })
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  return results
}

const drawn = (tasks: readonly Task[], count: number): readonly Task[] => {
  faker.seed(options.seed)
  return faker.helpers.arrayElements(
    tasks.filter(({ kind }) => kind === 'defect'),
    count,
  )
}

const startedAt = performance.now()
const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`

const tasks = await selectTasks(options).catch((error: unknown) => {
  if (!(error instanceof ConfigurationError)) throw error
  console.error(error.message)
  process.exit(CONFIGURATION_ERROR)
})

if (compare === undefined) {
  const proof = assembleProof(await tryAll(tasks))
  const file = join(PROOFS, proofFileFor(options))
  mkdirSync(join(ROOT, PROOFS), { recursive: true })
  writeFileSync(join(ROOT, file), `${JSON.stringify({ options, ...proof }, null, 2)}\n`)
  console.log(renderProof(proof))
  console.log(`${seconds()}, ${file}`)
  process.exitCode = proof.defects.every(isCaught) && proof.score.alarms === 0 ? 0 : 1
} else {
  const sample = drawn(tasks, compare)
  const quick = await tryAll(sample)
  const exhaustive = await tryAll(sample.map((task) => ({ ...task, exhaustive: true })))
  const different = quick.filter((result, at) => !isDeepStrictEqual(result, exhaustive[at]))
  for (const result of different)
    console.log(
      `${result.id}\n  quick       ${JSON.stringify(result)}\n  exhaustive  ${JSON.stringify(exhaustive[quick.indexOf(result)])}`,
    )
  console.log(
    `${sample.length - different.length} of ${sample.length} defects (seed ${options.seed}) end the same`,
  )
  console.log(seconds())
  process.exitCode = different.length === 0 ? 0 : 1
}
