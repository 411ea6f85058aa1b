import * as prompts from '@clack/prompts'
import ora from 'ora'
import { Cancelled } from './interviewer.ts'
import type { Choice, Interviewer, Some, TextQuestion } from './interviewer.ts'

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
