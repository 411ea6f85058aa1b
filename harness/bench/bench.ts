import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import Table from 'cli-table3'
import { Command } from 'commander'
import ora from 'ora'
import { reportFailure } from '../cli/exit.ts'
import { parseRunOptions } from '../cli/run/options.ts'
import { resolveTarget } from '../engine/run/target.ts'
import { OUTPUT } from '../evidence/output.ts'
import { ROOT } from '../plan/root.ts'
import { run as runMetered } from '../testing/faults/run.ts'
import { suite } from '../testing/program.ts'
import { makeFolder } from '../evidence/make-folder.ts'
import { writeWhole } from '../report/output-folder.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureExchanges } from './exchange.ts'
import { prepareNewman } from './newman.ts'
import { startServer, timed } from './processes.ts'
import { recordRequests, type BenchTarget } from './recorded-requests.ts'
import { measureWalks } from './walks.ts'

/** `npm run bench`: the speed of the suite, mostly as ratios to other programs in the same run. It is not a test. */

interface Figure {
  readonly what: string
  readonly measured: number
  readonly unit: '×' | 's' | 'MB' | 'lost'
  readonly limit: number
}

const FOLDER = join(ROOT, 'reports', 'bench')

/** `npm test` as a user types it, with reports in a folder of its own. @returns times, and exchanges. */
const runSuite = async (folder: string, command: readonly string[], ...options: readonly string[]) => {
  const out = join(folder, 'run')
  const { ms, cpuSeconds } = await timed([...command, ...options, '--out', out])
  const exchanges = readFileSync(join(out, OUTPUT.evidence), 'utf8').split('\n').filter(Boolean).length
  return { ms, cpuSeconds, exchanges }
}

const NPM_TEST = ['npm', 'test', '--silent', '--']
const WITHOUT_NPM = [process.execPath, ...suite('run')]

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const repeat = async <T>(times: number, measure: () => Promise<T>): Promise<readonly T[]> => {
  const values: T[] = []
  for (let time = 0; time < times; time += 1) values.push(await measure())
  return values
}

const targetAt = async (baseUrl: string): Promise<BenchTarget> => {
  const options = parseRunOptions([])
  if (options.kind !== 'run') throw new Error('no options are not a request for help')
  const { profile, secrets } = await resolveTarget(options, process.env)
  return { baseUrl, profile, secrets }
}

/** Each command is measured three times. */
const ROUNDS = 3

type Measure = (folder: string) => Promise<readonly Figure[]>

const commands: Measure = async (folder) => {
  const COMMANDS = [
    ['npm test', 10, 20, []],
    ['npm test -- --only payments', 5, 10, ['--only', 'payments']],
    ['npm test -- --only TOK-35', 3, 2.5, ['--only', 'TOK-35']],
  ] as const
  const figures: Figure[] = []
  for (const [what, wallLimit, cpuLimit, options] of COMMANDS) {
    const runs = await repeat(ROUNDS, () => runSuite(folder, NPM_TEST, ...options))
    const wall = median(runs.map(({ ms }) => ms)) / 1000
    const cpu = median(runs.map(({ cpuSeconds }) => cpuSeconds))
    figures.push({ what: `${what}, wall`, unit: 's', limit: wallLimit, measured: wall })
    figures.push({ what: `${what}, CPU`, unit: 's', limit: cpuLimit, measured: cpu })
  }
  return figures
}

/** Short commands, without npm, and the memory of a small run. */
const shortCommands: Measure = async (folder) => {
  const { memoryMib } = await runMetered(folder, ['--only', 'TOK-35'])
  const figures: Figure[] = [
    {
      what: 'memory for run --only TOK-35 --no-pages',
      measured: (memoryMib * 2 ** 20) / 1e6,
      unit: 'MB',
      limit: 300,
    },
  ]
  const COMMANDS = [
    [['explain', 'TOK-35'], 0.8, 0],
    [['plan'], 0.8, 0],
    [['show', 'TOK-35', '--out', join(folder, 'out')], 0.8, 0],
    [['run', '--wrong-option'], 0.4, 3],
  ] as const
  for (const [args, limit, exitCode] of COMMANDS) {
    const runs = await repeat(ROUNDS, () => timed([process.execPath, ...suite(...args)], exitCode))
    const measured = median(runs.map(({ cpuSeconds }) => cpuSeconds))
    figures.push({ what: `${args.slice(0, 2).join(' ')}, CPU`, unit: 's', limit, measured })
  }
  return figures
}

