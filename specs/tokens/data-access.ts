import { isAccepted, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { grantedVariants } from '../../harness/session/index.ts'
import type { Exchange, Observed, ObservedExchange } from '../../harness/check/index.ts'
import type { Variant } from '../shared/account-steps.ts'
import type {
  Accounts,
  Application,
  AuthorizationOptions,
  ListedAccount,
  Renewal,
  Session,
  Tokens,
  TokenSet,
} from '../../harness/session/index.ts'

/** Tokens, and the application that holds them. */
interface Held<Kind extends Tokens = Tokens> {
  readonly app: Application
  readonly tokens: Kind
}

/** Those of the first variant come first. */
type AtLeastOne<One> = readonly [One, ...One[]]

/**
 * Grants of one customer that together open all variants: one, unless each variant is granted by itself. That of the first
 * variant is given last: a bank may end older grants.
 */
export const grantAll = async (
  { app, profile }: Session,
  options?: AuthorizationOptions,
): Promise<AtLeastOne<Held<TokenSet>>> => {
  const others = []
  for (const variant of grantedVariants(profile).slice(1)) {
    const own = app.for(variant)
    others.push({ app: own, tokens: await own.tokens(options) })
  }
  return [{ app, tokens: await app.tokens(options) }, ...others]
}

type Renewed = Held & Renewal

const renew = async ({ app, tokens }: Held): Promise<Renewed> => ({ app, ...(await app.renew(tokens)) })

/** The tokens after a refresh of each grant. Of other variants than the first, where it was accepted. */
export const renewAll = async ([first, ...others]: AtLeastOne<Held>): Promise<AtLeastOne<Renewed>> => {
  const renewed = await renew(first)
  const also = []
  for (const one of others) also.push(await renew(one))
  return [renewed, ...also.filter(({ exchange }) => isAccepted(exchange))]
}

/** The data calls that an access token is tried on: in each variant the list, an account detail, and transactions. */

interface DataCall {
  readonly name: string
  readonly call: Exchange
  /** The accounts of a list that was answered. */
  readonly accounts?: readonly ListedAccount[]
  /** Where a page of transactions has them. The page may be empty later: old transactions may not be shown. */
  readonly list?: string
  /** The pageSize of the request. */
  readonly size?: number
  readonly variant: Variant
  /** Whose detail or transactions they are; none for a list of accounts. */
  readonly account?: ListedAccount
}

/** Transactions are requested with each pageSize in turn until one is accepted: the first variant may refuse some sizes. */
const PAGE_SIZES = [10, 50] as const

/** The most accounts that are tried to find one whose transactions are answered. */
const MOST_ACCOUNTS = 5

/** Under which an account is known in each list: its id may differ from list to list. */
const nameOf = ({ iban, accountId }: ListedAccount): string => iban ?? accountId

const callsTo = async (
  accounts: Accounts,
  accessToken: string,
  transactions: string,
): Promise<readonly DataCall[]> => {
  const { variant } = accounts
  const named = (name: string, call: Exchange): DataCall => ({
    name: `${name} (${variant} variant)`,
    call,
    variant,
  })
  const list = await accounts.list(accessToken)
  if (!isAccepted(list)) return [named('the list of accounts', list)]
  const listed = accounts.accountsIn(list)
  const calls: DataCall[] = [{ ...named('the list of accounts', list), accounts: listed }]
  for (const account of listed.slice(0, 1))
    calls.push({ ...named('an account detail', await accounts.read(accessToken, account)), account })
  // A bank may list them in another order each time: calls with two tokens are about the same account.
  const tried = listed
    .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))
    .slice(0, MOST_ACCOUNTS)
  for (const account of tried) {
    const page = await accounts.transactions(accessToken, account)
    if (!isAccepted(page) && account !== tried.at(-1)) continue
    calls.push({ ...named('a page of transactions', page), list: transactions, account })
    for (const size of PAGE_SIZES) {
      const sized = await accounts.transactions(accessToken, account, { size })
      calls.push({ ...named(`a page of ${size} transactions`, sized), list: transactions, size, account })
      if (isAccepted(sized)) break
    }
    return calls
  }
  return calls
}

/** Sends the data calls that each of these access tokens opens: where the list is refused, no others. */
export const dataCalls = async (
  { profile: { operations, secondVariant } }: Session,
  held: readonly Held[],
): Promise<readonly DataCall[]> => {
  const calls: DataCall[] = []
  for (const { app, tokens } of held)
    for (const variant of app.opens) {
      const { transactions } = ((variant === 'second' && secondVariant) || operations).listTransactions
      calls.push(...(await callsTo(app.accounts(variant), tokens.accessToken, transactions)))
    }
  return calls
}

