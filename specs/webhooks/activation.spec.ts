import { check, NotReached, scenario } from '../../harness/check/index.ts'
import type { Observed, ObservedDelivery, Session } from '../../harness/check/index.ts'
import { eventsIn, isHeard, isNotified } from './calls.ts'
import { book, bookAndListen, firstOf, HOUR, MINUTE, subscribe } from './listening.ts'
import type { Subscription } from './listening.ts'
import { WEB } from './requirements.ts'

const SECOND = 1_000
const SOON = 10 * SECOND

/** Lets time pass until so many ms after a full hour: of UTC, and of every zone that is whole hours away. */
const until = async ({ clock }: Session, ms: number): Promise<void> => {
  const passed = clock.now().getTime() % HOUR
  await clock.pass((ms - passed + HOUR) % HOUR)
}

const nextHour = ({ clock }: Session): Date => new Date((Math.floor(clock.now().getTime() / HOUR) + 1) * HOUR)

const set = async ({ webhook }: Session, enabled: boolean): Promise<void> => {
  const { taken, exchange } = await webhook.configure({ enabled })
  if (!taken) throw new NotReached(`the target does not take the webhook settings (${exchange.id})`)
}

/** Webhooks are disabled over a full hour, and something is booked: what is heard then. */
const disabledCalls = async (
  session: Session,
  subscription: Subscription,
  account: { readonly iban: string },
) => {
  const { webhook, profile } = session
  await set(session, false)
  await until(session, 0)
  await until(session, MINUTE)
  const before = webhook.deliveries().length
  const booking = await book(session, account)
  await refreshElsewhere(session, subscription)
  const calls = await webhook.listen(profile.webhooks.deliveryMs)
  return { booking, calls: calls.slice(before) }
}

/** Asks for what leads to accountEvents, where there is another bank; whatever is answered. */
const refreshElsewhere = async ({ app }: Session, subscription: Subscription): Promise<void> => {
  if (subscription.elsewhere.length > 0) await app.refreshAccounts(subscription)
}

/** Webhooks are enabled at a minute of the hour, and something is booked at some points of what is left of it. */
const enabledAt = async (
  session: Session,
  subscription: Subscription,
  account: { readonly iban: string },
  { at, bookings }: { readonly at: number; readonly bookings: readonly number[] },
) => {
  await until(session, at)
  const { length } = session.webhook.deliveries()
  await set(session, true)
  const activeFrom = nextHour(session)
  await refreshElsewhere(session, subscription)
  for (const moment of bookings) {
    await until(session, moment)
    await book(session, account)
    // Whoever calls too early calls soon.
    await session.webhook.listen(SOON)
  }
  return { activeFrom, from: length }
}

const hours = scenario(
  'bookings around the hours at which webhooks become active',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 1,
    needs: ['customer', 'clock', 'own-account', 'booking', 'webhook', 'webhook-settings'],
    waitsMs: 4 * HOUR,
  },
  async (session) => {
    const { webhook } = session
    const subscription = await subscribe(session)
    const account = firstOf(subscription.own, "the service's own bank")
    const neverEnabled = await disabledCalls(session, subscription, account)
    const first = await enabledAt(session, subscription, account, {
      at: 31 * MINUTE,
      bookings: [32 * MINUTE, 59.5 * MINUTE],
    })
    await until(session, SECOND)
    const early = [{ ...first, calls: webhook.deliveries().slice(first.from) }]
    const atTheHour = await bookAndListen(session, subscription, account)
    const disabled = await disabledCalls(session, subscription, account)
    const second = await enabledAt(session, subscription, account, {
      at: 59 * MINUTE,
      bookings: [59.2 * MINUTE],
    })
    await until(session, MINUTE)
    early.push({ ...second, calls: webhook.deliveries().slice(second.from) })
    const aMinuteLater = await bookAndListen(session, subscription, account)
    return {
      ...{ silent: [neverEnabled, disabled], early, atTheHour, aMinuteLater },
      isReached: webhook.isReached(),
    }
  },
)

type Record = Observed<Awaited<ReturnType<typeof hours.act>>>

check(WEB.disabledWebhookIsNotCalled, hours, (record) => {
  isActiveAtTimes(record)
  for (const { booking, calls } of record.silent) {
    booking.isAccepted('there is such an account')
    for (const call of eventsIn(calls))
      isNoCall(call, 'no call, since webhooks were disabled before the hour')
  }
})

/** @throws NotReached where no call has come at all: then silence shows nothing. */
const isActiveAtTimes = ({ atTheHour, aMinuteLater }: Record): void =>
  isHeard(atTheHour.near === undefined ? aMinuteLater : atTheHour)

const isNoCall = (call: ObservedDelivery, expected: string): void => call.address.satisfies(false, expected)

check(WEB.nothingIsSentBeforeTheNextFullHour, hours, (record) => {
  isActiveAtTimes(record)
  for (const { activeFrom, calls } of record.early)
    for (const call of eventsIn(calls))
      // The second before is left to clocks that differ.
      if (call.receivedAt.getTime() < activeFrom.getTime() - SECOND)
        isNoCall(call, `no call before ${activeFrom.toISOString()}, the full hour after the enabling`)
})

check(WEB.webhooksAreActiveFromTheNextFullHour, hours, ({ atTheHour, isReached }) =>
  isNotified(atTheHour, isReached),
)

check(WEB.activationWaitsForTheNextHourAlone, hours, ({ aMinuteLater, isReached }) =>
  isNotified(aMinuteLater, isReached),
)
