import {
  amountOf,
  balancePaths,
  eachReached,
  hasArrived,
  movesBy,
  refusalOf,
  ViolationError,
  held,
  isByContent,
  isChallenged,
  wasNotProcessed,
  type Observed,
  type ObservedDelivery,
  type ObservedExchange,
  type ObservedWalk,
} from '../../../harness/check/index.ts'
import { HOUR, LIFETIME, TOLERANCES } from '../tolerances.ts'
import type { Event } from './live.ts'

/**
 * What the interface requires of each event of a long sequence, given the events before it. Where it permits more than one
 * thing, nothing is required: whether a new grant or a refresh ends earlier tokens, or a refresh before the end is accepted.
 */

/** 90 days of the calendar may be an hour shorter or longer. */
const MARGIN = HOUR + TOLERANCES.lifetime

/** What is required, as in a requirement. */
type Statement =
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
  | 'balanceIsMoved'
  | 'bookingIsNotified'
  | 'revokedConsentIsQuiet'
  | 'disabledIsQuiet'
  | 'callIsSecured'

interface Claim {
  readonly says: Statement
  /** @throws ViolationError if it does not hold. */
  readonly judge: () => void
}

type Happened = Observed<Event>
type Of<Does extends Event['does']> = Extract<Happened, { readonly does: Does }>
type Called = Extract<Happened, { readonly foreign: number | undefined }>

interface Token {
  readonly issued: ObservedExchange
  readonly isRefreshed: boolean
  /** The last call that was answered with it. */
  answered?: ObservedExchange
}

interface Grant {
  readonly given: Of<'authorize'>
  readonly tokens: Token[]
  /** When the customer has ended it, or its consent. */
  ended?: { readonly at: Date; readonly what: 'revoke' | 'endConsent' }
  /** Whether something has happened after which a bank may end it. */
  mayHaveEnded: boolean
  /** Whether a refresh has given no new access token: then its refresh token may be another one. */
  isUnsure: boolean
}

interface Known {
  readonly grants: Grant[]
  readonly claims: Claim[]
  /** The last complete walk of each account, and the bookings since. */
  readonly walks: Map<
    string,
    { readonly walk: ObservedWalk; readonly newest?: 'first' | 'last' | undefined; bookings: number }
  >
  /** What was booked on each account, in total. */
  readonly credited: Map<string, number>
  /** How young the tokens were of which each application has had a refresh, in ms. */
  readonly renewedAt: Map<string, number>
  /** Whether applications are notified: by default off. A change is complete after the next full hour. */
  readonly webhooks: Map<string, 'off' | 'starting' | 'on' | 'ending'>
  /** As they were last set. */
  readonly securityHeaders: Map<string, string>
}

/** From such a credit on no account is in debt, so that a credit raises each of its balances that it moves. */
const BEYOND_ALL_DEBTS = 1_000_000

const claim = ({ claims }: Known, says: Statement, judge: () => void): void =>
  void claims.push({ says, judge })

/** Whether two grants may be one for the bank. */
const areAlike = (one: Grant, { given }: Grant): boolean =>
  (one.given.app === given.app && one.given.customer === given.customer) ||
  (given.consentId !== undefined && one.given.consentId === given.consentId)

const authorized = (known: Known, given: Of<'authorize'>): void => {
  const { exchange } = given
  const isGiven = exchange?.accepted === true
  const grant: Grant = {
    given,
    tokens: isGiven ? [{ issued: exchange, isRefreshed: false }] : [],
    mayHaveEnded: false,
    isUnsure: false,
  }
  for (const one of known.grants) if (areAlike(one, grant)) one.mayHaveEnded = true
  known.grants.push(grant)
}

