import type { Exchange } from '../evidence/exchange.ts'
import type { Change } from './request.ts'

/** The account operations, of either variant, as one application asks them. */

/** An account as an operation names it: by the id of the list, or by an IBAN that the customer has typed. */
export type AccountRef = { readonly accountId: string } | { readonly iban: string }

/** An account of a list, as far as it can be read. */
export interface ListedAccount {
  /** What the other operations name it by. */
  readonly accountId: string
  /** Under the field that the profile names. */
  readonly iban?: string
}

/** Which page is asked for, and how large a one. */
export interface PageRequest {
  /** pageSize; a text is sent as it stands. Left out, the request has none. */
  readonly size?: number | string
  /** How the page before says that this one is reached; left out, the first page is asked for. */
  readonly position?: Position
}

export type Position =
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'cursor'; readonly value: string }
  /** The number of a page, or behind how many transactions it begins. */
  | { readonly kind: 'number'; readonly page: number }

/** Why a walk ended: the last page, or what stopped it before. */
export type WalkEnd =
  | 'last'
  /** A page was not answered with transactions. */
  | 'refused'
  /** The next page would be one that the walk has seen. */
  | 'loop'
  /** The link leads out of the target's origin or base path; it was not followed. */
  | 'foreign-link'
  /** More pages than any account has. */
  | 'endless'

export interface WalkedPage {
  readonly exchange: Exchange
  /** What tells each transaction from another, in the order of the page; empty where the page does not say it. */
  readonly ids: readonly string[]
  /** Whether the page says that no other follows. So says one that was not answered with transactions. */
  readonly isLast: boolean
}

/** The pages of one account, from the first to the last. */
export interface Walk {
  readonly kind: 'walk'
  readonly size: number
  readonly pages: readonly WalkedPage[]
  readonly end: WalkEnd
}

/** One accounts variant of the interface. */
export interface Accounts {
  readonly variant: 'first' | 'second'
  /** GET /v1/accounts, or GET /api/v1/accounts. */
  list(accessToken: string, change?: Change): Promise<Exchange>
  /**
   * GET /v1/accounts/{account-id}, or POST /api/v1/accounts/information: account detail and balances. An IBAN stands in
   * the place of the account-id where the path names the account.
   */
  read(accessToken: string, account: AccountRef, change?: Change): Promise<Exchange>
  /** GET /v1/accounts/{account-id}/transactions, or POST /api/v1/accounts/transactions: a page of transactions. */
  transactions(
    accessToken: string,
    account: AccountRef,
    page?: PageRequest,
    change?: Change,
  ): Promise<Exchange>
  /** The accounts of a list, in its order. @throws NotReached where the answer has no list. */
  accountsIn(list: Exchange): readonly ListedAccount[]
  /** The amounts of the balances of a detail, in its order; none where it has none that can be read. */
  balancesIn(detail: Exchange): readonly number[]
  /**
   * Walks an account page by page, by the way of paging that the profile binds.
   * @throws Inconclusive where a page was not answered at all, or says in no readable way what follows.
   */
  walk(accessToken: string, account: AccountRef, size: number): Promise<Walk>
}
