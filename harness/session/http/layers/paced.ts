import type { Layer } from './layer.ts'

export interface Pace {
  /** Waits as long as the rate requires, if there is one. */
  readonly turn?: () => Promise<void>
  /** Aborted at the end of the run. Its reason is thrown. */
  readonly ends?: AbortSignal
}

/** Waits for the turn of the request. The run may end meanwhile. */
export const paced =
  ({ turn, ends }: Pace): Layer =>
  async (sending, next) => {
    await turn?.()
    ends?.throwIfAborted()
    return next(sending)
  }
