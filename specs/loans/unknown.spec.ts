import {
  check,
  Inconclusive,
  loanCode,
  wasNotProcessed,
  note,
  NotReached,
} from '../../harness/check/index.ts'
import { scenario, tampered } from '../../harness/session/index.ts'
import type { LoanWords, ObservedExchange } from '../../harness/check/index.ts'
import { isStillNew, statusIn, tellsStatus } from './calls.ts'
import { LOA } from './requirements.ts'

/** A shorter one may have been given to somebody. */
const UNGUESSED = 12

/** In the form of a real one, and given to nobody. */
const unknownLike = (id: string): readonly string[] =>
  id.length < UNGUESSED
    ? [id + '0'.repeat(UNGUESSED)]
    : [tampered(id, 'changed', 0), tampered(id, 'changed', 1)]

const asked = scenario(
  'applications that do not exist',
  { effect: 'apply', as: 'any', needs: ['loans'], loans: { submitted: 1 } },
  async (session) => {
    const loans = await session.loans()
    const submission = await loans.submit()
    const id = loans.idOf(submission)
    const before = await loans.status(id)
    const read = []
    const canceled = []
    for (const unknown of unknownLike(id)) {
      read.push(await loans.status(unknown))
      canceled.push(await loans.cancel(unknown))
    }
    return { profile: loans.profile, submission, before, read, canceled, after: await loans.status(id) }
  },
)

interface Asked {
  readonly profile: LoanWords
  readonly before: ObservedExchange
  readonly after: ObservedExchange
}

const areUnknown = ({ profile, before, after }: Asked, answers: readonly ObservedExchange[]): void => {
  if (![before, after].every((answer) => tellsStatus(answer, profile)))
    throw new NotReached('the status of an application that exists was not told either')
  for (const answer of answers) {
    if (wasNotProcessed(answer))
      throw new Inconclusive(`${answer.id} looked at nothing (${String(answer.status.value)})`)
    loanCode(answer, profile).equals('APP_NOT_FOUND')
  }
}

check(LOA.unknownApplicationHasNoStatus, asked, (record) => areUnknown(record, record.read))

check(LOA.unknownApplicationIsNotCanceled, asked, (record) => areUnknown(record, record.canceled))

/** What was asked of another one has not touched it. */
check(LOA.submittedApplicationIsNew, asked, ({ profile, submission, after }) => {
  const status = statusIn(after, profile)
  // That a status is told is judged by itself.
  if (status.value === undefined) throw new NotReached(`${after.id} told no status`)
  isStillNew(profile, submission, after)
  status.equals('NEW')
})

note(LOA.statusCodesOfTheLoanOperations, asked, ({ read, canceled }) =>
  [
    ...read.slice(0, 1).map(({ status }) => `APP_NOT_FOUND to a GET: ${String(status.value)}`),
    ...canceled.slice(0, 1).map(({ status }) => `to a DELETE: ${String(status.value)}`),
  ].join(', '),
)
