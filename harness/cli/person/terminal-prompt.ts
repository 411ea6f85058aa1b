import { readPasted, type Pasted } from './pasted.ts'
import type { Question } from '../../session/authorization/thread-channel.ts'

export interface Keyboard {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

export type Answer = Exclude<Pasted, { readonly problem: string }> | { readonly interrupts: true }

/** Short enough for one line. The typed text is not shown, since a code is a secret. */
const MESSAGE = 'Paste here, input is hidden (Enter: skip this one; "stop": skip all)'

/**
 * Asks until the answer can be used.
 * @throws the reason of the signal when it is aborted.
 */
export const promptForEnd = async (
  question: Question,
  { input, output }: Keyboard,
  signal: AbortSignal,
): Promise<Answer> => {
  const { isCancel, password } = await import('@clack/prompts')
  // In raw mode the terminal sends no SIGINT for Ctrl-C.
  let interrupts = false
  const isInterrupted = (): boolean => interrupts
  const notice = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }): void => {
    interrupts ||= key?.ctrl === true && key.name === 'c'
  }
  input.on('keypress', notice)
  try {
    const typed = await password({
      message: MESSAGE,
      mask: '',
      clearOnError: true,
      validate: (text) => {
        const read = readPasted(text ?? '', question)
        return 'problem' in read ? read.problem : undefined
      },
      input,
      output,
      signal,
    })
    signal.throwIfAborted()
    if (isCancel(typed)) return isInterrupted() ? { interrupts: true } : { handover: { by: 'skipped' } }
    // The prompt may return undefined for an empty answer, although its type is string.
    const read = readPasted(typed || '', question)
    return 'problem' in read ? { handover: { by: 'skipped' } } : read
  } finally {
    input.off('keypress', notice)
  }
}
