import { diskFullReason } from '../../evidence/append-line.ts'
import type { RunObserver } from '../../report/run-observer.ts'

/** Whether the folder of a run takes what is written into it. */
export interface Room {
  /** Aborted when it takes nothing more: what the run would find from then on could be kept nowhere. */
  readonly gone: AbortSignal
  /** @param because in words, with the code of the system. */
  ends(because: string): void
  /** Writes as far as there is room. @throws whatever else goes wrong. */
  fill(write: () => Promise<void>): Promise<void>
}

export const openRoom = (out: string, observer: Pick<RunObserver, 'onWarning'>): Room => {
  const end = new AbortController()
  const ends = (because: string): void => {
    if (end.signal.aborted) return
    observer.onWarning(
      `${out} takes nothing more: ${because}. The run ends here, and is no verdict on the target; make room, or name another folder (--out).`,
    )
    end.abort()
  }
  return {
    gone: end.signal,
    ends,
    async fill(write) {
      try {
        await write()
      } catch (error) {
        const because = diskFullReason(error)
        if (because === undefined) throw error
        ends(because)
      }
    },
  }
}