const renewed = (known: Known, { grant: at, exchange, isNew }: Of<'renew'>): void => {
  const grant = known.grants[at]
  if (grant === undefined || wasNotProcessed(exchange)) return
  const { ended, tokens, given } = grant
  if (ended !== undefined)
    claim(known, 'revokedIsNotRenewed', () =>
      exchange.isRefused(`the user has ended it at ${ended.at.toISOString()}`),
    )
  else renewedInTime(known, grant, exchange)
  if (!exchange.accepted) return
  const youngest = known.renewedAt.get(given.app) ?? Infinity
  known.renewedAt.set(given.app, Math.min(youngest, ageOf(tokens.at(-1)?.issued, exchange)))
  if (isNew) tokens.push({ issued: exchange, isRefreshed: true })
  else grant.isUnsure = true
}

const ageOf = (issued: ObservedExchange | undefined, { sentAt }: ObservedExchange): number =>
  issued === undefined ? Infinity : sentAt.getTime() - issued.sentAt.getTime()

/**
 * From which age on a token is renewed, and how often, is not shown: what was renewed once is renewed for another token of
 * that age.
 */
const renewedInTime = (known: Known, grant: Grant, exchange: ObservedExchange): void => {
  const { given, tokens, mayHaveEnded, isUnsure } = grant
  const age = ageOf(tokens.at(-1)?.issued, exchange)
  const isOldEnough = age > HOUR && age >= (known.renewedAt.get(given.app) ?? Infinity)
  const isYoungEnough = ageOf(tokens[0]?.issued, exchange) < LIFETIME - MARGIN
  if (mayHaveEnded || isUnsure || !isOldEnough || !isYoungEnough) return
  claim(known, 'refreshTokenLives', () =>
    exchange.isAccepted(
      `${given.app} has had another refresh of a token that was not older, and the customer authorized less than 90 days before`,
    ),
  )
}

const ended = (known: Known, { does, grant: at, at: time }: Of<'revoke' | 'endConsent'>): void => {
  const grant = known.grants[at]
  if (grant === undefined) return
  for (const one of known.grants) {
    const isOfTheConsent = does === 'endConsent' && one.given.consentId === grant.given.consentId
    if (one === grant || isOfTheConsent) one.ended ??= { at: time, what: does }
    else if (areAlike(one, grant)) one.mayHaveEnded = true
  }
}

/** What is required of the form of a refusal. */
const refused = (known: Known, has401: 'revokedIs401' | 'expiredIs401', call: ObservedExchange): void => {
  if (call.accepted) return
  claim(known, has401, () => refusalOf(call).status.equals(401))
  claim(known, 'refusalIsChallenged', () => isChallenged(call, 'Bearer'))
}

const called = (known: Known, { does, grant: at, token: number, exchange, foreign }: Called): void => {
  const grant = known.grants[at]
  const token = grant?.tokens[number]
  if (grant === undefined || token === undefined || wasNotProcessed(exchange)) return
  const { issued, isRefreshed, answered } = token
  const age = ageOf(issued, exchange)
  // A bank may count the 90 days of all tokens from the authorization.
  const mayBeOver = ageOf(grant.tokens[0]?.issued, exchange) >= LIFETIME - MARGIN
  const from = `${issued.id} gave its access token`
  const isLast = grant.tokens.at(-1) === token
  const isAlive = isLast && !grant.mayHaveEnded && !grant.ended && !mayBeOver
  if (grant.ended !== undefined && answered !== undefined) {
    const because = `${from}, which was answered in ${answered.id}, and the user has ended it at ${grant.ended.at.toISOString()}`
    claim(known, 'revokedIsRefused', () => exchange.isRefused(because))
    refused(known, 'revokedIs401', exchange)
  } else if (age > LIFETIME + MARGIN && answered !== undefined) {
    const because = `${from} more than 90 days before`
    claim(known, isRefreshed ? 'refreshedTokenEnds' : 'tokenEnds', () => exchange.isRefused(because))
    refused(known, 'expiredIs401', exchange)
  } else if (age < LIFETIME - MARGIN && answered !== undefined && isAlive) {
    const lives = (): void =>
      exchange.isAccepted(`${from} less than 90 days before, and ${answered.id} was answered`)
    claim(known, isRefreshed ? 'refreshedTokenLives' : 'tokenLives', lives)
    if (known.grants.some(({ ended: end }) => end !== undefined)) claim(known, 'othersLive', lives)
  }
  if (does === 'list' && exchange.accepted) {
    token.answered = exchange
    if (foreign === undefined) return
    claim(known, 'onlyOwnAccounts', () =>
      exchange.body.text.satisfies(foreign === 0, `no account but those that ${grant.given.customer} shares`),
    )
  }
}

