import {
  asSubmission,
  check,
  isAcceptedToo,
  loanId,
  note,
  NotReached,
  statusOf,
  wasProcessed,
  type Exchange,
  type LoanWords,
  type ObservedExchange,
  inWholeRun,
  loanCode,
  LOAN_STATUSES,
} from '../../harness/check/index.ts'
import {
  cancelWhenAllowed,
  property,
  scenario,
  statusAfterCancellation,
} from '../../harness/session/index.ts'
import {
  asFarAsReached,
  codeIn,
  hasStatus,
  inLoans,
  isGoodToken,
  isNew,
  isNoApplicationBetween,
  isStillNew,
  LARGEST,
  NO_LOANS,
  ORDINARY,
  SMALLEST,
  statusesRead,
  statusIn,
} from './applications.ts'
import { amountsOutside, amountsWithin, edgesOutside, edgesWithin } from './amounts.ts'
import { applying } from '../shared/scenario-options.ts'
import { LOA } from './requirements.ts'

const APPLIES = { effect: 'apply', as: 'any', needs: ['loans'] } as const

/** Enough to show ids that are made from tens of milliseconds, or repeat after a few applications. */
const AT_ONCE = 8
const ONE_AFTER_THE_OTHER = 3

const submitted = scenario(
  'applications that are submitted',
  { ...APPLIES, loans: { submitted: ONE_AFTER_THE_OTHER + AT_ONCE } },
  async (session) => {
    const loans = await session.loans()
    const applications = []
    for (let count = 0; count < ONE_AFTER_THE_OTHER; count += 1) {
      const submission = await loans.submit()
      applications.push({
        submission,
        read: await asFarAsReached(() => loans.status(loans.idOf(submission))),
      })
    }
    const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, () => loans.submit()))
    // Each of them exists, and all of them are read at once.
    const together = await Promise.all(
      atOnce.map(async (submission) => ({
        submission,
        read: await asFarAsReached(() => loans.status(loans.idOf(submission))),
      })),
    )
    const [oldest] = applications
    // It still exists after many others.
    if (oldest !== undefined)
      together.push({
        submission: oldest.submission,
        read: await asFarAsReached(() => loans.status(loans.idOf(oldest.submission))),
      })
    const { profile } = loans
    return { profile, applications, atOnce, together, body: JSON.stringify(profile.submission.body) }
  },
)

/** @throws NotReached if it was refused: another check judges that. */
const answered = (submission: ObservedExchange): ObservedExchange => {
  const status = Number(submission.status.value)
  if (status >= 200 && status < 300) return submission
  throw new NotReached(`${submission.id} was refused, so that there is no application`)
}

const isId = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

check(LOA.applicationIsAnswered, submitted, ({ profile, applications }) => {
  for (const { submission } of applications) {
    const id = loanId(answered(submission), profile)
    id.satisfies(isId(id.value), 'an application-id that is not empty')
  }
})

check(
  LOA.applicationIdsAreDistinct,
  inWholeRun(submitted, ['applyForLoan']).each(inLoans, NO_LOANS),
  ({ words, answers }) => {
    const ids = answers
      .filter((answer) => asSubmission(answer, words).accepted)
      .map((answer) => loanId(answer, words))
      .filter(({ value }) => isId(value))
    if (ids.length < 2) throw new NotReached('fewer than two application-ids were answered')
    const seen = new Set<string>()
    for (const id of ids) {
      id.satisfies(!seen.has(String(id.value)), 'an application-id that no other application has')
      seen.add(String(id.value))
    }
  },
)

check(LOA.statusIsOneOfSeven, statusesRead(submitted), ({ status }) => status.isOneOf(LOAN_STATUSES))

interface Read {
  readonly submission: ObservedExchange
  readonly read: readonly ObservedExchange[]
}

/** @throws NotReached if no application was submitted. */
const readings = (applications: readonly Read[]) => {
  const answers = applications.flatMap(({ submission, read }) =>
    read.map((answer) => ({ submission, answer })),
  )
  if (answers.length === 0) throw new NotReached('no application was submitted')
  return answers
}

check(LOA.submittedApplicationIsNew, submitted, ({ profile, applications, together }) => {
  for (const { submission, answer } of readings([...applications, ...together]))
    isNew(profile, submission, answer)
})

check(LOA.statusIsAnsweredWithOk, submitted, ({ profile, applications, together }) => {
  const answers = readings([...applications, ...together]).map(({ answer }) => answer)
  for (const answer of answers) {
    const status = statusIn(answer, profile, answers)
    status.satisfies(typeof status.value === 'string' && status.value !== '', 'a status')
    codeIn(answer, profile, answers).equals('OK')
  }
})

note(LOA.wireNamesOfTheApplication, submitted, ({ profile, applications, body }) =>
  applications.some(({ submission }) => asSubmission(submission, profile).accepted)
    ? `accepted with ${body}`
    : undefined,
)
note(LOA.recordOfTheApplication, submitted, ({ applications: [first] }) =>
  first === undefined ? undefined : `answered to the submission: ${first.submission.body.shape}`,
)
note(LOA.namesOfTheStatusFields, submitted, ({ applications }) => applications[0]?.read[0]?.body.shape)
note(LOA.statusCodesOfTheLoanOperations, submitted, ({ applications: [first] }) =>
  first === undefined
    ? undefined
    : `submission: ${String(first.submission.status.value)}, status: ${String(first.read[0]?.status.value)}`,
)

/** Every answer of the run with a status of the interface. An unknown application may be refused with any status. */
const codes = inWholeRun(submitted, ['readLoan'])
  .each(inLoans, NO_LOANS)
  .each(
    ({ words, answers }) =>
      answers.filter((answer) => hasStatus(answer, words)).map((answer) => loanCode(answer, words)),
    'no status was answered',
  )
  .where(({ value }) => value !== 'APP_NOT_FOUND', 'no status was answered')

