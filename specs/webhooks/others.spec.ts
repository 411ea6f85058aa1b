import { check, hasCome, NotReached, scenario } from '../../harness/check/index.ts'
import type { Observed, ObservedDelivery, Session } from '../../harness/check/index.ts'
import {
  accountEventsIn,
  callOf,
  eventsIn,
  hasSecurityHeaderOf,
  idsOf,
  isHeard,
  isNotified,
  ofConsent,
  someOf,
  transactionEventsIn,
  wentTo,
} from './calls.ts'
import { bookAndListen, firstOf, MINUTE, PAST_THE_HOUR, refreshAndListen, subscribe } from './listening.ts'
import type { Known, Subscription } from './listening.ts'
import { WEB } from './requirements.ts'

/** What is of one customer or application, and not of another. */

const OWN = "the service's own bank"

const customers = scenario(
  'bookings under the consents of two customers',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 2,
    needs: ['customer', 'own-account', 'second-customer-account', 'booking', 'webhook'],
  },
  async (session) => {
    const { webhook, customer, otherCustomer } = session
    await webhook.activate()
    const subscriptions = [
      await subscribe(session, { customer }),
      await subscribe(session, { customer: otherCustomer }),
    ]
    const bookings = []
    // The first one last as well: what is kept of the consent before may show.
    for (const subscription of [...subscriptions, ...subscriptions.slice(0, 1)]) {
      const account = accountOfOne(subscription.own, subscriptions)
      bookings.push(await bookAndListen(session, subscription, account))
    }
    return { subscriptions, bookings, calls: webhook.deliveries(), isReached: webhook.isReached() }
  },
)

/** An account that one consent opens, and no other: two customers may hold one together. */
const accountOfOne = (
  own: readonly Known[],
  subscriptions: readonly { readonly own: readonly Known[] }[],
): Known => {
  const isOfOne = ({ iban }: Known): boolean =>
    subscriptions.filter((one) => one.own.some((account) => account.iban === iban)).length === 1
  return firstOf(own.filter(isOfOne), `${OWN} that one customer alone has`)
}

check(WEB.bookingIsNotified, customers, ({ bookings, isReached }) => {
  for (const booking of bookings) isNotified(booking, isReached)
})

check(WEB.transactionEventNamesItsConsent, customers, ({ bookings }) => {
  for (const booking of bookings) {
    const call = callOf(booking)
    if (booking.exact === undefined) call.field('consentId').equals(booking.consentId)
  }
})

check(WEB.transactionEventNamesAccountsOfItsConsent, customers, ({ subscriptions, bookings, calls }) => {
  for (const { account, consentId } of bookings)
    for (const other of subscriptions.filter((one) => one.consentId !== consentId))
      for (const call of ofConsent(transactionEventsIn(calls), other.consentId))
        call
          .field('accounts')
          .satisfies(!idsOf(call).includes(account.accountId), 'no account that another consent opens alone')
  // Where nothing can be heard, nothing is known of what is named.
  bookings.forEach(isHeard)
})

const HEADERS = { ours: 'Basic b3VyIG93bg==', theirs: 'Basic dGhlaXJz' } as const

const applications = scenario(
  'a booking and a refresh, with two applications that listen',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 2,
    needs: [
      'customer',
      'own-account',
      'other-bank-account',
      'second-application',
      'booking',
      'webhook',
      'webhook-settings',
    ],
    listensMs: 3 * MINUTE,
  },
  async (session) => {
    const { webhook, other, profile, clock } = session
    const theirUrl = `${webhook.url}/other`
    const { taken } = await webhook.configure({
      ...{ app: other, url: theirUrl, securityHeader: HEADERS.theirs },
    })
    if (!taken) throw new NotReached('the settings of the second application are not taken')
    await webhook.activate({ securityHeader: HEADERS.ours })
    const ours = await subscribe(session)
    // The second application has no consent of the customer yet.
    const booking = await bookAndListen(session, ours, firstOf(ours.own, OWN))
    await webhook.listen(profile.webhooks.deliveryMs)
    const theirs = await subscribe(session, { app: other })
    firstOf(ours.elsewhere, 'another bank')
    const refreshes = [await refreshAndListen(session, ours), await refreshAndListen(session, theirs, other)]
    const common = await bookOnBoth(session, [ours, theirs])
    const calls = webhook.deliveries()
    // Now the second application alone wants to hear no more.
    const { taken: isSilenced } = await webhook.configure({ app: other, url: theirUrl, enabled: false })
    await clock.pass(PAST_THE_HOUR)
    const { length } = webhook.deliveries()
    await other.refreshAccounts(theirs)
    const last = await bookAndListen(session, ours, firstOf(ours.own, OWN))
    const later = (await webhook.listen(profile.webhooks.deliveryMs)).slice(length)
    return {
      ...{ subscriptions: [ours, theirs], urls: [webhook.url, theirUrl], booking, refreshes, calls, common },
      silenced: { isSilenced, last, later },
      isReached: webhook.isReached(),
    }
  },
)

