import { check, NotReached, note, scenario, ViolationError } from '../../harness/check/index.ts'
import type { Accounts, Observed, ObservedDelivery } from '../../harness/check/index.ts'
import {
  callOf,
  eventsIn,
  goesTo,
  hasSecurityHeader,
  hasSecurityHeaderOf,
  idsOf,
  isHeard,
  isNotified,
  isEither,
  isOneOfTheTwo,
  ofConsent,
  someOf,
  transactionEventsIn,
} from './calls.ts'
import {
  bookAndListen,
  bookDebit,
  firstOf,
  SECURITY_HEADER,
  securityHeaderOf,
  subscribe,
} from './listening.ts'
import type { Known, Subscription } from './listening.ts'
import { describeCalls } from './undisclosed.ts'
import { WEB } from './requirements.ts'

const OWN = "the service's own bank"

/** The bounds of the first variant are not shown: the first of these that is taken. */
const PAGE_SIZES = [50, 100, 20, 10] as const

/** What tells the transactions of an account apart; nothing where they cannot be walked, which is judged elsewhere. */
const transactionsOf = async (
  accounts: Accounts,
  { accessToken }: Subscription,
  account: Known,
): Promise<readonly string[] | undefined> => {
  for (const size of PAGE_SIZES) {
    const walk = await accounts.walk(accessToken, account, size).catch(() => undefined)
    if (walk?.end === 'last') return walk.pages.flatMap(({ ids }) => ids)
  }
  return undefined
}

/** Whether a list has what it had not before. */
const hasNew = (before: readonly string[], after: readonly string[] = []): boolean =>
  after.some((id) => !before.includes(id))

/** How long a list is given to become current, in ms: a minute, in steps. */
const STEPS = [0, 1_000, 9_000, 50_000] as const

const booked = scenario(
  "bookings on accounts of the service's own bank",
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 1,
    needs: ['customer', 'own-account', 'booking', 'webhook'],
  },
  async (session) => {
    const { webhook, app, clock } = session
    await webhook.activate({ securityHeader: SECURITY_HEADER })
    // It was never granted: a consent that no event may name.
    const idle = await app.consent()
    const subscription = await subscribe(session)
    const first = firstOf(subscription.own, OWN)
    const second = subscription.own.find(({ accountId }) => accountId !== first.accountId) ?? first
    const accounts = app.accounts('first')
    const listBefore = await transactionsOf(accounts, subscription, first)
    const bookings = [await bookAndListen(session, subscription, first)]
    let listAfter = listBefore
    for (const step of STEPS) {
      if (listBefore === undefined || hasNew(listBefore, listAfter)) break
      if (step > 0) await clock.pass(step)
      listAfter = await transactionsOf(accounts, subscription, first)
    }
    // What the application is told of is the consent's, and not the first token's.
    await app.renew(subscription)
    bookings.push(await bookAndListen(session, subscription, first, bookDebit))
    bookings.push(await bookAndListen(session, subscription, second))
    return {
      ...{ subscription, bookings },
      ...(listBefore && listAfter && { lists: { before: listBefore, after: listAfter } }),
      ...(idle !== undefined && { idle }),
      url: webhook.url,
      securityHeader: securityHeaderOf(session, SECURITY_HEADER),
      isReached: webhook.isReached(),
      calls: webhook.deliveries(),
    }
  },
)

type Record = Observed<Awaited<ReturnType<typeof booked.act>>>

const transactionEventsOf = ({ calls }: Record): readonly ObservedDelivery[] =>
  someOf(transactionEventsIn(calls).filter(isEither), 'transactionEvent')

check(WEB.enabledWebhookIsCalled, booked, ({ bookings: [first], calls, isReached }) => {
  if (first === undefined) throw new NotReached('nothing was booked')
  isNotified({ ...first, ...(calls[0] && { near: calls[0] }) }, isReached)
})

check(WEB.callsGoToTheConfiguredUrl, booked, ({ calls, url }) => {
  for (const call of someOf(eventsIn(calls), 'webhook call')) goesTo(call, url)
})

check(WEB.securityHeaderIsSentInEachCall, booked, ({ calls, securityHeader }) => {
  if (securityHeader === '') throw new NotReached('no security header is set')
  for (const call of someOf(eventsIn(calls), 'webhook call')) hasSecurityHeader(call)
})

check(WEB.securityHeaderIsSentAsAuthorization, booked, ({ calls, securityHeader }) => {
  if (securityHeader === '') throw new NotReached('no security header is set')
  for (const call of someOf(eventsIn(calls), 'webhook call')) hasSecurityHeaderOf(call, securityHeader)
})

check(WEB.bookingIsNotified, booked, ({ bookings, isReached }) => {
  for (const booking of bookings) isNotified(booking, isReached)
})

