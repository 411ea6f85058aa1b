import {
  areMovedBy,
  assert,
  check,
  Inconclusive,
  isAccepted,
  keepDirection,
  movesBy,
  newBalances,
  NotReached,
} from '../../harness/check/index.ts'
import { days, scenario } from '../../harness/session/index.ts'
import { currentDeadline, electronic, requireDecisive, waitsUntilCurrent } from '../shared/account-steps.ts'
import type { CurrentDeadline } from '../shared/account-steps.ts'
import type { Observed, RecordOf } from '../../harness/check/index.ts'
import type { Access, Accounts, ListedAccount, Session, Walk } from '../../harness/session/index.ts'
import { notifying } from '../shared/scenario-options.ts'
import { REF } from './requirements.ts'
import { otherBanksOf, PAUSE_MS, refreshAgain, requireFinished, withoutRefusedRepetitions } from './steps.ts'

/** What is booked before each refresh, in the account's currency: different amounts, and no round ones. */
const AMOUNTS = [[17.31], [-23.47, -4.02]] as const

const sumOf = (amounts: readonly number[]): number =>
  Math.round(amounts.reduce((sum, amount) => sum + amount * 100, 0)) / 100

/** The bounds of the first variant are not shown: the first of these sizes that is accepted is used. */
const PAGE_SIZES = [100, 50, 20, 10] as const

/** Walks an account with the first size that is accepted; the last one where none is. */
const walkAccount = async (
  accounts: Accounts,
  accessToken: string,
  account: ListedAccount,
): Promise<Walk> => {
  let walk = await accounts.walk(accessToken, account, PAGE_SIZES[0])
  for (const size of PAGE_SIZES.slice(1)) {
    if (walk.end !== 'refused' || walk.pages.length > 1) break
    walk = await accounts.walk(accessToken, account, size)
  }
  return walk
}

/** An account as one variant lists it. */
interface VariantAccount {
  readonly variant: Accounts['variant']
  readonly account: ListedAccount
}

/**
 * The same accounts in each variant that the token opens, as far as the second lists them. Where each variant is granted by
 * itself, the second is granted under another consent, which is not refreshed.
 */
const accountsInBothVariants = async (
  { app }: Session,
  { accessToken }: Access,
  known: readonly ListedAccount[],
): Promise<readonly VariantAccount[]> => {
  const first = known.map((account): VariantAccount => ({ variant: 'first', account }))
  if (!app.opens.includes('second')) return first
  const accounts = app.accounts('second')
  const list = await accounts.list(accessToken)
  const ibans = known.map(({ iban }) => electronic(iban))
  const listed = isAccepted(list) ? accounts.accountsIn(list) : []
  const second = listed
    .filter(({ iban }) => ibans.includes(electronic(iban)))
    .map((account): VariantAccount => ({ variant: 'second', account }))
  const isAmbiguous = new Set(listed.map(({ accountId }) => accountId)).size < listed.length
  return isAmbiguous ? first : [...first, ...second]
}

/** The detail and the transactions of one account. */
const readAccount = async (
  { app }: Session,
  { accessToken }: Access,
  { variant, account }: VariantAccount,
) => {
  const accounts = app.accounts(variant)
  const detail = await accounts.read(accessToken, account)
  return {
    variant,
    detail,
    balances: accounts.balancesIn(detail),
    walk: await walkAccount(accounts, accessToken, account),
  }
}

const readAccounts = async (session: Session, access: Access, accounts: readonly VariantAccount[]) => {
  const views = []
  for (const account of accounts) views.push(await readAccount(session, access, account))
  return views
}

type AccountView = Awaited<ReturnType<typeof readAccount>>

const idsIn = ({ pages }: Walk): readonly string[] => pages.flatMap(({ ids }) => ids)

/** Whether an account shows what was booked on it, in its balances and in its transactions. */
const showsTheBookings = (amounts: readonly number[], was: AccountView, is: AccountView): boolean => {
  const known = idsIn(was.walk)
  const isMoved = areMovedBy(sumOf(amounts), { before: was.balances, after: is.balances })
  return isMoved && idsIn(is.walk).filter((id) => !known.includes(id)).length >= amounts.length
}

/** Until then, in ms, the data should be there. The interface gives no number. */
const PROMPT_MS = 10_000

/**
 * Reads the accounts after a refresh until each of them, in each variant, shows the booking, or the time of the profile
 * is over.
 * @returns what they show in the end, and what they showed when the data should have been there.
 */
