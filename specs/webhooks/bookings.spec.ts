import {
  check,
  eventOf,
  hasArrived,
  held,
  note,
  NotReached,
  ViolationError,
  everyCall,
} from '../../harness/check/index.ts'
import { canWait, days, scenario } from '../../harness/session/index.ts'
import type { Delivery, Exchange, Observed, ObservedDelivery, RecordOf } from '../../harness/check/index.ts'
import type { Accounts, Payments, Session } from '../../harness/session/index.ts'
import {
  callForBooking,
  idsOf,
  requireNotified,
  assertNotified,
  isOfAKnownKind,
  assertNamesNone,
  assertNamesOnly,
  ofConsent,
  transactionEventsIn,
  assertCarriesAnEvent,
  assertKnownKind,
  checkCalls,
  noteCalls,
} from './assertions.ts'
import {
  arrivedAfterNow,
  book,
  bookAndListen,
  bookDebit,
  requireFirst,
  SECURITY_HEADER,
  securityHeaderOf,
  subscribe,
} from './steps.ts'
import type { KnownAccount, Subscription } from './steps.ts'
import {
  currentDeadline,
  leftOutOfBookings,
  requireDecisive,
  waitsUntilCurrent,
} from '../shared/account-steps.ts'
import { notifying } from '../shared/scenario-options.ts'
import { HOUR } from '../shared/tolerances.ts'
import { WEB } from './requirements.ts'

const OWN = "the service's own bank"

/** The bounds of the first variant are not shown: the first of these sizes that is accepted is used. */
const PAGE_SIZES = [50, 100, 20, 10] as const

/** The ids of the transactions of an account; undefined where they cannot be walked. */
const transactionIdsOf = async (
  accounts: Accounts,
  { accessToken }: Subscription,
  account: KnownAccount,
): Promise<readonly string[] | undefined> => {
  for (const size of PAGE_SIZES) {
    const walk = await accounts.walk(accessToken, account, size).catch(() => undefined)
    if (walk?.end === 'last') return walk.pages.flatMap(({ ids }) => ids)
  }
  return undefined
}

const hasNew = (before: readonly string[], after: readonly string[] = []): boolean =>
  after.some((id) => !before.includes(id))

/** Books on two accounts at the same moment, and waits until events name both of them: the bank may send one event. */
const bookBoth = async (
  session: Session,
  subscription: Subscription,
  accounts: readonly [KnownAccount, KnownAccount],
) => {
  const { webhook } = session
  const [first, second] = accounts
  const isNew = arrivedAfterNow(session)
  const isOfFirst = (delivery: Delivery): boolean =>
    isNew(delivery) &&
    eventOf(delivery)?.accounts.some(({ accountId }) => accountId === first.accountId) === true
  const booked = await bookAndListen(
    session,
    subscription,
    second,
    async () => (await Promise.all([book(session, first), book(session, second)]))[1],
  )
  if (!webhook.deliveries().some(isOfFirst)) await webhook.next(isOfFirst, { within: booked.within })
  return { ...booked, accounts, calls: webhook.deliveries().filter(isNew) }
}

const booked = scenario(
  "bookings on accounts of the service's own bank",
  notifying(1, 'own-account', 'booking', 'webhook'),
  async (session) => {
    const { webhook, app, clock } = session
    await webhook.activate({ securityHeader: SECURITY_HEADER })
    // A consent that nobody grants: no event may name it.
    const notGranted = await app.consent()
    const subscription = await subscribe(session)
    const first = requireFirst(subscription.own, OWN)
    const leftOut = [first.iban, ...leftOutOfBookings(session)]
    const second = subscription.own.find(({ iban }) => !leftOut.includes(iban)) ?? first
    const accounts = app.accounts('first')
    const listBefore = await transactionIdsOf(accounts, subscription, first)
    const bookings = [await bookAndListen(session, subscription, first)]
    let listAfter = listBefore
    for (const wait of [0, ...waitsUntilCurrent(session)]) {
      if (listBefore === undefined || hasNew(listBefore, listAfter)) break
      await clock.pass(wait)
      listAfter = await transactionIdsOf(accounts, subscription, first)
    }
    // Notifications belong to the consent, not to its first token.
    await app.renew(subscription)
    bookings.push(await bookAndListen(session, subscription, first, bookDebit))
    bookings.push(await bookAndListen(session, subscription, second))
    return {
      subscription,
      bookings,
      atOnce: await bookBoth(session, subscription, [first, second]),
      ...(listBefore &&
        listAfter && { lists: { before: listBefore, after: listAfter, deadline: currentDeadline(session) } }),
      ...(notGranted !== undefined && { notGranted }),
      url: webhook.url,
      securityHeader: securityHeaderOf(session, SECURITY_HEADER),
      isReached: webhook.isReached(),
      calls: webhook.deliveries(),
    }
  },
)