const without = (ids: readonly string[], others: readonly string[]): readonly string[] => {
  const known = new Set(others)
  return ids.filter((id) => !known.has(id))
}

/** At which end of the pages a booking appears; undefined where none has, or most of the others have gone. */
const newestAt = (before: readonly string[], now: readonly string[]): 'first' | 'last' | undefined => {
  const isKnown = (id: string | undefined): boolean => id !== undefined && before.includes(id)
  const [first, last] = [isKnown(now[0]), isKnown(now.at(-1))]
  if (first === last || without(before, now).length * 2 > before.length) return undefined
  return first ? 'last' : 'first'
}

/** What has no id is known by its content and its number among those alike, which changes when an earlier one goes. */
const idsIn = (walk: ObservedWalk | undefined): readonly string[] =>
  walk?.ids.filter((id) => !isByContent(id)) ?? []

/** How many of those that are lost stood at the old end of the list: how long transactions are kept is not shown. */
const lostAtTheEnd = (lost: readonly string[], ids: readonly string[], newest?: 'first' | 'last'): number => {
  const fromTheStart = (all: readonly string[]): number => {
    const kept = all.findIndex((id) => !lost.includes(id))
    return kept < 0 ? all.length : kept
  }
  return Math.max(
    newest === 'first' ? 0 : fromTheStart(ids),
    newest === 'last' ? 0 : fromTheStart(ids.toReversed()),
  )
}

const walked = (known: Known, account: string, walk: ObservedWalk): void => {
  if (walk.end.value !== 'last') return
  if (walk.ids.length > 0) claim(known, 'nothingIsTwice', () => walk.repeatsNothing())
  const earlier = known.walks.get(account)
  const [before, now] = [idsIn(earlier?.walk), idsIn(walk)]
  const newest = (earlier && newestAt(before, now)) ?? earlier?.newest
  known.walks.set(account, { walk, newest, bookings: 0 })
  const page = walk.pages.at(-1)?.exchange
  if (earlier === undefined || page === undefined) return
  const lost = without(before, now)
  const found = without(now, before)
  const inside = lost.length - lostAtTheEnd(lost, before, newest)
  // As many new ones as lost ones: a booking may change its id when it is final.
  if (lost.length > 0 && (inside <= 0 || found.length >= inside + earlier.bookings)) return
  claim(known, 'nothingIsLost', () => {
    if (lost.length === 0) return held()
    throw new ViolationError({
      subject: 'the transactions of the account',
      expected: `also ${lost[0] ?? ''}, which was there in ${earlier.walk.pages.at(-1)?.exchange.id ?? ''}`,
      received: `${now.length} others`,
      exchange: page.id,
    })
  })
}

const balancesIn = ({ body }: ObservedExchange, fields: Fields): readonly number[] =>
  balancePaths(body.field(fields.balances).value, fields)
    .map((path) => amountOf(body.field(`${path}.${fields.amount}`).value))
    .filter((amount) => !Number.isNaN(amount))

