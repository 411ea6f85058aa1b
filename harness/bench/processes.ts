import { prepareErrand } from './errand.ts'
import { prepareNewman } from './newman.ts'
import { figureOf, ratioOf } from './statistics.ts'
import { takeTurns } from './turns.ts'
import { runCommand, runProgram, summarizeRuns } from './whole-run.ts'
import type { Bench, Comparison } from './figures.ts'
import type { Rehearsed, Whom } from './repertoire.ts'
import type { Tell } from './turns.ts'
import type { Run } from './whole-run.ts'

/** Whole processes, from their start to their exit: a run of ours, and newman with as many requests. */

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

/** The number of requests at which other tools are compared. */
const HUNDRED = 100

interface Runs {
  readonly commands: Run[]
  readonly programs: Run[]
}

const contestants = async (
  whom: Whom,
  repertoire: readonly Rehearsed[],
  many: number,
  scratch: string,
  { commands, programs }: Runs,
) => {
  const keep = async (runs: Run[], run: Promise<Run>): Promise<number> => {
    runs.push(await run)
    return (await run).ms
  }
  const hundredOfNewman = await prepareNewman(repertoire, HUNDRED, scratch)
  const manyOfNewman = await prepareNewman(repertoire, many, scratch)
  return {
    command: () => keep(commands, runCommand(scratch)),
    program: () => keep(programs, runProgram(scratch)),
    manyOfNewman,
    many: prepareErrand(whom, repertoire, many, scratch),
    hundredOfNewman,
    hundred: prepareErrand(whom, repertoire, HUNDRED, scratch),
  }
}

export const measureProcesses = async (
  whom: Whom,
  repertoire: readonly Rehearsed[],
  scratch: string,
  rounds: number,
  tell: Tell,
): Promise<Pick<Bench, 'wholeRun' | 'newman'>> => {
  tell('a run to count its exchanges')
  const many = Math.max(1, (await runCommand(scratch)).exchanges)
  const runs: Runs = { commands: [], programs: [] }
  const times = await takeTurns(await contestants(whom, repertoire, many, scratch, runs), rounds, tell)
  return {
    wholeRun: summarizeRuns(runs.commands, runs.programs),
    newman: [
      comparison('HTTP layer in a process', HUNDRED, times.hundred, times.hundredOfNewman),
      comparison('HTTP layer in a process', many, times.many, times.manyOfNewman),
      comparison('the whole run', many, times.program, times.manyOfNewman),
    ],
  }
}
