import type { Exchange } from '../exchange.ts'

/** The record of a walk: all pages of an account, requested one after the other. */

export type Position =
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'cursor'; readonly value: string }
  /** The number of a page, or the number of transactions before it. */
  | { readonly kind: 'number'; readonly page: number }

/** The id of a transaction that has none: its content, and its number among those with the same. */
export const idByContent = (digest: string, number: number): string => `content ${digest}, ${number}`

export const isByContent = (id: string): boolean => id.startsWith('content ')

/** Why a walk ended: the last page, or what stopped it before. */
export type WalkEnd =
  | 'last'
  /** A page had no transactions. */
  | 'refused'
  /** The next page was requested before. */
  | 'loop'
  /** The link leads out of the target's origin or base path; it was not followed. */
  | 'foreign-link'
  /** Empty pages follow, and each says that another one follows. */
  | 'empty-pages'
  /** More pages than any account has. */
  | 'endless'

export interface WalkedPage {
  readonly exchange: Exchange
  /** The id of each transaction, in the order of the page; empty if it has none. */
  readonly ids: readonly string[]
  /** Whether the page says that no other follows; true for a page without transactions. */
  readonly isLast: boolean
}

/** The pages of one account, from the first to the last. */
export interface Walk {
  readonly kind: 'walk'
  readonly size: number
  readonly pages: readonly WalkedPage[]
  readonly end: WalkEnd
  /** Where the link out of the target's base path leads. */
  readonly leadsTo?: string
}

export const isWalk = (value: unknown): value is Walk =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'walk'
