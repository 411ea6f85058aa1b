import { join } from 'node:path'
import { differenceOf, figureOf } from './statistics.ts'
import { takeTurns } from './turns.ts'
import { checksOf, runCommand } from './whole-run.ts'
import type { Parts } from './figures.ts'
import type { Tell } from './turns.ts'
import type { Run } from './whole-run.ts'

/** Parts of the whole run, each a command as a user types it: what each costs, and what all of them cost. */

const COMMANDS = {
  'the whole': [],
  'all but payments': ['--skip', 'payments'],
  'account information': ['--skip', 'payments', 'loans', 'environments'],
  'consent, authorization and tokens': ['--only', 'consent', 'authorization', 'tokens'],
  '200 stories of payments': ['--only', 'PAY-67', '--runs', '200'],
  'one requirement': ['--only', 'TOK-05'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type PartName = keyof typeof COMMANDS

const NAMES = Object.keys(COMMANDS) as PartName[]

export const measureParts = async (scratch: string, rounds: number, tell: Tell): Promise<Parts> => {
  const last = new Map<PartName, Run>()
  // Each has a folder of its own, as for somebody who gives one command again: what another one left would be cleared away.
  const measured = async (name: PartName): Promise<number> => {
    const run = await runCommand(join(scratch, name), COMMANDS[name])
    last.set(name, run)
    return run.ms
  }
  const entrants = Object.fromEntries(NAMES.map((name) => [name, () => measured(name)]))
  const times = await takeTurns(entrants as Record<PartName, () => Promise<number>>, rounds, tell)
  return {
    commands: NAMES.map((name) => {
      const run = last.get(name)
      return {
        ...{ name, ms: figureOf(times[name]) },
        ...{ checks: run === undefined ? 0 : checksOf(run), exchanges: run?.exchanges ?? 0 },
      }
    }),
    paymentsAddMs: differenceOf(times['the whole'], times['all but payments']),
  }
}
