import { isAccepted, NotReached } from '../../harness/check/index.ts'
import { idsOnPage, linkOrigins, nextPosition } from '../../harness/session/index.ts'
import { electronic, firstAndLast, NO_ACCOUNT_IS_LISTED, type Variant } from '../shared/account-steps.ts'
import type { Exchange } from '../../harness/check/index.ts'
import type {
  AccountRef,
  Accounts,
  Change,
  ListedAccount,
  Position,
  Session,
  Walk,
} from '../../harness/session/index.ts'

/** What the scenarios of this chapter do, in either variant. */

/** A listed account, with what the profile knows of it. */
export interface KnownAccount extends ListedAccount {
  /** How many transactions it has at least. */
  readonly count?: number
  /** Whether it is known to be held at the service's own bank. */
  readonly isOwn: boolean
}

/** The accounts of a list that share their id with no other one. @throws NotReached if there are none. */
export const listAccounts = async (
  { app, profile }: Session,
  variant: Variant,
  accessToken: string,
): Promise<readonly KnownAccount[]> => {
  const accounts = app.accounts(variant)
  const known = new Map(
    profile.customers.flatMap((customer) => customer.accounts.map((account) => [account.iban, account])),
  )
  const listed = accounts.accountsIn(await accounts.list(accessToken)).map((account) => {
    const { transactions: count, bank } = known.get(electronic(account.iban)) ?? {}
    return { ...account, ...(count !== undefined && { count }), isOwn: bank === 'own' }
  })
  const ids = listed.map(({ accountId }) => accountId)
  const distinct = listed.filter(({ accountId }) => ids.indexOf(accountId) === ids.lastIndexOf(accountId))
  if (distinct.length === 0) throw new NotReached(NO_ACCOUNT_IS_LISTED)
  return distinct
}

/** The accounts with at least so many transactions, the shortest first; then those whose count is not known. */
export const withAtLeast = (least: number, accounts: readonly KnownAccount[]): readonly KnownAccount[] => [
  ...accounts
    .filter(({ count = 0 }) => count >= least)
    .sort((one, other) => (one.count ?? 0) - (other.count ?? 0)),
  ...accounts.filter(({ count }) => count === undefined),
]

/** The bounds of pageSize in the second variant. */
export const SMALLEST = 10
export const LARGEST = 100

export const isWithinBounds = (asked: unknown): asked is number =>
  Number.isInteger(asked) && Number(asked) >= SMALLEST && Number(asked) <= LARGEST

/** Sizes to try where any will do, the likeliest first. The bounds of the first variant are not shown. */
export const ORDINARY_SIZES: Readonly<Record<Variant, readonly number[]>> = {
  first: [20, 50, 10, 100],
  second: [20],
}

/** Where the pages of a variant have their fields, as the profile says. */
export interface Fields {
  readonly transactions: string
  readonly id: string
}

/** How the profile binds the pages of a variant. @throws NotReached where it has no such variant. */
export const bindingOf = ({ profile }: Session, variant: Variant) => {
  const operations = variant === 'first' ? profile.operations : profile.secondVariant
  if (operations === undefined) throw new NotReached('the profile has no second accounts variant')
  return { ...operations.listTransactions, origins: linkOrigins(profile) }
}

export const fieldsOf = (session: Session, variant: Variant): Fields => {
  const { transactions, id } = bindingOf(session, variant)
  return { transactions, id }
}

/** So many accounts are tried for one that has a transaction, or two pages of them. */
export const MOST_TRIED = 10

/** A page that is answered, and how it was asked for: a positive control for refusals. */
export const answeredPage = async (
  accounts: Accounts,
  accessToken: string,
  listed: readonly KnownAccount[],
): Promise<{ readonly account: KnownAccount; readonly size: number; readonly page: Exchange }> => {
  for (const account of withAtLeast(1, listed).slice(0, MOST_TRIED))
    for (const size of ORDINARY_SIZES[accounts.variant]) {
      const page = await accounts.transactions(accessToken, account, { size })
      if (isAccepted(page)) return { account, size, page }
    }
  throw new NotReached('no account was answered with a transaction')
}

type AskForPage = (position?: Position) => Promise<Exchange>