/** A booking on an account that both applications are authorized for: what each of them hears of it. */
const bookOnBoth = async (session: Session, subscriptions: readonly [Subscription, Subscription]) => {
  const { webhook, profile } = session
  const [ours, theirs] = subscriptions
  const { length } = webhook.deliveries()
  const account = firstOf(
    ours.own.filter(({ iban }) => theirs.own.some((one) => one.iban === iban)),
    `${OWN} that both applications list`,
  )
  const { booking } = await bookAndListen(session, ours, account)
  const within = profile.webhooks.deliveryMs
  return { booking, within, calls: (await webhook.listen(within)).slice(length) }
}

type Applications = Observed<Awaited<ReturnType<typeof applications.act>>>

check(WEB.anotherApplicationIsNotNotified, applications, ({ subscriptions, urls, booking, calls }) => {
  isHeard(booking)
  subscriptions.forEach(({ consentId }, at) => {
    const foreign = urls.filter((_, place) => place !== at)
    for (const call of ofConsent(calls, consentId))
      call.address.satisfies(
        !foreign.some((url) => wentTo(call, url)),
        'not the URL of an application that the customer has not given this consent to',
      )
  })
})

check(WEB.securityHeaderIsSentAsAuthorization, applications, ({ urls: [ours = '', theirs = ''], calls }) => {
  for (const call of someOf(callsTo(calls, ours), 'call of the first application'))
    hasSecurityHeaderOf(call, HEADERS.ours)
  for (const call of someOf(callsTo(calls, theirs), 'call of the second application'))
    hasSecurityHeaderOf(call, HEADERS.theirs)
})

check(WEB.bookingIsNotified, applications, ({ subscriptions, urls, common, silenced, isReached }) => {
  const { booking, within, calls } = common
  subscriptions.forEach(({ consentId }, at) => {
    const url = urls[at] ?? ''
    // Whatever it says, and wherever it went: both are judged elsewhere.
    const delivery = transactionEventsIn(calls).find(
      (call) => call.event?.consentId === consentId || wentTo(call, url),
    )
    hasCome(
      { delivery, after: booking, within, isReached },
      'a transactionEvent for each of the applications',
    )
  })
  isNotified(silenced.last, isReached)
})

check(WEB.disabledWebhookIsNotCalled, applications, ({ urls: [, theirs = ''], silenced }) => {
  const { isSilenced, last, later } = silenced
  if (!isSilenced) throw new NotReached('the settings of the second application are not taken')
  isHeard(last)
  for (const call of eventsIn(later))
    call.address.satisfies(!wentTo(call, theirs), 'not the URL of an application with webhooks disabled')
})

const callsTo = (calls: readonly ObservedDelivery[], url: string): readonly ObservedDelivery[] =>
  calls.filter((call) => wentTo(call, url))

/** The banks that both consents open accounts at, as far as the profile knows their codes. */
const commonBanks = ({ subscriptions: [ours, theirs] }: Applications): readonly string[] => {
  const codes = theirs?.elsewhere.map(({ bankCode }) => bankCode) ?? []
  const common = ours?.elsewhere.map(({ bankCode }) => bankCode).filter((code) => codes.includes(code)) ?? []
  return [...new Set(common)].filter((code) => code !== '')
}

check(WEB.accountEventIsSentForEachConsent, applications, (record) => {
  const { subscriptions, refreshes, calls, isReached } = record
  const banks = someOf(commonBanks(record), 'account at a bank whose code the profile knows')
  subscriptions.forEach(({ consentId }, at) => {
    const { refresh, within } = refreshes[at] ?? {}
    if (refresh?.accepted !== true || within === undefined) throw new NotReached('a refresh was not accepted')
    for (const bank of banks) {
      const delivery = ofConsent(accountEventsIn(calls), consentId).find(
        (call) => String(call.field('bankCode').value) === bank,
      )
      hasCome(
        { delivery, after: refresh, within, isReached },
        `an accountEvent of this consent and the bank ${bank}`,
      )
    }
  })
})
