import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { diskFullReason } from '../evidence/journal.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'

/** The exit codes of the commands. Scripts of users rely on them. */
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
  // Commander has printed the message.
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
      : `The disk is full: ${diskFull}. Free disk space, or name another folder (--out).`,
  )
  return EXIT.harness
}

/** Ends the program when the reader closes the pipe, as `head` does. */
export const endWithReader = (): void => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(EXIT.ok)
  })
}

/** Node's exit codes when its event loop is empty: 13 with an unsettled top-level await, otherwise 0. */
const UNFINISHED = [0, 13]

/**
 * Ends the program with the exit code that the work resolves to. Without this, work that never settles would end the
 * program with code 0.
 * @param onUnfinished returns the exit code if the work never settles.
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

/** Two signals within this time, in ms, are one press of Ctrl-C: the terminal and npm both send it. */
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

/** Ends the process with the signal: process.exit would first terminate the worker threads. */
const endBySignal = (signal: NodeJS.Signals): void => {
  for (const each of SIGNALS) process.removeAllListeners(each)
  process.kill(process.pid, signal)
}

/** A signal that aborts at the first Ctrl-C or SIGTERM; a second one ends the process. @param reason of the abort. */
export const interruptions = (reason?: Error): AbortSignal => {
  const controller = new AbortController()
  const onSignal = handleSignals({
    now: () => performance.now(),
    onFirst: () => controller.abort(reason),
    onSecond: endBySignal,
  })
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return controller.signal
}