check(LOA.statusIsAnsweredWithOk, codes, (code) => code.equals('OK'))

interface Tried {
  readonly changed: ObservedExchange
  readonly valid?: ObservedExchange
  readonly again?: ObservedExchange
}

/** How many open applications a client may have is not shown: a bank that refuses an ordinary one as well refuses no amount. */
const isApplication = ({ changed, valid, again }: Tried, words: LoanWords, because: string): void => {
  isGoodToken(changed)
  const others = [valid, again].filter((answer) => answer !== undefined)
  const read = (answer: ObservedExchange) => asSubmission(answer, words, others)
  isAcceptedToo(
    { changed: read(changed), ...(valid && { valid: read(valid) }), ...(again && { again: read(again) }) },
    because,
  )
}

const submittedWithin = property(
  'applications for amounts within the bounds',
  { ...APPLIES, loans: { submitted: 1 } },
  amountsWithin,
  async (session, amount) => {
    const { profile, submit } = await session.loans()
    const tried = await session.alike(
      () => submit({ amount: ORDINARY }),
      () => submit({ amount }),
    )
    return { profile, tried }
  },
  { edges: edgesWithin },
)

check(LOA.amountWithinTheBoundsIsAppliedFor, submittedWithin, ({ profile, tried }, amount) =>
  isApplication(tried, profile, `${amount} EUR lies between 100 and 2000`),
)

check(LOA.lowestAmountIsAppliedFor, submittedWithin, ({ profile, tried }, amount) => {
  if (amount === SMALLEST) isApplication(tried, profile, '100 EUR is the minimum')
})

check(LOA.highestAmountIsAppliedFor, submittedWithin, ({ profile, tried }, amount) => {
  if (amount === LARGEST) isApplication(tried, profile, '2000 EUR is the maximum')
})

const submittedOutside = property(
  'applications for amounts outside the bounds',
  { ...APPLIES, loans: { submitted: 2 } },
  amountsOutside,
  async (session, amount) => {
    const { profile, submit } = await session.loans()
    const control = () => submit({ amount: ORDINARY })
    return { profile, before: await control(), changed: await submit({ amount }), after: await control() }
  },
  { edges: edgesOutside },
)

check(LOA.tooLowApplicationIsRefused, submittedOutside, (record, amount) => {
  if (amount < SMALLEST) isNoApplicationBetween(record, record.profile, `${amount} EUR is less than 100`)
})

check(LOA.tooHighApplicationIsRefused, submittedOutside, (record, amount) => {
  if (amount > LARGEST) isNoApplicationBetween(record, record.profile, `${amount} EUR is more than 2000`)
})

note(
  LOA.statusCodesOfTheLoanOperations,
  submittedOutside,
  ({ changed }) => `an application for an amount outside the bounds: ${String(changed.status.value)}`,
)

const isCanceledIn = (answer: Exchange, words: LoanWords): boolean =>
  answer.response !== undefined && statusOf(answer, words) === 'CANCELED'

const canceled = scenario('an application that is canceled while it is NEW', applying(2), async (session) => {
  const loans = await session.loans()
  const { profile, submit, idOf, status, cancel } = loans
  const [submission, other] = [await submit(), await submit()]
  const [id, otherId] = [idOf(submission), idOf(other)]
  const before = { status: await status(id), other: await status(otherId) }
  const cancellation = await cancel(id)
  const after = {
    status: await statusAfterCancellation({ clock: session.clock, loans }, id),
    other: await status(otherId),
  }
  // Where NEW refuses DELETE, the application is canceled in a later status.
  const { status: canceled } = isCanceledIn(after.status, profile)
    ? after
    : await cancelWhenAllowed({ clock: session.clock, loans }, submission)
  const again = [await cancel(id), await cancel(id)]
  const last = [await status(id), await status(id)]
  return { profile, submission, other, before, cancellation, after, canceled, again, last }
})

check(LOA.newApplicationIsCanceled, canceled, ({ profile, submission, before, cancellation, after }) => {
  if (statusIn(before.status, profile).value !== 'NEW') throw new NotReached('the application was not NEW')
  isStillNew(profile, submission, cancellation)
  const status = statusIn(after.status, profile)
  if (status.value === 'CANCELED') return status.equals('CANCELED')
  const code = codeIn(cancellation, profile)
  if (code.value === 'NOT_ALLOWED_OPER') return code.equals('NOT_ALLOWED_OPER')
  wasProcessed(cancellation)
  status.equals('CANCELED')
})

const canceledAtLast = canceled.where(
  ({ profile, canceled: status }) => statusIn(status, profile).value === 'CANCELED',
  'the application was not CANCELED',
)

check(LOA.canceledApplicationIsNotCanceledAgain, canceledAtLast, ({ profile, again }) => {
  for (const answer of again) {
    const code = codeIn(answer, profile)
    if (code.value !== 'NOT_ALLOWED_OPER') wasProcessed(answer)
    code.equals('NOT_ALLOWED_OPER')
  }
})

check(LOA.refusedCancellationChangesNothing, canceledAtLast, ({ profile, again, last }) => {
  if (again.some((answer) => codeIn(answer, profile).value !== 'NOT_ALLOWED_OPER'))
    throw new NotReached('the cancellation was not answered NOT_ALLOWED_OPER')
  for (const answer of last) statusIn(answer, profile).equals('CANCELED')
})

check(LOA.submittedApplicationIsNew, canceled, ({ profile, other, before, after }) => {
  for (const answer of [before.other, after.other]) isNew(profile, other, answer)
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