const readUntilBooked = async (
  session: Session,
  access: Access,
  accounts: readonly VariantAccount[],
  { amounts, before }: { readonly amounts: readonly number[]; readonly before: readonly AccountView[] },
): Promise<Record<'promptly' | 'after', readonly AccountView[]>> => {
  let after = await readAccounts(session, access, accounts)
  let promptly = after
  const isShown = (was: AccountView, at: number): boolean => {
    const is = after[at]
    return is !== undefined && showsTheBookings(amounts, was, is)
  }
  let passed = 0
  for (const wait of waitsUntilCurrent(session, days(1))) {
    if (before.every(isShown)) break
    await session.clock.pass(wait)
    passed += wait
    after = await readAccounts(session, access, accounts)
    if (passed <= PROMPT_MS) promptly = after
  }
  return { promptly, after }
}

const data = scenario(
  'refreshes after bookings at other banks',
  notifying(1, 'webhook', 'other-bank-account', 'booking'),
  async (session) => {
    const { app, webhook, testHooks } = session
    await webhook.activate()
    let tokens = await app.tokens()
    const banks = await otherBanksOf(session, tokens)
    const accounts = banks.flatMap((bank) => bank.accounts)
    const inBothVariants = await accountsInBothVariants(session, tokens, accounts)
    const rounds = []
    let before: readonly AccountView[] = await readAccounts(session, tokens, inBothVariants)
    for (const amounts of AMOUNTS) {
      if (rounds.length > 0) {
        await webhook.listen(PAUSE_MS)
        tokens = { ...tokens, ...(await app.renew(tokens)).tokens }
      }
      for (const { iban = '' } of accounts)
        for (const amount of amounts) await testHooks.bookTransaction({ iban: electronic(iban), amount })
      const run = await refreshAgain(session, tokens, banks)
      const views = await readUntilBooked(session, tokens, inBothVariants, { amounts, before })
      rounds.push({ amounts, run, before, ...views })
      before = views.after
    }
    return { rounds, deadline: currentDeadline(session, days(1)) }
  },
)

type View = Observed<AccountView>

/** One account before bookings, ten seconds after the refresh, and in the end. */
interface Update {
  /** Counts the accounts, in each variant. */
  readonly place: number
  /** The sum of the bookings, and their number. */
  readonly amount: number
  readonly count: number
  readonly was: View
  readonly promptly: View
  readonly is: View
  readonly deadline: CurrentDeadline
}

/** Whether an update can be judged. Accounts that the second variant does not answer are judged in other chapters. */
const isJudged = ({ was, is }: Update): boolean =>
  was.variant === 'first' ||
  [was, is].every(({ detail, balances, walk }) => {
    const isRead = detail.accepted && walk.end.value === 'last'
    return isRead && balances.length === was.balances.length
  })

/** The update of each account in each round. @throws NotReached where a refresh did not end at each bank. */
const updatesIn = ({ rounds, deadline }: RecordOf<typeof data>): readonly (readonly Update[])[] =>
  withoutRefusedRepetitions(rounds, ({ run }) => run).map(
    ({ amounts, run, before, promptly: views, after }) => {
      requireFinished(run)
      const booked = { amount: sumOf(amounts), count: amounts.length }
      const updates = before.flatMap((was, place) => {
        const [promptly, is] = [views[place], after[place]]
        return promptly === undefined || is === undefined
          ? []
          : [{ place, ...booked, was, promptly, is, deadline }]
      })
      return updates.filter(isJudged)
    },
  )

const requireReadable = ({ detail, walk }: View): void => {
  if (!detail.accepted) throw new NotReached(`${detail.id} did not answer the account`)
  if (walk.end.value !== 'last') throw new NotReached('the transactions of the account were not answered')
}

const newTransactions = ({ was, is }: Update): readonly string[] =>
  is.walk.ids.filter((id) => !was.walk.ids.includes(id))

const hasNewTransaction = (update: Update): boolean => newTransactions(update).length > 0

const balancesOf = ({ was, is }: Update) => ({ before: was.balances, after: is.balances })

const hasOtherBalance = (update: Update): boolean => newBalances(balancesOf(update)).length > 0

const isMovedByTheAmount = (update: Update): boolean => areMovedBy(update.amount, balancesOf(update))

const isMovedOtherwise = (update: Update): boolean => !isMovedByTheAmount(update) && hasOtherBalance(update)

