import { check, held, isAccepted, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import {
  assertNamesNone,
  assertNamesOnly,
  idsOf,
  OF_ANOTHER_BANK,
  assertNotified,
  requireNotified,
  ofConsent,
  transactionEventsIn,
} from './assertions.ts'
import { book, bookAndListen, requireFirst, subscribe } from './steps.ts'
import { MINUTE, TOLERANCES } from '../shared/tolerances.ts'
import { notifying } from '../shared/scenario-options.ts'
import { WEB } from './requirements.ts'

/** Changes that must not be notified, between others that are: so the target is known to call. */

const OWN = "the service's own bank"

const unauthorized = scenario(
  'bookings on accounts without consent',
  { ...notifying(1, 'own-account', 'unconsented-account', 'booking', 'webhook'), listensMs: 3 * MINUTE },
  async (session) => {
    const { webhook, profile, customer } = session
    await webhook.activate()
    const subscription = await subscribe(session)
    const account = requireFirst(subscription.own, OWN)
    // Nothing has happened yet, so no event has a reason.
    const quiet = await webhook.listen(profile.webhooks.deliveryMs)
    const first = await bookAndListen(session, subscription, account)
    const before = webhook.deliveries().length
    const [unconsented] = customer.accounts.filter(({ consented }) => !consented)
    const [foreign] = profile.customers
      .filter(({ name }) => name !== customer.name)
      .flatMap(({ accounts }) => accounts)
      .filter(({ bank, iban }) => bank === 'own' && customer.accounts.every((ours) => ours.iban !== iban))
    for (const other of [unconsented, foreign]) if (other) await book(session, other)
    const calls = await webhook.listen(profile.webhooks.deliveryMs)
    const last = await bookAndListen(session, subscription, account)
    return {
      subscription,
      first,
      last,
      quiet,
      meanwhile: calls.slice(before),
      ...(unconsented?.accountId !== undefined && { unconsentedId: unconsented.accountId }),
    }
  },
)

check(WEB.accountWithoutConsentIsNotNotified, unauthorized, ({ subscription, first, last, ...record }) => {
  requireNotified(first)
  requireNotified(last)
  const { ids, consentId } = subscription
  const events = transactionEventsIn(record.meanwhile)
  for (const call of ofConsent(events, consentId)) assertNamesOnly(call, ids)
  // An event without a consentId belongs to no other consent either.
  for (const call of events.filter(({ event }) => event?.consentId === undefined))
    call
      .field('accounts')
      .satisfies(
        record.unconsentedId === undefined || !idsOf(call).includes(record.unconsentedId),
        'no account that the customer has not shared',
      )
  held()
})

check(WEB.transactionEventNamesNoOtherAccount, unauthorized, ({ subscription, first, last, quiet }) => {
  requireNotified(first)
  requireNotified(last)
  const { own, elsewhere, consentId } = subscription
  const unchanged = [...own, ...elsewhere].flatMap(({ hasKnownCount, accountId }) =>
    hasKnownCount ? [accountId] : [],
  )
  if (unchanged.length === 0)
    throw new NotReached('the profile knows no account whose transactions do not change')
  for (const call of ofConsent(transactionEventsIn(quiet), consentId))
    assertNamesNone(call, unchanged, 'on which nothing was booked yet')
  held()
})

const elsewhere = scenario(
  'bookings on accounts at other banks',
  { ...notifying(1, 'own-account', 'other-bank-account', 'booking', 'webhook'), listensMs: 2 * MINUTE },
  async (session) => {
    const { webhook, app, profile } = session
    await webhook.activate()
    const subscription = await subscribe(session)
    requireFirst(subscription.elsewhere, 'another bank')
    for (const account of subscription.elsewhere) await book(session, account)
    await webhook.listen(profile.webhooks.deliveryMs)
    // Now the target knows of the bookings.
    const refresh = await app.refreshAccounts(subscription)
    await webhook.listen(profile.webhooks.deliveryMs)
    const last = await bookAndListen(session, subscription, requireFirst(subscription.own, OWN))
    return { subscription, refresh, last, calls: webhook.deliveries() }
  },
)

check(WEB.transactionEventIsOfTheOwnBank, elsewhere, ({ subscription, last, calls }) => {
  requireNotified(last)
  const ids = subscription.elsewhere.map(({ accountId }) => accountId)
  for (const call of ofConsent(transactionEventsIn(calls), subscription.consentId))
    assertNamesNone(call, ids, OF_ANOTHER_BANK)
})

const revoked = scenario(
  'a booking under a consent that is revoked',
  { ...notifying(2, 'own-account', 'booking', 'webhook', 'consent-revocation'), listensMs: 3 * MINUTE },
  async (session) => {
    const { webhook, profile, testHooks, app } = session
    const { deliveryMs } = profile.webhooks
    await webhook.activate()
    const other = await subscribe(session)
    const subscription = await subscribe(session)
    const account = requireFirst(subscription.own, OWN)
    const first = await bookAndListen(session, subscription, account)
    await testHooks.revokeConsent(subscription.consentId, subscription.accessToken)
    // Calls that are under way may arrive.
    const before = await webhook.listen(Math.max(deliveryMs, TOLERANCES.callsUnderWay))
    // A bank may end the tokens of a consent at the next grant, or with those of another one.
    const isOpen = isAccepted(await app.listAccounts(other.accessToken))
    const last = isOpen ? await bookAndListen(session, other, account) : undefined
    const booking = last?.booking ?? (await book(session, account))
    const calls = await webhook.listen(deliveryMs)
    const isReached = webhook.isReached()
    return {
      subscription,
      first,
      booking,
      booked: [first, ...(last ? [last] : [])],
      late: calls.slice(before.length),
      isReached,
    }
  },
)

check(WEB.bookingIsNotified, revoked, ({ booked, isReached }) => {
  for (const booking of booked) assertNotified(booking, isReached)
})

check(WEB.revokedConsentIsNotNotified, revoked, ({ subscription: { consentId }, first, booking, late }) => {
  requireNotified(first)
  booking.isAccepted('there is such an account')
  for (const call of late)
    call
      .field('consentId')
      .satisfies(call.event?.consentId !== consentId, 'no consent that was revoked a minute before')
})
