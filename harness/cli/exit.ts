import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { diskFullReason } from '../evidence/journal.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'

/** The exit codes of the commands. Other people's scripts rely on them. */
export const EXIT = {
  ok: 0,
  nonconforming: 1,
  incomplete: 2,
  configuration: 3,
  unreachable: 4,
  harness: 5,
  interrupted: 130,
} as const

/** Prints why a command failed. @returns the exit code. */
export const reportFailure = (error: unknown): number => {
  // Commander has printed what is wrong.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.configuration
  if (error instanceof ConfigurationError) {
    console.error(error.message)
    return EXIT.configuration
  }
  console.error('The suite failed; this is not a verdict on the target.')
  const diskFull = diskFullReason(error)
  console.error(
    diskFull === undefined
      ? inspect(error)
      : `Nothing more can be written: ${diskFull}. Free disk space, or name another folder (--out).`,
  )
  return EXIT.harness
}

/** Exit codes of Node when nothing is left to do: by itself, or with an unsettled top-level await. */
const UNFINISHED = [0, 13]

/**
 * Ends the program with the exit code that the work resolves to. Without this, work that never settles would end the
 * program with code 0.
 * @param onUnfinished gives the exit code if the work never settles.
 */
export const endWith = async (work: Promise<number>, onUnfinished: () => number): Promise<never> => {
  const guard = (code: number): void => {
    if (UNFINISHED.includes(code)) process.exitCode = onUnfinished()
  }
  process.once('exit', guard)
  const code = await work
  process.off('exit', guard)
  return process.exit(code)
}

/** Two signals within this time, in ms, are one press of Ctrl-C: npm passes on what the terminal sends to all. */
const ONE_PRESS_MS = 500

interface SignalHandlers {
  /** A monotonic clock, in ms. */
  readonly now: () => number
  readonly onFirst: () => void
  readonly onSecond: (signal: NodeJS.Signals) => void
}

/** The first signal interrupts the run, which still writes its report; a second one ends the process. */
export const handleSignals = ({
  now,
  onFirst,
  onSecond,
}: SignalHandlers): ((signal: NodeJS.Signals) => void) => {
  let first: number | undefined
  return (signal) => {
    if (first === undefined) {
      first = now()
      onFirst()
    } else if (now() - first >= ONE_PRESS_MS) onSecond(signal)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Ends by the signal itself: process.exit would first end the threads in the middle of their work. */
const die = (signal: NodeJS.Signals): void => {
  for (const each of SIGNALS) process.removeAllListeners(each)
  process.kill(process.pid, signal)
}

/** Aborted at the first Ctrl-C or SIGTERM; a second one ends the process. @param reason of the abortion. */
export const interruptions = (reason?: Error): AbortSignal => {
  const controller = new AbortController()
  const onSignal = handleSignals({
    now: () => performance.now(),
    onFirst: () => controller.abort(reason),
    onSecond: die,
  })
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return controller.signal
}
