import type { Choice, Prompter, Some } from './prompter.ts'

/** Going back in an interview: to change an answer, it is begun anew, and the answers before it are given again. */

/** What is typed, or chosen, to go back to the question before. */
export const BACK = '<'

/** Thrown at a question, to change the answer before it. */
class GoBack extends Error {
  override readonly name = 'GoBack'
}

/** An answer, or the result of work between two questions, which depends on the answers before it. */
interface Answered {
  readonly value: unknown
  /** Whether it is a question at which one can go further back: a text or a choice. */
  readonly isStop: boolean
}

/** Gives the answers of before again, and asks for the others. */
const repeating = (prompter: Prompter, answered: Answered[]): Prompter => {
  let at = 0
  const next = async <Value>(isStop: boolean, ask: () => Promise<Value>): Promise<Value> => {
    if (at === answered.length) answered.push({ value: await ask(), isStop })
    at += 1
    return answered[at - 1]?.value as Value
  }
  const canGoBack = (): boolean => answered.some(({ isStop }) => isStop)
  const unlessBack = <Value>(value: Value): Value => {
    if (value === BACK) throw new GoBack()
    return value
  }
  return {
    text: ({ check, ...question }) =>
      next(true, async () => {
        const isBack = (answer: string): boolean => answer.trim() === BACK && canGoBack()
        const answer = await prompter.text({
          ...question,
          check: (typed) => (isBack(typed) ? undefined : check(typed)),
        })
        return isBack(answer) ? unlessBack(BACK) : answer
      }),
    choose: <Value extends string>({ options, ...question }: Choice<Value>) =>
      next(true, async () => {
        const back = { value: BACK as Value, label: 'back to the question before' }
        const shown = canGoBack() ? [...options, back] : options
        return unlessBack(await prompter.choose({ ...question, options: shown }))
      }),
    chooseSome: <Value extends string>(question: Some<Value>) =>
      next(false, () => prompter.chooseSome(question)),
    confirm: (message, preset) => next(false, () => prompter.confirm(message, preset)),
    tell: (line) => {
      if (at === answered.length) prompter.tell(line)
    },
    withSpinner: (title, work) => next(false, () => prompter.withSpinner(title, work)),
  }
}

/** Holds an interview in which each text and each choice may be answered with `<`, which goes back. */
export const withGoingBack = async <Result>(
  prompter: Prompter,
  interview: (prompter: Prompter) => Promise<Result>,
): Promise<Result> => {
  const answered: Answered[] = []
  for (;;) {
    try {
      return await interview(repeating(prompter, answered))
    } catch (error) {
      if (!(error instanceof GoBack)) throw error
      answered.splice(
        Math.max(
          0,
          answered.findLastIndex(({ isStop }) => isStop),
        ),
      )
    }
  }
}
