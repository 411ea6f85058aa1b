import {
  asCalculation,
  asSubmission,
  brokeDown,
  check,
  couldBeCanceled,
  disclosesNothingOf,
  Inconclusive,
  isNotCanceled,
  isOfTheBank,
  loanCode,
  loanId,
  note,
  NotReached,
  wasNotProcessed,
  type Exchange,
  type LoanWords,
  type ObservedExchange,
  type RecordOf,
} from '../../harness/check/index.ts'
import {
  cancelInVain,
  change,
  scenario,
  statusAfterCancellation,
  tampered,
  type Change,
  type LoanOperations,
  type Session,
} from '../../harness/session/index.ts'
import {
  isNegativeBetween,
  isNew,
  isNoApplicationBetween,
  isUnreportedBetween,
  LARGEST,
  ORDINARY,
  SMALLEST,
  hasStatus,
} from './applications.ts'
import { applicationOf, checkWhoSeesWhat } from '../shared/who-sees-what.ts'
import { applying } from '../shared/scenario-options.ts'
import { patternsOf } from '../shared/values.ts'
import { LOA } from './requirements.ts'

const foreign = scenario(
  'the application of another client',
  applying(2, 'other-loan-application'),
  async (session) => {
    const loans = await session.loans()
    const [other] = loans.others
    if (other === undefined) throw new NotReached('the profile names no second application')
    const theirs = await session.loans(other)
    const submission = await loans.submit()
    const id = loans.idOf(submission)
    const own = await theirs.status(theirs.idOf(await theirs.submit()))
    const read = await session.between(
      () => loans.status(id),
      () => theirs.status(id),
    )
    const cancellation = await cancelInVain({ clock: session.clock, loans }, submission, () =>
      theirs.cancel(id),
    )
    return { profile: loans.profile, submission, own, read, cancellation }
  },
)

const OF_ANOTHER = 'another client has submitted the application'

check(LOA.foreignApplicationIsNotDisclosed, foreign, ({ profile, submission, own, read }) => {
  isUnreportedBetween(read, profile, OF_ANOTHER)
  disclosesNothingOf(read.changed, {
    theirs: [submission, read.before],
    ours: [own],
    name: 'the application of another client',
  })
})

const OPERATIONS = ['loanToken', 'applyForLoan', 'readLoan', 'cancelLoan', 'precalculateLoan'] as const

checkWhoSeesWhat(LOA.foreignApplicationIsNotDisclosed, foreign, OPERATIONS, (run) => {
  const { loans } = run.profile
  return {
    name: 'the application of another client',
    holderOf: applicationOf(run),
    idsIn: (answer) =>
      loans !== undefined && answer.operation === 'applyForLoan' ? [loanId(answer, loans).value] : [],
  }
})

check(LOA.foreignApplicationIsNotCanceled, foreign, ({ profile, cancellation }) =>
  isNotCanceled(cancellation, profile, OF_ANOTHER),
)

/** A shorter id may be that of another application. */
const UNGUESSED = 12

/** Ids in the form of a real one that no application has. */
const unknownLike = (id: string): readonly string[] =>
  id.length < UNGUESSED
    ? [id + '0'.repeat(UNGUESSED)]
    : [tampered(id, 'changed', 0), tampered(id, 'changed', 1)]

/** Patterns of an id, a longer and a shorter one. A bank may refuse them for their form, with another code. */
const misspelt = (id: string): readonly string[] => [
  ...(id.length < UNGUESSED ? [] : [tampered(id, 'added', 1), tampered(id, 'cut', 1)]),
  ...patternsOf(id),
]

const asked = scenario('applications that do not exist', applying(1), async (session) => {
  const loans = await session.loans()
  const submission = await loans.submit()
  const id = loans.idOf(submission)
  const before = await loans.status(id)
  const ask = async (ids: readonly string[]) => {
    const read = []
    const canceled = []
    for (const unknown of ids) {
      read.push(await loans.status(unknown))
      canceled.push(
        await session.retryServerError(
          () => loans.cancel(unknown),
          () => loans.status(id),
        ),
      )
    }
    return { read, canceled }
  }
  const { read, canceled } = await ask(unknownLike(id))
  const others = (await ask(misspelt(id))).read
  const after = await statusAfterCancellation({ clock: session.clock, loans }, id)
  return { profile: loans.profile, submission, before, read, canceled, others, after }
})

