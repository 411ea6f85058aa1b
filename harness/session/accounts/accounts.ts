import { fieldOf, idOf, isAccepted, jsonFault, jsonOf, responseOf } from '../../evidence/record/answer.ts'
import { amountOf, balancePaths, type BalanceBinding } from '../../evidence/record/balances.ts'
import { NotReached } from '../../evidence/signals.ts'
import { linkIn } from './link-header.ts'
import { isBelow, walkAccount } from './page-walk.ts'
import { linkOrigins, type Profile, type SecondVariant } from '../../profile/schema.ts'
import { unchanged, type Change } from '../http/request.ts'
import { sendingTo, type OperationRequest, type TargetContext } from '../target.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Position, Walk } from '../../evidence/record/page-walk.ts'
import type { Variant } from '../../profile/oauth.ts'
import type { Paging } from '../../profile/schema/operations.ts'

/** The account operations of both variants, and what both share: how a request is made, and how a list is read. */

/** How an operation identifies an account: by the id of the list, or by an IBAN that the customer typed. */
export type AccountRef = { readonly accountId: string } | { readonly iban: string }

/** An account of a list, with the fields that can be read. */
export interface ListedAccount {
  /** The id that the other operations use. */
  readonly accountId: string
  /** The value of the field that the profile names. */
  readonly iban?: string
}

export interface PageRequest {
  /** pageSize; a string is sent unchanged. If left out, the request has none. */
  readonly size?: number | string
  /** How the previous page says that this one is reached; if left out, the first page is requested. */
  readonly position?: Position
}

export interface Accounts {
  readonly variant: Variant
  /** GET /v1/accounts, or GET /api/v1/accounts. */
  list(accessToken: string, change?: Change): Promise<Exchange>
  /**
   * GET /v1/accounts/{account-id}, or POST /api/v1/accounts/information: account detail and balances. An IBAN takes
   * the place of the account-id in the path.
   */
  read(accessToken: string, account: AccountRef, change?: Change): Promise<Exchange>
  /** GET /v1/accounts/{account-id}/transactions, or POST /api/v1/accounts/transactions: a page of transactions. */
  transactions(
    accessToken: string,
    account: AccountRef,
    page?: PageRequest,
    change?: Change,
  ): Promise<Exchange>
  /** The accounts of a list, in its order. @throws NotReached if the answer has no list. */
  accountsIn(list: Exchange): readonly ListedAccount[]
  /** The amounts of the balances in an account detail; empty if none can be read. */
  balancesIn(detail: Exchange): readonly number[]
  /**
   * Requests the transactions of an account page by page, with the paging of the profile.
   * @throws Inconclusive if a page was not answered, or does not say in a readable form what follows.
   */
  walk(accessToken: string, account: AccountRef, size: number): Promise<Walk>
}

export interface AccountsContext extends TargetContext {
  /** Whether a token is that of a customer without an account. */
  readonly hasNoAccount?: (accessToken: string) => boolean
}

interface PagedList {
  /** What the list and its pages are named, and how a next one is asked for where the profile says it. */
  readonly binding: ListBinding & { readonly paging?: Paging | undefined }
  /** How the pages of transactions follow each other: those of a list may do the same. */
  readonly paging: Paging
  readonly base: string
  readonly origins: readonly string[]
}

/** A list with the items of its further pages, where there are any. */
const wholeList = async (
  { binding: { accounts, id, paging: own }, paging, ...places }: PagedList,
  ask: (position?: Position) => Promise<Exchange>,
): Promise<Exchange> => {
  const first = await ask()
  const binding = { transactions: accounts, id, paging: own ?? paging }
  if (
    first.response === undefined ||
    !isAccepted(first) ||
    (own === undefined && !hasNextPage(first, binding.paging))
  )
    return first
  const { pages } = await walkAccount({
    ...places,
    size: 0,
    binding,
    ask: (position) => (position === undefined ? Promise.resolve(first) : ask(position)),
  })
  const [, ...further] = pages.map(({ exchange }) => exchange)
  return further.length === 0 ? first : { ...first, continued: { list: accounts, pages: further } }
}

/** Whether a list says by itself that a page follows, as a page of transactions does. */
const hasNextPage = (exchange: Exchange, paging: Paging): boolean => {
  const json = jsonOf(exchange)
  if (paging.kind === 'link-header')
    return linkIn(responseOf(exchange).headers, paging.relation) !== undefined
  if (paging.kind === 'number') return Number(fieldOf(json, paging.count)) > 1
  return paging.kind !== 'offset' && idOf(fieldOf(json, paging.next)) !== undefined
}

const listFrom = (
  url: string,
  paged: PagedList,
  ask: (url: string) => Promise<Exchange>,
): Promise<Exchange> => wholeList(paged, (position) => ask(pageOfList(url, paged, position)))

/** The address of a page of a list: that of a link, or with the parameters of the page. */
const pageOfList = (
  url: string,
  { binding, paging, base }: PagedList,
  position: Position | undefined,
): string => {
  const linked = linkedUrl(position, base)
  if (linked !== undefined || position === undefined) return linked ?? url
  const address = new URL(url)
  for (const [name, value] of Object.entries(pagingParameters(binding.paging ?? paging, position)))
    address.searchParams.set(name, String(value))
  return address.href
}