check(
  WEB.transactionEventNamesItsConsent,
  booked,
  ({ bookings, subscription: { consentId }, idle, calls }) => {
    for (const booking of bookings) {
      const call = callOf(booking)
      if (booking.exact === undefined) call.field('consentId').equals(consentId)
    }
    if (idle === undefined || idle === consentId) return
    for (const call of calls)
      call.field('consentId').satisfies(call.event?.consentId !== idle, 'a consent that was granted')
  },
)

check(WEB.transactionEventHasAnEventType, booked, (record) => {
  for (const call of transactionEventsOf(record)) call.kind('eventType').equals('string')
})

check(WEB.transactionEventIsNew, booked, (record) => {
  for (const call of transactionEventsOf(record)) {
    const eventType = call.field('eventType')
    // What is no string is judged beside it.
    if (typeof eventType.value === 'string') eventType.equals('NEW')
  }
})

check(WEB.transactionEventHasAnArrayOfAccounts, booked, (record) => {
  for (const call of transactionEventsOf(record)) call.kind('accounts').equals('array')
})

check(WEB.transactionEventItemsHaveAnAccountId, booked, (record) => {
  const items = transactionEventsOf(record).flatMap(({ accounts }) => accounts)
  for (const item of someOf(items, 'account of a transactionEvent')) item.kind('accountId').equals('string')
})

check(WEB.transactionEventNamesTheAccount, booked, ({ bookings }) => {
  for (const booking of bookings) {
    const call = callOf(booking)
    if (booking.exact === undefined && hasReadableAccounts(call))
      call
        .field('accounts')
        .satisfies(
          idsOf(call).includes(booking.account.accountId),
          `an item with the accountId ${booking.account.accountId}, on which a transaction was booked`,
        )
  }
})

/** Whether each item says its accountId: what does not is judged elsewhere. */
const hasReadableAccounts = (call: ObservedDelivery): boolean =>
  call.kind('accounts').value === 'array' && call.accounts.length === idsOf(call).length

check(WEB.transactionEventNamesNoOtherAccount, booked, ({ subscription, calls, bookings }) => {
  const all = stillAccounts(subscription, bookings)
  for (const call of ofConsent(transactionEventsIn(calls), subscription.consentId)) namesNone(call, all)
  // What has come before the last booking cannot have known of it.
  bookings.forEach((booking, at) =>
    namesNone(callOf(booking), stillAccounts(subscription, bookings.slice(0, at + 1))),
  )
})

/** The accounts on which nothing is booked, as the profile knows. */
const stillAccounts = (
  { own, elsewhere }: Observed<Subscription>,
  bookings: Record['bookings'],
): readonly string[] => {
  const changed = bookings.map(({ account }) => account.accountId)
  const still = [...own, ...elsewhere].filter(
    ({ isStill, accountId }) => isStill && !changed.includes(accountId),
  )
  if (still.length > 0) return still.map(({ accountId }) => accountId)
  throw new NotReached('the profile knows no other account whose transactions do not change')
}

const namesNone = (call: ObservedDelivery, still: readonly string[]): void => {
  const named = idsOf(call).find((accountId) => still.includes(accountId))
  call
    .field('accounts')
    .satisfies(named === undefined, `no item with the accountId ${named ?? ''}, on which nothing was booked`)
}

check(WEB.notifiedTransactionIsInTheList, booked, ({ bookings: [first], lists }) => {
  if (first?.exact === undefined) throw new NotReached('the booking was not notified')
  if (lists === undefined) throw new NotReached('the transactions of the account cannot be walked')
  const { before, after } = lists
  if (hasNew(before, after)) return isHeard(first)
  throw new ViolationError({
    subject: 'the transactions of the account',
    expected: 'a new one, since a transactionEvent has come',
    received: `the same ${after.length} as before, for a minute`,
    exchange: first.exact.id,
  })
})

check(WEB.everyCallIsOneOfTheTwoEvents, booked, ({ calls }) => {
  for (const call of someOf(eventsIn(calls), 'webhook call')) isOneOfTheTwo(call)
})

check(WEB.accountEventRepeatsTheTaskId, booked, ({ calls, bookings, subscription: { consentId } }) => {
  bookings.forEach(isHeard)
  for (const call of ofConsent(calls, consentId))
    call
      .field('taskId')
      .satisfies(call.event?.taskId === undefined, 'nothing, since no refresh was asked for')
})

describeCalls(booked, ({ bookings }) => bookings.map(callOf), 'transactionEvent')

note(WEB.deliveryTiming, booked, ({ bookings }) => {
  const times = bookings.map((booking) => {
    const { receivedAt } = callOf(booking)
    return Math.max(0, receivedAt.getTime() - booking.booking.sentAt.getTime()) / 1000
  })
  return `transactionEvent: ${[...new Set(times.map((seconds) => `${seconds.toFixed(0)} s`))].join(', ')} after the booking`
})
