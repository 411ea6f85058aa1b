import { Inconclusive } from '../evidence/signals.ts'
import { codePaths, isGiven, resultIn } from '../session/loans-answers.ts'
import { isPage, lookedAtNothing } from './refused.ts'
import { Subject } from './subject.ts'
import { ViolationError } from './violation.ts'
import type { LoanResult, LoanWords } from '../session/loans-answers.ts'
import type { ObservedExchange } from './observe.ts'

/** What a judge sees of the answer to a loan operation, in the words of the profile. */

const isJson = ({ body }: ObservedExchange): boolean => body.kind().value !== 'text'

/** The value under a path; nothing where the answer has no JSON, as one without a body. */
const fieldIn = (answer: ObservedExchange, path: string): Subject =>
  isJson(answer) ? answer.body.field(path) : new Subject(path, undefined, answer.id)

/** The application-id that a submission answered. */
export const loanId = (answer: ObservedExchange, { submission }: LoanWords): Subject =>
  fieldIn(answer, submission.id)

/** The status of an application that an answer tells. */
export const loanStatus = (answer: ObservedExchange, { status }: LoanWords): Subject =>
  fieldIn(answer, status.status)

/** The result code of an answer, wherever the profile says that it stands. */
export const loanCode = (answer: ObservedExchange, words: LoanWords): Subject => {
  const places = codePaths(words).map((path) => fieldIn(answer, path))
  return places.find(({ value }) => isGiven(value)) ?? new Subject(words.errorCode, undefined, answer.id)
}

/** What a precalculation came to; undefined where its answer tells neither. */
export const loanResult = (answer: ObservedExchange, words: LoanWords): LoanResult | undefined =>
  isPage(answer)
    ? undefined
    : resultIn(
        {
          status: Number(answer.status.value),
          isJson: isJson(answer),
          field: (path) => answer.body.field(path).value,
        },
        words,
      )

/** A request that was accepted or refused, as the profile tells it: what `isRefusedBetween` compares. */
export interface LoanAttempt {
  readonly id: string
  readonly status: Subject
  readonly accepted: boolean
  isAccepted(because: string): void
  /** @throws Inconclusive where the answer tells neither. */
  isRefused(because: string): void
}

interface Words {
  readonly subject: string
  readonly yes: string
  readonly no: string
}

const attempt = (
  answer: ObservedExchange,
  told: { readonly accepted: boolean; readonly refused: boolean },
  { subject, yes, no }: Words,
): LoanAttempt => {
  const status = String(answer.status.value)
  const unclear = (): Inconclusive =>
    new Inconclusive(`${answer.id} (${status}) tells neither that ${subject} is ${yes} nor that it is ${no}`)
  const violation = (expected: string, received: string): ViolationError =>
    new ViolationError({ subject, expected, received: `${received} (${status})`, exchange: answer.id })
  return {
    id: answer.id,
    status: answer.status,
    accepted: told.accepted,
    isAccepted(because) {
      if (told.accepted) return
      if (!told.refused) throw unclear()
      throw violation(`${yes}: ${because}`, no)
    },
    isRefused(because) {
      if (told.accepted) throw violation(`${no}: ${because}`, yes)
      if (!told.refused) throw unclear()
    },
  }
}

const RESULT: Words = { subject: 'the result', yes: 'positive', no: 'negative' }

/** A precalculation: positive is accepted, negative is refused. */
export const asCalculation = (answer: ObservedExchange, words: LoanWords): LoanAttempt => {
  const result = loanResult(answer, words)
  return attempt(answer, { accepted: result === 'positive', refused: result === 'negative' }, RESULT)
}

const SUBMISSION: Words = {
  subject: 'the application-id',
  yes: 'given',
  no: 'not given',
}

/** A submission: accepted is what was given an application-id. */
export const asSubmission = (answer: ObservedExchange, words: LoanWords): LoanAttempt => {
  const accepted = isGiven(loanId(answer, words).value)
  return attempt(answer, { accepted, refused: !accepted && !lookedAtNothing(answer) }, SUBMISSION)
}

const STATUS: Words = { subject: 'the status', yes: 'told', no: 'not told' }

/** A GET of the status: accepted is what was told one of these. */
export const asStatus = (
  answer: ObservedExchange,
  words: LoanWords,
  statuses: readonly string[],
): LoanAttempt => {
  const accepted = !lookedAtNothing(answer) && statuses.some((one) => one === loanStatus(answer, words).value)
  return attempt(answer, { accepted, refused: !accepted && !lookedAtNothing(answer) }, STATUS)
}
