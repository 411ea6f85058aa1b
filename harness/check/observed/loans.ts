import { Inconclusive } from '../../evidence/signals.ts'
import {
  codePaths,
  isGiven,
  resultIn,
  type LoanResult,
  type LoanWords,
  isHttpStatus,
  okIn,
} from '../../evidence/record/loan-application.ts'
import { brokeDown, wasNotProcessed } from '../refusals.ts'
import { held, Subject, ViolationError } from '../verdict.ts'
import { ofAnother, type ObservedExchange } from './exchange.ts'

/** What a judge reads from the answer to a loan operation, at the places that the profile names. */

const isJson = ({ body }: ObservedExchange): boolean => body.kind().value !== 'text'

const hasText = ({ body }: ObservedExchange): boolean => String(body.text.value).trim() !== ''

/**
 * Whether an answer may come from an intermediary: by its own form, or it has a body that is not JSON, while another
 * answer to the same operation has JSON.
 * @param others answers to the same operation
 */
export const isOfAnIntermediary = (answer: ObservedExchange, others: readonly ObservedExchange[]): boolean =>
  answer.kind === 'gateway' ||
  (hasText(answer) && !isJson(answer) && others.some((other) => hasText(other) && isJson(other)))

/** @throws Inconclusive if an intermediary may have answered. @param others answers to the same operation */
export const isOfTheBank = (answer: ObservedExchange, others: readonly ObservedExchange[]): void => {
  if (answer.kind === 'gateway') throw ofAnother(answer)
  if (isOfAnIntermediary(answer, others))
    throw new Inconclusive(
      `the answer to ${answer.id} (${String(answer.status.value)}) is not JSON, unlike other answers to this operation: an intermediary may have given it`,
    )
}

/** The value under a path; undefined if the answer is not JSON. */
const fieldIn = (answer: ObservedExchange, path: string): Subject =>
  isJson(answer) ? answer.body.field(path) : new Subject(path, undefined, answer.id)

export const loanId = (answer: ObservedExchange, { submission }: LoanWords): Subject =>
  fieldIn(answer, submission.id)

export const loanStatus = (answer: ObservedExchange, { status }: LoanWords): Subject => {
  const field = fieldIn(answer, status.status)
  return isHttpStatus(field.value, answer.status.value)
    ? new Subject(status.status, undefined, answer.id)
    : field
}

/** The result code of an answer, at any of the places that the profile names. */
export const loanCode = (answer: ObservedExchange, words: LoanWords): Subject => {
  const places = codePaths(words).map((path) => fieldIn(answer, path))
  return (
    places.find(({ value }) => isGiven(value)) ??
    new Subject(codePaths(words)[0] ?? '', okIn(answer.response, words), answer.id)
  )
}

/** The result of a precalculation; undefined if its answer shows none. @param others answers to precalculations */
export const loanResult = (
  answer: ObservedExchange,
  words: LoanWords,
  others: readonly ObservedExchange[] = [],
): LoanResult | undefined =>
  answer.kind === 'gateway' || (answer.accepted && isOfAnIntermediary(answer, others))
    ? undefined
    : resultIn(
        {
          status: Number(answer.status.value),
          isJson: isJson(answer),
          isEmpty: !hasText(answer),
          field: (path) => answer.body.field(path).value,
        },
        words,
      )

/** A request that was accepted or refused by the rules of the profile; `isRefusedBetween` compares such attempts. */
export interface LoanAttempt {
  readonly id: string
  readonly status: Subject
  readonly accepted: boolean
  isAccepted(because: string): void
  /** @throws Inconclusive if the answer shows neither. */
  isRefused(because: string): void
}

interface Outcomes {
  readonly subject: string
  readonly accepted: string
  readonly refused: string
}

const attempt = (
  answer: ObservedExchange,
  outcome: { readonly accepted: boolean; readonly refused: boolean },
  { subject, accepted, refused }: Outcomes,
  others: readonly ObservedExchange[],
): LoanAttempt => {
  const status = String(answer.status.value)
  const isUnclear = (expected: string): never => {
    if (brokeDown(answer)) answer.isNoServerError(expected)
    throw new Inconclusive(
      `${answer.id} (${status}) shows neither that ${subject} is ${accepted} nor that it is ${refused}`,
    )
  }
  const violation = (expected: string, received: string): ViolationError =>
    new ViolationError({ subject, expected, received: `${received} (${status})`, exchange: answer.id })
  return {
    id: answer.id,
    status: answer.status,
    accepted: outcome.accepted,
    isAccepted(because) {
      if (outcome.accepted) return held()
      if (!outcome.refused) isUnclear(`${subject} to be ${accepted}: ${because}`)
      isOfTheBank(answer, others)
      throw violation(`${accepted}: ${because}`, refused)
    },
    isRefused(because) {
      if (outcome.accepted) throw violation(`${refused}: ${because}`, accepted)
      if (!outcome.refused) isUnclear(`${subject} to be ${refused}: ${because}`)
      held()
    },
  }
}

const RESULT: Outcomes = { subject: 'the result', accepted: 'positive', refused: 'negative' }

/**
 * A precalculation: a positive result is an acceptance, a negative one a refusal.
 * @param others answers to the same operation, here and below: they show whether the bank answers JSON
 */
export const asCalculation = (
  answer: ObservedExchange,
  words: LoanWords,
  others: readonly ObservedExchange[] = [],
): LoanAttempt => {
  const result = loanResult(answer, words, others)
  return attempt(answer, { accepted: result === 'positive', refused: result === 'negative' }, RESULT, others)
}

const SUBMISSION: Outcomes = {
  subject: 'the application-id',
  accepted: 'given',
  refused: 'not given',
}

/** A submission: it is accepted if the answer has an application-id. */
export const asSubmission = (
  answer: ObservedExchange,
  words: LoanWords,
  others: readonly ObservedExchange[] = [],
): LoanAttempt => {
  const accepted = isGiven(loanId(answer, words).value)
  return attempt(answer, { accepted, refused: !accepted && !wasNotProcessed(answer) }, SUBMISSION, others)
}

const STATUS: Outcomes = { subject: 'the status', accepted: 'reported', refused: 'not reported' }

/** A GET of the status: it is accepted if the answer has one of these statuses. */
export const asStatus = (
  answer: ObservedExchange,
  words: LoanWords,
  statuses: readonly string[],
  others: readonly ObservedExchange[] = [],
): LoanAttempt => {
  const accepted = !wasNotProcessed(answer) && statuses.some((one) => one === loanStatus(answer, words).value)
  return attempt(answer, { accepted, refused: !accepted && !wasNotProcessed(answer) }, STATUS, others)
}
