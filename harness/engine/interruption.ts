/** How long what is put back may take when the run is over, in ms: a person who has pressed Ctrl-C waits for it. */
export const LEAVING_MS = 4_000

/** Until the work is done; once interrupted, no longer than the grace. Tells which of the two it was. */
export const graced = async <T>(
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
