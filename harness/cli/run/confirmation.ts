import { createInterface } from 'node:readline'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import type { Readable, Writable } from 'node:stream'

/** A person at the terminal confirms with a word: a key may be pressed by mistake. */
const WORD = 'yes'

export interface Asked {
  readonly input: Readable
  readonly output: Writable
}

/** The line that was typed; undefined after Ctrl-C. */
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
 * Asks whether the run may start.
 * @param question what the run would do, in lines.
 * @returns false after Ctrl-C.
 * @throws ConfigurationError for any other word.
 */
export const confirm = async (question: readonly string[], asked: Asked): Promise<boolean> => {
  asked.output.write(`${question.join('\n')}\n\n`)
  const answer = await answerTo(`Type ${WORD} to continue: `, asked)
  if (answer === undefined) {
    asked.output.write('\nNothing was sent.\n')
    return false
  }
  if (answer.trim().toLowerCase() === WORD) return true
  throw new ConfigurationError(
    `not confirmed: expected '${WORD}', received '${answer}'; nothing was sent (--dry-run shows the whole plan, --yes starts without asking)`,
  )
}