/** Against the same bank, whose clock is stopped, so that no token expires. */
const withBank = async (
  use: (target: BenchTarget) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> => {
  const bank = await startServer('harness/cli/main.ts', 'bank', '--port', '0', '--speed', '0')
  try {
    return await use(await targetAt(bank.url))
  } finally {
    await bank.stop()
  }
}

const exchanges: Measure = (folder) =>
  withBank(async (target) => {
    const requests = await recordRequests(target)
    const figures = await measureExchanges(target, requests, folder)
    return figures.map(({ inFlight, ratio, suiteUs, undiciUs }) => ({
      what: `an exchange to bare undici, ${inFlight} in flight (${suiteUs.toFixed(0)} to ${undiciUs.toFixed(0)} µs)`,
      measured: ratio,
      unit: '×' as const,
      limit: 1.8,
    }))
  })

const newman: Measure = (folder) =>
  withBank(async (target) => {
    const count = (await runSuite(folder, WITHOUT_NPM)).exchanges
    const runNewman = await prepareNewman(await recordRequests(target), count, folder)
    // Once: newman takes most of a minute, in which the pace of the machine evens out.
    const ratio = (await runSuite(folder, WITHOUT_NPM)).ms / (await runNewman())
    return [
      {
        what: `the whole run to newman with as many requests (${count})`,
        measured: ratio,
        unit: '×',
        limit: 0.3,
      },
    ]
  })

const walks: Measure = async (folder) => {
  const [short, long] = await measureWalks(folder)
  if (short === undefined || long === undefined) throw new Error('the walks were not measured')
  const growth = long.ms / long.transactions / (short.ms / short.transactions)
  return [
    {
      what: `a transaction of ${long.transactions} to one of ${short.transactions}`,
      measured: growth,
      unit: '×',
      limit: 1.25,
    },
    {
      what: `memory for a walk over ${long.transactions} transactions`,
      measured: long.residentMb,
      unit: 'MB',
      limit: 200,
    },
  ]
}

const deliveries: Measure = async (folder) => {
  const { sent, lost, perSecond } = await measureDeliveries(folder)
  return [
    { what: '5,000 webhook deliveries', measured: 5_000 / perSecond, unit: 's', limit: 1 },
    { what: `of ${sent} webhook deliveries`, measured: lost, unit: 'lost', limit: 0 },
  ]
}

const proof: Measure = async () => {
  const { ms } = await timed(['npm', 'run', '--silent', 'prove'])
  return [{ what: 'npm run prove', measured: ms / 1000, unit: 's', limit: 240 }]
}

const MEASUREMENTS: Readonly<Record<string, Measure>> = {
  exchanges,
  newman,
  walks,
  deliveries,
  shortCommands,
  commands,
}

const shown = (value: number, unit: Figure['unit']): string => {
  const digits = unit === 'lost' || value >= 100 ? 0 : 2
  return unit === '×' ? `× ${value.toFixed(digits)}` : `${value.toFixed(digits)} ${unit}`
}

const renderFigures = (figures: readonly Figure[]): string => {
  const table = new Table({ head: ['', 'measured', 'aim: at most', 'met'], style: { head: [], border: [] } })
  for (const { what, measured, unit, limit } of figures)
    table.push([what, shown(measured, unit), shown(limit, unit), measured <= limit ? 'yes' : 'no'])
  return table.toString()
}

const bench = async (options: { readonly proof: boolean; readonly json: string }): Promise<void> => {
  makeFolder(FOLDER)
  const scratch = mkdtempSync(join(FOLDER, 'scratch-'))
  const progress = ora()
  const startedAt = performance.now()
  const figures: Figure[] = []
  try {
    for (const [name, measure] of Object.entries({ ...MEASUREMENTS, ...(options.proof && { proof }) })) {
      progress.start(name)
      const folder = join(scratch, name)
      mkdirSync(folder)
      figures.push(...(await measure(folder)))
      progress.stop()
    }
  } finally {
    progress.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
  const machine = { node: process.version, cores: availableParallelism() }
  const file = resolve(options.json)
  writeWhole(file, `${JSON.stringify({ schema: 2, machine, figures }, null, 2)}\n`)
  console.log(renderFigures(figures))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
  console.log(`Node ${machine.node}, ${machine.cores} cores; ${seconds} s; ${relative(process.cwd(), file)}`)
}

await new Command('npm run bench --')
  .description('Measures the speed of the suite. Figures that miss their aim do not change the exit code.')
  .option('--proof', 'measure npm run prove too, which takes minutes', false)
  .option('--json <file>', 'file for the figures', join('reports', 'bench', 'bench.json'))
  .allowExcessArguments(false)
  .exitOverride()
  .action(bench)
  .parseAsync()
  .catch((error: unknown) => {
    process.exitCode = reportFailure(error)
  })
