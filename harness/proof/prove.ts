import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { ROOT } from '../plan/root.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { EXIT_CODES } from '../report/conclude.ts'
import { carryOut, TrialFault } from './crew.ts'
import { renderMatrix } from './matrix.ts'
import { ordersFor } from './orders.ts'
import { assembleProof, isCaught } from './proof.ts'
import { proofFileFor, PROOFS } from './proof-file.ts'
import { DIALECTS } from './suspects.ts'
import type { Wanted } from './orders.ts'

/** `npm run prove`: tries every check on every defect and every variation, and says which survived. */

const CONFIGURATION_ERROR = 3

const wholeNumber =
  (least: number) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
    throw new InvalidArgumentError(`It is a whole number, ${least} or more.`)
  }

const options = new Command('prove')
  .option('--only <selector...>', 'judge these chapters, requirements or tags alone', [])
  .option('--suspect <text...>', 'try the defects and variations whose id has this text alone', [])
  .option('--seed <n>', 'seed of the properties', wholeNumber(0), 42)
  .option('--runs <n>', 'runs of each property', wholeNumber(1), 25)
  .addOption(new Option('--dialect <id>', 'have every bank speak this dialect').choices(DIALECTS))
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : CONFIGURATION_ERROR))
  .parse()
  .opts<Wanted>()

const startedAt = performance.now()
const orders = await ordersFor(options).catch((error: unknown) => {
  if (!(error instanceof ConfigurationError)) throw error
  console.error(error.message)
  process.exit(CONFIGURATION_ERROR)
})

const findings = await carryOut(orders, {
  size: availableParallelism(),
  onFinding(done) {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${orders.length} banks tried`)
  },
}).catch((error: unknown) => {
  if (!(error instanceof TrialFault)) throw error
  console.error(`The proof failed; it says nothing about the checks: ${error.message}.`)
  process.exit(EXIT_CODES['harness-error'])
})
if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')

const proof = assembleProof(
  findings.flatMap((finding) => ('defect' in finding ? [finding.defect] : [])),
  findings.flatMap((finding) => ('variation' in finding ? [finding.variation] : [])),
)
const file = join(PROOFS, proofFileFor(options))
mkdirSync(join(ROOT, PROOFS), { recursive: true })
writeFileSync(join(ROOT, file), `${JSON.stringify({ wanted: options, ...proof }, null, 2)}\n`)

console.log(renderMatrix(proof))
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${file}`)
process.exitCode = proof.defects.every(isCaught) && proof.score.alarms === 0 ? 0 : 1
