import { isRefusedBetween, loanStatus, NotReached, statusOfCanceled } from '../../harness/check/index.ts'
import type {
  EnvironmentSession,
  Exchange,
  Loans,
  LoanWords,
  ObservedExchange,
  Session,
} from '../../harness/check/index.ts'

/** What the scenarios of this chapter have in common: from one environment to the other. */

export type Environment = Parameters<Session['at']>[0]

/** In the words of a title. */
export const NAMES: Readonly<Record<Environment, string>> = {
  sandbox: 'the sandbox',
  production: 'production',
}

export const otherThan = (environment: Environment): Environment =>
  environment === 'sandbox' ? 'production' : 'sandbox'

/** Both sides of a border: where something was issued, and where it is tried. */
export interface Sides {
  readonly home: EnvironmentSession
  readonly abroad: EnvironmentSession
}

export const sidesOf = (session: Session, from: Environment): Sides => ({
  home: session.at(from),
  abroad: session.at(otherThan(from)),
})

/** The access token that an answer carries. @throws NotReached where it carries none. */
export const accessTokenIn = ({ app }: Pick<Session, 'app'>, answer: Exchange): string => {
  const { accessToken } = app.tokensIn(answer)
  if (accessToken === undefined) throw new NotReached(`${answer.id} brought no access token`)
  return accessToken
}

interface Attempt {
  readonly accepted: boolean
  isRefused(because: string): void
}

/** What was issued in one environment, tried in the other between two requests of that environment's own. */
export interface Crossing<One> {
  readonly before: One
  readonly changed: One
  readonly after: One
  /** Where it was issued it is good: else its refusal shows nothing of any border. */
  readonly atHome: One
}

/** Judges that the border is kept. @throws NotReached where it was not good at home either. */
export const staysAtHome = (crossing: Crossing<Attempt>, because: string): void => {
  isRefusedBetween(crossing, because)
  if (!crossing.atHome.accepted) throw new NotReached('it was not accepted where it was issued either')
}

/** A status is answered where the answer tells one; a page of a gateway tells none. */
export const asStatus = (answer: ObservedExchange, words: LoanWords): Attempt => {
  const status = loanStatus(answer, words)
  const accepted = status.value !== undefined && status.value !== null
  return {
    accepted,
    isRefused: (because: string): void => status.satisfies(!accepted, `nothing: ${because}`),
  }
}

/** A DELETE that must not cancel an application, before one that must: else that it is left alone shows nothing. */
export const cancelInVain = async (
  { clock }: Pick<Session, 'clock'>,
  loans: Loans,
  id: string,
  cancel: () => Promise<Exchange>,
) => {
  const before = await loans.status(id)
  const attempt = await cancel()
  const after = await statusOfCanceled({ clock, loans }, id)
  await loans.cancel(id)
  return { before, attempt, after, last: await statusOfCanceled({ clock, loans }, id) }
}
