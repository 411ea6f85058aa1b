import { setTimeout as sleep } from 'node:timers/promises'

/** What did not end in time: its message follows the name of what it was. */
export class TooLate extends Error {
  override readonly name = 'TooLate'
  readonly code = 'TIMEOUT'
}

/**
 * @param signal ends the waiting.
 * @throws TooLate, without the end of the work, and the reason of the signal when that is aborted.
 */
export const within = async <T>(ms: number, work: T | Promise<T>, signal?: AbortSignal): Promise<T> => {
  const ended = new AbortController()
  const ends = AbortSignal.any([ended.signal, ...(signal === undefined ? [] : [signal])])
  const late = async (): Promise<never> => {
    await sleep(ms, undefined, { signal: ends }).catch(() => signal?.throwIfAborted())
    throw new TooLate(`did not end in ${ms / 1000} s`)
  }
  try {
    return await Promise.race([work, late()])
  } finally {
    ended.abort()
  }
}

/** What a module of the user did, without the text of what it threw, which may quote a key. */
export const endOf = (error: unknown): string => {
  if (error instanceof TooLate) return error.message
  return `threw ${error instanceof Error ? error.name : 'something'}`
}
