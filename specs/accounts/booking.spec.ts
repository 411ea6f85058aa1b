import {
  amountOf,
  areMovedBy,
  assert,
  balancePaths,
  held,
  keepDirection,
  movesBy,
  newBalances,
  NotReached,
  ViolationError,
} from '../../harness/check/index.ts'
import {
  currentDeadline,
  describeLeftOut,
  electronic,
  leftOutOfBookings,
  requireDecisive,
  waitsUntilCurrent,
  withLeftOut,
} from '../shared/account-steps.ts'
import { checkInEachVariant, noteInEachVariant, scenarioInEachVariant } from '../shared/each-variant.ts'
import type { Exchange, ObservedExchange, RecordOf } from '../../harness/check/index.ts'
import type { ListedAccount, Session } from '../../harness/session/index.ts'
import { fieldsOf } from './assertions.ts'
import { listAccounts } from './steps.ts'
import type { Fields } from './assertions.ts'
import { ACC } from './requirements.ts'

/**
 * In the account's currency: to the first account, from the second, and then from the first. They are no round sums, so that
 * nothing else is likely to change a balance by as much.
 */
const AMOUNTS = { first: 17.31, second: -19.43, back: -15.23 } as const

const isMoved = (amount: number, before: readonly number[], after: readonly number[]): boolean =>
  areMovedBy(amount, { before, after })

/** One or two accounts for bookings. */
const accountsForBookings = (session: Session, listed: readonly ListedAccount[]) => {
  const leftOut = leftOutOfBookings(session)
  const own = session.customer.accounts.filter(
    ({ bank, consented, iban }) => consented && bank === 'own' && !leftOut.includes(iban),
  )
  const [first, second] = own.flatMap(({ iban }) => {
    const account = listed.find((one) => one.iban !== undefined && electronic(one.iban) === iban)
    return account === undefined ? [] : [{ ...account, iban }]
  })
  if (first === undefined)
    throw new NotReached(
      withLeftOut(
        "no account at the service's own bank that may have transactions is listed under the IBAN that the profile knows (customers[0].accounts)",
        leftOut,
      ),
    )
  return { first, second }
}

/** The balances of two accounts of the service's own bank around a booking on each, and around a debit of the first. */
const booked = scenarioInEachVariant(
  'the balances of an account around a booking',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer', 'own-account', 'booking'] },
  async (session, variant) => {
    const { testHooks, clock } = session
    const app = session.app.for(variant)
    const accounts = app.accounts(variant)
    const { accessToken } = await app.tokens()
    const { listed } = await listAccounts(accounts, accessToken)
    const { first, second } = accountsForBookings(session, listed)
    // The second account by its IBAN, as a customer types it.
    const read = ({ accountId, iban }: typeof first): Promise<Exchange> =>
      accounts.read(accessToken, variant === 'second' && iban === second?.iban ? { iban } : { accountId })

    /** Books on an account, and reads it until it shows the booking; the other one before and after. */
    const round = async (amount: number, account: typeof first, other: typeof first | undefined) => {
      const beforeOnOther = other && (await read(other))
      const before = await read(account)
      await testHooks.bookTransaction({ iban: account.iban, amount })
      const after = [await read(account)]
      for (const wait of waitsUntilCurrent(session)) {
        const [last] = after.slice(-1)
        if (last && isMoved(amount, accounts.balancesIn(before), accounts.balancesIn(last))) break
        await clock.pass(wait)
        after.push(await read(account))
      }
      if (other === undefined || beforeOnOther === undefined) return { amount, before, after }
      return { amount, before, after, other: { before: beforeOnOther, after: await read(other) } }
    }

    const rounds = [await round(AMOUNTS.first, first, second)]
    if (second) rounds.push(await round(AMOUNTS.second, second, first))
    rounds.push(await round(AMOUNTS.back, first, undefined))
    return {
      fields: fieldsOf(session, variant),
      rounds,
      deadline: currentDeadline(session),
      leftOut: leftOutOfBookings(session),
    }
  },
)

