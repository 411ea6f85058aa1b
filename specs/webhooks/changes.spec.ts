import { constantFrom, string } from 'fast-check'
import { check, eventOf, NotReached, property, scenario } from '../../harness/check/index.ts'
import type { Delivery, Observed, ObservedDelivery } from '../../harness/check/index.ts'
import {
  accountEventsIn,
  callOf,
  eventsIn,
  goesTo,
  hasNoSecurityHeader,
  hasSecurityHeader,
  hasSecurityHeaderOf,
  isHeard,
  someOf,
  wentAstray,
  wentTo,
} from './calls.ts'
import {
  book,
  bookAndListen,
  firstOf,
  PAST_THE_HOUR,
  refreshAndListen,
  SECURITY_HEADER,
  subscribe,
} from './listening.ts'
import { WEB } from './requirements.ts'

/** Settings of webhooks that are active. A change is given until the next full hour, like the enabling itself. */

const OTHER_HEADER = 'Bearer 9aB/+=='

const changed = scenario(
  'bookings between changes of the webhook settings',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 1,
    needs: ['customer', 'own-account', 'booking', 'webhook', 'webhook-settings'],
  },
  async (session) => {
    const { webhook, clock } = session
    await webhook.activate({ securityHeader: SECURITY_HEADER })
    const subscription = await subscribe(session)
    const account = firstOf(subscription.own, "the service's own bank")
    const moved = { url: `${webhook.url}/moved`, securityHeader: OTHER_HEADER }

    /** Changes the settings, and books once they hold. */
    const change = async (settings: Parameters<typeof webhook.configure>[0]) => {
      const { taken } = await webhook.configure(settings)
      await clock.pass(PAST_THE_HOUR)
      const { length } = webhook.deliveries()
      const booking = await bookAndListen(session, subscription, account)
      return { taken, booking, calls: webhook.deliveries().slice(length) }
    }

    const first = await bookAndListen(session, subscription, account)
    const afterTheMove = await change(moved)
    const refreshes =
      subscription.elsewhere.length === 0 ? [] : [await refreshAndListen(session, subscription)]
    const afterAQuery = await change({ ...moved, url: `${moved.url}?token=1` })
    const afterASign = await change({ ...moved, securityHeader: `${OTHER_HEADER}-_` })
    // The last one: what a target has taken wrongly before is replaced.
    const afterTheEnd = await change({ url: moved.url, securityHeader: '' })
    const changes = { afterTheMove, afterAQuery, afterASign, afterTheEnd }
    return { first, ...changes, refreshes, moved, old: webhook.url }
  },
)

type Record = Observed<Awaited<ReturnType<typeof changed.act>>>

/** The calls that follow a change. @throws NotReached where it was not taken, or nothing was heard. */
const callsAfter = ({ taken, booking, calls }: Record['afterTheMove']): readonly ObservedDelivery[] => {
  if (!taken) throw new NotReached('the target does not take the change of its settings')
  isHeard(booking)
  return someOf(eventsIn(calls), 'webhook call')
}

/** The calls that follow settings which were refused, and changed nothing. */
const callsAfterRefusal = ({ taken, booking }: Record['afterTheMove']): readonly ObservedDelivery[] => {
  if (taken) throw new NotReached('the settings were taken, which is judged elsewhere')
  return [callOf(booking)]
}

check(WEB.callsGoToTheConfiguredUrl, changed, ({ afterTheMove, moved }) => {
  const calls = callsAfter(afterTheMove)
  const [first] = calls
  // Whether the old address is called as well is judged beside it.
  if (first !== undefined && !calls.some((call) => wentTo(call, moved.url))) goesTo(first, moved.url)
})

/** Of a refresh that was asked for once the change holds, where the customer has accounts at other banks. */
const ofRefreshes = ({ refreshes }: Pick<Record, 'refreshes'>): readonly ObservedDelivery[] =>
  refreshes.flatMap(({ calls }) => accountEventsIn(calls))

check(WEB.oldUrlIsNotCalled, changed, ({ afterTheMove, afterTheEnd, old, refreshes }) => {
  const calls = [afterTheMove, afterTheEnd].flatMap(callsAfter)
  for (const call of [...calls, ...ofRefreshes({ refreshes })])
    call.address.satisfies(
      !wentTo(call, old) && !wentAstray(call, old),
      'not a URL that was configured before',
    )
})

check(WEB.securityHeaderIsSentAsAuthorization, changed, ({ first, afterTheMove, moved, refreshes }) => {
  hasSecurityHeaderOf(callOf(first), SECURITY_HEADER)
  for (const call of [...callsAfter(afterTheMove), ...ofRefreshes({ refreshes })])
    hasSecurityHeaderOf(call, moved.securityHeader)
})

check(WEB.securityHeaderIsSentInEachCall, changed, ({ first, afterTheMove }) => {
  for (const call of [callOf(first), ...callsAfter(afterTheMove)]) hasSecurityHeader(call)
})

check(WEB.emptySecurityHeaderSendsNone, changed, ({ afterTheEnd }) => {
  for (const call of callsAfter(afterTheEnd)) hasNoSecurityHeader(call)
})

check(WEB.refusedSettingsChangeNothing, changed, ({ afterTheMove, afterAQuery, afterASign }) => {
  const before = callOf(afterTheMove.booking)
  const { value: address } = before.address
  const { value: header } = before.header('Authorization')
  for (const call of [afterAQuery, afterASign].flatMap(callsAfterRefusal)) {
    call.address.satisfies(call.address.value === address, 'the URL of before the refused change')
    const { value } = call.header('Authorization')
    // That it is there at all is judged elsewhere.
    if (header !== undefined && value !== undefined)
      call.header('Authorization').satisfies(value === header, 'the header of before the refused change')
  }
})

const SIGNS = Array.from('abcxyzABCXYZ0189+/=+/=    ')

/** Blanks at the ends, and blanks alone, are among them. */
const anyHeader = string({ unit: constantFrom(...SIGNS), minLength: 1, maxLength: 60, size: 'max' })

const sent = property(
  'a booking with any security header',
  {
    effect: 'notify',
    as: 'TPP',
    needs: ['access', 'own-account', 'booking', 'webhook', 'webhook-settings'],
  },
  anyHeader,
  async (session, securityHeader) => {
    const { webhook, customer, profile } = session
    const own = customer.accounts.find(({ bank, consented }) => bank === 'own' && consented)
    if (own === undefined) throw new NotReached("no account at the service's own bank is known")
    const { consentId } = await session.access()
    await webhook.activate({ securityHeader })
    const booking = await book(session, own)
    const isOurs = (delivery: Delivery): boolean => eventOf(delivery)?.consentId === consentId
    const call = await webhook.next(isOurs, { within: profile.webhooks.deliveryMs })
    return { securityHeader, booking, ...(call && { call }) }
  },
)

check(WEB.securityHeaderIsSentAsAuthorization, sent, ({ call, securityHeader }) => {
  if (call === undefined) throw new NotReached('the booking was not notified')
  hasSecurityHeaderOf(call, securityHeader)
})
