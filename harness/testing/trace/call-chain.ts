import { createHook, executionAsyncId } from 'node:async_hooks'

/**
 * Notes, for each asynchronous operation of this thread, where it was begun: the calls that lead to a line can then be read
 * back over each `await`.
 */

interface Begun {
  /** Its stack is made only when it is read. */
  readonly at: Error
  /** The operation during which it was begun. */
  readonly during: number
}

const begun = new Map<number, Begun>()

export const noteCalls = (): void => {
  Error.stackTraceLimit = 200
  createHook({
    init(id) {
      const at = new Error()
      begun.set(id, { at, during: executionAsyncId() })
    },
  }).enable()
}

const framesOf = ({ stack = '' }: Error): readonly string[] => stack.split('\n').slice(1)

/** The frames of all calls that lead to this one, the innermost first. */
export const callChain = (): readonly string[] => {
  const frames = [...framesOf(new Error())]
  for (let one = begun.get(executionAsyncId()); one !== undefined; one = begun.get(one.during))
    frames.push(...framesOf(one.at))
  return frames
}