/**
 * Repeats the details and the pages that were answered before, whether or not the list is still answered: a bank may
 * notice only in the list that a token has ended.
 */
export const repeatDetailsAndPages = async (
  held: readonly Held[],
  before: readonly DataCall[],
): Promise<readonly DataCall[]> => {
  const calls: DataCall[] = []
  for (const { app, tokens } of held)
    for (const { account, ...one } of before) {
      if (account === undefined || !app.opens.includes(one.variant) || !isAccepted(one.call)) continue
      const accounts = app.accounts(one.variant)
      const { accessToken } = tokens
      const call =
        one.list === undefined
          ? await accounts.read(accessToken, account)
          : await accounts.transactions(accessToken, account, {
              ...(one.size !== undefined && { size: one.size }),
            })
      calls.push({ ...one, account, call })
    }
  return calls
}

export type Calls = Observed<readonly DataCall[]>

const transactionsIn = ({ call: { status, body }, list }: Calls[number]): readonly unknown[] | undefined => {
  if (list === undefined || Number(status.value) >= 300) return undefined
  const { value } = body.field(list)
  return Array.isArray(value) ? value : undefined
}

/** Pairs of the same call with two tokens, where it was answered with the first one. @throws NotReached if none was. */
const pairsOf = (before: Calls, now: Calls): readonly (readonly [Calls[number], Calls[number]])[] => {
  const answered = before.filter(({ call }) => call.accepted)
  if (answered.length === 0) throw new NotReached('no data call was answered with the token before')
  return answered.flatMap((one) => {
    const same = now.find(({ name }) => name === one.name)
    return same === undefined ? [] : [[one, same] as const]
  })
}

/** Judges that all calls that were answered before are still answered. */
export const areStillAnswered = (before: Calls, now: Calls, because: string): void => {
  for (const [{ name }, { call, ...rest }] of pairsOf(before, now))
    if (transactionsIn({ call, ...rest })?.length !== 0)
      call.isAccepted(`${name} was answered before, and ${because}`)
}

/** Judges that no call that was answered before is answered. @param after a list with another token: the bank answers. */
export const areRefusedNow = (before: Calls, now: Calls, after: ObservedExchange, because: string): void => {
  for (const [{ name, call: earlier }, { call }] of pairsOf(before, now))
    isRefusedBetween({ before: earlier, changed: call, after }, `${name} was asked for, and ${because}`)
}

/** The first of the calls: the list of accounts of the first variant. */
export const listIn = ([list]: Calls): ObservedExchange => {
  if (list === undefined) throw new NotReached('no data call was sent')
  return list.call
}

const ibansOf = (accounts: readonly { readonly iban?: string }[]): readonly string[] | undefined => {
  const ibans = accounts.flatMap(({ iban }) => iban ?? [])
  return ibans.length === accounts.length ? ibans : undefined
}

/** Judges that no list has an account more than before. */
export const listNoMoreAccounts = (before: Calls, now: Calls): void => {
  const pairs = pairsOf(before, now).filter(([, { accounts }]) => accounts !== undefined)
  if (pairs.length === 0) throw new NotReached('no list of accounts was answered with both tokens')
  for (const [{ accounts: earlier = [] }, { accounts = [], call }] of pairs) {
    call.body.text.satisfies(accounts.length <= earlier.length, `no more than ${earlier.length} accounts`)
    const [known, listed] = [ibansOf(earlier), ibansOf(accounts)]
    const isKnown = known === undefined || listed?.every((iban) => known.includes(iban)) !== false
    call.body.text.satisfies(isKnown, 'no account that the list with the token before did not have')
  }
}

/**
 * Judges that no page is larger than its pageSize. Where the page before was larger, which is judged in the chapter on
 * transactions, only a much larger one is wrong: transactions may have been booked in between.
 */
export const keepThePageSize = (before: Calls, now: Calls): void => {
  const pages = pairsOf(before, now).flatMap(([one, same]) => {
    const [earlier, page] = [transactionsIn(one), transactionsIn(same)]
    const { size, call } = same
    if (size === undefined || earlier === undefined || page === undefined) return []
    return [{ most: earlier.length > size ? earlier.length + size : size, page, body: call.body }]
  })
  if (pages.length === 0) throw new NotReached('no page of transactions was answered with both tokens')
  for (const { most, page, body } of pages)
    body.text.satisfies(
      page.length <= most,
      `no more than ${most} transactions; ${page.length} were received`,
    )
}
