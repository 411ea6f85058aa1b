import { check, note, NotReached, wasProcessed } from '../../harness/check/index.ts'
import { scenario, statusAfterCancellation } from '../../harness/session/index.ts'
import { codeIn, isStillNew, statusIn } from './calls.ts'
import { LOA } from './requirements.ts'

const canceled = scenario(
  'an application that is canceled while it is NEW',
  { effect: 'apply', as: 'any', needs: ['loans'], loans: { submitted: 2 } },
  async (session) => {
    const loans = await session.loans()
    const { profile, submit, idOf, status, cancel } = loans
    const [submission, beside] = [await submit(), await submit()]
    const [id, besideId] = [idOf(submission), idOf(beside)]
    const before = { status: await status(id), neighbour: await status(besideId) }
    const cancellation = await cancel(id)
    const after = {
      status: await statusAfterCancellation({ clock: session.clock, loans }, id),
      neighbour: await status(besideId),
    }
    const again = [await cancel(id), await cancel(id)]
    const last = [await status(id), await status(id)]
    return { profile, submission, beside, before, cancellation, after, again, last }
  },
)

check(LOA.newApplicationIsCanceled, canceled, ({ profile, submission, before, cancellation, after }) => {
  if (statusIn(before.status, profile).value !== 'NEW') throw new NotReached('the application was not NEW')
  isStillNew(profile, submission, cancellation)
  const status = statusIn(after.status, profile)
  if (status.value !== 'CANCELED') wasProcessed(cancellation)
  status.equals('CANCELED')
})

check(LOA.canceledApplicationIsNotCanceledAgain, canceled, ({ profile, after, again }) => {
  if (statusIn(after.status, profile).value !== 'CANCELED')
    throw new NotReached('the application was not CANCELED')
  for (const answer of again) {
    const code = codeIn(answer, profile)
    if (code.value !== 'NOT_ALLOWED_OPER') wasProcessed(answer)
    code.equals('NOT_ALLOWED_OPER')
  }
})

check(LOA.refusedCancellationChangesNothing, canceled, ({ profile, after, again, last }) => {
  if (statusIn(after.status, profile).value !== 'CANCELED')
    throw new NotReached('the application was not CANCELED')
  if (again.some((answer) => codeIn(answer, profile).value !== 'NOT_ALLOWED_OPER'))
    throw new NotReached('the cancellation was not answered NOT_ALLOWED_OPER')
  for (const answer of last) statusIn(answer, profile).equals('CANCELED')
})

check(LOA.submittedApplicationIsNew, canceled, ({ profile, beside, before, after }) => {
  for (const answer of [before.neighbour, after.neighbour]) {
    const status = statusIn(answer, profile)
    // That a status is told is judged by itself.
    if (status.value === undefined) throw new NotReached(`${answer.id} told no status`)
    isStillNew(profile, beside, answer)
    status.equals('NEW')
  }
})

note(
  LOA.otherTransitions,
  canceled,
  ({ profile, before, after }) =>
    [before.status, after.status].map((answer) => String(statusIn(answer, profile).value)).join(' -> ') +
    ' by DELETE',
)
note(
  LOA.statusCodesOfTheLoanOperations,
  canceled,
  ({ cancellation, again }) =>
    `DELETE: ${String(cancellation.status.value)}, NOT_ALLOWED_OPER: ${String(again[0]?.status.value)}`,
)
