import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../plan/root.ts'
import { parseRunOptions } from '../cli/run/options.ts'
import { resolveTarget } from '../cli/run/prepare.ts'
import { judgeAims } from './aims.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureLongWalks } from './long-walk.ts'
import { measureParts } from './parts.ts'
import { measurePerExchange } from './per-exchange.ts'
import { measureProcesses } from './processes.ts'
import { measureProof } from './proof-run.ts'
import { recordRepertoire } from './repertoire.ts'
import { startBankProcess } from './server-process.ts'
import type { Bench } from './figures.ts'
import type { BenchOptions } from './options.ts'
import type { Whom } from './repertoire.ts'
import type { Tell } from './turns.ts'

/** All measurements, in one go on one machine. */

const referenceBank = async (baseUrl: string): Promise<Whom> => {
  const options = parseRunOptions([])
  if (options.kind !== 'run') throw new Error('no options are no request for help')
  const { profile, secrets } = await resolveTarget(options, process.env)
  return { baseUrl, profile, secrets }
}

const inScratch = async <Value>(use: (scratch: string) => Promise<Value>): Promise<Value> => {
  const out = join(ROOT, 'reports', 'bench')
  mkdirSync(out, { recursive: true })
  // On the disk on which a run keeps its evidence, which may not be that of temporary files.
  const scratch = mkdtempSync(join(out, 'scratch-'))
  try {
    return await use(scratch)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const loadNow = (): number => loadavg()[0] ?? 0

export const measure = (options: BenchOptions, tell: Tell): Promise<Bench> =>
  inScratch(async (scratch) => {
    const startedAt = new Date()
    const before = loadNow()
    const bank = await startBankProcess()
    try {
      const whom = await referenceBank(bank.url)
      const repertoire = await recordRepertoire(whom)
      // What takes longest is measured first: if it cannot be, nobody has waited for the rest.
      if (options.proof) tell('the proof')
      const proof = options.proof ? { proof: await measureProof() } : {}
      tell('exchanges in turns with bare undici')
      const exchange = await measurePerExchange(whom, repertoire, scratch, options.rounds)
      const processes = await measureProcesses(whom, repertoire, scratch, options.rounds, tell)
      const parts = await measureParts(scratch, options.rounds, tell)
      tell('long accounts')
      const walks = await measureLongWalks(scratch, options.rounds)
      tell('webhook deliveries')
      const deliveries = await measureDeliveries(scratch, options.rounds)
      const measured = { ...processes, parts, exchange, walks, deliveries, ...proof }
      return {
        schema: 1,
        startedAt: startedAt.toISOString(),
        durationMs: Date.now() - startedAt.getTime(),
        machine: { node: process.version, cores: availableParallelism(), load: [before, loadNow()] },
        rounds: options.rounds,
        ...measured,
        aims: judgeAims(measured),
      }
    } finally {
      await bank.stop()
    }
  })
