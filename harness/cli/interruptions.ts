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
