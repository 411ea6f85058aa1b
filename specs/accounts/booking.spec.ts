import {
  amountOf,
  areMovedBy,
  balancePaths,
  check,
  NotReached,
  scenario,
  ViolationError,
} from '../../harness/check/index.ts'
import type { Observed, ObservedExchange, Session } from '../../harness/check/index.ts'
import { listedBy } from './asking.ts'
import { electronic, namesOf } from './lists.ts'
import type { Names, Variant } from './lists.ts'
import { ACC } from './requirements.ts'

/** In the account's currency. No round sum, so that nothing else is likely to change a balance by as much. */
const AMOUNT = 17.31

/** How long a balance is given to become current, in ms: a minute, in steps. */
const STEPS = [1_000, 4_000, 10_000, 45_000] as const

/** Amounts may stand in the smallest part of the currency: how many of these make a whole is its own affair. */
const PARTS = [1, 100, 1000] as const

const isMoved = (before: readonly number[], after: readonly number[]): boolean =>
  areMovedBy(AMOUNT, { before, after }, PARTS)

/** The balances of an account of the service's own bank, before a booking and behind it. */
const bookAndRead = async (session: Session, variant: Variant) => {
  const { app, customer, levers, clock } = session
  const own = customer.accounts.find(({ bank, consented }) => consented && bank === 'own')
  const accounts = app.accounts(variant)
  const { accessToken } = await app.tokens()
  const { listed } = await listedBy(accounts, accessToken)
  const account = listed.find(({ iban }) => iban !== undefined && electronic(iban) === own?.iban)
  if (own === undefined || account === undefined)
    throw new NotReached(
      "no account at the service's own bank is listed under the IBAN that the profile knows",
    )
  const before = await accounts.read(accessToken, account)
  await levers.bookTransaction({ iban: own.iban, amount: AMOUNT })
  const after = [await accounts.read(accessToken, account)]
  for (const step of STEPS) {
    const [last] = after.slice(-1)
    if (last && isMoved(accounts.balancesIn(before), accounts.balancesIn(last))) break
    await clock.pass(step)
    after.push(await accounts.read(accessToken, account))
  }
  return { names: namesOf(session, variant), before, after }
}

const amountsOf = ({ body }: ObservedExchange, { balances, amount }: Names): readonly number[] => {
  const paths = balancePaths(body.field(balances).value, { balances, amount })
  const amounts = paths.map((path) => amountOf(body.field(`${path}.${amount}`).value))
  // That balances are there, and have amounts, is judged elsewhere.
  if (amounts.length > 0 && !amounts.some(Number.isNaN)) return amounts
  throw new NotReached('the account has no balance that can be read')
}

const isCurrent = ({ names, before, after }: Observed<Awaited<ReturnType<typeof bookAndRead>>>): void => {
  if (!before.accepted) throw new NotReached('the account was not answered before the booking')
  const last = after.at(-1) ?? before
  last.isAccepted('the account was answered before the booking')
  const [was, is] = [amountsOf(before, names), amountsOf(last, names)]
  if (isMoved(was, is)) return
  throw new ViolationError({
    subject: names.balances,
    expected: `one of ${was.join(', ')} changed by ${AMOUNT}, which was booked`,
    received: is.join(', '),
    exchange: last.id,
  })
}

const booked = scenario(
  'the balances of an account around a booking',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer', 'own-account', 'booking'] },
  (session) => bookAndRead(session, 'first'),
)

check(ACC.balanceOfTheOwnBankIsCurrent, booked, isCurrent)

const bookedInTheSecond = scenario(
  'the balances of an account around a booking in the second variant',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 1,
    needs: ['customer', 'own-account', 'booking', 'second-variant'],
  },
  (session) => bookAndRead(session, 'second'),
)

check(ACC.balanceIsCurrentInTheSecondVariant, bookedInTheSecond, isCurrent)