interface Asked {
  readonly profile: LoanWords
  readonly before: ObservedExchange
  readonly after: ObservedExchange
}

/** Judges that each answer has the code APP_NOT_FOUND. */
const areUnknown = ({ profile, before, after }: Asked, answers: readonly ObservedExchange[]): void => {
  if (![before, after].every((answer) => hasStatus(answer, profile)))
    throw new NotReached('the status of an application that exists was not answered either')
  for (const answer of answers) {
    answer.isNoServerError('a refusal with the code APP_NOT_FOUND')
    if (wasNotProcessed(answer))
      throw new Inconclusive(`${answer.id} was not processed (${String(answer.status.value)})`)
    isOfTheBank(answer, answers)
    loanCode(answer, profile).equals('APP_NOT_FOUND')
  }
}

check(LOA.unknownApplicationHasNoStatus, asked, (record) => areUnknown(record, record.read))

check(LOA.unknownApplicationHasNoStatus, asked, ({ profile, before, others, after }) =>
  isUnreportedBetween({ before, changed: others, after }, profile, 'no application has this id'),
)

check(LOA.unknownApplicationIsNotCanceled, asked, (record) => areUnknown(record, record.canceled))

/** Requests for other ids do not change it. */
check(LOA.submittedApplicationIsNew, asked, ({ profile, submission, after }) =>
  isNew(profile, submission, after),
)

note(LOA.statusCodesOfTheLoanOperations, asked, ({ read, canceled }) =>
  [
    ...read.slice(0, 1).map(({ status }) => `APP_NOT_FOUND to a GET: ${String(status.value)}`),
    ...canceled.slice(0, 1).map(({ status }) => `to a DELETE: ${String(status.value)}`),
  ].join(', '),
)

/** The minimum and the maximum are given, in whole euros or not. */
const OUT_OF_BOUNDS = [SMALLEST - 0.01, SMALLEST - 0.5, LARGEST + 0.01, LARGEST + 0.5]

/** None of these is an amount within the bounds, even for a lenient parser. */
const NO_AMOUNTS: readonly (readonly [what: string, amount: unknown])[] = [
  ['no amount', undefined],
  ['null as its amount', null],
  ['true as its amount', true],
  ['an empty text as its amount', ''],
  ['an amount in words', 'many'],
  ['an amount of 99 in a text', String(SMALLEST - 1)],
  ['an empty list as its amount', []],
  ['an empty object as its amount', {}],
  ['an amount of 1e300', 1e300],
]

const CASES = [
  ...NO_AMOUNTS.map(([what, amount]) => ({ what, amount, isOutOfBounds: false })),
  ...OUT_OF_BOUNDS.map((amount) => ({ what: `an amount of ${amount}`, amount, isOutOfBounds: true })),
]

/**
 * All cases between two ordinary requests.
 * @param retry repeats a request that a server error may have met by chance
 */
const betweenOrdinary = async (
  ask: (amount: unknown) => Promise<Exchange>,
  retry: (ask: () => Promise<Exchange>, before: Exchange) => Promise<Exchange> = (once) => once(),
) => {
  const before = await ask(ORDINARY)
  const changed = []
  for (const { amount, ...one } of CASES)
    changed.push({ ...one, answer: await retry(() => ask(amount), before) })
  return { before, changed, after: await ask(ORDINARY) }
}

const calculated = scenario(
  'precalculations without a valid amount within the bounds',
  { effect: 'read', as: 'any', needs: ['loans'] },
  async (session) => {
    const { profile, precalculate } = await session.loans()
    return { profile, ...(await betweenOrdinary((amount) => precalculate({ amount }))) }
  },
)

