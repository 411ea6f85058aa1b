import {
  asCalculation,
  asSubmission,
  brokeDown,
  check,
  disclosesNothingOf,
  Inconclusive,
  isNotCanceled,
  loanCode,
  note,
  NotReached,
  wasNotProcessed,
  type Exchange,
  type LoanWords,
  type Observed,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import {
  change,
  retryServerErrorOnce,
  scenario,
  statusAfterCancellation,
  tampered,
  type Change,
  type LoanOperations,
  type Session,
} from '../../harness/session/index.ts'
import {
  isNegativeBetween,
  isNoApplicationBetween,
  isStillNew,
  isUntoldBetween,
  LARGEST,
  ORDINARY,
  SMALLEST,
  statusIn,
  tellsStatus,
} from './applications.ts'
import { LOA } from './requirements.ts'

const foreign = scenario(
  'the application of another client',
  { effect: 'apply', as: 'any', needs: ['loans', 'stranger-application'], loans: { submitted: 2 } },
  async (session) => {
    const loans = await session.loans()
    const stranger = session.profile.applications.find(({ name }) => name !== loans.application.name)
    if (stranger === undefined) throw new NotReached('the profile names no second application')
    const theirs = await session.loans(stranger)
    const submission = await loans.submit()
    const id = loans.idOf(submission)
    const own = await theirs.status(theirs.idOf(await theirs.submit()))
    const before = await loans.status(id)
    const read = await theirs.status(id)
    const attempt = await theirs.cancel(id)
    const after = await statusAfterCancellation({ clock: session.clock, loans }, id)
    await loans.cancel(id)
    return {
      profile: loans.profile,
      submission,
      own,
      before,
      read,
      attempt,
      after,
      last: await statusAfterCancellation({ clock: session.clock, loans }, id),
    }
  },
)

check(LOA.foreignApplicationIsNotTold, foreign, ({ profile, submission, own, before, read, after }) => {
  isUntoldBetween({ before, changed: read, after }, profile, 'another client has submitted the application')
  disclosesNothingOf(read, {
    theirs: [submission, before],
    ours: [own],
    name: 'the application of another client',
  })
})

check(LOA.foreignApplicationIsNotCanceled, foreign, ({ profile, before, attempt, after, last }) =>
  isNotCanceled({ attempt, before, after, last }, profile, 'another client has submitted the application'),
)

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

/** None of these is an amount within the bounds, however lenient its reader. */
const NO_AMOUNTS: readonly (readonly [what: string, amount: unknown])[] = [
  ['no amount', undefined],
  ['null as its amount', null],
  ['true as its amount', true],
  ['an empty text as its amount', ''],
  ['an amount in words', 'many'],
  ['an amount of 99 in a text', String(SMALLEST - 1)],
  ['an empty list as its amount', []],
  ['an empty object as its amount', {}],
  ['an amount of 99.50', SMALLEST - 0.5],
  ['an amount of 2000.50', LARGEST + 0.5],
  ['an amount of 1e300', 1e300],
]

/** Each case beside an ordinary one before and after. */
const besideOrdinary = async (ask: (amount: unknown) => Promise<Exchange>) => {
  const before = await ask(ORDINARY)
  const changed = []
  for (const [what, amount] of NO_AMOUNTS)
    changed.push({ what, answer: await retryServerErrorOnce(() => ask(amount)) })
  return { before, changed, after: await ask(ORDINARY) }
}

const calculated = scenario(
  'precalculations of what is no amount within the bounds',
  { effect: 'read', as: 'any', needs: ['loans'] },
  async (session) => {
    const { profile, precalculate } = await session.loans()
    return { profile, ...(await besideOrdinary((amount) => precalculate({ amount }))) }
  },
)

const submitted = scenario(
  'applications for what is no amount within the bounds',
  { effect: 'apply', as: 'any', needs: ['loans'], loans: { submitted: 2 } },
  async (session) => {
    const { profile, submit } = await session.loans()
    return { profile, ...(await besideOrdinary((amount) => submit({ amount }))) }
  },
)

interface Tried {
  readonly profile: LoanWords
  readonly before: ObservedExchange
  readonly changed: readonly { readonly what: string; readonly answer: ObservedExchange }[]
  readonly after: ObservedExchange
}

const wereAccepted = ({ before, after, profile }: Tried, read: typeof asCalculation): void => {
  if (!read(before, profile).accepted || !read(after, profile).accepted)
    throw new NotReached('the ordinary amount beside it was not accepted')
}

/** That it breaks down over none of them is judged by itself. */
const noneIsAccepted = (tried: Tried, read: typeof asCalculation): void => {
  wereAccepted(tried, read)
  const { changed, profile } = tried
  for (const { what, answer } of changed)
    if (!brokeDown(answer)) read(answer, profile).isRefused(`it has ${what}`)
  const broken = changed.find(({ answer }) => brokeDown(answer))
  if (broken !== undefined)
    throw new Inconclusive(`${broken.answer.id} was not refused but broke down: it has ${broken.what}`)
}

const noneIsABreakdown = (tried: Tried, read: typeof asCalculation): void => {
  wereAccepted(tried, read)
  for (const { what, answer } of tried.changed)
    answer.status.satisfies(!brokeDown(answer), `a status below 500: it has ${what}`)
}

check(LOA.malformedAmountIsNotCalculated, calculated, (tried) => noneIsAccepted(tried, asCalculation))

check(LOA.malformedApplicationIsRefused, submitted, (tried) => noneIsAccepted(tried, asSubmission))

check(LOA.malformedAmountIsNoBreakdown, calculated, (tried) => noneIsABreakdown(tried, asCalculation))

check(LOA.malformedAmountIsNoBreakdown, submitted, (tried) => noneIsABreakdown(tried, asSubmission))

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
