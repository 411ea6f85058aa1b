import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../plan/catalogue.ts'
import { parseOptions } from '../plan/options.ts'
import { settleSubject } from '../run/subject.ts'
import { judgeAims } from './aims.ts'
import { startBankProcess } from './bank-process.ts'
import { prepareErrand } from './errand.ts'
import { prepareNewman } from './newman.ts'
import { measurePerExchange } from './per-exchange.ts'
import { measureProof } from './proof-run.ts'
import { recordRepertoire } from './repertoire.ts'
import { figureOf, ratioOf, rotated } from './statistics.ts'
import { runCommand, runProgram, summarizeRuns } from './whole-run.ts'
import type { Bench, Comparison } from './figures.ts'
import type { BenchOptions } from './options.ts'
import type { Rehearsed, Whom } from './repertoire.ts'
import type { Run } from './whole-run.ts'

/** All measurements, in one go on one machine. */

/** The number of requests at which other tools are compared. */
const HUNDRED = 100

export type Tell = (what: string) => void

const referenceBank = async (baseUrl: string): Promise<Whom> => {
  const options = parseOptions([])
  if (options.kind !== 'run') throw new Error('no options are no request for help')
  const { profile, secrets } = await settleSubject(options, process.env)
  return { baseUrl, profile, secrets }
}

/** The whole processes take turns: in every round each runs once, and each round another is the first. */
const takeTurns = async <Name extends string>(
  contestants: Readonly<Record<Name, () => Promise<number>>>,
  rounds: number,
  tell: Tell,
): Promise<Readonly<Record<Name, readonly number[]>>> => {
  const names = Object.keys(contestants) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>
  for (let round = 0; round < rounds; round += 1)
    for (const name of rotated(names, round)) {
      tell(`round ${round + 1} of ${rounds}: ${name}`)
      times[name].push(await contestants[name]())
    }
  return times
}

const comparison = (
  ours: string,
  requests: number,
  oursMs: readonly number[],
  newmanMs: readonly number[],
): Comparison => ({
  ours,
  requests,
  oursMs: figureOf(oursMs),
  newmanMs: figureOf(newmanMs),
  ratio: ratioOf(oursMs, newmanMs),
})

const measureProcesses = async (
  whom: Whom,
  repertoire: readonly Rehearsed[],
  scratch: string,
  { rounds }: BenchOptions,
  tell: Tell,
): Promise<Pick<Bench, 'wholeRun' | 'newman'>> => {
  tell('a run to count its exchanges')
  const { exchanges } = await runCommand(scratch)
  const many = Math.max(1, exchanges)
  const commands: Run[] = []
  const programs: Run[] = []
  const keep = async (runs: Run[], run: Promise<Run>): Promise<number> => {
    runs.push(await run)
    return (await run).ms
  }
  const hundredOfNewman = await prepareNewman(repertoire, HUNDRED, scratch)
  const manyOfNewman = await prepareNewman(repertoire, many, scratch)
  const times = await takeTurns(
    {
      'npm test': () => keep(commands, runCommand(scratch)),
      program: () => keep(programs, runProgram(scratch)),
      manyOfNewman: () => manyOfNewman.time(),
      many: prepareErrand(whom, repertoire, many, scratch),
      hundredOfNewman: () => hundredOfNewman.time(),
      hundred: prepareErrand(whom, repertoire, HUNDRED, scratch),
    },
    rounds,
    tell,
  )
  return {
    wholeRun: summarizeRuns(commands, programs),
    newman: [
      comparison('HTTP layer in a process', HUNDRED, times.hundred, times.hundredOfNewman),
      comparison('HTTP layer in a process', many, times.many, times.manyOfNewman),
      comparison('the whole run', many, times.program, times.manyOfNewman),
    ],
  }
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
      tell('exchanges in turns with bare undici')
      const exchange = await measurePerExchange(whom, repertoire, scratch, options.rounds)
      const processes = await measureProcesses(whom, repertoire, scratch, options, tell)
      if (options.proof) tell('the proof')
      const measured = {
        ...processes,
        exchange,
        ...(options.proof && { proof: await measureProof() }),
      }
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