/** Asks for single pages of an account: the first one, or the one at a position. */
export const pageRequester =
  (accounts: Accounts, accessToken: string, account: KnownAccount, size: number): AskForPage =>
  (position) =>
    accounts.transactions(accessToken, account, { size, ...(position && { position }) })

type WalkBy = (account: KnownAccount, sizes: readonly number[]) => Promise<Walk>

const isRefusedAtOnce = ({ end, pages }: Walk): boolean => end === 'refused' && pages.length === 1

/** Walks an account with the first of these sizes that the target accepts. */
export const createWalker = (accounts: Accounts, accessToken: string): WalkBy => {
  const refused = new Set<number>()
  return async (account, sizes) => {
    const tried: Walk[] = []
    let walk: Walk | undefined
    for (const size of sizes.filter((one) => !refused.has(one))) {
      walk = await accounts.walk(accessToken, account, size)
      if (!isRefusedAtOnce(walk)) {
        for (const one of tried) refused.add(one.size)
        return walk
      }
      tried.push(walk)
    }
    return walk ?? accounts.walk(accessToken, account, SMALLEST)
  }
}

/** What is different from the request of the holder. */
interface LaterPageChanges {
  readonly accessToken?: string
  readonly change?: Change
  /** Another account, at the place of a later page of the holder's account. */
  readonly ref?: AccountRef
}

/** Asks for a later page, as its holder does or with changes. */
export type AskForLaterPage = (changes?: LaterPageChanges) => Promise<Exchange>

/** A link has the account in its path: the link with another account there. A number or cursor has none. */
const positionFor = (position: Position, { accountId }: ListedAccount, ref: AccountRef): Position => {
  if (position.kind !== 'link') return position
  const name = 'accountId' in ref ? ref.accountId : ref.iban
  const url = new URL(position.url)
  url.pathname = url.pathname.replace(encodeURIComponent(accountId), () => encodeURIComponent(name))
  return { ...position, url: url.href }
}

/**
 * How a second page is asked for; undefined where no account has one. The holder asks for the first page each time: a
 * link may be good for one use.
 */
export const laterPageRequester = async (
  session: Session,
  variant: Variant,
  { accessToken, listed }: { readonly accessToken: string; readonly listed: readonly KnownAccount[] },
): Promise<AskForLaterPage | undefined> => {
  const accounts = session.app.accounts(variant)
  const binding = bindingOf(session, variant)
  const candidates = withAtLeast(SMALLEST + 1, listed).slice(0, MOST_TRIED)
  for (const account of candidates)
    for (const size of [SMALLEST, 20]) {
      const positionOfSecond = async () => {
        const first = await accounts.transactions(accessToken, account, { size })
        return isAccepted(first) ? nextPosition(first, binding) : undefined
      }
      const next = await positionOfSecond()
      // A bank may answer an empty page behind a full one.
      if (
        next === undefined ||
        !isAccepted(await accounts.transactions(accessToken, account, { size, position: next }))
      )
        continue
      return async ({ accessToken: token = accessToken, change, ref = account } = {}) => {
        const position = await positionOfSecond()
        const page = { size, ...(position && { position: positionFor(position, account, ref) }) }
        return accounts.transactions(token, ref, page, change)
      }
    }
  return undefined
}

/** The largest pages; where they are refused, smaller ones. */
const LARGE_SIZES: Readonly<Record<Variant, readonly number[]>> = {
  first: [100, 50, 20, 10],
  second: [100, 50],
}

/** A customer may have thousands of accounts: so many are walked. */
const MOST_WALKED = 20

/** So many accounts are walked in small pages as well, those with the fewest transactions; more until one has two pages. */
const MOST_WALKED_TWICE = 5

const lengthOf = ({ pages }: Walk): number => pages.reduce((sum, { ids }) => sum + ids.length, 0)

/** About half of what an account has, in a multiple of ten, so that there are two pages or more. */
export const halfOf = (length: number): number =>
  Math.min(50, Math.max(SMALLEST, Math.floor(length / 2 / 10) * 10))

/** Sizes that leave fewer than 10 for the last page. Multiples of ten come first, since every bank accepts those. */
const sizesWithShortRest = (length: number, most: number): readonly number[] =>
  Array.from({ length: most - SMALLEST + 1 }, (_, at) => most - at)
    .filter((size) => length % size > 0 && length % size < SMALLEST)
    .sort((one, other) => Number(one % 10 > 0) - Number(other % 10 > 0))

