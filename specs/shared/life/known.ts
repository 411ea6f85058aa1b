import { HOUR, TOLERANCES } from '../tolerances.ts'
import type { Observed, ObservedExchange, ObservedWalk } from '../../../harness/check/index.ts'
import type { Event } from './events.ts'

/** What is known of a sequence after some of its events, and what is required in it. */

/** 90 days of the calendar may be an hour shorter or longer. */
export const MARGIN = HOUR + TOLERANCES.lifetime

/** What is required, as in a requirement. */
export type Statement =
  | 'tokenLives'
  | 'refreshedTokenLives'
  | 'tokenEnds'
  | 'refreshedTokenEnds'
  | 'refreshTokenLives'
  | 'expiredIs401'
  | 'refusalIsChallenged'
  | 'othersLive'
  | 'revokedIsRefused'
  | 'revokedIs401'
  | 'revokedIsNotRenewed'
  | 'onlyOwnAccounts'
  | 'bookingIsListed'
  | 'nothingIsLost'
  | 'nothingIsTwice'
  | 'nothingIsForeign'
  | 'balanceIsMoved'
  | 'bookingIsNotified'
  | 'revokedConsentIsQuiet'
  | 'disabledIsQuiet'
  | 'callIsSecured'
  | 'startingIsQuiet'
  | 'refreshIsFinished'
  | 'refreshBringsBookings'

export interface Claim {
  readonly says: Statement
  /** @throws ViolationError if it does not hold. */
  readonly judge: () => void
}

export type Happened = Observed<Event>
export type Of<Does extends Event['does']> = Extract<Happened, { readonly does: Does }>
export type Called = Extract<Happened, { readonly foreign: number | undefined }>

export interface Token {
  readonly issued: ObservedExchange
  readonly isRefreshed: boolean
  /** The last call that was answered with it. */
  answered?: ObservedExchange
}

export interface Grant {
  readonly given: Of<'authorize'>
  readonly tokens: Token[]
  /** When the customer has ended it, or its consent. */
  ended?: { readonly at: Date; readonly what: 'revoke' | 'endConsent' }
  /** Whether something has happened after which a bank may end it. */
  mayHaveEnded: boolean
  /** Whether a refresh has given no new access token: then its refresh token may be another one. */
  isUnsure: boolean
}

/** A booking that no walk has shown. */
export interface Due {
  /** How long it may take, in ms; infinite where a refresh must come before. */
  readonly within: number
  /** From when on it must be shown: a bank may look for it when it is asked for the first time. */
  readonly from?: number
}

export interface Known {
  readonly grants: Grant[]
  readonly claims: Claim[]
  /** The last complete walk of each account, and the bookings that it did not show. */
  readonly walks: Map<
    string,
    { readonly walk: ObservedWalk; readonly newest?: 'first' | 'last' | undefined; readonly due: Due[] }
  >
  /** The accounts on which something was booked that nobody could read: it may be shown late. */
  readonly unread: Set<string>
  /** What was booked on each account, in total. */
  readonly credited: Map<string, number>
  /** What was booked on accounts of each customer that nobody books by chance. */
  readonly unusual: Map<string, number[]>
  /** How young the tokens were of which each application has had a refresh, in ms. */
  readonly renewedAt: Map<string, number>
  /** Whether applications are notified: by default off. A change is complete after the next full hour. */
  readonly webhooks: Map<string, 'off' | 'starting' | 'on' | 'ending'>
  /** From when on they are active that were off when they were enabled. */
  readonly activeFrom: Map<string, number>
  /** As they were last set. */
  readonly securityHeaders: Map<string, string>
}

export const claim = ({ claims }: Known, says: Statement, judge: () => void): void =>
  void claims.push({ says, judge })

export const ageOf = (issued: ObservedExchange | undefined, { sentAt }: ObservedExchange): number =>
  issued === undefined ? Infinity : sentAt.getTime() - issued.sentAt.getTime()

/** Where the answers have their balances, as the profile says. */
export interface Fields {
  readonly balances: string
  readonly amount: string
}

/** A sequence that was run, as judges see it. */
export interface Lived {
  readonly fields: Fields
  readonly events: readonly Happened[]
}
