import {
  areMovedBy,
  check,
  Inconclusive,
  isAccepted,
  newBalances,
  NotReached,
  scenario,
  ViolationError,
} from '../../harness/check/index.ts'
import type { Access, Accounts, ListedAccount, Observed, Session, Walk } from '../../harness/check/index.ts'
import { REF } from './requirements.ts'
import { hasEnded, otherBanksOf, PAUSE, refreshed, takenOf } from './refreshing.ts'

/** What is booked before each refresh, in the account's currency: no round sums, and none twice. */
const AMOUNTS = [17.31, -23.47] as const

/** Amounts may be told in whole units of the currency, or in hundredths of them. */
const PARTS = [1, 100] as const

/** The bounds of the first variant are not shown: the first of these that is taken. */
const PAGE_SIZES = [100, 50, 20, 10] as const

/** Of sizes that are all refused the last one is told. */
const walkedBy = async (accounts: Accounts, accessToken: string, account: ListedAccount): Promise<Walk> => {
  let walk = await accounts.walk(accessToken, account, PAGE_SIZES[0])
  for (const size of PAGE_SIZES.slice(1)) {
    if (walk.end !== 'refused' || walk.pages.length > 1) break
    walk = await accounts.walk(accessToken, account, size)
  }
  return walk
}

/** An account as one variant lists it. */
interface Place {
  readonly variant: Accounts['variant']
  readonly account: ListedAccount
}

const electronic = (iban = ''): string => iban.replaceAll(/\s/g, '').toUpperCase()

/** The same accounts in each variant, as far as the second one is there and lists them. */
const placesOf = async (
  { app, profile }: Session,
  { accessToken }: Access,
  known: readonly ListedAccount[],
): Promise<readonly Place[]> => {
  const first = known.map((account): Place => ({ variant: 'first', account }))
  if (profile.secondVariant === undefined) return first
  const accounts = app.accounts('second')
  const list = await accounts.list(accessToken)
  const ibans = known.map(({ iban }) => electronic(iban))
  const listed = isAccepted(list) ? accounts.accountsIn(list) : []
  const second = listed
    .filter(({ iban }) => ibans.includes(electronic(iban)))
    .map((account): Place => ({ variant: 'second', account }))
  const isAmbiguous = new Set(listed.map(({ accountId }) => accountId)).size < listed.length
  return isAmbiguous ? first : [...first, ...second]
}

/** What the target answers of one account. */
const lookAt = async ({ app }: Session, { accessToken }: Access, { variant, account }: Place) => {
  const accounts = app.accounts(variant)
  const detail = await accounts.read(accessToken, account)
  return {
    variant,
    detail,
    balances: accounts.balancesIn(detail),
    walk: await walkedBy(accounts, accessToken, account),
  }
}

const lookAtAll = async (session: Session, access: Access, places: readonly Place[]) => {
  const views = []
  for (const place of places) views.push(await lookAt(session, access, place))
  return views
}

type Look = Awaited<ReturnType<typeof lookAt>>

const idsIn = ({ pages }: Walk): readonly string[] => pages.flatMap(({ ids }) => ids)

/** Whether an account shows what was booked on it, in its balances and in its transactions. */
const showsTheBooking = (amount: number, was: Look, is: Look): boolean => {
  const known = idsIn(was.walk)
  const isMoved = areMovedBy(amount, { before: was.balances, after: is.balances }, PARTS)
  return isMoved && idsIn(is.walk).some((id) => !known.includes(id))
}

/** How long the data are given to be there once FINISHED is reported, in ms: a minute, in steps. */
const STEPS = [1_000, 4_000, 10_000, 45_000] as const

/** Looks at the accounts of a refresh that has ended until each of them, in each variant, shows what was booked. */
const lookBehindIt = async (
  session: Session,
  access: Access,
  places: readonly Place[],
  { amount, before }: { readonly amount: number; readonly before: readonly Look[] },
): Promise<readonly Look[]> => {
  let after = await lookAtAll(session, access, places)
  const isShown = (was: Look, at: number): boolean => {
    const is = after[at]
    return is !== undefined && showsTheBooking(amount, was, is)
  }
  for (const step of STEPS) {
    if (before.every(isShown)) break
    await session.clock.pass(step)
    after = await lookAtAll(session, access, places)
  }
  return after
}