/** Whether its last page has fewer transactions than any other page may have. */
const isShort = ({ pages }: Walk): boolean => {
  const { length } = pages.at(-1)?.ids ?? []
  return length > 0 && length < SMALLEST
}

/** Sizes for a second walk, the best one first. @param leavesRest whether its last page is to be a short one. */
const smallerSizes = (walk: Walk, leavesRest: boolean): readonly number[] => {
  // With 20, a bank that has one size of 50 for all pages differs from one with a lower limit.
  const half = Math.min(lengthOf(walk) > 2 * LARGEST ? 50 : 20, halfOf(lengthOf(walk)))
  const short = leavesRest ? sizesWithShortRest(lengthOf(walk), half).slice(0, 2) : []
  return [...short, half, 20, 30, SMALLEST].filter((one) => one !== walk.size)
}

/** A size that is no multiple of ten, for three pages or more. The first variant may accept round sizes only. */
const oddSize = (length: number): number | undefined => {
  const size = 2 * Math.floor(length / 6) + 1
  return size > SMALLEST && size < LARGEST ? size : undefined
}

/** Asks again for the second page of a walk, and then for the first. */
const askAgain = async (ask: AskForPage, walk: Walk, binding: ReturnType<typeof bindingOf>) => {
  const [first] = walk.pages
  const second = first && nextPosition(first.exchange, binding)
  const again = []
  for (const [at, position] of [[1, second] as const, [0, undefined] as const]) {
    const exchange = await ask(position)
    again.push({ at, exchange, ids: idsOnPage(exchange, binding) ?? [] })
  }
  return again
}

/** Walks every account in large pages, and those with few transactions in small pages as well. */
export const walkEach = async (session: Session, variant: Variant) => {
  const { accessToken } = await session.access({ variant })
  const accounts = session.app.accounts(variant)
  const walkBy = createWalker(accounts, accessToken)
  const walks = []
  for (const account of firstAndLast(MOST_WALKED, await listAccounts(session, variant, accessToken)))
    walks.push({ account, walk: await walkBy(account, LARGE_SIZES[variant]) })

  const shortest = walks
    .filter(({ walk }) => walk.end === 'last' && lengthOf(walk) >= SMALLEST)
    .sort((one, other) => lengthOf(one.walk) - lengthOf(other.walk))
  const pairs: { account: KnownAccount; large: Walk; small: Walk }[] = []
  let isAnyShort = walks.some(({ account, walk }) => account.count !== undefined && isShort(walk))
  for (const { account, walk: large } of shortest) {
    if (pairs.length >= MOST_WALKED_TWICE && pairs.some(({ small }) => small.pages.length > 1)) break
    // Where the profile does not count the account, the first walk has counted it.
    const leavesRest = account.count === undefined || !isAnyShort
    const small = await walkBy(account, smallerSizes(large, leavesRest))
    isAnyShort ||= isShort(small)
    pairs.push({ account, large, small })
  }

  // The smallest and the largest pageSize, for each account that has transactions.
  const bounds = []
  for (const { account, walk } of variant === 'second' ? walks : []) {
    const [first] = walk.pages
    if (first === undefined || first.ids.length === 0) continue
    for (const size of [SMALLEST, LARGEST]) {
      const isAnswered = walk.size === size
      const page = isAnswered ? first.exchange : await accounts.transactions(accessToken, account, { size })
      bounds.push({ size, page })
    }
  }

  const longest = variant === 'second' ? pairs.at(-1) : undefined
  const size = longest && oddSize(lengthOf(longest.large))
  const odd = longest && size !== undefined ? await walkBy(longest.account, [size]) : undefined
  if (longest && odd && !isRefusedAtOnce(odd)) pairs.push({ ...longest, small: odd })

  const withMoreThan = (count: number) => pairs.find(({ small }) => small.pages.length > count)
  const several = withMoreThan(2) ?? withMoreThan(1)
  const fields = fieldsOf(session, variant)
  if (several === undefined) return { fields, walks, pairs, bounds }
  const ask = pageRequester(accounts, accessToken, several.account, several.small.size)
  const again = await askAgain(ask, several.small, bindingOf(session, variant))
  return { fields, walks, pairs, bounds, repeated: { walk: several.small, again } }
}
