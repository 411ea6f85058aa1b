import { createInterface } from 'node:readline'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import type { Readable, Writable } from 'node:stream'

/** The person at the terminal is asked back: a key pressed by mistake is no answer, a word is. */

const WORD = 'yes'

export interface Asked {
  readonly input: Readable
  readonly output: Writable
}

/** The line that was typed; nothing where the question was broken off. */
const answerTo = (question: string, { input, output }: Asked): Promise<string | undefined> =>
  new Promise((resolve) => {
    const terminal = createInterface({ input, output, terminal: true })
    terminal.once('SIGINT', () => terminal.close())
    terminal.once('close', () => resolve(undefined))
    terminal.question(question, (answer) => {
      resolve(answer)
      terminal.close()
    })
  })

/**
 * Whether the run goes on.
 * @param question what it would do, a line each.
 * @returns false where the question was broken off with Ctrl-C.
 * @throws ConfigurationError for any other word.
 */
export const confirm = async (question: readonly string[], asked: Asked): Promise<boolean> => {
  asked.output.write(`${question.join('\n')}\n\n`)
  const answer = await answerTo(`Type ${WORD} to go on: `, asked)
  if (answer === undefined) {
    asked.output.write('\nNothing was sent.\n')
    return false
  }
  if (answer.trim().toLowerCase() === WORD) return true
  throw new ConfigurationError(
    `not confirmed: expected '${WORD}', received '${answer}'; nothing was sent (--dry-run shows the whole plan, --yes goes on without asking)`,
  )
}
