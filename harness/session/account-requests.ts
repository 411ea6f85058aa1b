import { NotReached } from '../evidence/signals.ts'
import { fieldOf, jsonOf, jsonFault, responseOf } from './answer.ts'
import { amountOf, balancePaths } from './balances.ts'
import { isBelow } from './walk.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Paging, Profile } from '../profile/schema.ts'
import type { AccountRef, ListedAccount, Position } from './accounts.ts'
import type { BalanceBinding } from './balances.ts'
import type { Http } from './http.ts'
import type { Random } from './random.ts'
import type { Change, HttpRequest } from './request.ts'

/** What the two accounts variants have in common: how a request is made, and how a list is read. */

export interface AccountsContext {
  readonly profile: Profile
  readonly baseUrl: string
  readonly http: Http
  readonly random?: Random
}

/** The part of a request that an operation decides. */
export type AccountRequest = Omit<HttpRequest, 'sender'>

export const sendingTo =
  (http: Http) =>
  (request: AccountRequest, change: Change): Promise<Exchange> =>
    http.send(change({ sender: 'scenario', ...request }))

/** What an operation names an account by. */
export const nameOf = (account: AccountRef): string =>
  'accountId' in account ? account.accountId : account.iban

/** The address that a link names, where the page is asked for by a link. @throws NotReached for one of another target. */
export const linkedUrl = (position: Position | undefined, base: string): string | undefined => {
  if (position?.kind !== 'link') return undefined
  if (isBelow(position.url, base)) return position.url
  throw new NotReached(`the link ${position.url} leads out of ${base}, so it is not followed`)
}

/** The parameters that ask for a page by its cursor or its number; the first of numbered pages has a number as well. */
export const pagingParameters = (
  paging: Paging,
  position: Position | undefined,
): Readonly<Record<string, string | number>> => {
  if (paging.kind === 'number' || paging.kind === 'offset')
    return { [paging.parameter]: position?.kind === 'number' ? position.page : paging.first }
  if (paging.kind === 'cursor' && position?.kind === 'cursor') return { [paging.parameter]: position.value }
  return {}
}

/** Where a list has what. */
export interface ListBinding {
  readonly accounts: string
  readonly id: string
  readonly iban: string
}

/** The amounts of the balances of a detail; none where it has none that can be read. */
export const amountsIn = (exchange: Exchange, binding: BalanceBinding): readonly number[] => {
  const json = jsonOf(exchange)
  return balancePaths(fieldOf(json, binding.balances), binding)
    .map((path) => amountOf(fieldOf(json, `${path}.${binding.amount}`)))
    .filter((amount) => !Number.isNaN(amount))
}

const isName = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

/** An IBAN in full, however it is spelled: one with hidden signs, or a number of another kind, cannot be typed for it. */
const isIban = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z]{2}\d{2}[0-9a-z]{1,30}$/i.test(value.replaceAll(/\s/g, ''))

/** The accounts of a list that have an id to be picked by. @throws NotReached where the answer has no list. */
export const listedIn = (exchange: Exchange, binding: ListBinding): readonly ListedAccount[] => {
  const { status } = responseOf(exchange)
  const fault = jsonFault(exchange)
  const items = fault === undefined ? fieldOf(jsonOf(exchange), binding.accounts) : undefined
  if (!Array.isArray(items))
    throw new NotReached(`${exchange.id} answered ${status} without a list under ${binding.accounts}`)
  return items.flatMap((item: unknown) => {
    const [id, iban] = [fieldOf(item, binding.id), fieldOf(item, binding.iban)]
    if (!isName(id)) return []
    return [{ accountId: String(id), ...(isIban(iban) && { iban }) }]
  })
}
