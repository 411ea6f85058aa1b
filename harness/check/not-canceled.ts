import { NotReached } from '../evidence/signals.ts'
import { loanStatus } from './observe-loans.ts'
import { ViolationError } from './violation.ts'
import type { LoanWords } from '../session/loans-answers.ts'
import type { ObservedExchange } from './observe.ts'

/** A DELETE that must not cancel an application, before one that must: else that it is left alone shows nothing. */
export interface VainCancellation {
  readonly attempt: ObservedExchange | undefined
  readonly before: ObservedExchange
  /** The status behind the attempt, and behind a cancellation that is lawful. */
  readonly after: ObservedExchange
  readonly last: ObservedExchange
}

/**
 * Judges that an attempt to cancel has canceled nothing, where a lawful one has.
 * @throws NotReached where there was nothing that could be canceled, or a lawful one has canceled nothing either.
 */
export const isNotCanceled = (
  { attempt, before, after, last }: VainCancellation,
  words: LoanWords,
  because: string,
): void => {
  const isCanceled = (answer: ObservedExchange): boolean => loanStatus(answer, words).value === 'CANCELED'
  const isTold = ({ value }: ReturnType<typeof loanStatus>): boolean => value !== undefined && value !== null
  if (isCanceled(before) || !isTold(loanStatus(after, words)))
    throw new NotReached('there was no application that could be canceled')
  if (isCanceled(after))
    throw new ViolationError({
      subject: 'the cancellation',
      expected: `to be refused: ${because}`,
      received: `status ${String(attempt?.status.value)}, and the application is CANCELED`,
      exchange: (attempt ?? after).id,
    })
  if (!isCanceled(last)) throw new NotReached('the application was not canceled with what it needs either')
}
