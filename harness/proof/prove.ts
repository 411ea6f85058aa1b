import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { faker } from '@faker-js/faker/locale/en'
import { Command, InvalidArgumentError, Option } from 'commander'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { loadCatalogue } from '../plan/catalogue.ts'
import { ROOT } from '../plan/root.ts'
import { revisionOf } from '../plan/revision.ts'
import { PROOFS, RELEASED_PROOF } from '../report/compliance/proof.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { EXIT_CODES } from '../report/conclude.ts'
import { runTrials, TrialFault } from './pool.ts'
import { assembleProof, complaintsAbout, isProven, renderProof, type TrialResult } from './result.ts'
import {
  bankTasks,
  caughtTasks,
  conditionTasks,
  defectInBanksTasks,
  DIALECTS,
  leftOutLine,
  type ProofOptions,
  proofFileFor,
  selectTasks,
  type Task,
} from './selection.ts'

/** `npm run prove`: tries every check on all defects, permitted variations and composed banks, and says which survived. */

const CONFIGURATION_ERROR = 3

/** Draws the values with which the checks are tried: a defect that shows only for few values is caught with this seed. */
const SEED = 42

/** What is tried instead of all defects and variations. */
interface ModeOptions {
  readonly compare?: number
  readonly banks?: number
  readonly path?: string
  readonly defectsInBanks?: number
  readonly caught?: boolean
  readonly draw?: number
  readonly conditions?: number
}

const wholeNumber =
  (least: number) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
    throw new InvalidArgumentError(`It is a whole number from ${least} to 999999999.`)
  }

const {
  compare,
  banks: bankCount,
  path,
  defectsInBanks,
  caught,
  draw,
  conditions,
  ...options
} = new Command('prove')
  .option('--only <selector...>', 'judge only these chapters, requirements or tags', [])
  .option('--catalogue <dir>', 'try only the defects of the own checks in this folder')
  .option('--id <text...>', 'try only the defects and variations whose id contains this text', [])
  .option(
    '--seed <n>',
    'seed of the properties, of --compare and of the first composed bank',
    wholeNumber(0),
    SEED,
  )
  .option('--runs <n>', 'runs of each property', wholeNumber(1), 25)
  .addOption(new Option('--dialect <id>', 'have every bank speak this dialect').choices(DIALECTS))
  .option('--exhaustive', 'judge every check of every bank, with all runs of each property (slow)')
  .addOption(
    new Option('--compare <n>', 'try n defects, drawn at random, with and without --exhaustive, and compare')
      .argParser(wholeNumber(1))
      .conflicts('exhaustive'),
  )
  .addOption(
    new Option('--banks <n>', 'try only n banks that are composed at random, with the seeds from --seed on')
      .argParser(wholeNumber(1))
      .conflicts(['compare', 'id', 'dialect', 'exhaustive']),
  )
  .addOption(
    new Option('--draw <n>', 'try only n defects and variations, drawn by the seed')
      .argParser(wholeNumber(1))
      .conflicts(['compare', 'banks', 'defectsInBanks', 'caught', 'conditions']),
  )
  .option('--path <path>', 'with --banks 1: the smaller bank to which a path of the proof leads')
  .addOption(
    new Option('--defects-in-banks <n>', 'try only defects, each in n banks that are composed at random')
      .argParser(wholeNumber(1))
      .conflicts(['compare', 'banks', 'dialect', 'exhaustive']),
  )
  .addOption(
    new Option('--caught', 'try only defects, each with the checks that must catch it (fast)').conflicts([
      'compare',
      'banks',
      'defectsInBanks',
      'exhaustive',
    ]),
  )
  .addOption(
    new Option(
      '--conditions <n>',
      'try only n pairs, drawn at random, of a defect and a condition under which the bank has it',
    )
      .argParser(wholeNumber(1))
      .conflicts(['compare', 'banks', 'defectsInBanks', 'caught', 'exhaustive', 'dialect']),
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : CONFIGURATION_ERROR))
  .parse()
  .opts<ProofOptions & ModeOptions>()