checkCalls(booked)

const NO_EVENT = 'no transactionEvent has arrived'

const calls = everyCall(booked)

check(WEB.everyCallCarriesAnEvent, calls, assertCarriesAnEvent)

check(
  WEB.everyCallIsOneOfTheTwoEvents,
  calls.where(({ event }) => event !== undefined, NO_EVENT),
  assertKnownKind,
)

const transactionEvents = calls.where((call) => transactionEventsIn([call]).some(isOfAKnownKind), NO_EVENT)

check(WEB.enabledWebhookIsCalled, booked, ({ bookings: [first], calls, isReached }) => {
  if (first === undefined) throw new NotReached('nothing was booked')
  assertNotified({ ...first, ...(calls[0] && { near: calls[0] }) }, isReached)
})

check(WEB.bookingIsNotified, booked, ({ bookings, atOnce, isReached }) => {
  for (const booking of [...bookings, atOnce]) assertNotified(booking, isReached)
})

check(
  WEB.transactionEventNamesItsConsent,
  booked,
  ({ bookings, subscription: { consentId }, notGranted, calls }) => {
    for (const booking of bookings) {
      const call = callForBooking(booking)
      if (booking.exact === undefined) call.field('consentId').equals(consentId)
    }
    if (notGranted === undefined || notGranted === consentId) return
    for (const call of calls)
      call.field('consentId').satisfies(call.event?.consentId !== notGranted, 'a consent that was granted')
  },
)

check(WEB.transactionEventHasAnEventType, transactionEvents, (call) =>
  call.kind('eventType').equals('string'),
)

check(
  WEB.transactionEventIsNew,
  transactionEvents.where((call) => call.kind('eventType').value === 'string', 'no eventType is a string'),
  (call) => call.field('eventType').equals('NEW'),
)

check(WEB.transactionEventHasAnArrayOfAccounts, transactionEvents, (call) =>
  call.kind('accounts').equals('array'),
)

check(
  WEB.transactionEventItemsHaveAnAccountId,
  transactionEvents.each(({ accounts }) => accounts, 'no transactionEvent has an account'),
  (item) => item.kind('accountId').equals('string'),
)

check(WEB.transactionEventNamesTheAccount, booked, ({ bookings, atOnce, isReached }) => {
  for (const booking of bookings) {
    const call = callForBooking(booking)
    if (booking.exact !== undefined) held()
    else if (hasReadableAccounts(call))
      call
        .field('accounts')
        .satisfies(
          idsOf(call).includes(booking.account.accountId),
          `an item with the accountId ${booking.account.accountId}, on which a transaction was booked`,
        )
  }
  const { accounts, booking, calls, consentId, within } = atOnce
  const events = ofConsent(transactionEventsIn(calls), consentId)
  if (events.length === 0 || !events.every(hasReadableAccounts)) return
  for (const { accountId } of accounts) {
    const delivery = events.find((call) => idsOf(call).includes(accountId))
    const event = `a transactionEvent with the accountId ${accountId}, on which a transaction was booked at the same moment as another one`
    hasArrived({ delivery, after: booking, within, isReached }, event)
  }
})

/** Whether each item has its accountId. */
const hasReadableAccounts = (call: ObservedDelivery): boolean =>
  call.kind('accounts').value === 'array' && call.accounts.length === idsOf(call).length

const UNCHANGED = 'on which nothing was booked'

check(WEB.transactionEventNamesNoOtherAccount, booked, ({ subscription, calls, bookings }) => {
  // A call before a later booking cannot be about that booking.
  const unchanged = bookings.map((_, at) => unchangedAccounts(subscription, bookings.slice(0, at + 1)))
  if (unchanged[0]?.length === 0)
    throw new NotReached('the profile knows no other account whose transactions do not change')
  for (const call of ofConsent(transactionEventsIn(calls), subscription.consentId))
    assertNamesNone(call, unchanged.at(-1) ?? [], UNCHANGED)
  bookings.forEach((booking, at) => assertNamesNone(callForBooking(booking), unchanged[at] ?? [], UNCHANGED))
})

