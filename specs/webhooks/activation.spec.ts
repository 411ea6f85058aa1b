import { check, held, NotReached } from '../../harness/check/index.ts'
import { scenario, sinceFullHour, untilTime } from '../../harness/session/index.ts'
import type { ObservedDelivery, RecordOf } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
import { eventsIn, requireNotified, assertNotified } from './assertions.ts'
import { book, bookAndListen, requireFirst, subscribe } from './steps.ts'
import { HOUR, MINUTE } from '../shared/tolerances.ts'
import type { Subscription } from './steps.ts'
import { notifying } from '../shared/scenario-options.ts'
import { WEB } from './requirements.ts'

const SECOND = 1_000
const SOON = 10 * SECOND

/** Lets time pass until so many ms after a full hour at the bank. */
const passUntil = async ({ clock, profile }: Session, ms: number): Promise<void> => {
  const passed = sinceFullHour(clock.now(), profile.timeZone)
  await clock.pass((ms - passed + HOUR) % HOUR)
}

const nextHour = ({ clock, profile }: Session): Date => {
  const now = clock.now()
  return new Date(now.getTime() - sinceFullHour(now, profile.timeZone) + HOUR)
}

const setEnabled = async ({ webhook }: Session, enabled: boolean): Promise<void> => {
  const { taken, exchange } = await webhook.configure({ enabled })
  if (!taken) throw new NotReached(`the target does not accept the webhook settings (${exchange.id})`)
}

/** Disables webhooks over a full hour, and books: the calls since then. */
const bookWhileDisabled = async (
  session: Session,
  subscription: Subscription,
  account: { readonly iban: string },
) => {
  const { webhook, profile } = session
  await setEnabled(session, false)
  await passUntil(session, 0)
  await passUntil(session, MINUTE)
  const before = webhook.deliveries().length
  const booking = await book(session, account)
  await refreshElsewhere(session, subscription)
  const calls = await webhook.listen(profile.webhooks.deliveryMs)
  return { booking, calls: calls.slice(before) }
}

/** Causes accountEvents, where the customer has accounts at other banks. */
const refreshElsewhere = async ({ app }: Session, subscription: Subscription): Promise<void> => {
  if (subscription.elsewhere.length > 0) await app.refreshAccounts(subscription)
}

/** Enables webhooks at some moment of an hour, and books at some moments before its end. */
const enableAndBook = async (
  session: Session,
  subscription: Subscription,
  account: { readonly iban: string },
  { at, bookings }: { readonly at: number; readonly bookings: readonly number[] },
) => {
  await passUntil(session, at)
  const { length } = session.webhook.deliveries()
  await setEnabled(session, true)
  const activeFrom = nextHour(session)
  await refreshElsewhere(session, subscription)
  for (const moment of bookings) {
    await passUntil(session, moment)
    await book(session, account)
    // A call that is too early comes soon.
    await session.webhook.listen(SOON)
  }
  return { activeFrom, from: length }
}

const hours = scenario(
  'bookings around the hours at which webhooks become active',
  { ...notifying(1, 'clock', 'own-account', 'booking', 'webhook', 'webhook-settings'), waitsMs: 31 * HOUR },
  async (session) => {
    const { webhook } = session
    const subscription = await subscribe(session)
    const account = requireFirst(subscription.own, "the service's own bank")
    const neverEnabled = await bookWhileDisabled(session, subscription, account)
    const first = await enableAndBook(session, subscription, account, {
      at: 31 * MINUTE,
      bookings: [32 * MINUTE, 59.5 * MINUTE],
    })
    await passUntil(session, SECOND)
    const early = [{ ...first, calls: webhook.deliveries().slice(first.from) }]
    const atTheHour = await bookAndListen(session, subscription, account)
    const disabledAgain = await bookWhileDisabled(session, subscription, account)
    const second = await enableAndBook(session, subscription, account, {
      at: 59 * MINUTE,
      bookings: [59.2 * MINUTE],
    })
    await passUntil(session, MINUTE)
    early.push({ ...second, calls: webhook.deliveries().slice(second.from) })
    const aMinuteLater = await bookAndListen(session, subscription, account)
    const disabledOnceMore = await bookWhileDisabled(session, subscription, account)
    // Early in the last hour of a day: every other division of an hour comes before the next full one.
    await session.clock.pass(untilTime(session.clock.now(), '23:00', session.profile.timeZone))
    const third = await enableAndBook(session, subscription, account, {
      at: 2 * MINUTE,
      bookings: [3, 16, 21, 31, 46, 59.5].map((minute) => minute * MINUTE),
    })
    await passUntil(session, SECOND)
    early.push({ ...third, calls: webhook.deliveries().slice(third.from) })
    const atMidnight = await bookAndListen(session, subscription, account)
    return {
      disabled: [neverEnabled, disabledAgain, disabledOnceMore],
      early,
      atTheHour,
      aMinuteLater,
      atMidnight,
      isReached: webhook.isReached(),
    }
  },
)

check(WEB.disabledWebhookIsNotCalled, hours, (record) => {
  requireAnyCall(record)
  for (const { booking, calls } of record.disabled) {
    booking.isAccepted('there is such an account')
    for (const call of eventsIn(calls))
      assertNoCall(call, 'no call, since webhooks were disabled before the hour')
    held()
  }
})

/** @throws NotReached where no call has come at all: then its absence means nothing. */
const requireAnyCall = ({ atTheHour, aMinuteLater }: RecordOf<typeof hours>): void =>
  requireNotified(atTheHour.near === undefined ? aMinuteLater : atTheHour)

const assertNoCall = (call: ObservedDelivery, expected: string): void =>
  call.address.satisfies(false, expected)

check(WEB.nothingIsSentBeforeTheNextFullHour, hours, (record) => {
  requireAnyCall(record)
  for (const { activeFrom, calls } of record.early) {
    for (const call of eventsIn(calls))
      // One second is allowed for clocks that differ.
      if (call.receivedAt.getTime() < activeFrom.getTime() - SECOND)
        assertNoCall(
          call,
          `no call before ${activeFrom.toISOString()}, the full hour after the enabling by \`timeZone\` of the profile`,
        )
    held()
  }
})

check(WEB.webhooksAreActiveFromTheNextFullHour, hours, ({ atTheHour, atMidnight, isReached }) => {
  assertNotified(atTheHour, isReached)
  assertNotified(atMidnight, isReached)
})

check(WEB.activationWaitsForTheNextHourAlone, hours, ({ aMinuteLater, isReached }) =>
  assertNotified(aMinuteLater, isReached),
)