/** Whether the balances moved otherwise, and more transactions are new than were booked. */
const bringsEarlierBookings = (update: Update): boolean =>
  isMovedOtherwise(update) && newTransactions(update).length > update.count

/** The first refresh may bring what was booked before this scenario as well: then the later ones are judged. */
const withoutEarlierBookings = (rounds: ReturnType<typeof updatesIn>): ReturnType<typeof updatesIn> =>
  rounds.length > 1 && rounds[0]?.some(bringsEarlierBookings) === true ? rounds.slice(1) : rounds

const isUpdated = (update: Update): boolean => hasNewTransaction(update) || hasOtherBalance(update)

/** Where no account is updated, all of them; otherwise those that are, of which a part may not be updated. */
const updatedOrAll = (updates: readonly Update[]): readonly Update[] => {
  const updated = updates.filter(isUpdated)
  return updated.length === 0 ? updates : updated
}

/** Asserts that an account shows the booking, or the part of it that `holds` is about. */
const assertShows = (holds: boolean, { amount, count, is, deadline }: Update, subject: string): void => {
  if (!holds) requireDecisive(deadline)
  assert(holds, () => ({
    subject: is.variant === 'first' ? subject : `${subject} in the second variant`,
    expected: `to show ${count === 1 ? 'the booking' : `the ${count} bookings, together`} of ${amount} that ${count === 1 ? 'was' : 'were'} made at the other bank before the refresh`,
    received: count === 1 ? 'what was there before it' : 'less',
    exchange: is.detail.id,
  }))
}

const movesIn = (update: Update) => movesBy(update.amount, balancesOf(update))

/** Asserts that a credit and a debit have moved the balances of an account in opposite directions. */
const assertOpposite = (credit: Update, debit: Update): void =>
  assert(credit === debit || keepDirection(movesIn(credit), movesIn(debit)), () => ({
    subject: 'the balances of the account',
    expected: `a change by ${debit.amount}, in the opposite direction of the change by ${credit.amount} (${credit.is.detail.id})`,
    received: 'a change in the same direction',
    exchange: debit.is.detail.id,
  }))

check(REF.refreshUpdatesTheBalances, data, (record) => {
  const judged = withoutEarlierBookings(updatesIn(record)).flatMap(updatedOrAll)
  for (const update of judged) {
    ;[update.was, update.is].forEach(requireReadable)
    if (update.was.balances.length === 0) throw new NotReached('the account has no balance')
    if (isMovedOtherwise(update))
      throw new Inconclusive(
        'the balances have changed by another amount than was booked: somebody else may book there too',
      )
    assertShows(isMovedByTheAmount(update), update, 'the balances of the account')
    const earlier = judged.find(({ place }) => place === update.place)
    assertOpposite(earlier ?? update, update)
  }
})

check(REF.refreshUpdatesTheTransactions, data, (record) => {
  for (const update of updatesIn(record).flatMap(updatedOrAll)) {
    ;[update.was, update.is].forEach(requireReadable)
    assertShows(newTransactions(update).length >= update.count, update, 'the transactions of the account')
  }
})

check(REF.refreshUpdatesEveryAccountOfTheConsent, data, (record) => {
  for (const updates of updatesIn(record)) {
    if (updates.filter(({ is }) => is.variant === 'first').length < 2)
      throw new NotReached('the profile knows only one account at another bank')
    for (const update of updates) {
      ;[update.was, update.is].forEach(requireReadable)
      assertShows(isUpdated(update), update, 'the balances and transactions of the account')
    }
  }
})

check(REF.otherBanksAreUpdatedByARefresh, data, (record) => {
  for (const updates of updatesIn(record)) {
    for (const { was, is } of updates) [was, is].forEach(requireReadable)
    const [first] = updates
    if (first !== undefined) assertShows(updates.some(isUpdated), first, 'the accounts at other banks')
  }
})

/** Whether an account shows the whole booking. */
const isCurrent = (update: Update): boolean => hasNewTransaction(update) && isMovedByTheAmount(update)

check(REF.dataIsCurrentWhenFinished, data, (record) => {
  const current = updatesIn(record).flat().filter(isCurrent)
  if (current.length === 0) throw new NotReached('no account shows what was booked before the refresh')
  for (const update of current) {
    const prompt = { ...update, is: update.promptly, deadline: { ms: PROMPT_MS, isDecisive: true } }
    requireReadable(prompt.is)
    assertShows(isCurrent(prompt), prompt, `the account, ${PROMPT_MS / 1_000} s after FINISHED,`)
  }
})
