import * as prompts from '@clack/prompts'
import ora from 'ora'

/** Asks the questions: at a terminal, or in a test with prepared answers. */
export interface Prompter {
  /** Asks until `check` returns no problem; an empty answer means `preset`. */
  text(question: TextQuestion): Promise<string>
  choose(question: Choice): Promise<string>
  show(line: string): void
  withSpinner<Result>(title: string, work: () => Promise<Result>): Promise<Result>
}

interface TextQuestion {
  readonly message: string
  readonly preset?: string
  /** An example of an answer, if there is no preset. */
  readonly example: string
  readonly check: (answer: string) => string | undefined
}

interface Choice {
  readonly message: string
  readonly options: readonly { readonly value: string; readonly label: string; readonly hint: string }[]
  readonly preset: string
}

/** Ctrl-C. The message says which file has been written. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

export const terminalPrompter: Prompter = {
  async text({ message, preset, example, check }) {
    const answer = await prompts.text({
      message,
      placeholder: preset || example,
      ...(preset !== undefined && { defaultValue: preset }),
      validate: (typed) => check(typed?.trim() || (preset ?? '')),
    })
    return answerOrCancel(answer).trim()
  },

  async choose({ message, options, preset }) {
    return answerOrCancel(
      await prompts.select<string>({ message, options: [...options], initialValue: preset }),
    )
  },

  show: (line) => prompts.log.message(line),

  async withSpinner(title, work) {
    // The spinner of the prompts would end the process with exit code 0 at Ctrl-C.
    const spinner = ora({ text: title, discardStdin: false }).start()
    try {
      return await work()
    } finally {
      spinner.stop()
    }
  },
}

const answerOrCancel = <Answer>(answer: Answer): Exclude<Answer, symbol> => {
  if (prompts.isCancel(answer)) throw new Cancelled('nothing was written')
  return answer as Exclude<Answer, symbol>
}
