import { check, NotReached, note, positionBehind, scenario } from '../../harness/check/index.ts'
import { asking, createWalker, electronic, listedBy, SMALLEST, withAtLeast } from './asking.ts'
import { TRX } from './requirements.ts'
import { idsOn } from './laws.ts'
import { bindingOf, distinct, isEnded, lastExchange, namesOf, violated } from './walks.ts'
import type { Observed, ObservedWalk, Position, Session, Walk } from '../../harness/check/index.ts'
import type { KnownAccount, Variant } from './asking.ts'

/** In the account's currency: what is booked first, and in the middle of a walk. */
const AMOUNTS = { first: 17.31, confirming: 19.43, meanwhile: -23.47 } as const

/** How long a transaction is given to become current, in ms: a minute, in steps. */
const STEPS = [1_000, 4_000, 10_000, 45_000] as const

/** How many are booked on an account at most between two walks over it. */
const BOOKED = 1

/** By so many pages a walk may become longer, for all that is booked in the meantime. */
const MORE = 3

/** Two accounts on which may be booked, with two pages or more, as far as any have: those with the fewest first. */
const twoOwn = async (session: Session, variant: Variant, accessToken: string) => {
  const listed = await listedBy(session, variant, accessToken)
  // A booking on an account that is known to be empty would spoil it for those who come later.
  const own = listed.filter(({ isOwn, count = 1 }) => isOwn && count > 0)
  const [first, second] = [...new Set([...withAtLeast(SMALLEST + 1, own), ...own])]
  if (first === undefined)
    throw new NotReached(
      "no account at the service's own bank is listed under the IBAN that the profile knows",
    )
  return { first, second }
}

const sizesFor = ({ count = 0 }: KnownAccount): readonly number[] => {
  const half = Math.min(50, Math.max(SMALLEST, Math.floor(count / 2 / 10) * 10))
  return [...new Set([half, 20, 50])]
}

const idsOf = ({ pages }: Walk): readonly string[] => pages.flatMap(({ ids }) => ids)

const hasNew = (before: Walk, after: Walk): boolean => idsOf(after).some((id) => !idsOf(before).includes(id))

/** Two accounts before and after bookings on the first of them, and a walk with a booking in the middle. */
const bookAndWalk = async (session: Session, variant: Variant) => {
  const { app, levers, clock } = session
  const { accessToken } = await app.tokens()
  const accounts = app.accounts(variant)
  const walkBy = createWalker(accounts, accessToken)
  const { first, second } = await twoOwn(session, variant, accessToken)
  const walk = (account: KnownAccount): Promise<Walk> => walkBy(account, sizesFor(account))
  const book = async ({ iban = '' }: KnownAccount, amount: number): Promise<void> => {
    await levers.bookTransaction({ iban: electronic(iban), amount })
  }

  const before = await walk(first)
  let beside = second && { before: await walk(second), after: [] as Walk[] }
  await book(first, AMOUNTS.first)
  const after = [await walk(first)]
  for (const step of STEPS) {
    if (after.slice(-1).some((last) => hasNew(before, last))) break
    await clock.pass(step)
    after.push(await walk(first))
  }
  if (second && beside) {
    beside = { ...beside, after: [await walk(second)] }
    if (beside.after.some((last) => hasNew(beside?.before ?? last, last))) {
      await book(first, AMOUNTS.confirming)
      await walk(first)
      beside.after.push(await walk(second))
    }
  }
  const long = second ?? first
  const old = beside?.after.at(-1) ?? after.at(-1) ?? before
  const ask = asking(accounts, accessToken, long, old.size)
  const meanwhile = []
  for (let position: Position | undefined; meanwhile.length <= old.pages.length + MORE;) {
    const page = await ask(position)
    meanwhile.push(page)
    position = positionBehind(page, bindingOf(session, variant), position)
    if (position === undefined) break
    if (meanwhile.length === 1) await book(long, AMOUNTS.meanwhile)
  }
  // Money has left the other account: a list may be current of the one account, or of what comes to it, alone.
  const then = meanwhile.length > 1 ? [await walk(long)] : []
  for (const step of then.length > 0 ? STEPS : []) {
    if (then.slice(-1).some((last) => hasNew(old, last))) break
    await clock.pass(step)
    then.push(await walk(long))
  }
  const names = namesOf(session, variant)
  return { names, account: first, before, after, beside, long, old, meanwhile, then }
}

type Booked = Observed<Awaited<ReturnType<typeof bookAndWalk>>>

const newIn = (before: ObservedWalk, after: ObservedWalk): readonly string[] => {
  const known = new Set(before.ids)
  return distinct(after).filter((id) => !known.has(id))
}

const isCurrent = ({ account, before, after, long, old, then }: Booked): void => {
  showsTheBooking({ account, was: before, walks: after }, AMOUNTS.first)
  if (then.length > 0) showsTheBooking({ account: long, was: old, walks: then }, AMOUNTS.meanwhile)
}