const shown = (known: Known, { account, amount, shown: was }: Of<'book'>, fields: Fields): void => {
  if (was === undefined || !was.before.accepted || !was.after.accepted) return
  const { before, after, walks } = was
  const { earlier, later: walk } = walks
  walked(known, account, earlier)
  // A booking without an id may stand in the place of another with the same content. Where nothing has an id, what is new is one.
  const isNew = walk.ids.every(isByContent) && without(walk.ids, earlier.ids).length > 0
  if (isNew || !walk.ids.some(isByContent))
    claim(known, 'bookingIsListed', () => {
      if (without(walk.ids, earlier.ids).length > 0) return held()
      throw new ViolationError({
        subject: 'the transactions of the account',
        expected: `one more than in ${earlier.pages.at(-1)?.exchange.id ?? ''}, since ${amount} was booked`,
        received: 'those that were there before',
        exchange: walk.pages.at(-1)?.exchange.id ?? '',
      })
    })
  if ((known.credited.get(account) ?? 0) < BEYOND_ALL_DEBTS) return
  const [from, to] = [balancesIn(before, fields), balancesIn(after, fields)]
  const moves = movesBy(amount, { before: from, after: to })
  claim(known, 'balanceIsMoved', () => {
    if (moves.some((move) => move.from === 1 && move.to === 1)) return held()
    throw new ViolationError({
      subject: fields.balances,
      expected: `one of ${from.join(', ')} (${before.id}) plus ${amount}, which was booked`,
      received: to.join(', '),
      exchange: after.id,
    })
  })
}

const names = ({ event }: ObservedDelivery, consentId: string | undefined): boolean =>
  event !== undefined && consentId !== undefined && event.consentId === consentId

const quiet = (known: Known, calls: readonly ObservedDelivery[], since: ObservedExchange): void => {
  for (const { given, ended: end } of known.grants) {
    const { consentId } = given
    if (end?.what !== 'endConsent' || consentId === undefined) continue
    claim(known, 'revokedConsentIsQuiet', () => {
      held()
      for (const call of calls)
        call
          .field('consentId')
          .satisfies(
            !names(call, consentId),
            `no consent that the user has ended at ${end.at.toISOString()} (${since.id})`,
          )
    })
  }
}

/** A consent belongs to one application. An event of an unknown one may go to any application. */
const disabledAreQuiet = ({ claims, grants, webhooks }: Known, calls: readonly ObservedDelivery[]): void => {
  const isOff = (app: string): boolean => (webhooks.get(app) ?? 'off') === 'off'
  const isAllOff = [...webhooks.keys()].every(isOff)
  const off = grants.filter(({ given }) => isOff(given.app))
  if (off.length === 0) return
  claims.push({
    says: 'disabledIsQuiet',
    judge: () => {
      held()
      for (const call of calls) {
        const isOfOne = off.some(({ given }) => names(call, given.consentId))
        const isWrong = call.event !== undefined && (isAllOff || isOfOne)
        call.field('consentId').satisfies(!isWrong, 'no event, since webhooks are disabled')
      }
    },
  })
}

/** A change of the settings may wait for the next full hour. */
const areSecured = (known: Known, calls: readonly ObservedDelivery[]): void => {
  for (const call of calls) {
    const { app = '' } = known.grants.find(({ given }) => names(call, given.consentId))?.given ?? {}
    const configured = known.securityHeaders.get(app)
    if (configured === undefined || known.webhooks.get(app) !== 'on') continue
    claim(known, 'callIsSecured', () => call.header('Authorization').equals(configured))
  }
}

const heard = (known: Known, { heard: what, ...event }: Of<'book'>): void => {
  const { account, listedBy, openedBy, booking, isOwn } = event
  if (what === undefined) return
  const { calls, within, isReached } = what
  quiet(known, calls, booking)
  disabledAreQuiet(known, calls)
  areSecured(known, calls)
  if (!isOwn) return
  for (const at of listedBy) {
    const grant = known.grants[at]
    if (grant === undefined || known.webhooks.get(grant.given.app) !== 'on') continue
    if (grant.ended || grant.mayHaveEnded || grant.given.consentId === undefined) continue
    // A bank may count the 90 days of all tokens from the authorization.
    const mayBeOver = ageOf(grant.tokens[0]?.issued, booking) > LIFETIME - MARGIN
    if (mayBeOver && at !== openedBy) continue
    // Which ids an event has is judged elsewhere: they may differ from list to list.
    const delivery = calls.find((call) => names(call, grant.given.consentId))
    claim(known, 'bookingIsNotified', () =>
      hasArrived(
        { delivery, after: booking, within, isReached },
        `a transactionEvent of the account ${account} under the consent of ${grant.given.exchange?.id ?? ''}`,
      ),
    )
  }
}

