import { held, isByContent, NotReached } from '../../harness/check/index.ts'
import { idsOnPage, nextPosition } from '../../harness/session/index.ts'
import {
  currentDeadline,
  describeLeftOut,
  electronic,
  leftOutOfBookings,
  requireDecisive,
  waitsUntilCurrent,
  withLeftOut,
  type CurrentDeadline,
  type Variant,
} from '../shared/account-steps.ts'
import { checkInEachVariant, noteInEachVariant, scenarioInEachVariant } from '../shared/each-variant.ts'
import type { ObservedWalk, RecordOf } from '../../harness/check/index.ts'
import type { Position, Session, Walk } from '../../harness/session/index.ts'
import { contentOf, distinctIds, idsOn, lastExchangeOf, requireLastPage, violation } from './assertions.ts'
import {
  bindingOf,
  createWalker,
  fieldsOf,
  halfOf,
  listAccounts,
  pageRequester,
  SMALLEST,
  withAtLeast,
} from './steps.ts'
import { TRX } from './requirements.ts'
import type { KnownAccount } from './steps.ts'

/** What is booked in the account's currency: at first, to confirm a suspicion, and in the middle of a walk. */
const AMOUNTS = { first: 17.31, confirming: 19.43, meanwhile: -23.47 } as const

/** How many transactions are booked on an account between two walks, at most. */
const MOST_BOOKED = 1

/** By so many pages a walk may become longer because of bookings in the meantime. */
const MOST_NEW_PAGES = 3

/** Two accounts for bookings, with two pages or more where there are such: the shortest first. */
const accountsForBookings = async (session: Session, variant: Variant, accessToken: string) => {
  const listed = await listAccounts(session, variant, accessToken)
  const own = listed.filter(({ isOwn, count = 1 }) => isOwn && count > 0)
  const [first, second] = [...new Set([...withAtLeast(SMALLEST + 1, own), ...own])]
  if (first === undefined)
    throw new NotReached(
      withLeftOut(
        "no account at the service's own bank that may have transactions is listed under the IBAN that the profile knows (customers[0].accounts)",
        leftOutOfBookings(session),
      ),
    )
  return { first, second }
}

/** Sizes for about four pages. */
const sizesFor = ({ count = 0 }: KnownAccount): readonly number[] => [...new Set([halfOf(count / 2), 20, 50])]

const idsOf = ({ pages }: Walk): readonly string[] => pages.flatMap(({ ids }) => ids)

const hasNewTransaction = (before: Walk, after: Walk): boolean =>
  idsOf(after).some((id) => !idsOf(before).includes(id))

/** Adds walks until one has a transaction that an earlier walk lacks, or until the transactions have to be current. */
const walkUntilNew = async (
  session: Session,
  before: Walk,
  walks: Walk[],
  walk: () => Promise<Walk>,
): Promise<void> => {
  for (const wait of waitsUntilCurrent(session)) {
    if (walks.slice(-1).some((last) => hasNewTransaction(before, last))) return
    await session.clock.pass(wait)
    walks.push(await walk())
  }
}

/** Two accounts before and after bookings on the first of them, and a walk with a booking in the middle. */
const booked = scenarioInEachVariant(
  'the pages of two accounts around bookings',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer', 'own-account', 'booking'] },
  async (session, variant) => {
    const { testHooks } = session
    const app = session.app.for(variant)
    const { accessToken } = await app.tokens()
    const accounts = app.accounts(variant)
    const walkBy = createWalker(accounts, accessToken)
    const { first, second } = await accountsForBookings(session, variant, accessToken)
    const walk = (account: KnownAccount): Promise<Walk> => walkBy(account, sizesFor(account))
    const book = async ({ iban = '' }: KnownAccount, amount: number): Promise<void> => {
      await testHooks.bookTransaction({ iban: electronic(iban), amount })
    }

    const before = await walk(first)
    const other = second && { account: second, before: await walk(second) }
    await book(first, AMOUNTS.first)
    const after = [await walk(first)]
    await walkUntilNew(session, before, after, () => walk(first))
    const otherAfter: Walk[] = []
    if (other) {
      const next = await walk(other.account)
      otherAfter.push(next)
      if (hasNewTransaction(other.before, next)) {
        await book(first, AMOUNTS.confirming)
        await walk(first)
        otherAfter.push(await walk(other.account))
      }
    }
    const long = second ?? first
    const old = otherAfter.at(-1) ?? after.at(-1) ?? before
    const ask = pageRequester(accounts, accessToken, long, old.size)
    const meanwhile = []
    for (let position: Position | undefined; meanwhile.length <= old.pages.length + MOST_NEW_PAGES;) {
      const page = await ask(position)
      meanwhile.push(page)
      position = nextPosition(page, bindingOf(session, variant), position)
      if (position === undefined) break
      if (meanwhile.length === 1) await book(long, AMOUNTS.meanwhile)
    }
    // This booking is a debit, and may be on another account: a bank may list only credits, or only those of one account.
    const then = meanwhile.length > 1 ? [await walk(long)] : []
    if (then.length > 0) await walkUntilNew(session, old, then, () => walk(long))
    return {
      fields: fieldsOf(session, variant),
      account: first,
      before,
      after,
      ...(other && { other: { before: other.before, after: otherAfter } }),
      long,
      old,
      meanwhile,
      idsMeanwhile: meanwhile.map((page) => idsOnPage(page, bindingOf(session, variant)) ?? []),
      then,
      deadline: currentDeadline(session),
      leftOut: leftOutOfBookings(session),
    }
  },
)

type Booked = RecordOf<typeof booked.first>