interface Shown {
  readonly account: Booked['account']
  readonly was: ObservedWalk
  readonly walks: readonly ObservedWalk[]
}

const showsTheBooking = ({ account, was, walks }: Shown, amount: number): void => {
  for (const walk of [was, ...walks]) isEnded({ account, walk })
  const [last] = walks.slice(-1)
  if (last === undefined || newIn(was, last).length > 0) return
  throw violated(
    lastExchange(last),
    'the transactions of the account',
    `one more than before, since ${amount} was booked`,
    'those that were there before',
  )
}

const isBookedThereAlone = ({ account, beside }: Booked): void => {
  if (beside === undefined) throw new NotReached("one account alone is known at the service's own bank")
  const { before, after } = beside
  for (const walk of [before, ...after]) isEnded({ account, walk })
  const walks = [before, ...after]
  const grown = after.map((walk, at) => newIn(walks[at] ?? before, walk))
  // One may have been booked by somebody else; not one each time.
  const [last] = after.slice(-1)
  if (last === undefined || after.length < 2 || grown.some((ids) => ids.length === 0)) return
  throw violated(
    lastExchange(last),
    'the transactions of another account',
    'those that were there before',
    `${grown.flat().length} more, one with each booking on the first account`,
  )
}

/** What stands on the pages around a booking. @throws NotReached where there are not two, or one was refused. */
const idsMeanwhile = ({ long, old, meanwhile, names }: Booked): readonly string[] => {
  isEnded({ account: long, walk: old })
  if (meanwhile.length < 2) throw new NotReached('no account has two pages of transactions')
  return meanwhile.flatMap((page) => {
    const ids = idsOn(page, names)
    if (ids === undefined) throw new NotReached(`${page.id} was refused, behind a booking`)
    return ids
  })
}

/** Whose oldest come first: what is booked stands at one end, and what is oldest at the other. */
const byAge = (old: ObservedWalk, last: ObservedWalk): readonly string[] => {
  const known = new Set(old.ids)
  const isNew = (id: string | undefined): boolean => id !== undefined && !known.has(id)
  if (isNew(last.ids[0])) return distinct(old).toReversed()
  return isNew(last.ids.at(-1)) ? distinct(old) : []
}

/**
 * The oldest ones that are gone for good: a bank may show so many transactions of an account, or so many days, and each
 * booking pushes an old one out.
 */
const pushedOut = (old: ObservedWalk, [last]: readonly ObservedWalk[]): readonly string[] => {
  if (last === undefined) return []
  const ids = byAge(old, last)
  const gone = ids.slice(
    0,
    ids.findIndex((id) => last.ids.includes(id)),
  )
  return gone.length <= BOOKED ? gone : []
}

const nothingIsLost = (record: Booked): void => {
  const { old, meanwhile, then } = record
  const seen = new Set([...idsMeanwhile(record), ...pushedOut(old, then.slice(-1))])
  const lost = distinct(old).filter((id) => !seen.has(id))
  const [first] = lost
  if (first === undefined) return
  throw violated(
    meanwhile.at(-1)?.id ?? '',
    `transaction ${first}`,
    'to stand on one of the pages, as it did before the booking',
    `none of ${meanwhile.length} pages has it, nor ${lost.length - 1} others`,
  )
}

const doubled = (record: Booked): string => {
  const ids = idsMeanwhile(record)
  const count = ids.length - new Set(ids).size
  return `a booking in the middle of a walk shows ${count} older transactions twice`
}

const booked = scenario(
  'the pages of two accounts around bookings',
  { effect: 'consent', as: 'each', authorizations: 1, needs: ['customer', 'own-account', 'booking'] },
  (session) => bookAndWalk(session, 'first'),
)

check(TRX.transactionsOfTheOwnBankAreCurrent, booked, isCurrent)

check(TRX.pageIsThatOfTheAccount, booked, isBookedThereAlone)

check(TRX.bookingLeavesNothingOut, booked, nothingIsLost)

note(TRX.envelopeOfAPage, booked, (record) => `first variant: ${doubled(record)}`)

const bookedInTheSecond = scenario(
  'the pages of two accounts around bookings in the second variant',
  {
    effect: 'consent',
    as: 'each',
    authorizations: 1,
    needs: ['customer', 'own-account', 'booking', 'second-variant'],
  },
  (session) => bookAndWalk(session, 'second'),
)

check(TRX.transactionsAreCurrentInTheSecondVariant, bookedInTheSecond, isCurrent)

check(TRX.pageIsThatOfTheAccountInTheSecondVariant, bookedInTheSecond, isBookedThereAlone)

check(TRX.bookingLeavesNothingOutInTheSecondVariant, bookedInTheSecond, nothingIsLost)

note(TRX.envelopeOfAPage, bookedInTheSecond, (record) => `second variant: ${doubled(record)}`)
