import { check, isNotCanceled, note } from '../../harness/check/index.ts'
import { change, scenario, statusAfterCancellation, tampered } from '../../harness/session/index.ts'
import type { Observed } from '../../harness/check/index.ts'
import type { Change, LoanOperations, Session } from '../../harness/session/index.ts'
import { isNegativeBetween, isNoApplicationBetween, isUntoldBetween, ORDINARY } from './calls.ts'
import { LOA } from './requirements.ts'

/** Every loan operation between two that are as they are meant to be, with one change to its token. */
const lockedOut = async (session: Session, changesOf: (token: string) => readonly Change[]) => {
  const loans = await session.loans()
  const { profile } = loans
  const changes = changesOf(loans.tokenIn(loans.token))
  const each = async (ask: (change: Change) => ReturnType<LoanOperations['status']>) => {
    const answers = []
    for (const one of changes) answers.push(await ask(one))
    return answers
  }

  const calculate = (one?: Change) => loans.precalculate({ amount: ORDINARY }, one)
  const calculation = { before: await calculate(), changed: await each(calculate), after: await calculate() }
  const submit = (one?: Change) => loans.submit({}, one)
  const submission = { before: await submit(), changed: await each(submit), after: await submit() }
  const id = loans.idOf(submission.before)
  const read = (one?: Change) => loans.status(id, one)
  const status = { before: await read(), changed: await each(read), after: await read() }
  const attempts = await each((one) => loans.cancel(id, one))
  const untouched = await statusAfterCancellation({ clock: session.clock, loans }, id)
  await loans.cancel(id)
  const canceled = await statusAfterCancellation({ clock: session.clock, loans }, id)
  return { profile, calculation, submission, status, attempts, untouched, canceled }
}

type Record = Observed<Awaited<ReturnType<typeof lockedOut>>>

/** Judges that nothing is calculated, submitted, reported or canceled. */
const isLocked = (record: Record, because: string): void => {
  const { profile, calculation, submission, status, attempts, untouched, canceled } = record
  isNegativeBetween(calculation, profile, because)
  isNoApplicationBetween(submission, profile, because)
  isUntoldBetween(status, profile, because)
  isNotCanceled(
    { attempt: attempts.at(-1), before: status.after, after: untouched, last: canceled },
    profile,
    because,
  )
}

const withoutToken = scenario(
  'loan operations without a token',
  { effect: 'apply', as: 'any', needs: ['loans'], loans: { submitted: 2 } },
  (session) => lockedOut(session, () => [change.noHeader('Authorization')]),
)

check(LOA.loanCallWithoutTokenIsRefused, withoutToken, (record) =>
  isLocked(record, 'it carries no access token'),
)

note(LOA.statusCodesOfTheLoanOperations, withoutToken, ({ calculation: { changed } }) =>
  changed.map(({ status }) => `a precalculation without a token: ${String(status.value)}`).join(),
)

const withUnknownTokens = scenario(
  'loan operations with tokens that were never issued',
  { effect: 'apply', as: 'any', needs: ['loans'], loans: { submitted: 2 } },
  (session) =>
    lockedOut(session, (token) => [
      change.bearer(tampered(token, 'changed', 1)),
      change.bearer(tampered(token, 'cut', 0.5)),
    ]),
)

check(LOA.loanCallWithUnknownTokenIsRefused, withUnknownTokens, (record) =>
  isLocked(record, 'the bank never issued its token'),
)
