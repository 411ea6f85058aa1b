import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { ROOT } from '../modules.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { carryOut } from './crew.ts'
import { renderMatrix } from './matrix.ts'
import { ordersFor } from './orders.ts'
import { assembleProof, isCaught } from './proof.ts'
import { DIALECTS } from './suspects.ts'

/** `npm run prove`: tries every check on every defect and every variation, and says which survived. */

const CONFIGURATION_ERROR = 3

interface ProveOptions {
  readonly only: readonly string[]
  readonly suspect: readonly string[]
  readonly seed: string
  readonly runs: string
  readonly dialect?: string
}

const options = new Command('prove')
  .option('--only <selector...>', 'judge these chapters, requirements or tags alone', [])
  .option('--suspect <text...>', 'try the defects and variations whose id has this text alone', [])
  .option('--seed <n>', 'seed of the properties', '42')
  .option('--runs <n>', 'runs of each property', '25')
  .addOption(new Option('--dialect <id>', 'have every bank speak this dialect').choices(DIALECTS))
  .parse()
  .opts<ProveOptions>()

const wanted = {
  ...{ only: options.only, suspect: options.suspect, dialect: options.dialect },
  ...{ seed: Number(options.seed), runs: Number(options.runs) },
}

const startedAt = performance.now()
const orders = await ordersFor(wanted).catch((error: unknown) => {
  if (!(error instanceof ConfigurationError)) throw error
  console.error(error.message)
  process.exit(CONFIGURATION_ERROR)
})

const findings = await carryOut(orders, availableParallelism(), (done) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${orders.length} banks tried`)
})
if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')

const proof = assembleProof(
  findings.flatMap((finding) => ('defect' in finding ? [finding.defect] : [])),
  findings.flatMap((finding) => ('variation' in finding ? [finding.variation] : [])),
)
const out = join(ROOT, 'reports', 'proof')
mkdirSync(out, { recursive: true })
const file = wanted.dialect === undefined ? 'proof.json' : `proof-${wanted.dialect}.json`
writeFileSync(join(out, file), `${JSON.stringify(proof, null, 2)}\n`)

console.log(renderMatrix(proof))
console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${join('reports', 'proof', file)}`)
process.exitCode = proof.defects.every(isCaught) && proof.score.alarms === 0 ? 0 : 1
