/** How long restoring the target may take after the end of the run, in ms: a person who has pressed Ctrl-C waits for it. */
export const CLEAN_UP_MS = 4_000

/** Waits for the work; after an interruption, for at most `graceMs`. */
export const withGracePeriod = async <T>(
  work: Promise<T>,
  interruption: AbortSignal,
  graceMs: number,
): Promise<{ readonly done: T } | 'given up'> => {
  let timer: NodeJS.Timeout | undefined
  let start: (() => void) | undefined
  const grace = new Promise<'given up'>((resolve) => {
    start = () => (timer = setTimeout(() => resolve('given up'), graceMs))
    if (interruption.aborted) start()
    else interruption.addEventListener('abort', start, { once: true })
  })
  try {
    return await Promise.race([work.then((done) => ({ done })), grace])
  } finally {
    clearTimeout(timer)
    if (start !== undefined) interruption.removeEventListener('abort', start)
  }
}
