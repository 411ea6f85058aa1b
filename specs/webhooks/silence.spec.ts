import { check, NotReached, scenario } from '../../harness/check/index.ts'
import type { ObservedDelivery } from '../../harness/check/index.ts'
import { idsOf, isHeard, ofConsent, transactionEventsIn } from './calls.ts'
import { book, bookAndListen, firstOf, MINUTE, subscribe } from './listening.ts'
import { WEB } from './requirements.ts'

/** What no application is told of: between calls that show that it could be. */

const OWN = "the service's own bank"

const shut = scenario(
  'bookings on accounts without consent',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 1,
    needs: ['customer', 'own-account', 'unconsented-account', 'booking', 'webhook'],
    listensMs: 3 * MINUTE,
  },
  async (session) => {
    const { webhook, profile, customer } = session
    await webhook.activate()
    const subscription = await subscribe(session)
    const account = firstOf(subscription.own, OWN)
    // Nothing has happened yet: whatever is heard now is heard without a reason.
    const quiet = await webhook.listen(profile.webhooks.deliveryMs)
    const first = await bookAndListen(session, subscription, account)
    const before = webhook.deliveries().length
    const [unconsented] = customer.accounts.filter(({ consented }) => !consented)
    const [foreign] = profile.customers
      .filter(({ name }) => name !== customer.name)
      .flatMap(({ accounts }) => accounts)
      .filter(({ bank, iban }) => bank === 'own' && customer.accounts.every((ours) => ours.iban !== iban))
    for (const closed of [unconsented, foreign]) if (closed) await book(session, closed)
    const calls = await webhook.listen(profile.webhooks.deliveryMs)
    const last = await bookAndListen(session, subscription, account)
    return { subscription, first, last, quiet, meanwhile: calls.slice(before) }
  },
)

check(WEB.accountWithoutConsentIsNotNotified, shut, ({ subscription, first, last, meanwhile }) => {
  isHeard(first)
  isHeard(last)
  const { ids, consentId } = subscription
  for (const call of ofConsent(transactionEventsIn(meanwhile), consentId)) namesListed(call, ids)
})

const namesListed = (call: ObservedDelivery, ids: readonly string[]): void => {
  const stranger = idsOf(call).find((accountId) => !ids.includes(accountId))
  call
    .field('accounts')
    .satisfies(stranger === undefined, 'no account that is not among those of the consent')
}

check(WEB.transactionEventNamesNoOtherAccount, shut, ({ subscription, first, last, quiet }) => {
  isHeard(first)
  isHeard(last)
  const { own, elsewhere, consentId } = subscription
  const still = [...own, ...elsewhere].flatMap(({ isStill, accountId }) => (isStill ? [accountId] : []))
  if (still.length === 0)
    throw new NotReached('the profile knows no account whose transactions do not change')
  for (const call of ofConsent(transactionEventsIn(quiet), consentId))
    call
      .field('accounts')
      .satisfies(
        !idsOf(call).some((id) => still.includes(id)),
        'no event at all, since nothing was booked yet',
      )
})

const elsewhere = scenario(
  'bookings on accounts at other banks',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 1,
    needs: ['customer', 'own-account', 'other-bank-account', 'booking', 'webhook'],
    listensMs: 2 * MINUTE,
  },
  async (session) => {
    const { webhook, app, profile } = session
    await webhook.activate()
    const subscription = await subscribe(session)
    firstOf(subscription.elsewhere, 'another bank')
    for (const account of subscription.elsewhere) await book(session, account)
    await webhook.listen(profile.webhooks.deliveryMs)
    // Now the booking is known here as well.
    const refresh = await app.refreshAccounts(subscription)
    await webhook.listen(profile.webhooks.deliveryMs)
    const last = await bookAndListen(session, subscription, firstOf(subscription.own, OWN))
    return { ...{ subscription, refresh, last }, calls: webhook.deliveries() }
  },
)

check(WEB.transactionEventIsOfTheOwnBank, elsewhere, ({ subscription, last, calls }) => {
  isHeard(last)
  const ids = subscription.elsewhere.map(({ accountId }) => accountId)
  for (const call of ofConsent(transactionEventsIn(calls), subscription.consentId))
    call
      .field('accounts')
      .satisfies(!idsOf(call).some((id) => ids.includes(id)), 'no account at another bank')
})

const revoked = scenario(
  'a booking under a consent that is revoked',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 1,
    needs: ['customer', 'own-account', 'booking', 'webhook', 'consent-revocation'],
    listensMs: 3 * MINUTE,
  },
  async (session) => {
    const { webhook, profile, levers } = session
    const { deliveryMs } = profile.webhooks
    await webhook.activate()
    const subscription = await subscribe(session)
    const account = firstOf(subscription.own, OWN)
    const first = await bookAndListen(session, subscription, account)
    await levers.revokeConsent(subscription.consentId)
    // What is under way is given its time.
    const before = await webhook.listen(Math.max(deliveryMs, MINUTE))
    const booking = await book(session, account)
    const calls = await webhook.listen(deliveryMs)
    return { ...{ subscription, first, booking }, late: calls.slice(before.length) }
  },
)

check(WEB.revokedConsentIsNotNotified, revoked, ({ subscription: { consentId }, first, booking, late }) => {
  isHeard(first)
  booking.isAccepted('there is such an account')
  for (const call of late)
    call
      .field('consentId')
      .satisfies(call.event?.consentId !== consentId, 'no consent that was revoked a minute before')
})
