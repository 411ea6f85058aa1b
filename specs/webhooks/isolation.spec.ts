import { check, hasArrived, held, inWholeRun, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { ObservedDelivery, RecordOf, WholeRun } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
import {
  accountEventsIn,
  assertNamesNone,
  callForBooking,
  eventsIn,
  assertSecurityHeaderIs,
  OF_THE_OWN_BANK,
  requireNotified,
  assertNotified,
  ofConsent,
  requireSome,
  transactionEventsIn,
  wentToUrl,
} from './assertions.ts'
import { book, bookAndListen, requireFirst, PAST_THE_HOUR, startRefresh, subscribe } from './steps.ts'
import type { KnownAccount, Subscription } from './steps.ts'
import { grantsIn } from '../shared/grants.ts'
import { MINUTE } from '../shared/tolerances.ts'
import { notifying } from '../shared/scenario-options.ts'
import { WEB } from './requirements.ts'

const OWN = "the service's own bank"

const customers = scenario(
  'bookings under the consents of two customers',
  { ...notifying(2, 'own-account', 'second-customer-account', 'booking', 'webhook'), listensMs: 2 * MINUTE },
  async (session) => {
    const { webhook, customer, otherCustomer } = session
    await webhook.activate()
    const subscriptions = [
      await subscribe(session, { customer }),
      await subscribe(session, { customer: otherCustomer }),
    ]
    const bookings = []
    // The first one again at the end: a bank may use the consent of the booking before.
    for (const subscription of [...subscriptions, ...subscriptions.slice(0, 1)]) {
      const account = accountOfOnlyOne(subscription.own, subscriptions)
      bookings.push(await bookAndListen(session, subscription, account))
    }
    return {
      subscriptions,
      bookings,
      refreshes: await refreshAll(session, subscriptions),
      calls: webhook.deliveries(),
      isReached: webhook.isReached(),
    }
  },
)

/** Refreshes all of them, and waits until they have ended, if one has accounts at another bank: the others may have none. */
const refreshAll = async (session: Session, subscriptions: readonly Subscription[]) => {
  if (subscriptions.every(({ elsewhere }) => elsewhere.length === 0)) return []
  const started = []
  for (const subscription of subscriptions) started.push(await startRefresh(session, subscription))
  const refreshes = []
  for (const { listen } of started) {
    const { refresh, within } = await listen()
    refreshes.push({ refresh, within })
  }
  return refreshes
}

check(
  WEB.accountEventIsSentForEachConsent,
  customers,
  ({ subscriptions, refreshes, calls, isReached }) => {
    const all = refreshes.flatMap((one, at) => {
      const { elsewhere = [], consentId = '' } = subscriptions[at] ?? {}
      return elsewhere.length > 0 && one.refresh.accepted ? [{ ...one, consentId }] : []
    })
    for (const { refresh, within, consentId } of requireSome(all, 'answer to a refresh with a taskId')) {
      const [delivery] = ofConsent(accountEventsIn(calls), consentId)
      hasArrived({ delivery, after: refresh, within, isReached }, 'an accountEvent of this consent')
    }
  },
  { needs: ['other-bank-account'] },
)

check(
  WEB.accountEventIsOfOtherBanks,
  customers,
  ({ subscriptions, bookings, refreshes, calls }) => {
    bookings.forEach(requireNotified)
    if (!refreshes.some(({ refresh }) => refresh.accepted)) throw new NotReached('no refresh was accepted')
    const own = subscriptions.flatMap((one) => one.own.map(({ accountId }) => accountId))
    for (const call of accountEventsIn(calls)) assertNamesNone(call, own, OF_THE_OWN_BANK)
    held()
  },
  { needs: ['other-bank-account'] },
)

/** An account that only one of the consents opens: two customers may hold an account together. */
const accountOfOnlyOne = (
  own: readonly KnownAccount[],
  subscriptions: readonly { readonly own: readonly KnownAccount[] }[],
): KnownAccount => {
  const isOpenedOnce = ({ iban }: KnownAccount): boolean =>
    subscriptions.filter((one) => one.own.some((account) => account.iban === iban)).length === 1
  return requireFirst(own.filter(isOpenedOnce), `${OWN} that only one customer has`)
}

check(WEB.bookingIsNotified, customers, ({ bookings, isReached }) => {
  for (const booking of bookings) assertNotified(booking, isReached)
})

check(WEB.transactionEventNamesItsConsent, customers, ({ bookings }) => {
  for (const booking of bookings) {
    const call = callForBooking(booking)
    // The exact call of a booking is known by its consentId.
    if (booking.exact === undefined) call.field('consentId').equals(booking.consentId)
    else held()
  }
})

/**
 * The transactionEvents of consents that listed accounts for known customers, each with the ids that were listed only for
 * other customers.
 */
const callsWithForeignIds = (run: WholeRun) => {
  const grantOf = grantsIn(run)
  /** The customer of each grant of a consent. */
  const consents = new Map<string, Map<string, number | undefined>>()
  const holders = new Map<string, Set<number | undefined>>()
  const listing = new Set<string>()
  for (const answer of run.exchanges) {
    const { customer } = answer
    const grant = grantOf(answer)
    const consentId = grant?.consentId ?? ''
    const grants = consents.get(consentId) ?? new Map<string, number | undefined>()
    if (grant !== undefined)
      consents.set(consentId, grants.set(grant.exchange, customer ?? grants.get(grant.exchange)))
    if (answer.operation !== 'listAccounts' || !answer.accepted || customer === undefined) continue
    listing.add(consentId)
    for (const id of answer.body.everywhere('accountId'))
      if (typeof id === 'string') holders.set(id, (holders.get(id) ?? new Set()).add(customer))
  }
  return transactionEventsIn(run.calls).flatMap((call) => {
    const consentId = call.event?.consentId ?? ''
    const customers = [...(consents.get(consentId)?.values() ?? [undefined])]
    if (!listing.has(consentId) || customers.includes(undefined)) return []
    const isForeign = (id: string): boolean => customers.every((one) => holders.get(id)?.has(one) === false)
    return [{ call, foreign: [...holders.keys()].filter(isForeign) }]
  })
}

const foreignIds = inWholeRun(customers, ['token', 'listAccounts', 'webhook'])
  .each(callsWithForeignIds, 'no event has a consent of a known customer')
  .where(({ foreign }) => foreign.length > 0, 'no account was listed for another customer only')

check(WEB.transactionEventNamesAccountsOfItsConsent, foreignIds, ({ call, foreign }) =>
  assertNamesNone(call, foreign, 'which is an account of another customer'),
)

const HEADERS = { ours: 'Basic b3VyIG93bg==', theirs: 'Basic dGhlaXJz' } as const

const applications = scenario(
  'a booking and a refresh, with two applications that listen',
  {
    ...notifying(
      2,
      'own-account',
      'other-bank-account',
      'second-application',
      'booking',
      'webhook',
      'webhook-settings',
    ),
    listensMs: 3 * MINUTE,
  },
  async (session) => {
    const { webhook, other, profile, clock } = session
    const theirUrl = `${webhook.url}/other`
    const { taken } = await webhook.configure({
      app: other,
      url: theirUrl,
      securityHeader: HEADERS.theirs,
    })
    if (!taken) throw new NotReached('the settings of the second application are not accepted')
    await webhook.activate({ securityHeader: HEADERS.ours })
    const ours = await subscribe(session)
    // The second application has no consent of the customer yet.
    const booking = await bookAndListen(session, ours, requireFirst(ours.own, OWN))
    await webhook.listen(profile.webhooks.deliveryMs)
    const theirs = await subscribe(session, { app: other })
    requireFirst(ours.elsewhere, 'another bank')
    // At the same moment, since a bank may take the second refresh for a part of the first.
    const started = [await startRefresh(session, ours), await startRefresh(session, theirs, other)]
    const refreshes = []
    for (const { listen } of started) refreshes.push(await listen())
    const common = await bookOnBoth(session, [ours, theirs])
    const calls = webhook.deliveries()
    // Now webhooks are disabled for the second application only.
    const { taken: isDisabled } = await webhook.configure({ app: other, url: theirUrl, enabled: false })
    await clock.pass(PAST_THE_HOUR)
    const { length } = webhook.deliveries()
    await other.refreshAccounts(theirs)
    const last = await bookAndListen(session, ours, requireFirst(ours.own, OWN))
    const later = (await webhook.listen(profile.webhooks.deliveryMs)).slice(length)
    return {
      subscriptions: [ours, theirs],
      urls: [webhook.url, theirUrl],
      headers: HEADERS,
      booking,
      refreshes,
      calls,
      common,
      disabled: { isDisabled, last, later },
      isReached: webhook.isReached(),
    }
  },
)

/** A booking on an account that both applications are authorized for, and the calls since then. */
const bookOnBoth = async (session: Session, subscriptions: readonly [Subscription, Subscription]) => {
  const { webhook, profile } = session
  const [ours, theirs] = subscriptions
  const { length } = webhook.deliveries()
  const account = requireFirst(
    ours.own.filter(({ iban }) => theirs.own.some((one) => one.iban === iban)),
    `${OWN} that both applications list`,
  )
  const { booking } = await bookAndListen(session, ours, account)
  const within = profile.webhooks.deliveryMs
  return { booking, within, calls: (await webhook.listen(within)).slice(length) }
}

check(WEB.anotherApplicationIsNotNotified, applications, ({ subscriptions, urls, booking, calls }) => {
  requireNotified(booking)
  subscriptions.forEach(({ consentId }, at) => {
    const foreign = urls.filter((_, place) => place !== at)
    for (const call of ofConsent(calls, consentId))
      call.address.satisfies(
        !foreign.some((url) => wentToUrl(call, url)),
        'not the URL of an application that the customer has not given this consent to',
      )
  })
})

check(WEB.securityHeaderIsSentAsAuthorization, applications, ({ urls, headers, calls }) => {
  const [ours = '', theirs = ''] = urls
  for (const call of requireSome(callsTo(calls, ours), 'call of the first application'))
    assertSecurityHeaderIs(call, headers.ours)
  for (const call of requireSome(callsTo(calls, theirs), 'call of the second application'))
    assertSecurityHeaderIs(call, headers.theirs)
})

check(WEB.bookingIsNotified, applications, ({ subscriptions, urls, common, disabled, isReached }) => {
  const { booking, within, calls } = common
  subscriptions.forEach(({ consentId }, at) => {
    const url = urls[at] ?? ''
    const delivery = transactionEventsIn(calls).find(
      (call) => call.event?.consentId === consentId || wentToUrl(call, url),
    )
    hasArrived(
      { delivery, after: booking, within, isReached },
      'a transactionEvent for each of the applications',
    )
  })
  assertNotified(disabled.last, isReached)
})

check(WEB.disabledWebhookIsNotCalled, applications, ({ urls: [, theirs = ''], disabled }) => {
  const { isDisabled, last, later } = disabled
  if (!isDisabled) throw new NotReached('the settings of the second application are not accepted')
  requireNotified(last)
  for (const call of eventsIn(later))
    call.address.satisfies(!wentToUrl(call, theirs), 'not the URL of an application with webhooks disabled')
})

const callsTo = (calls: readonly ObservedDelivery[], url: string): readonly ObservedDelivery[] =>
  calls.filter((call) => wentToUrl(call, url))

/** The codes of the banks at which both consents open accounts, as far as the profile knows them. */
const commonBanks = ({ subscriptions: [ours, theirs] }: RecordOf<typeof applications>): readonly string[] => {
  const codes = theirs?.elsewhere.map(({ bankCode }) => bankCode) ?? []
  const common = ours?.elsewhere.map(({ bankCode }) => bankCode).filter((code) => codes.includes(code)) ?? []
  return [...new Set(common)].filter((code) => code !== '')
}

check(WEB.accountEventIsSentForEachConsent, applications, (record) => {
  const { subscriptions, refreshes, calls, isReached } = record
  const banks = requireSome(commonBanks(record), 'account at a bank whose code the profile knows')
  subscriptions.forEach(({ consentId }, at) => {
    const { refresh, within } = refreshes[at] ?? {}
    if (refresh?.accepted !== true || within === undefined) throw new NotReached('a refresh was not accepted')
    for (const bank of banks) {
      const delivery = ofConsent(accountEventsIn(calls), consentId).find(
        (call) => String(call.field('bankCode').value) === bank,
      )
      hasArrived(
        { delivery, after: refresh, within, isReached },
        `an accountEvent of this consent and the bank ${bank}`,
      )
    }
  })
})

const environments = scenario(
  'changes in the environment in which webhooks are not enabled',
  {
    ...notifying(2, 'own-account', 'booking', 'webhook', 'webhook-settings'),
    effectsIn: { sandbox: 'notify', production: 'notify' },
    listensMs: 2 * MINUTE,
  },
  async (session) => {
    const { webhook, profile } = session
    const { deliveryMs, refreshMs } = profile.webhooks
    const elsewhere = session.at(profile.environment === 'sandbox' ? 'production' : 'sandbox')
    await webhook.activate()
    const theirs = await subscribe(elsewhere)
    const ours = await subscribe(session)
    const account = requireFirst(ours.own, OWN)
    const before = await bookAndListen(session, ours, account)
    await elsewhere.app.refreshAccounts(theirs)
    for (const other of theirs.own.slice(0, 1)) await book(session, other)
    await webhook.listen(Math.max(refreshMs, deliveryMs))
    const after = await bookAndListen(session, ours, account)
    return { consents: [ours.consentId, theirs.consentId], before, after, calls: webhook.deliveries() }
  },
)

check(WEB.settingsOfOneEnvironment, environments, ({ consents, before, after, calls }) => {
  const [ours, theirs = ''] = consents
  if (ours === theirs) throw new NotReached('the consents of both environments have one consentId')
  requireNotified(before)
  requireNotified(after)
  for (const call of eventsIn(calls))
    call
      .field('consentId')
      .satisfies(
        call.event?.consentId !== theirs,
        'no consent of an environment in which webhooks are not enabled',
      )
})