const tryAll = async (tasks: readonly Task[]) => {
  // What went wrong is written at once, for the case that a long proof is interrupted.
  const onResult = (done: number, result: TrialResult): void => {
    const complaints = complaintsAbout(result)
    if (complaints.length > 0) console.error(`${process.stderr.isTTY ? '\r' : ''}${complaints.join('\n')}`)
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${tasks.length} banks tried`)
    else if (done % 100 === 0) console.error(`${done} of ${tasks.length} banks tried`)
  }
  const results = await runTrials(tasks, { onResult, ownChecks: options.catalogue }).catch(
    (error: unknown) => {
      if (!(error instanceof TrialFault)) throw error
      console.error(`The proof failed; it says nothing about the checks: ${error.message}.`)
      process.exit(EXIT_CODES['harness-error'])
    },
  )
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  return results
}

const drawn = (tasks: readonly Task[], count: number): readonly Task[] => {
  faker.seed(options.seed)
  return faker.helpers.arrayElements(tasks, count)
}

const startedAt = performance.now()
const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`

/** The file of a proof of the whole catalogue: its figures are released. */
const WHOLE = 'proof.json'

/** What a proof of the whole catalogue tries besides each defect and each variation. */
const OF_THE_WHOLE = { banks: 25, conditions: 200 }

const selected = async (tasks: readonly Task[]): Promise<readonly [string, readonly Task[]]> => {
  const file = proofFileFor(options)
  const fileOf = (what: string): string => file.replace(/\.json$/, `-${what}.json`)
  if (bankCount !== undefined) return [fileOf('banks'), bankTasks(options, bankCount, path)]
  if (draw !== undefined)
    return [fileOf('drawn'), drawn(tasks, draw).map((task) => ({ ...task, seed: SEED }))]
  if (defectsInBanks !== undefined)
    return [fileOf('defects-in-banks'), defectInBanksTasks(tasks, defectsInBanks)]
  if (conditions !== undefined)
    return [fileOf('conditions'), await conditionTasks(tasks, options, conditions)]
  if (caught === true) return [fileOf('caught'), caughtTasks(tasks)]
  if (file !== WHOLE) return [file, tasks]
  const { banks, conditions: pairs } = OF_THE_WHOLE
  return [file, [...tasks, ...bankTasks(options, banks), ...(await conditionTasks(tasks, options, pairs))]]
}

/** Which checks the proof is about, so that reports of runs can refer to it. */
const about = async () => ({
  suite: { version: manifest.version, catalogueDigest: (await loadCatalogue(options.catalogue)).digest },
  finishedAt: new Date().toISOString(),
})

const tasks = await selectTasks(options).catch((error: unknown) => {
  if (!(error instanceof ConfigurationError)) throw error
  console.error(error.message)
  process.exit(CONFIGURATION_ERROR)
})

if (compare === undefined) {
  const [name, chosen] = await selected(tasks)
  const proof = assembleProof(await tryAll(chosen))
  const file = join(PROOFS, name)
  mkdirSync(join(ROOT, PROOFS), { recursive: true })
  writeFileSync(join(ROOT, file), `${JSON.stringify({ ...(await about()), options, ...proof }, null, 2)}\n`)
  if (name === WHOLE && isProven(proof)) {
    const { defects, score } = proof
    const chapters: Record<string, number> = {}
    for (const { chapter } of defects) chapters[chapter] = (chapters[chapter] ?? 0) + 1
    const released = { ...(await about()), revision: revisionOf(), seed: options.seed, score, chapters }
    writeFileSync(join(ROOT, RELEASED_PROOF), `${JSON.stringify(released, null, 2)}\n`)
  }
  console.log(renderProof(proof))
  const leftOut = await leftOutLine(options, tasks)
  if (leftOut !== undefined) console.log(leftOut)
  console.log(`${chosen.length} banks in ${seconds()}, ${file}`)
  process.exitCode = isProven(proof) ? 0 : 1
} else {
  const sample = drawn(
    tasks.filter(({ kind }) => kind === 'defect'),
    compare,
  )
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