const newIdsIn = (before: ObservedWalk, after: ObservedWalk): readonly string[] => {
  const known = new Set(before.ids)
  return distinctIds(after).filter((id) => !known.has(id))
}

const assertCurrent = ({ account, before, after, long, old, then, deadline }: Booked): void => {
  assertBookingListed({ account, was: before, walks: after, deadline }, AMOUNTS.first)
  if (then.length > 0)
    assertBookingListed({ account: long, was: old, walks: then, deadline }, AMOUNTS.meanwhile)
}

interface Shown {
  readonly account: Booked['account']
  readonly was: ObservedWalk
  readonly walks: readonly ObservedWalk[]
  readonly deadline: CurrentDeadline
}

const assertBookingListed = ({ account, was, walks, deadline }: Shown, amount: number): void => {
  for (const walk of [was, ...walks]) requireLastPage({ account, walk })
  const [last] = walks.slice(-1)
  if (last === undefined) throw new NotReached(`${account.accountId} was not read after the booking`)
  if (newIdsIn(was, last).length > 0) return held()
  requireDecisive(deadline)
  throw violation(
    lastExchangeOf(last),
    'the transactions of the account',
    `one more than before, since ${amount} was booked`,
    'those that were there before',
  )
}

const assertOtherAccountUnchanged = ({ account, other, leftOut }: Booked): void => {
  if (other === undefined)
    throw new NotReached(
      withLeftOut("only one account at the service's own bank is known for bookings", leftOut),
    )
  const { before, after } = other
  for (const walk of [before, ...after]) requireLastPage({ account, walk })
  const walks = [before, ...after]
  const grown = after.map((walk, at) => newIdsIn(walks[at] ?? before, walk))
  // Somebody else may have booked one transaction, but not one each time.
  const [last] = after.slice(-1)
  if (last === undefined) throw new NotReached('the other account was not read after the booking')
  if (after.length < 2 || grown.some((ids) => ids.length === 0)) return held()
  throw violation(
    lastExchangeOf(last),
    'the transactions of another account',
    'those that were there before',
    `${grown.flat().length} more, one with each booking on the first account`,
  )
}

/** The ids on the pages before and after a booking. @throws NotReached where there are not two, or one was refused. */
const idsAroundTheBooking = ({
  long,
  old,
  meanwhile,
  idsMeanwhile,
  fields,
  leftOut,
}: Booked): readonly string[] => {
  requireLastPage({ account: long, walk: old })
  if (meanwhile.length < 2)
    throw new NotReached(withLeftOut('no account has two pages of transactions', leftOut))
  for (const page of meanwhile)
    if (idsOn(page, fields) === undefined) throw new NotReached(`${page.id} was refused after a booking`)
  return idsMeanwhile.flat().map(contentOf)
}

/**
 * The ids with the oldest first: new transactions are at one end, and the oldest at the other. In both directions where a
 * new transaction may have no id, as a pending one.
 */
const oldestFirst = (old: ObservedWalk, last: ObservedWalk): readonly (readonly string[])[] => {
  const known = new Set(old.ids)
  const isNew = (id: string | undefined): boolean => id !== undefined && !known.has(id)
  const ids = distinctIds(old).filter((id) => !isByContent(id))
  if (isNew(last.ids[0])) return [ids.toReversed()]
  if (isNew(last.ids.at(-1))) return [ids]
  return last.ids.some(isByContent) ? [ids, ids.toReversed()] : []
}

/**
 * The oldest transactions that are no longer listed: a bank may list so many transactions, or so many days, so that a
 * booking removes an old one.
 */
const removedAsOld = (old: ObservedWalk, [last]: readonly ObservedWalk[]): readonly string[] => {
  if (last === undefined) return []
  const gone = oldestFirst(old, last)
    .map((ids) =>
      ids.slice(
        0,
        ids.findIndex((id) => last.ids.includes(id)),
      ),
    )
    .find((ids) => ids.length > 0)
  return gone !== undefined && gone.length <= MOST_BOOKED ? gone : []
}

const assertNothingLost = (record: Booked): void => {
  const { old, meanwhile, then } = record
  const seen = new Set([...idsAroundTheBooking(record), ...removedAsOld(old, then.slice(-1)).map(contentOf)])
  const lost = distinctIds(old).filter((id) => !seen.has(contentOf(id)))
  const [first] = lost
  if (first === undefined) return held()
  throw violation(
    meanwhile.at(-1)?.id ?? '',
    `transaction ${first}`,
    'to be on one of the pages, as it was before the booking',
    `it is not on the ${meanwhile.length} pages, and ${lost.length - 1} others are not either`,
  )
}

const describeDoubles = (record: Booked): string => {
  const ids = idsAroundTheBooking(record)
  const count = ids.length - new Set(ids).size
  return `a booking in the middle of a walk shows ${count} older transactions twice`
}

checkInEachVariant(
  [TRX.transactionsOfTheOwnBankAreCurrent, TRX.transactionsAreCurrentInTheSecondVariant],
  booked,
  assertCurrent,
)

checkInEachVariant(
  [TRX.pageIsThatOfTheAccount, TRX.pageIsThatOfTheAccountInTheSecondVariant],
  booked,
  assertOtherAccountUnchanged,
)

checkInEachVariant(
  [TRX.bookingLeavesNothingOut, TRX.bookingLeavesNothingOutInTheSecondVariant],
  booked,
  assertNothingLost,
)

noteInEachVariant(
  TRX.envelopeOfAPage,
  booked,
  (record, variant) => `${variant} variant: ${describeDoubles(record)}`,
)
noteInEachVariant(TRX.fieldsOfATransaction, booked, ({ leftOut }) => describeLeftOut(leftOut))
