import {
  check,
  Inconclusive,
  loanCode,
  loanStatus,
  note,
  NotReached,
  scenario,
} from '../../harness/check/index.ts'
import type { LoanWords, ObservedExchange } from '../../harness/check/index.ts'
import { brokeDown, tellsStatus } from './calls.ts'
import { LOA } from './requirements.ts'

const canceled = scenario(
  'an application that is canceled while it is NEW',
  { effect: 'apply', as: 'any', needs: ['loans'], loans: { submitted: 2 } },
  async (session) => {
    const loans = await session.loans()
    const [id, beside] = [loans.idOf(await loans.submit()), loans.idOf(await loans.submit())]
    const before = { status: await loans.status(id), neighbour: await loans.status(beside) }
    const cancellation = await loans.cancel(id)
    const after = { status: await loans.status(id), neighbour: await loans.status(beside) }
    const again = await loans.cancel(id)
    const last = [await loans.status(id), await loans.status(id)]
    return { profile: loans.profile, before, cancellation, after, again, last }
  },
)

const statusIn = (answer: ObservedExchange, words: LoanWords): unknown => {
  if (brokeDown(answer)) throw new Inconclusive(`${answer.id} broke down`)
  return loanStatus(answer, words).value
}

check(LOA.newApplicationIsCanceled, canceled, ({ profile, before, after }) => {
  if (statusIn(before.status, profile) !== 'NEW') throw new NotReached('the application was not NEW')
  if (brokeDown(after.status)) throw new Inconclusive(`${after.status.id} broke down`)
  loanStatus(after.status, profile).equals('CANCELED')
})

check(LOA.canceledApplicationIsNotCanceledAgain, canceled, ({ profile, after, again }) => {
  if (statusIn(after.status, profile) !== 'CANCELED') throw new NotReached('the application was not CANCELED')
  if (brokeDown(again)) throw new Inconclusive(`${again.id} broke down`)
  loanCode(again, profile).equals('NOT_ALLOWED_OPER')
})

check(LOA.refusedCancellationChangesNothing, canceled, ({ profile, after, again, last }) => {
  if (statusIn(after.status, profile) !== 'CANCELED') throw new NotReached('the application was not CANCELED')
  if (loanCode(again, profile).value !== 'NOT_ALLOWED_OPER')
    throw new NotReached('the cancellation was not answered NOT_ALLOWED_OPER')
  for (const answer of last) {
    if (brokeDown(answer)) throw new Inconclusive(`${answer.id} broke down`)
    loanStatus(answer, profile).equals('CANCELED')
  }
})

check(LOA.submittedApplicationIsNew, canceled, ({ profile, before, after }) => {
  for (const answer of [before.neighbour, after.neighbour]) {
    if (!tellsStatus(answer, profile)) throw new NotReached(`${answer.id} told no status`)
    loanStatus(answer, profile).equals('NEW')
  }
})

note(
  LOA.otherTransitions,
  canceled,
  ({ profile, before, after }) =>
    [before.status, after.status].map((answer) => String(statusIn(answer, profile))).join(' -> ') +
    ' by DELETE',
)
note(
  LOA.statusCodesOfTheLoanOperations,
  canceled,
  ({ cancellation, again }) =>
    `DELETE: ${String(cancellation.status.value)}, NOT_ALLOWED_OPER: ${String(again.status.value)}`,
)
