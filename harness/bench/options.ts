import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'

/** The command line of `npm run bench`. */

export interface BenchOptions {
  readonly rounds: number
  readonly proof: boolean
  readonly json: string
}

const MOST_ROUNDS = 100

const roundsOf = (text: string): number => {
  const rounds = Number(text)
  if (/^\d+$/.test(text) && rounds >= 1 && rounds <= MOST_ROUNDS) return rounds
  throw new InvalidArgumentError(`Rounds are a whole number from 1 to ${MOST_ROUNDS}.`)
}

/** @throws CommanderError for whatever it does not know, and for --help. */
export const parseBenchOptions = (argv: readonly string[]): BenchOptions =>
  new Command('npm run bench --')
    .description('Measures the suite against bare undici and newman. It judges nothing: the exit code is 0.')
    .option('--rounds <n>', 'how often each whole process is measured', roundsOf, 5)
    .option('--proof', 'measure npm run prove too, which takes longer', false)
    .option('--json <file>', 'where the figures are written', join('reports', 'bench', 'bench.json'))
    .allowExcessArguments(false)
    .exitOverride()
    .parse([...argv], { from: 'user' })
    .opts<BenchOptions>()