export const nameOf = (account: AccountRef): string =>
  'accountId' in account ? account.accountId : account.iban

/** The address of a link, if the page is reached by a link. @throws NotReached if it leads to another target. */
export const linkedUrl = (position: Position | undefined, base: string): string | undefined => {
  if (position?.kind !== 'link') return undefined
  if (isBelow(position.url, base)) return position.url
  throw new NotReached(`the link ${position.url} leads out of ${base}, so it is not followed`)
}

/** The parameters that request a page by its cursor or number; the first page has a number as well. */
export const pagingParameters = (
  paging: Paging,
  position: Position | undefined,
): Readonly<Record<string, string | number>> => {
  if (paging.kind === 'number' || paging.kind === 'offset')
    return { [paging.parameter]: position?.kind === 'number' ? position.page : paging.first }
  if (paging.kind === 'cursor' && position?.kind === 'cursor') return { [paging.parameter]: position.value }
  return {}
}

interface ListBinding {
  readonly accounts: string
  readonly id: string
  readonly iban: string
}

/** The amounts of the balances in an account detail; empty if none can be read. */
const amountsIn = (exchange: Exchange, binding: BalanceBinding): readonly number[] => {
  const json = jsonOf(exchange)
  return balancePaths(fieldOf(json, binding.balances), binding)
    .map((path) => amountOf(fieldOf(json, `${path}.${binding.amount}`)))
    .filter((amount) => !Number.isNaN(amount))
}

/**
 * Whether a value is a complete IBAN, spaces allowed. A masked IBAN, or a number of another kind, cannot be used as
 * one.
 */
const isIban = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z]{2}\d{2}[0-9a-z]{1,30}$/i.test(value.replaceAll(/\s/g, ''))

/** The IBANs of the accounts that the profile knows, by their ids: the place of an IBAN may have the id instead. */
export const ibansById = ({ customers }: Pick<Profile, 'customers'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    customers.flatMap(({ accounts }) =>
      accounts.flatMap(({ accountId, iban }) => (accountId === undefined ? [] : [[accountId, iban]])),
    ),
  )

/** The accounts of a list that have an id. @throws NotReached if the answer has no list. */
const listedIn = (
  exchange: Exchange,
  binding: ListBinding,
  known: ReturnType<typeof ibansById>,
): readonly ListedAccount[] => {
  const { status } = responseOf(exchange)
  const fault = jsonFault(exchange)
  const items = fault === undefined ? fieldOf(jsonOf(exchange), binding.accounts) : undefined
  if (!Array.isArray(items))
    throw new NotReached(`${exchange.id} answered ${status} without a list under ${binding.accounts}`)
  return items.flatMap((item: unknown) => {
    const [accountId, shown] = [idOf(fieldOf(item, binding.id)), fieldOf(item, binding.iban)]
    const iban = known[String(shown)] ?? shown
    return accountId === undefined ? [] : [{ accountId, ...(isIban(iban) && { iban }) }]
  })
}

type Operations = Pick<Profile['operations'] | SecondVariant, 'readAccount' | 'listTransactions'>

/** What is different from variant to variant: where its fields are, and how its requests are made. */
export interface VariantRequests {
  readonly variant: Variant
  /** Names the fields of the list. */
  readonly binding: PagedList['binding']
  readonly operations: Operations
  /** The address below which a link to a page is followed. */
  readonly base: string
  readonly listUrl: string
  /** @param url of a page of the list. */
  list(accessToken: string, url: string): OperationRequest
  read(accessToken: string, account: AccountRef): OperationRequest
  transactions(accessToken: string, account: AccountRef, page: PageRequest): OperationRequest
}

export const createAccounts = (
  { profile, http, hasNoAccount = () => false }: AccountsContext,
  requests: VariantRequests,
): Accounts => {
  const send = sendingTo(http)
  const { variant, binding, base, listUrl } = requests
  const { readAccount, listTransactions } = requests.operations
  const places = { base, origins: linkOrigins(profile) }

  const transactions: Accounts['transactions'] = async (
    accessToken,
    account,
    page = {},
    change = unchanged,
  ) => {
    const request = requests.transactions(accessToken, account, page)
    return send({ ...request, successFields: [listTransactions.transactions] }, change)
  }

  return {
    variant,

    list: (accessToken, change = unchanged) =>
      listFrom(listUrl, { binding, paging: listTransactions.paging, ...places }, (url) => {
        const emptyList = hasNoAccount(accessToken) && { emptyList: binding.accounts }
        return send({ ...requests.list(accessToken, url), ...emptyList }, change)
      }),

    read: (accessToken, account, change = unchanged) => {
      const successFields = [readAccount.balances, readAccount.iban]
      return send({ ...requests.read(accessToken, account), successFields }, change)
    },

    transactions,
    accountsIn: (list) => listedIn(list, binding, ibansById(profile)),
    balancesIn: (detail) => amountsIn(detail, readAccount),

    walk: (accessToken, account, size) =>
      walkAccount({
        ...places,
        binding: listTransactions,
        size,
        ask: (position) => transactions(accessToken, account, { size, ...(position && { position }) }),
      }),
  }
}