const submitted = scenario(
  'applications without a valid amount within the bounds',
  applying(2),
  async (session) => {
    const loans = await session.loans()
    const answers = await betweenOrdinary(
      (amount) => loans.submit({ amount }),
      (ask, before) => session.retryServerError(ask, () => loans.status(loans.idOf(before))),
    )
    return { profile: loans.profile, ...answers }
  },
)

interface Tried {
  readonly profile: LoanWords
  readonly before: ObservedExchange
  readonly changed: readonly {
    readonly what: string
    readonly isOutOfBounds: boolean
    readonly answer: ObservedExchange
  }[]
  readonly after: ObservedExchange
}

const wereAccepted = ({ before, after, profile }: Tried, read: typeof asCalculation): void => {
  if (!read(before, profile).accepted || !read(after, profile).accepted)
    throw new NotReached('the ordinary amount was not accepted either')
}

/** Another check judges that none is answered with a server error. */
const noneIsAccepted = (tried: Tried, read: typeof asCalculation, isOutOfBounds: boolean): void => {
  wereAccepted(tried, read)
  const { profile } = tried
  const changed = tried.changed.filter((one) => one.isOutOfBounds === isOutOfBounds)
  for (const { what, answer } of changed)
    if (!brokeDown(answer)) read(answer, profile).isRefused(`it has ${what}`)
  const broken = changed.find(({ answer }) => brokeDown(answer))
  if (broken !== undefined)
    throw new Inconclusive(`${broken.answer.id} was answered with a server error: it has ${broken.what}`)
}

const noneIsAServerError = (tried: Tried, read: typeof asCalculation): void => {
  wereAccepted(tried, read)
  for (const { what, answer } of tried.changed) answer.isNoServerError(`a status below 500: it has ${what}`)
}

for (const [asked, read, malformed, outOfBounds] of [
  [
    calculated,
    asCalculation,
    LOA.malformedAmountIsNotCalculated,
    LOA.amountWithCentsOutOfBoundsIsNotCalculated,
  ],
  [submitted, asSubmission, LOA.malformedApplicationIsRefused, LOA.amountWithCentsOutOfBoundsIsNotAppliedFor],
] as const) {
  check(malformed, asked, (tried) => noneIsAccepted(tried, read, false))
  check(outOfBounds, asked, (tried) => noneIsAccepted(tried, read, true))
  check(LOA.malformedAmountIsNoBreakdown, asked, (tried) => noneIsAServerError(tried, read))
}

/** Every loan operation with a changed token, between two with the right one. */
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
  const cancellation = await cancelInVain({ clock: session.clock, loans }, submission.before, async () =>
    (await each((one) => loans.cancel(id, one))).at(-1),
  )
  return { profile, calculation, submission, status, cancellation }
}

/** Judges that nothing is calculated, submitted, reported or canceled. */
const isLocked = (record: RecordOf<typeof lockedOut>, because: string): void => {
  const { profile, calculation, submission, status, cancellation } = record
  isNegativeBetween(calculation, profile, because)
  isNoApplicationBetween(submission, profile, because)
  isUnreportedBetween(status, profile, because)
  if (couldBeCanceled(cancellation, profile)) isNotCanceled(cancellation, profile, because)
}

const withoutToken = scenario('loan operations without a token', applying(2), (session) =>
  lockedOut(session, () => [change.noHeader('Authorization')]),
)

check(LOA.loanCallWithoutTokenIsRefused, withoutToken, (record) =>
  isLocked(record, 'it carries no access token'),
)

note(LOA.statusCodesOfTheLoanOperations, withoutToken, ({ calculation: { changed } }) =>
  changed.map(({ status }) => `a precalculation without a token: ${String(status.value)}`).join(),
)

const withUnknownTokens = scenario(
  'loan operations with tokens that were never issued',
  applying(2),
  (session) =>
    lockedOut(session, (token) => [
      change.bearer(tampered(token, 'changed', 1)),
      change.bearer(tampered(token, 'cut', 0.5)),
    ]),
)

check(LOA.loanCallWithUnknownTokenIsRefused, withUnknownTokens, (record) =>
  isLocked(record, 'the bank never issued its token'),
)
