import * as prompts from '@clack/prompts'
import ora from 'ora'

/** Who asks the questions: a terminal, or a test that knows the answers. */
export interface Interviewer {
  /** Asks until `check` has nothing against the answer; Enter alone gives `preset`. */
  text(question: TextQuestion): Promise<string>
  choose<Value extends string>(question: Choice<Value>): Promise<Value>
  /** Any number of them, and none too. */
  chooseSome<Value extends string>(question: Some<Value>): Promise<readonly Value[]>
  confirm(message: string, preset: boolean): Promise<boolean>
  tell(line: string): void
  /** Shows that something takes its time. */
  during<Result>(title: string, work: () => Promise<Result>): Promise<Result>
}

interface TextQuestion {
  readonly message: string
  readonly preset?: string
  /** What an answer looks like, where none is preset. */
  readonly example?: string
  readonly check: (answer: string) => string | undefined
}

interface Option<Value> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
}

export interface Choice<Value> {
  readonly message: string
  readonly options: readonly Option<Value>[]
  readonly preset: Value
}

export interface Some<Value> {
  readonly message: string
  readonly options: readonly Option<Value>[]
  readonly preset: readonly Value[]
}

/** Ctrl-C. Its message says what has been written until then. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Questions at a terminal. */
export const terminalInterviewer: Interviewer = {
  async text({ message, preset, example, check }: TextQuestion) {
    const hint = preset ?? example
    const answer = await prompts.text({
      message,
      ...(hint !== undefined && { placeholder: hint }),
      ...(preset !== undefined && { defaultValue: preset }),
      validate: (typed) => check(typed?.trim() || (preset ?? '')),
    })
    return settled(answer).trim()
  },

  async choose<Value extends string>({ message, options, preset }: Choice<Value>) {
    const answer = await prompts.select<string>({ message, options: [...options], initialValue: preset })
    return settled(answer) as Value
  },

  async chooseSome<Value extends string>({ message, options, preset }: Some<Value>) {
    const answer = await prompts.multiselect<string>({
      message,
      options,
      initialValues: preset,
      required: false,
    })
    return settled(answer) as readonly string[] as readonly Value[]
  },

  async confirm(message, preset) {
    return settled(await prompts.confirm({ message, initialValue: preset }))
  },

  tell: (line) => prompts.log.message(line),

  async during(title, work) {
    // The spinner of the prompts would take Ctrl-C for a good end of the process.
    const spinner = ora({ text: title, discardStdin: false }).start()
    try {
      return await work()
    } finally {
      spinner.stop()
    }
  },
}

const settled = <Answer>(answer: Answer): Exclude<Answer, symbol> => {
  if (prompts.isCancel(answer)) throw new Cancelled('nothing was written')
  return answer as Exclude<Answer, symbol>
}
