import { readPasted } from './pasted.ts'
import type { Question } from '../../session/authorization/prompt-channel.ts'
import type { Pasted } from './pasted.ts'

/** Where somebody sits who can answer. */
export interface Keyboard {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

export type Answer = Exclude<Pasted, { readonly problem: string }> | { readonly interrupts: true }

/** Short enough for one line; nothing is shown of what is typed, since a code is a secret. */
const MESSAGE = 'Paste here, unseen (Enter: leave this one out; "stop": all the rest)'

/**
 * Asks until there is something that can be used.
 * @throws the reason of the signal, where it is no longer wanted.
 */
export const promptForEnd = async (
  question: Question,
  { input, output }: Keyboard,
  signal: AbortSignal,
): Promise<Answer> => {
  const { isCancel, password } = await import('@clack/prompts')
  // A terminal that gives each key away says nothing of Ctrl-C by itself.
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
      ...{ input, output, signal },
    })
    signal.throwIfAborted()
    if (isCancel(typed)) return isInterrupted() ? { interrupts: true } : { handover: { by: 'nobody' } }
    // Nothing typed at all is nothing, whatever the type says.
    const read = readPasted(typed || '', question)
    return 'problem' in read ? { handover: { by: 'nobody' } } : read
  } finally {
    input.off('keypress', notice)
  }
}
