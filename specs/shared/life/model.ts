import {
  amountOf,
  balancePaths,
  eachReached,
  held,
  isByContent,
  isChallenged,
  movesBy,
  NotReached,
  refusalOf,
  ViolationError,
  wasNotProcessed,
  type ObservedExchange,
  type ObservedWalk,
} from '../../../harness/check/index.ts'
import { HOUR, LIFETIME } from '../tolerances.ts'
import { UNUSUAL } from './acts.ts'
import {
  ageOf,
  claim,
  MARGIN,
  type Called,
  type Claim,
  type Due,
  type Fields,
  type Grant,
  type Happened,
  type Known,
  type Lived,
  type Of,
  type Statement,
} from './known.ts'
import { heard, refreshed } from './notified.ts'

/**
 * What the interface requires of each event of a long sequence, given the events before it. Where it permits more than one
 * thing, nothing is required: whether a new grant or a refresh ends earlier tokens, or a refresh before the end is accepted.
 */

/** From such a credit on no account is in debt, so that a credit raises each of its balances that it moves. */
const BEYOND_ALL_DEBTS = 1_000_000

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
  const [lost, found] = [without(before, now), without(now, before)]
  const missing = earlier?.due.slice(found.length) ?? []
  const page = walk.pages.at(-1)?.exchange
  const asked = page?.sentAt.getTime() ?? 0
  const due = missing.map(({ within, from = asked + within }): Due => ({ within, from }))
  known.walks.set(account, { walk, newest, due })
  if (earlier === undefined || page === undefined) return
  const inside = lost.length - lostAtTheEnd(lost, before, newest)
  // As many new ones as lost ones: a booking may change its id when it is final.
  if (lost.length > 0 && (inside <= 0 || found.length >= inside + earlier.due.length)) return
  claim(known, 'nothingIsLost', () => {
    if (lost.length === 0) return held()
    throw new ViolationError({
      subject: 'the transactions of the account',
      expected: `also ${lost[0] ?? ''}, which was there in ${earlier.walk.pages.at(-1)?.exchange.id ?? ''}`,
      received: `${now.length} others`,
      exchange: page.id,
    })
  })
  const isCounted = before.length === earlier.walk.ids.length && now.length === walk.ids.length
  const isLate = missing.some(({ from = Infinity }) => from < page.sentAt.getTime())
  if (lost.length > 0 || !isCounted || !earlier.due.some(({ within }) => Number.isFinite(within))) return
  if (isLate || found.length > 0)
    isListed(known, 'bookingIsListed', !isLate, { earlier: earlier.walk, later: walk })
}

const pageWith = ({ pages }: ObservedWalk, amount: number) =>
  pages.find(({ exchange }) => String(exchange.body.text.value).includes(String(amount)))

/** No page of a customer shows what was booked for another one only. */
const isOfItsCustomer = (known: Known, customer: string, walk: ObservedWalk): void => {
  const own = known.unusual.get(customer) ?? []
  const foreign = [...known.unusual.values()].flat().filter((amount) => !own.includes(amount))
  if (walk.end.value !== 'last' || foreign.length === 0) return
  claim(known, 'nothingIsForeign', () => {
    for (const amount of foreign) {
      const page = pageWith(walk, amount)
      ;(page ?? walk.pages[0])?.exchange.body.text.satisfies(
        page === undefined,
        `no ${amount}, which was booked for another customer`,
      )
    }
  })
}

interface Walks {
  readonly earlier: ObservedWalk
  readonly later: ObservedWalk
}

const isListed = (known: Known, says: Statement, isIt: boolean, { earlier, later }: Walks): void =>
  claim(known, says, () => {
    if (isIt) return held()
    throw new ViolationError({
      subject: 'the transactions of the account',
      expected: `also what was booked since ${earlier.pages.at(-1)?.exchange.id ?? ''}`,
      received: `${without(later.ids, earlier.ids).length} more`,
      exchange: later.pages.at(-1)?.exchange.id ?? '',
    })
  })

const balancesIn = ({ body }: ObservedExchange, fields: Fields): readonly number[] =>
  balancePaths(body.field(fields.balances).value, fields)
    .map((path) => amountOf(body.field(`${path}.${fields.amount}`).value))
    .filter((amount) => !Number.isNaN(amount))

const shown = (known: Known, { account, amount, shown: was }: Of<'book'>, fields: Fields): void => {
  if (was === undefined || !was.before.accepted || !was.after.accepted) return
  const { before, after, walks } = was
  const { earlier, later } = walks
  walked(known, account, earlier)
  // A booking without an id may stand in the place of another with the same content. Where nothing has an id, what is new is one.
  const hasNew = without(later.ids, earlier.ids).length > 0
  if ((later.ids.every(isByContent) && hasNew) || !later.ids.some(isByContent))
    isListed(known, 'bookingIsListed', hasNew, walks)
  const credited = known.credited.get(account) ?? 0
  if (known.unread.delete(account) || Math.min(credited, credited + amount) < BEYOND_ALL_DEBTS) return
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

const booked = (known: Known, event: Of<'book'>, fields: Fields): void => {
  const { account, customer, amount, currentMs = Infinity, isOwn } = event
  if (isOwn) shown(known, event, fields)
  if (event.shown === undefined) known.unread.add(account)
  // Only what the pages of the customer show in this form can be looked for in others.
  if (amount >= UNUSUAL && event.shown && pageWith(event.shown.walks.later, amount))
    known.unusual.set(customer, [...(known.unusual.get(customer) ?? []), amount])
  known.credited.set(account, (known.credited.get(account) ?? 0) + amount)
  // One at another bank must not be shown before a refresh.
  known.walks.get(account)?.due.push({ within: isOwn ? currentMs : Infinity })
  if (event.shown !== undefined) walked(known, account, event.shown.walks.later)
  heard(known, event)
}

const updated = (known: Known, event: Of<'refreshElsewhere'>): void => {
  const { account, exchange, walks } = event
  refreshed(known, event)
  if (walks === undefined) return
  walked(known, account, walks.later)
  if (!exchange.accepted) return
  isListed(known, 'refreshBringsBookings', without(walks.later.ids, walks.earlier.ids).length > 0, walks)
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
      isOfItsCustomer(known, event.customer, event.walk)
      return walked(known, event.account, event.walk)
    case 'book':
      return booked(known, event, fields)
    case 'setWebhooks':
      for (const { name, securityHeader } of event.apps) {
        if (!event.enabled) known.activeFrom.delete(name)
        else if (known.webhooks.get(name) === 'off') known.activeFrom.set(name, event.nextHour)
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
      return updated(known, event)
  }
}

const claimsOf = ({ events, fields }: Lived): readonly Claim[] => {
  const known: Known = {
    grants: [],
    claims: [],
    walks: new Map(),
    unread: new Set(),
    credited: new Map(),
    unusual: new Map(),
    renewedAt: new Map(),
    webhooks: new Map(),
    activeFrom: new Map(),
    securityHeaders: new Map(),
  }
  for (const event of events) follow(known, event, fields)
  return known.claims
}

/** Judges these statements of a sequence. What does not occur in it, or cannot be judged, is judged by other checks. */
export const keeps =
  (...says: readonly Statement[]) =>
  (lived: Lived): void => {
    const claims = claimsOf(lived).filter((one) => says.includes(one.says))
    try {
      if (claims.length > 0) eachReached(claims, ({ judge }) => judge())
    } catch (error) {
      if (!(error instanceof NotReached)) throw error
    }
  }
