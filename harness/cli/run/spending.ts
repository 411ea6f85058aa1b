import { createInterface } from 'node:readline'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { requestCounts } from '../../report/evidence-file.ts'
import { createBudget, type Limits } from '../../session/http/budget.ts'
import type { Readable, Writable } from 'node:stream'
import type { Preparation } from './prepare.ts'
import type { Certification } from '../../engine/certification.ts'
import type { Operation } from '../../evidence/effect.ts'

/** What a run may send, where it has a budget. */
export const limitsOf = ({
  options,
  subject,
}: Pick<Preparation, 'options' | 'subject'>): Limits | undefined => {
  const { budget } = subject.profile
  const requests = options.budget ?? budget.requests
  return requests === undefined && Object.keys(budget.perOperation).length === 0
    ? undefined
    : { ...budget, requests }
}

/** The same, with what the evidence says was sent of it: by the probe, and before the run was gone on with. */
export const budgetOf = (
  preparation: Pick<Preparation, 'options' | 'subject'>,
  evidence: string,
): Pick<Certification, 'budget'> => {
  const limits = limitsOf(preparation)
  return limits === undefined ? {} : { budget: { limits, spent: requestCounts(evidence) } }
}

/** Whether one more request of that operation may be sent. */
export const isLeft = ({ budget }: Pick<Certification, 'budget'>, operation: Operation): boolean => {
  if (budget === undefined) return true
  try {
    createBudget(budget.limits, budget.spent).spend(operation)
    return true
  } catch {
    return false
  }
}

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