/** The accounts on which nothing was booked, as far as the profile knows. */
const unchangedAccounts = (
  { own, elsewhere }: Observed<Subscription>,
  bookings: RecordOf<typeof booked>['bookings'],
): readonly string[] => {
  const changed = bookings.map(({ account }) => account.accountId)
  return [...own, ...elsewhere]
    .filter(({ hasKnownCount, accountId }) => hasKnownCount && !changed.includes(accountId))
    .map(({ accountId }) => accountId)
}

check(WEB.notifiedTransactionIsInTheList, booked, ({ bookings: [first], lists }) => {
  if (first?.exact === undefined) throw new NotReached('the booking was not notified')
  if (lists === undefined) throw new NotReached('the transactions of the account cannot be walked')
  const { before, after, deadline } = lists
  requireNotified(first)
  if (hasNew(before, after)) return held()
  requireDecisive(deadline)
  throw new ViolationError({
    subject: 'the transactions of the account',
    expected: 'a new one, since a transactionEvent has arrived',
    received: `the same ${after.length} as before, for ${deadline.ms / 1_000} s`,
    exchange: first.exact.id,
  })
})

check(WEB.accountWithoutConsentIsNotNotified, booked, ({ bookings, subscription: { ids } }) => {
  bookings.forEach(requireNotified)
  for (const { exact } of bookings) if (exact !== undefined) assertNamesOnly(exact, ids)
})

check(WEB.accountEventRepeatsTheTaskId, booked, ({ calls, bookings, subscription: { consentId } }) => {
  bookings.forEach(requireNotified)
  for (const call of ofConsent(calls, consentId))
    call
      .field('taskId')
      .satisfies(call.event?.taskId === undefined, 'nothing, since no refresh was asked for')
})

noteCalls(booked, ({ bookings }) => bookings.map(callForBooking), 'transactionEvent')

note(WEB.deliveryTiming, booked, ({ bookings }) => {
  const times = bookings.map((booking) => {
    const { receivedAt } = callForBooking(booking)
    return Math.max(0, receivedAt.getTime() - booking.booking.sentAt.getTime()) / 1000
  })
  return `transactionEvent: ${[...new Set(times.map((seconds) => `${seconds.toFixed(0)} s`))].join(', ')} after the booking`
})

/** Steps of time in which a payment may be settled, and its transaction be shown. */
const UNTIL_SETTLED = [0, HOUR, days(1), days(3)]

/**
 * Pays from an account, and waits until the payment is settled and its transaction is listed. Whether and when a bank books
 * a payment is not shown: if it is not listed, the test hook books.
 */
const pay =
  (payments: Payments, subscription: Subscription) =>
  async (session: Session, account: KnownAccount): Promise<Exchange> => {
    const { app, clock } = session
    const accounts = app.accounts('first')
    const before = await transactionIdsOf(accounts, subscription, account)
    const { orderId } = await payments.initiateValid()
    const submission = await payments.submit(await payments.authorize(orderId))
    for (const wait of UNTIL_SETTLED.filter((ms) => canWait(clock, ms))) {
      await clock.pass(wait)
      const { response } = await payments.status(orderId)
      const isSettled = response?.body.text.includes('"ACSC"') === true
      if (before && isSettled && hasNew(before, await transactionIdsOf(accounts, subscription, account)))
        return submission
    }
    return book(session, account)
  }

const paid = scenario(
  "a payment from an account of the service's own bank",
  {
    ...notifying(2, 'own-account', 'booking', 'webhook', 'payments'),
    effect: 'pay',
    payments: { initiated: 1, submitted: 1 },
  },
  async (session) => {
    const { webhook, customer } = session
    await webhook.activate({ securityHeader: SECURITY_HEADER })
    const payments = await session.payments()
    const { debtorIban } = payments.freshValues()
    if (customer.accounts.every(({ iban }) => iban !== debtorIban))
      throw new NotReached(`the customer has no account ${String(debtorIban)}, from which the profile pays`)
    const subscription = await subscribe(session)
    const debtor = requireFirst(
      subscription.own.filter(({ iban }) => iban === debtorIban),
      OWN,
    )
    const booking = await bookAndListen(session, subscription, debtor, pay(payments, subscription))
    return {
      booking,
      url: webhook.url,
      securityHeader: securityHeaderOf(session, SECURITY_HEADER),
      isReached: webhook.isReached(),
      calls: webhook.deliveries(),
    }
  },
)

checkCalls(paid)

check(WEB.bookingIsNotified, paid, ({ booking, isReached }) => assertNotified(booking, isReached))
