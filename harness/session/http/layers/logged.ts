import type { ReplayLog } from '../../../evidence/recorder.ts'
import type { Layer } from './layer.ts'

export interface Logging {
  readonly now: () => Date
  readonly replayLog?: ReplayLog
  readonly ends?: AbortSignal
}

/**
 * Writes into the log of the run, if there is one, that a request is about to be sent which must not be sent twice, and what
 * was answered. So both survive a run that is killed.
 */
export const logged =
  ({ now, replayLog, ends }: Logging): Layer =>
  async (sending, next) => {
    if (replayLog === undefined || sending.isUnrecorded) return next(sending)
    const { id, effect, isRepeatable, request } = sending
    const { sender, operation, method, url } = request
    if (!isRepeatable)
      replayLog.recordIntent({ id, sender, operation, effect, method, url, sentAt: now().toISOString() })
    const exchange = await next(sending)
    // An answer that was interrupted by the end of the run must not be used after a resume.
    if (ends?.aborted !== true) replayLog.recordExchange(exchange)
    return exchange
  }