const data = scenario(
  'refreshes after bookings at other banks',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 1,
    needs: ['customer', 'webhook', 'other-bank-account', 'booking'],
  },
  async (session) => {
    const { app, webhook, levers } = session
    await webhook.activate()
    const tokens = await app.tokens()
    const banks = await otherBanksOf(session, tokens)
    const accounts = banks.flatMap((bank) => bank.accounts)
    const places = await placesOf(session, tokens, accounts)
    const rounds = []
    let before: readonly Look[] = await lookAtAll(session, tokens, places)
    for (const amount of AMOUNTS) {
      if (rounds.length > 0) await webhook.listen(PAUSE)
      for (const { iban = '' } of accounts) await levers.bookTransaction({ iban: electronic(iban), amount })
      const course = await refreshed(session, tokens, banks)
      const after = await lookBehindIt(session, tokens, places, { amount, before })
      rounds.push({ amount, course, before, after })
      before = after
    }
    return { rounds }
  },
)

type View = Observed<Awaited<ReturnType<typeof lookAt>>>

/** One account around a booking and a refresh. */
interface Update {
  readonly amount: number
  readonly was: View
  readonly is: View
}

/** What cannot be read in the second variant is judged in other chapters, and hides nothing of the first one here. */
const isOfUse = ({ was, is }: Update): boolean =>
  was.variant === 'first' ||
  [was, is].every(({ detail, balances, walk }) => {
    const isRead = detail.accepted && walk.end.value === 'last'
    return isRead && balances.length === was.balances.length
  })

/** What became of each account in each round. @throws NotReached where a bank did not come to the end of a refresh. */
const updatesIn = ({
  rounds,
}: Observed<Awaited<ReturnType<typeof data.act>>>): readonly (readonly Update[])[] =>
  takenOf(rounds, ({ course }) => course).map(({ amount, course, before, after }) => {
    hasEnded(course)
    const updates = before.flatMap((was, at) => {
      const is = after[at]
      return is === undefined ? [] : [{ amount, was, is }]
    })
    return updates.filter(isOfUse)
  })

const isReadable = ({ detail, walk }: View): void => {
  if (!detail.accepted) throw new NotReached(`${detail.id} did not answer the account`)
  if (walk.end.value !== 'last') throw new NotReached('the transactions of the account were not answered')
}

const hasNewTransaction = ({ was, is }: Update): boolean =>
  is.walk.ids.some((id) => !was.walk.ids.includes(id))

const balancesOf = ({ was, is }: Update) => ({ before: was.balances, after: is.balances })

const hasOtherBalance = (update: Update): boolean => newBalances(balancesOf(update)).length > 0

const isMovedByTheAmount = (update: Update): boolean => areMovedBy(update.amount, balancesOf(update), PARTS)

const isUpdated = (update: Update): boolean => hasNewTransaction(update) || hasOtherBalance(update)

/** Of an account that is not updated at all that is said; of the others, what of them is not. */
const updatedOrAll = (updates: readonly Update[]): readonly Update[] => {
  const updated = updates.filter(isUpdated)
  return updated.length === 0 ? updates : updated
}

const lacksTheBooking = ({ amount, is }: Update, subject: string): ViolationError =>
  new ViolationError({
    subject: is.variant === 'first' ? subject : `${subject} in the second variant`,
    expected: `to show the booking of ${amount} that was made at the other bank before the refresh`,
    received: 'what was there before it',
    exchange: is.detail.id,
  })

check(REF.refreshUpdatesTheBalances, data, (record) => {
  for (const update of updatesIn(record).flatMap(updatedOrAll)) {
    ;[update.was, update.is].forEach(isReadable)
    if (update.was.balances.length === 0) throw new NotReached('the account has no balance')
    if (isMovedByTheAmount(update)) continue
    if (hasOtherBalance(update))
      throw new Inconclusive('the balances have changed, and not by what was booked: others book there, too')
    throw lacksTheBooking(update, 'the balances of the account')
  }
})

check(REF.refreshUpdatesTheTransactions, data, (record) => {
  for (const update of updatesIn(record).flatMap(updatedOrAll)) {
    ;[update.was, update.is].forEach(isReadable)
    if (!hasNewTransaction(update)) throw lacksTheBooking(update, 'the transactions of the account')
  }
})

check(REF.refreshUpdatesEveryAccountOfTheConsent, data, (record) => {
  for (const updates of updatesIn(record)) {
    if (updates.filter(({ is }) => is.variant === 'first').length < 2)
      throw new NotReached('the profile knows one account at another bank alone')
    for (const update of updates) {
      ;[update.was, update.is].forEach(isReadable)
      if (!isUpdated(update)) throw lacksTheBooking(update, 'the balances and transactions of the account')
    }
  }
})

check(REF.otherBanksAreUpdatedByARefresh, data, (record) => {
  for (const updates of updatesIn(record)) {
    for (const { was, is } of updates) [was, is].forEach(isReadable)
    const [first] = updates
    if (first !== undefined && !updates.some(isUpdated))
      throw lacksTheBooking(first, 'the accounts at other banks')
  }
})