const booked = (known: Known, event: Of<'book'>, fields: Fields): void => {
  const { account, amount } = event
  if (event.isOwn) shown(known, event, fields)
  known.credited.set(account, (known.credited.get(account) ?? 0) + amount)
  const walk = known.walks.get(account)
  if (walk !== undefined) walk.bookings += 1
  if (event.shown !== undefined) walked(known, account, event.shown.walks.later)
  heard(known, event)
}

const follow = (known: Known, event: Happened, fields: Fields): void => {
  switch (event.does) {
    case 'authorize':
      return authorized(known, event)
    case 'renew':
      return renewed(known, event)
    case 'revoke':
    case 'endConsent':
      return ended(known, event)
    case 'list':
    case 'read':
    case 'page':
      return called(known, event)
    case 'walk':
      return walked(known, event.account, event.walk)
    case 'book':
      return booked(known, event, fields)
    case 'setWebhooks':
      for (const { name, securityHeader } of event.apps) {
        known.webhooks.set(name, event.enabled ? 'starting' : 'ending')
        known.securityHeaders.set(name, securityHeader)
      }
      return
    case 'pass':
      if (event.ms <= HOUR) return
      for (const [app, state] of known.webhooks)
        known.webhooks.set(app, state === 'starting' || state === 'on' ? 'on' : 'off')
      return
    case 'refreshElsewhere':
  }
}

/** Where the answers have their balances, as the profile says. */
interface Fields {
  readonly balances: string
  readonly amount: string
}

/** A sequence that was run, as judges see it. */
interface Lived {
  readonly fields: Fields
  readonly events: readonly Happened[]
}

const claimsOf = ({ events, fields }: Lived): readonly Claim[] => {
  const known: Known = {
    grants: [],
    claims: [],
    walks: new Map(),
    credited: new Map(),
    renewedAt: new Map(),
    webhooks: new Map(),
    securityHeaders: new Map(),
  }
  for (const event of events) follow(known, event, fields)
  return known.claims
}

/** Judges these statements of a sequence. What does not occur in it is judged by other checks. */
export const keeps =
  (...says: readonly Statement[]) =>
  (lived: Lived): void => {
    const claims = claimsOf(lived).filter((one) => says.includes(one.says))
    if (claims.length > 0) eachReached(claims, ({ judge }) => judge())
  }

const answeredWith = ({ status, accepted }: ObservedExchange): string =>
  `${String(status.value)}${accepted ? '' : ', refused'}`

const lineOf = (event: Happened): string => {
  switch (event.does) {
    case 'authorize':
      return `${event.customer} authorizes ${event.app}: ${event.exchange ? answeredWith(event.exchange) : 'no code'}`
    case 'renew':
      return `grant ${event.grant + 1} is refreshed: ${answeredWith(event.exchange)}`
    case 'revoke':
    case 'endConsent':
      return `the customer ends ${event.does === 'revoke' ? '' : 'the consent of '}grant ${event.grant + 1}`
    case 'list':
    case 'read':
    case 'page':
      return `token ${event.token + 1} of grant ${event.grant + 1}, ${event.does}: ${answeredWith(event.exchange)}`
    case 'walk':
      return `the transactions of ${event.account}: ${event.walk.ids.length}`
    case 'book':
      return `${event.amount} is booked on ${event.account}`
    case 'pass':
      return `time passes: ${Math.round(event.ms / 60_000)} min`
    case 'refreshElsewhere':
      return `a refresh of the other banks: ${answeredWith(event.exchange)}`
    case 'setWebhooks':
      return `webhooks of ${event.apps.map(({ name }) => name).join(' and ')} are ${event.enabled ? 'enabled' : 'disabled'}`
  }
}

/** A sequence as a numbered list. */
export const describeLife = ({ events }: Lived): string =>
  events.map((event, at) => `${at + 1}. ${lineOf(event)}`).join('\n')
