/** Requests at the same moment. */
import { replaceWire } from './changes.ts'

/**
 * A meeting of two requests: the first one waits until the other one has come, or for so many ms if none comes.
 * Called once for each bank.
 */
export const meetingFor = (ms: number): (() => Promise<void>) => {
  let meet: (() => void) | undefined
  return () =>
    new Promise((resolve) => {
      if (meet !== undefined) {
        meet()
        return resolve()
      }
      const timer = setTimeout(() => meet?.(), ms)
      meet = () => {
        clearTimeout(timer)
        meet = undefined
        resolve()
      }
    })
}

/**
 * A request that comes while the first one is served gets the answer to that one.
 * @param overlapMs how long the first one waits for another that may come.
 */
export const shareFirstAnswer = (messages: Parameters<typeof replaceWire>[1], overlapMs: number) =>
  replaceWire((next) => {
    let first: Promise<Response> | undefined
    let isOver = false
    const meet = meetingFor(overlapMs)
    return async (request) => {
      if (isOver) return next(request)
      const isFirst = first === undefined
      first ??= next(request)
      await meet()
      if (isFirst) isOver = true
      return (await first).clone()
    }
  }, messages)
