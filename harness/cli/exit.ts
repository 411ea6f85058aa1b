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

/** Tells the user why a command failed. @returns the exit code. */
export const reportFailure = (error: unknown): number => {
  if (error instanceof ConfigurationError) {
    console.error(error.message)
    return EXIT.configuration
  }
  console.error('The harness failed; this is no verdict on the target.')
  console.error(error)
  return EXIT.harness
}

/** How a program ends whose exit code is a verdict. */

/** What Node ends with when nothing is left to wait for, by itself or because a module has not come to its end. */
const ENDS_OF_NOTHING = [0, 13]

/**
 * Ends the program with the exit code that its work comes to. Work that waits for what never comes would have the
 * program end as if all were well: nothing is left to do then, and nothing was judged.
 * @param forsaken what is said then; gives the exit code.
 */
export const endWith = async (work: Promise<number>, forsaken: () => number): Promise<never> => {
  const guard = (code: number): void => {
    if (ENDS_OF_NOTHING.includes(code)) process.exitCode = forsaken()
  }
  process.once('exit', guard)
  const code = await work
  process.off('exit', guard)
  return process.exit(code)
}

/** How a person, or a machine, ends a program early. */

/** Two signals so close to one another, in ms, are one press: whoever stands between passes on what the terminal sends to all. */
const ONE_PRESS_MS = 500

interface Ends {
  /** In ms, since whenever. */
  readonly now: () => number
  readonly inOrder: () => void
  readonly atOnce: (signal: NodeJS.Signals) => void
}

/** What a signal does: the first one asks for an end in good order, a later one for an end at once. */
export const endingBy = ({ now, inOrder, atOnce }: Ends): ((signal: NodeJS.Signals) => void) => {
  let first: number | undefined
  return (signal) => {
    if (first === undefined) {
      first = now()
      inOrder()
    } else if (now() - first >= ONE_PRESS_MS) atOnce(signal)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Dies of the signal, as if nobody had listened. An exit would first end the threads, amid what they are doing. */
const die = (signal: NodeJS.Signals): void => {
  for (const each of SIGNALS) process.removeAllListeners(each)
  process.kill(process.pid, signal)
}

/** Aborted at Ctrl-C, for an end in good order; a second one ends the process. @param reason of the abortion. */
export const interruptions = (reason?: Error): AbortSignal => {
  const controller = new AbortController()
  const hear = endingBy({
    now: () => performance.now(),
    inOrder: () => controller.abort(reason),
    atOnce: die,
  })
  for (const signal of SIGNALS) process.on(signal, hear)
  return controller.signal
}
