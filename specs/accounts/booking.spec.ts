import {
  amountOf,
  areMovedBy,
  balancePaths,
  check,
  newBalances,
  NotReached,
  scenario,
  ViolationError,
} from '../../harness/check/index.ts'
import type {
  Exchange,
  ListedAccount,
  Observed,
  ObservedExchange,
  Session,
} from '../../harness/check/index.ts'
import { listedBy } from './asking.ts'
import { electronic, namesOf } from './lists.ts'
import type { Names, Variant } from './lists.ts'
import { ACC } from './requirements.ts'

/**
 * In the account's currency: to the first account, and from the second. No round sums, so that nothing else is likely
 * to change a balance by as much.
 */
const AMOUNTS = { first: 17.31, second: -19.43 } as const

/** How long a balance is given to become current, in ms: a minute, in steps. */
const STEPS = [1_000, 4_000, 10_000, 45_000] as const

/** Amounts may stand in the smallest part of the currency: how many of these make a whole is its own affair. */
const PARTS = [1, 100, 1000] as const

const isMoved = (amount: number, before: readonly number[], after: readonly number[]): boolean =>
  areMovedBy(amount, { before, after }, PARTS)

/** Two accounts on which may be booked; one that is known to be empty would be spoiled for those who come later. */
const twoOwn = ({ customer }: Session, listed: readonly ListedAccount[]) => {
  const own = customer.accounts.filter(({ bank, consented }) => consented && bank === 'own')
  const known = own.flatMap(({ iban, transactions }) => {
    const account = listed.find((one) => one.iban !== undefined && electronic(one.iban) === iban)
    return account === undefined ? [] : [{ ...account, iban, isEmpty: transactions === 0 }]
  })
  const [first] = known
  if (first === undefined || first.iban !== own[0]?.iban)
    throw new NotReached(
      "no account at the service's own bank is listed under the IBAN that the profile knows",
    )
  return { first, second: known.slice(1).find(({ isEmpty }) => !isEmpty) }
}

/** The balances of two accounts of the service's own bank, around a booking on the one and another on the other. */
const bookAndRead = async (session: Session, variant: Variant) => {
  const { app, levers, clock } = session
  const accounts = app.accounts(variant)
  const { accessToken } = await app.tokens()
  const { listed } = await listedBy(accounts, accessToken)
  const { first, second } = twoOwn(session, listed)
  const read = (account: ListedAccount): Promise<Exchange> => accounts.read(accessToken, account)

  /** Books on one account, and reads it until it shows that; the other one before and behind it. */
  const round = async (amount: number, account: typeof first, other: typeof first | undefined) => {
    const beside = other && [await read(other)]
    const before = await read(account)
    await levers.bookTransaction({ iban: account.iban, amount })
    const after = [await read(account)]
    for (const step of STEPS) {
      const [last] = after.slice(-1)
      if (last && isMoved(amount, accounts.balancesIn(before), accounts.balancesIn(last))) break
      await clock.pass(step)
      after.push(await read(account))
    }
    if (other) beside?.push(await read(other))
    return { amount, before, after, ...(beside && { beside }) }
  }

  const rounds = [await round(AMOUNTS.first, first, second)]
  if (second) rounds.push(await round(AMOUNTS.second, second, first))
  return { names: namesOf(session, variant), rounds }
}

type Booked = Observed<Awaited<ReturnType<typeof bookAndRead>>>
type Round = Booked['rounds'][number]

const amountsOf = ({ body }: ObservedExchange, { balances, amount }: Names): readonly number[] => {
  const paths = balancePaths(body.field(balances).value, { balances, amount })
  const amounts = paths.map((path) => amountOf(body.field(`${path}.${amount}`).value))
  // That balances are there, and have amounts, is judged elsewhere.
  if (amounts.length > 0 && !amounts.some(Number.isNaN)) return amounts
  throw new NotReached('the account has no balance that can be read')
}

const isCurrent = ({ names, rounds }: Booked): void => {
  for (const { amount, before, after } of rounds) {
    if (!before.accepted) throw new NotReached('the account was not answered before the booking')
    const last = after.at(-1) ?? before
    last.isAccepted('the account was answered before the booking')
    const [was, is] = [amountsOf(before, names), amountsOf(last, names)]
    if (isMoved(amount, was, is)) continue
    throw new ViolationError({
      subject: names.balances,
      expected: `one of ${was.join(', ')} changed by ${amount}, which was booked`,
      received: is.join(', '),
      exchange: last.id,
    })
  }
}

/** How many balances have become others by that amount. */
const movedBy = (amount: number, before: readonly number[], after: readonly number[]): number =>
  isMoved(amount, before, after) ? newBalances({ before, after }).length : 0

/**
 * Whether a booking has moved the balances of the other account as it has those of its own: two of them at least, since
 * accounts may share what is available.
 */
const movesBoth = ({ amount, before, after, beside = [] }: Round, names: Names): boolean => {
  const last = after.at(-1)
  // One account alone shows nothing of another.
  const [was = before, is = before] = beside
  if (last === undefined) return false
  if (![before, last, was, is].every(({ accepted }) => accepted))
    throw new NotReached('one of the accounts was not answered')
  const own = movedBy(amount, amountsOf(before, names), amountsOf(last, names))
  return own > 1 && movedBy(amount, amountsOf(was, names), amountsOf(is, names)) >= own
}

const isBookedThereAlone = ({ names, rounds }: Booked): void => {
  // Somebody else may have booked as much; not each time.
  const isEachTime = rounds.map((round) => movesBoth(round, names)).every(Boolean)
  if (!isEachTime || rounds.length < 2) return
  const { amount, beside: [, last] = [] } = rounds[0] ?? {}
  throw new ViolationError({
    subject: names.balances,
    expected: `not to be changed by ${amount ?? 0}, which was booked on another account`,
    received: 'the change, and that by what was booked in the opposite direction',
    exchange: last?.id ?? '',
  })
}

const booked = scenario(
  'the balances of an account around a booking',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer', 'own-account', 'booking'] },
  (session) => bookAndRead(session, 'first'),
)

check(ACC.balanceOfTheOwnBankIsCurrent, booked, isCurrent)

check(ACC.detailIsThatOfTheAccount, booked, isBookedThereAlone)

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

check(ACC.informationIsThatOfTheAccount, bookedInTheSecond, isBookedThereAlone)
