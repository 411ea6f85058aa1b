import { asSubmission, check, couldBeCanceled, isNotCanceled, NotReached } from '../../harness/check/index.ts'
import { cancelInVain, scenario } from '../../harness/session/index.ts'
import type { RecordOf } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
import { accessTokenIn, areRefusedAs, asStatus } from './crossings.ts'
import { ENV } from './requirements.ts'

/** Every operation on applications with another token, between two requests with a token for loans. */
const operationsWith = async (session: Session, token: string) => {
  const loans = await session.loans()
  const theirs = loans.bearing(token)
  const submission = await session.between(
    () => loans.submit(),
    () => theirs.submit(),
  )
  const id = loans.idOf(submission.before)
  const status = await session.between(
    () => loans.status(id),
    () => theirs.status(id),
  )
  const cancellation = await cancelInVain({ clock: session.clock, loans }, submission.before, () =>
    theirs.cancel(id),
  )
  return { words: loans.profile, submission, status, cancellation }
}

/** Judges that nothing is submitted, reported or canceled. */
const areShut = (record: RecordOf<typeof operationsWith>, because: string): void => {
  const { words, submission, status, cancellation } = record
  areRefusedAs(asSubmission, submission, words, because)
  areRefusedAs(asStatus, status, words, because)
  if (couldBeCanceled(cancellation, words)) isNotCanceled(cancellation, words, because)
}

const withAccountToken = scenario(
  'the operations of an application with an access token for accounts',
  { effect: 'apply', as: 'any', needs: ['loans', 'access'], loans: { submitted: 2 } },
  async (session) => operationsWith(session, (await session.access()).accessToken),
)

check(ENV.accountTokenIsRefusedInTheLoanSandbox, withAccountToken, (record) =>
  areShut(record, 'the access token is one for accounts'),
)

/** By preference that of the application which asks for loans: another one does not know its loan applications anyway. */
const paymentTokenOf = async (session: Session): Promise<string> => {
  const { applications, loans } = session.profile
  const applicant = applications.find(({ name }) => name === loans?.applications?.[0]) ?? applications[0]
  try {
    return accessTokenIn(session, (await session.payments(applicant)).token)
  } catch (error) {
    if (!(error instanceof NotReached)) throw error
    return accessTokenIn(session, (await session.payments()).token)
  }
}

const withPaymentToken = scenario(
  'the operations of an application with an access token for payments',
  { effect: 'apply', as: 'any', needs: ['loans', 'payments', 'payment-bearer'], loans: { submitted: 2 } },
  async (session) => operationsWith(session, await paymentTokenOf(session)),
)

check(ENV.paymentTokenIsRefusedInTheLoanSandbox, withPaymentToken, (record) =>
  areShut(record, 'the access token is one for payments'),
)
