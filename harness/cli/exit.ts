import { inspect } from 'node:util'
import { Command, CommanderError } from 'commander'
import { prefixOf, type CommandName } from '../evidence/command-names.ts'
import { diskFullReason } from '../evidence/journal.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { printable } from '../report/run-observer.ts'
import { TextAskedFor } from './options.ts'

/** The exit codes of the commands. Scripts of users rely on them. */
export const EXIT = {
  ok: 0,
  nonconforming: 1,
  incomplete: 2,
  configuration: 3,
  unreachable: 4,
  harness: 5,
  staleWaiver: 6,
  interrupted: 130,
} as const

/** Prints why a command failed. @returns the exit code. */
export const reportFailure = (error: unknown): number => {
  // Commander has printed the message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.configuration
  if (error instanceof TextAskedFor) {
    process.stdout.write(error.text)
    return EXIT.ok
  }
  if (error instanceof ConfigurationError) {
    console.error(printable(error.message))
    return EXIT.configuration
  }
  console.error('The suite failed; this is not a verdict on the target.')
  const diskFull = diskFullReason(error)
  console.error(
    diskFull === undefined
      ? printable(inspect(error))
      : `The disk is full: ${diskFull}. Free disk space, or name another folder (--out).`,
  )
  return EXIT.harness
}

/** A command whose options commander reads; what it does not know is an error. */
export const commandOf = (name: CommandName, description: string): Command =>
  new Command(prefixOf(name)).description(description).allowExcessArguments(false).exitOverride()

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

/**
 * Signals within so many turns of a timer are one press of Ctrl-C, or one closed terminal: the terminal, the shell and
 * npm all send it. A single timer would expire while the process is busy, before signals of that time are delivered.
 */
const TURNS = 10
const TURN_MS = 50

interface SignalHandlers {
  readonly onFirst: () => void
  readonly onSecond: (signal: NodeJS.Signals) => void
}

/** The first signal interrupts the run, which still writes its report; a later one ends the process. */
export const handleSignals = ({ onFirst, onSecond }: SignalHandlers): ((signal: NodeJS.Signals) => void) => {
  let turns: number | undefined
  const turn = (): void => {
    turns = (turns ?? 0) + 1
    if (turns < TURNS) setTimeout(turn, TURN_MS).unref()
  }
  return (signal) => {
    if (turns === undefined) {
      turns = 0
      setTimeout(turn, TURN_MS).unref()
      onFirst()
    } else if (turns >= TURNS) onSecond(signal)
  }
}

/** A closed terminal sends SIGHUP. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ends the process with the signal: process.exit would first terminate the worker threads. */
const endBySignal = (signal: NodeJS.Signals): void => {
  for (const each of SIGNALS) process.removeAllListeners(each)
  process.kill(process.pid, signal)
}

/** What a write to a terminal or a pipe fails with whose reader has gone. */
const WITHOUT_READER: ReadonlySet<unknown> = new Set(['EPIPE', 'EIO'])

/** A closed terminal must not end a run before it has written its report. */
const outliveReaders = (): void => {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!WITHOUT_READER.has(error.code)) throw error
    })
}

/**
 * A signal that aborts at the first Ctrl-C, SIGTERM or SIGHUP; a later one ends the process.
 * @param reason of the abort.
 */
export const interruptions = (reason?: Error): AbortSignal => {
  outliveReaders()
  const controller = new AbortController()
  const onSignal = handleSignals({
    onFirst: () => controller.abort(reason),
    onSecond: endBySignal,
  })
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return controller.signal
}
