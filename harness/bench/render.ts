import { number, ratio, renderTable, spread } from './table.ts'
import type { Aim } from './figures.ts'
import type {
  Bench,
  Comparison,
  Deliveries,
  LongWalk,
  Mode,
  Parts,
  ProofFigures,
  WholeRun,
} from './figures.ts'
import type { Figure } from './statistics.ts'

/** A bench as people read it. */

const ms = (figure: Figure): readonly string[] => [number(figure.median), spread(figure)]

const wholeRun = ({ command, program, checks, exchanges, conclusion, exitCode }: WholeRun): string =>
  [
    `The whole run: ${checks} checks on ${exchanges} exchanges, ${conclusion} (exit code ${exitCode})`,
    renderTable(
      ['', 'ms', 'lowest … highest'],
      [
        ['npm test', ...ms(command.ms)],
        ...command.phases.map((phase) => [`  ${phase.name}`, ...ms(phase.ms)]),
        ['the same without npm', ...ms(program.ms)],
      ],
    ),
  ].join('\n')

const parts = ({ commands, paymentsAddMs }: Parts): string =>
  [
    'Parts of the run, with npm and all reports, in turns',
    renderTable(
      ['', 'checks', 'exchanges', 'ms', 'lowest … highest'],
      [
        ...commands.map(({ name, checks, exchanges, ms: time }) => [
          name,
          String(checks),
          String(exchanges),
          ...ms(time),
        ]),
        ['what payments add', '', '', ...ms(paymentsAddMs)],
      ],
    ),
  ].join('\n')

const mode = ({ inFlight, lanes, exchangesPerRound }: Mode): string =>
  [
    `One exchange, ${inFlight} in flight: ${lanes[0]?.us.count ?? 0} rounds of ${exchangesPerRound} exchanges, in turns`,
    renderTable(
      ['', 'µs', 'lowest … highest', 'to bare', 'own CPU µs', 'to bare'],
      lanes.map((lane) => [
        lane.name,
        ...ms(lane.us),
        ratio(lane.ratio),
        number(lane.cpuUs.median),
        ratio(lane.cpuRatio),
      ]),
    ),
  ].join('\n')

const newman = (comparisons: readonly Comparison[]): string =>
  [
    'Whole processes, to newman sending the same number of requests',
    renderTable(
      ['', 'requests', 'ms', 'newman ms', 'to newman', 'lowest … highest'],
      comparisons.map(({ ours, requests, oursMs, newmanMs, ratio: times }) => [
        ours,
        String(requests),
        number(oursMs.median),
        number(newmanMs.median),
        ratio(times),
        spread(times),
      ]),
    ),
  ].join('\n')

const walks = (figures: readonly LongWalk[]): string =>
  [
    'One long account, 100 transactions a page, each walk a process',
    renderTable(
      ['transactions', 'ms', 'lowest … highest', 'µs each', 'resident MB'],
      figures.map(({ transactions, ms: time, residentMb }) => [
        String(transactions),
        ...ms(time),
        number((time.median / transactions) * 1000),
        number(residentMb.median),
      ]),
    ),
  ].join('\n')

const deliveries = ({ sent, lost, perSecond, cpuUs }: Deliveries): string =>
  [
    'The webhook sink, a process of its own',
    `    ${sent} deliveries over 50 connections: ${number(perSecond.median)} per second (${spread(perSecond)}), ${number(cpuUs.median)} µs of processor time each, ${lost} lost`,
  ].join('\n')

const proof = ({ ms, trials, defects, variations, trialsPerSecond }: ProofFigures): string =>
  [
    'The proof, once',
    `    npm run prove: ${number(ms / 1000)} s, ${trials} trials (${defects} defects, ${variations} variations), ${number(trialsPerSecond)} trials per second`,
  ].join('\n')

const withUnit = (unit: Aim['unit'], value: string): string =>
  unit === '×' ? `× ${value}` : `${value} ${unit}`

const limit = ({ unit, limit: most }: Aim): string => withUnit(unit, String(most))

const measured = ({ unit, measured: value }: Aim): string =>
  withUnit(unit, unit === 'lost' ? String(value) : number(value))

export const renderAims = (aims: readonly Aim[]): string =>
  [
    'Aims',
    renderTable(
      ['', 'measured', 'at most', 'met'],
      aims.map((aim) => [aim.aim, measured(aim), limit(aim), aim.met ? 'yes' : 'no']),
    ),
  ].join('\n')

export const renderBench = (bench: Bench): string => {
  const { machine, rounds } = bench
  const [before, after] = machine.load.map(number)
  return [
    `Node ${machine.node} on ${machine.cores} cores; load ${before ?? ''} before, ${after ?? ''} after. Medians; ratios are of neighbours in time.`,
    wholeRun(bench.wholeRun),
    parts(bench.parts),
    ...bench.exchange.map(mode),
    newman(bench.newman),
    walks(bench.walks),
    deliveries(bench.deliveries),
    ...(bench.proof === undefined ? [] : [proof(bench.proof)]),
    renderAims(bench.aims),
    `${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${number(bench.durationMs / 1000)} s`,
  ].join('\n\n')
}
