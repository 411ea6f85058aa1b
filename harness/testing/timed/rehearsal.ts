import { mkdirSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import { reasonsIn, run, start, writeProfile, type Ended, type Started } from '../faults/run.ts'
import { STILL_NEEDED } from '../../engine/run/clean-up.ts'
import { openObservedBank, type ClockKind, type ObservedBank } from './observed-bank.ts'
import { renderMoment, type Moment, type Way } from './moments.ts'

/** Ends a run of the real command at one moment, and compares its report with the contents of the bank. */

interface Rehearsed {
  readonly moment: Moment
  readonly way: Way
  readonly clock: ClockKind
  /** Whether the moment came before the end of the run. */
  readonly came: boolean
  /** The exit code of the run that was ended; undefined if it was killed. */
  readonly exitCode: number | undefined
  /** The exit code of the resumed run. */
  readonly resumed?: number | undefined
  /** What was wrong afterwards. */
  readonly problems: readonly string[]
}

const end = (started: Started, way: Way): void => {
  switch (way) {
    case 'two signals':
      return started.signal('SIGTERM', 'SIGINT')
    case 'closed terminal':
      return started.closeTerminal()
    default:
      return started.signal(way)
  }
}

/** Calls the function when the run writes the file. */
const watchFor = (out: string, name: string, onWritten: () => void): FSWatcher => {
  mkdirSync(out, { recursive: true })
  return watch(out, (_, written) => {
    if (written === name) onWritten()
  })
}

/** Calls the function once, at the moment. @returns what stops waiting for it. */
const at = (moment: Moment, bank: ObservedBank, started: Started, then: () => void): (() => void) => {
  let came = false
  const once = (): void => {
    if (came) return
    came = true
    then()
  }
  let count = 0
  if (moment.on === 'output') {
    started.onOutput(() => {
      count += 1
      if (count === moment.n) once()
    })
    return () => undefined
  }
  if (moment.on === 'request') {
    bank.onRequest = (n, phase) => {
      if (n === moment.n && phase === moment.phase) once()
    }
    return () => (bank.onRequest = () => undefined)
  }
  const watcher = watchFor(started.out, moment.name, once)
  return () => watcher.close()
}

/** By the wall clock, a busy machine may miss a step of a loan: such a run says nothing of the suite, and is made again. */
const MOST_ATTEMPTS = 3

/** The number of requests of an undisturbed run. @throws an error if none of some runs is complete and without a problem. */
export const requestsOf = async (folderOf: () => string, clock: ClockKind, attempt = 1): Promise<number> => {
  const folder = folderOf()
  const bank = await openObservedBank(clock)
  let requests = 0
  bank.onRequest = (n) => (requests = n)
  try {
    const ended = await run(folder, argumentsFor(bank, folder))
    const problems = await bank.problems(ended, join(folder, 'out'))
    if (ended.exitCode === 0 && problems.length === 0) return requests
    const isLate = ended.exitCode === 2 && clock === 'wall' && problems.length === 0
    if (!isLate || attempt === MOST_ATTEMPTS)
      throw new Error(
        `an undisturbed run ended with ${ended.exitCode}: ${[...problems, ...reasonsIn(ended), ended.stderr].join('; ')}`,
      )
  } finally {
    await bank.close()
  }
  return requestsOf(folderOf, clock, attempt + 1)
}

const argumentsFor = (bank: ObservedBank, folder: string): readonly string[] => [
  `--base-url=${bank.url}`,
  `--profile=${writeProfile(folder, bank.profile)}`,
  ...bank.args,
]

/** @param folder an empty folder for profile and reports. */
export const rehearse = async (
  folder: string,
  { moment, way, clock }: Pick<Rehearsed, 'moment' | 'way' | 'clock'>,
): Promise<Rehearsed> => {
  const bank = await openObservedBank(clock)
  const args = argumentsFor(bank, folder)
  const state = { came: false }
  try {
    const started = start(folder, args, {}, [])
    const stop = at(moment, bank, started, () => {
      state.came = true
      end(started, way)
    })
    const ended = await started.ended()
    stop()
    const { came } = state
    const about = { moment, way, clock, came, exitCode: ended.exitCode }
    if (way !== 'SIGKILL') {
      const problems = await problemsAfterSignal(bank, ended, started.out)
      if (problems.length > 0 || !hasKeptObjects(ended)) return { ...about, problems }
    } else if (!came || isReported(ended))
      return { ...about, problems: await bank.problems(ended, started.out) }
    const resumed = await start(folder, [...args, '--resume'], {}, []).ended()
    const problems = [
      ...([0, 2].includes(resumed.exitCode ?? -1)
        ? []
        : [`exit code ${resumed.exitCode}: ${resumed.stderr}`]),
      // By the wall clock, a step of a loan may pass before the run is resumed.
      ...(clock === 'testHook' && resumed.exitCode === 2 ? ['it is incomplete'] : []),
      ...(await bank.problems(resumed, started.out)),
    ]
    return { ...about, resumed: resumed.exitCode, problems }
  } finally {
    await bank.close()
  }
}

/** The run was killed after its report: nothing is left to resume. */
const isReported = ({ report }: Ended): boolean => report !== undefined

/** Objects that a scenario waits for: the resumed run deletes them. */
const hasKeptObjects = ({ report }: Ended): boolean =>
  report?.created?.some(({ because }) => because === STILL_NEEDED) ?? false

const problemsAfterSignal = async (
  bank: ObservedBank,
  ended: Ended,
  out: string,
): Promise<readonly string[]> => {
  // A signal that comes before the first request ends the process at once.
  if (ended.report === undefined && ended.evidence.length === 0 && ended.exitCode !== 5) return []
  const { exitCode, report } = ended
  const isOfReport = exitCode === report?.exitCode && [0, 2, 130].includes(exitCode ?? -1)
  return [
    ...(isOfReport ? [] : [`exit code ${exitCode}, in the report ${report?.exitCode}: ${ended.stderr}`]),
    ...(await bank.problems(ended, out)),
  ]
}

export const renderRehearsed = ({
  moment,
  way,
  clock,
  came,
  exitCode,
  resumed,
  problems,
}: Rehearsed): string =>
  [
    problems.length === 0 ? '✓' : '✗',
    clock.padEnd(8),
    way.padEnd(15),
    renderMoment(moment).padEnd(34),
    came ? `exit ${exitCode ?? 'killed'}` : `did not come, exit ${exitCode}`,
    ...(resumed === undefined ? [] : [`resumed: exit ${resumed}`]),
    ...problems,
  ].join('  ')