type Booked = RecordOf<typeof booked.first>
type Round = Booked['rounds'][number]

const amountsOf = ({ body }: ObservedExchange, { balances, amount }: Fields): readonly number[] => {
  const paths = balancePaths(body.field(balances).value, { balances, amount })
  const given = paths
    .map((path) => body.field(`${path}.${amount}`).value)
    .filter((value) => value !== undefined && value !== null)
  const amounts = given.map(amountOf)
  if (amounts.length > 0 && !amounts.some(Number.isNaN)) return amounts
  throw new NotReached('the account has no balance that can be read')
}

/** How a booking has moved the balances of its account. */
const movesIn = ({ amount, before, after }: Round, { fields, deadline }: Booked) => {
  if (!before.accepted) throw new NotReached('the account was not answered before the booking')
  const last = after.at(-1) ?? before
  last.isAccepted('the account was answered before the booking')
  const [was, is] = [amountsOf(before, fields), amountsOf(last, fields)]
  const moves = movesBy(amount, { before: was, after: is })
  if (moves.length === 0) requireDecisive(deadline)
  assert(moves.length > 0, () => ({
    subject: fields.balances,
    expected: `one of ${was.join(', ')} changed by ${amount}, which was booked`,
    received: is.join(', '),
    exchange: last.id,
  }))
  return { amount, moves, exchange: last.id }
}

const assertCurrent = (record: Booked): void => {
  const all = record.rounds.map((round) => movesIn(round, record))
  // The first and the last booking are on the same account.
  const [credit, debit] = [all[0], all.at(-1)]
  if (credit === undefined || debit === undefined) return
  assert(keepDirection(credit.moves, debit.moves), () => ({
    subject: record.fields.balances,
    expected: `a change by ${debit.amount}, in the opposite direction of the change by ${credit.amount} (${credit.exchange})`,
    received: 'a change in the same direction',
    exchange: debit.exchange,
  }))
}

/** How many balances have changed, where one of them has changed by that amount. */
const movedBy = (amount: number, before: readonly number[], after: readonly number[]): number =>
  isMoved(amount, before, after) ? newBalances({ before, after }).length : 0

/**
 * Whether a booking has moved the balances of the other account as it has those of its own: two of them at least, since
 * accounts may share what is available.
 */
const movesBoth = ({ amount, before, after, other }: Round, fields: Fields): boolean => {
  const last = after.at(-1)
  if (last === undefined) return false
  const was = other?.before ?? before
  const is = other?.after ?? before
  if (![before, last, was, is].every(({ accepted }) => accepted))
    throw new NotReached('one of the accounts was not answered')
  const own = movedBy(amount, amountsOf(before, fields), amountsOf(last, fields))
  return own > 1 && movedBy(amount, amountsOf(was, fields), amountsOf(is, fields)) >= own
}

const assertOtherAccountNotMoved = ({ fields, rounds, leftOut }: Booked): void => {
  // Somebody else may have booked the same amount once, but not each time.
  const ofTwo = rounds.filter(({ other }) => other !== undefined)
  const isEachTime = ofTwo.map((round) => movesBoth(round, fields)).every(Boolean)
  if (ofTwo.length < 2) throw new NotReached(withLeftOut('something was booked on one account only', leftOut))
  if (!isEachTime) return held()
  const { amount, other } = rounds[0] ?? {}
  throw new ViolationError({
    subject: fields.balances,
    expected: `not to be changed by ${amount ?? 0}, which was booked on another account`,
    received: 'this change, and a change by the booking in the opposite direction',
    exchange: other?.after.id ?? '',
  })
}

checkInEachVariant(
  [ACC.balanceOfTheOwnBankIsCurrent, ACC.balanceIsCurrentInTheSecondVariant],
  booked,
  assertCurrent,
)

checkInEachVariant(
  [ACC.detailIsThatOfTheAccount, ACC.informationIsThatOfTheAccount],
  booked,
  assertOtherAccountNotMoved,
)

noteInEachVariant(ACC.fieldsOfTheBalances, booked, ({ leftOut }) => describeLeftOut(leftOut))
