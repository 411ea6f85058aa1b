import { constantFrom, nat, record } from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { check, eventOf, held, isRefusedBetween, NotReached } from '../../harness/check/index.ts'
import { property, scenario } from '../../harness/session/index.ts'
import type { Delivery, ObservedDelivery, RecordOf } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
import {
  accountEventsIn,
  callForBooking,
  eventsIn,
  assertWentTo,
  assertNoSecurityHeader,
  assertNotSecurityHeader,
  assertHasSecurityHeader,
  assertSecurityHeaderIs,
  requireNotified,
  requireSome,
  wentToAnEarlierAddress,
  wentToUrl,
} from './assertions.ts'
import {
  book,
  bookAndListen,
  requireFirst,
  PAST_THE_HOUR,
  refreshAndListen,
  SECURITY_HEADER,
  subscribe,
} from './steps.ts'
import { securityHeaderEdges, securityHeaders } from '../shared/values.ts'
import { notifying } from '../shared/scenario-options.ts'
import { WEB } from './requirements.ts'

const OPTIONS = { effect: 'notify', as: 'each', needs: ['webhook-settings'] } as const

const configure = async ({ webhook }: Session, change: Parameters<Session['webhook']['configure']>[0]) =>
  (await webhook.configure({ securityHeader: USUAL_HEADER, ...change })).exchange

/** A security header that every conforming target accepts. */
const USUAL_HEADER = 'Basic abc'

/** What is appended to the address of the scenario. None has a query. */
const PLAIN_SUFFIXES = ['', '/', '/calls/of-the_bank.v1~2', '/%C5%BEilina'] as const

/** A parameter with a value, without one, after an empty path, several of them, and one whose value is a URL. */
const QUERIES = [
  '?token=secret',
  '?token',
  '/?a=1',
  '?a=1&b=2',
  '?next=https%3A%2F%2Fbank.example%2F',
] as const

const urls = scenario('webhook URLs with and without parameters', OPTIONS, async (session) => {
  const { url } = session.webhook
  const plain = []
  for (const rest of PLAIN_SUFFIXES) plain.push(await configure(session, { url: url + rest }))
  const before = await configure(session, {})
  const changed = []
  for (const query of QUERIES) changed.push(await configure(session, { url: url + query }))
  return { plain, before, changed, after: await configure(session, {}) }
})

check(WEB.plainUrlIsAccepted, urls, ({ plain, before, after }) => {
  for (const attempt of [...plain, before, after]) attempt.isAccepted('its URL has no parameters')
})

check(WEB.urlWithParametersIsRefused, urls, (attempts) =>
  isRefusedBetween(attempts, 'its URL has parameters'),
)

const empty = scenario(
  'an empty security header, and one with a line feed, before and after one that is set',
  OPTIONS,
  async (session) => {
    const first = await configure(session, { securityHeader: '' })
    const before = await configure(session, {})
    const tabbed = await configure(session, { securityHeader: `${USUAL_HEADER}\t` })
    const changed = await configure(session, { securityHeader: `${USUAL_HEADER}\n` })
    const after = await configure(session, {})
    return { first, before, tabbed, changed, after, last: await configure(session, { securityHeader: '' }) }
  },
)

check(WEB.emptySecurityHeaderIsAccepted, empty, ({ first, before, last }) => {
  for (const attempt of [first, before, last]) attempt.isAccepted('it may be empty')
})

check(WEB.otherSecurityHeaderIsRefused, empty, ({ tabbed, ...attempts }) => {
  if (tabbed.accepted) throw new NotReached('the target may cut blanks off the end of a security header')
  isRefusedBetween(attempts, 'its security header ends with a line feed')
})

/** Kinds of characters that a target may wrongly allow. Each kind is equally likely. */
const FORBIDDEN = {
  'signs of a word': '-_.',
  'other signs': ':,;"\'@#$%&*()[]{}<>!?\\|~^`',
  'letters of other alphabets': 'éßČŁж中Ａ',
  'digits of other scripts': '٣५３',
  blanks: '\t\n\u00a0\u2003',
} as const

type Kind = keyof typeof FORBIDDEN

interface ForbiddenCharacter {
  readonly kind: Kind
  readonly which: number
  readonly place: 'first' | 'last' | 'within'
}

const forbidden: Arbitrary<ForbiddenCharacter> = record({
  kind: constantFrom(...(Object.keys(FORBIDDEN) as Kind[])),
  which: nat(29),
  place: constantFrom('first' as const, 'last' as const, 'within' as const),
})

/** A security header with one forbidden character. Blanks are put in its middle: a form may trim its ends. */
const withForbidden = (header: string, { kind, which, place }: ForbiddenCharacter): string => {
  const signs = Array.from(FORBIDDEN[kind])
  const sign = signs[which % signs.length] ?? '-'
  if (place === 'within' || kind === 'blanks') return `a${sign}${header}z`
  return place === 'first' ? sign + header : header + sign
}

/** The signs of a word, and a line feed. */
const edgeAt = (at: number): ForbiddenCharacter => ({
  kind: at < 3 ? 'signs of a word' : 'blanks',
  which: (at + 1) % 3,
  place: 'within',
})

const headers = property(
  'a security header of allowed characters, and the same with another one in it',
  OPTIONS,
  record({ header: securityHeaders, forbidden }),
  async (session, { header, forbidden: one }) => ({
    before: await configure(session, { securityHeader: header }),
    changed: await configure(session, { securityHeader: withForbidden(header, one) }),
    after: await configure(session, { securityHeader: header }),
  }),
  {
    edges: securityHeaderEdges.map((header, at) => ({ header, forbidden: edgeAt(at) })),
  },
)

check(WEB.matchingSecurityHeaderIsAccepted, headers, ({ before, after }) => {
  for (const attempt of [before, after]) attempt.isAccepted('its security header matches [ a-zA-Z0-9=+/]*')
})

check(WEB.otherSecurityHeaderIsRefused, headers, (attempts) =>
  isRefusedBetween(attempts, 'its security header does not match [ a-zA-Z0-9=+/]*'),
)

const OTHER_HEADER = 'Bearer 9aB/+=='

const changed = scenario(
  'bookings between changes of the webhook settings',
  notifying(1, 'own-account', 'booking', 'webhook', 'webhook-settings'),
  async (session) => {
    const { webhook, clock } = session
    await webhook.activate({ securityHeader: SECURITY_HEADER })
    const subscription = await subscribe(session)
    const account = requireFirst(subscription.own, "the service's own bank")
    const moved = { url: `${webhook.url}/moved`, securityHeader: OTHER_HEADER }

    /** Changes the settings, and books when they are in force: at the latest after a full hour, like the enabling. */
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
    const afterAForbiddenHeader = await change({ ...moved, securityHeader: `${OTHER_HEADER}-_` })
    // This replaces settings that the target should have refused.
    const afterEmptyHeader = await change({ url: moved.url, securityHeader: '' })
    const changes = { afterTheMove, afterAQuery, afterAForbiddenHeader, afterEmptyHeader }
    return { first, ...changes, refreshes, moved, old: webhook.url, oldHeader: SECURITY_HEADER }
  },
)

type Changes = RecordOf<typeof changed>

/** The calls after a change. @throws NotReached where it was not accepted, or no call has come. */
const callsAfter = ({ taken, booking, calls }: Changes['afterTheMove']): readonly ObservedDelivery[] => {
  if (!taken) throw new NotReached('the target does not accept the change of its settings')
  requireNotified(booking)
  return requireSome(eventsIn(calls), 'webhook call')
}

/** The calls after refused settings. @throws NotReached where they were accepted. */
const callsAfterRefusal = ({ taken, booking }: Changes['afterTheMove']): readonly ObservedDelivery[] => {
  if (taken) throw new NotReached('the settings were accepted, which is judged elsewhere')
  return [callForBooking(booking)]
}

check(WEB.callsGoToTheConfiguredUrl, changed, ({ afterTheMove, moved }) => {
  const calls = callsAfter(afterTheMove)
  const [first] = calls
  if (calls.some((call) => wentToUrl(call, moved.url))) held()
  else if (first !== undefined) assertWentTo(first, moved.url)
})

/** The accountEvents of a refresh after the change, where the customer has accounts at other banks. */
const eventsOfRefreshes = ({ refreshes }: Pick<Changes, 'refreshes'>): readonly ObservedDelivery[] =>
  refreshes.flatMap(({ calls }) => accountEventsIn(calls))

check(WEB.oldUrlIsNotCalled, changed, ({ afterTheMove, afterEmptyHeader, old, refreshes }) => {
  const calls = [afterTheMove, afterEmptyHeader].flatMap(callsAfter)
  for (const call of [...calls, ...eventsOfRefreshes({ refreshes })])
    call.address.satisfies(
      !wentToUrl(call, old) && !wentToAnEarlierAddress(call, old),
      'not a URL that was configured before',
    )
})

check(WEB.securityHeaderIsSentAsAuthorization, changed, (record) => {
  const { first, afterTheMove, moved, oldHeader } = record
  assertSecurityHeaderIs(callForBooking(first), oldHeader)
  for (const call of [...callsAfter(afterTheMove), ...eventsOfRefreshes(record)])
    assertSecurityHeaderIs(call, moved.securityHeader)
})

check(WEB.securityHeaderIsSentInEachCall, changed, ({ first, afterTheMove }) => {
  for (const call of [callForBooking(first), ...callsAfter(afterTheMove)]) assertHasSecurityHeader(call)
})

check(WEB.emptySecurityHeaderSendsNone, changed, ({ afterEmptyHeader }) => {
  for (const call of callsAfter(afterEmptyHeader)) assertNoSecurityHeader(call)
})

check(WEB.removedSecurityHeaderIsNotSent, changed, ({ afterEmptyHeader, moved }) => {
  for (const call of callsAfter(afterEmptyHeader)) assertNotSecurityHeader(call, moved.securityHeader)
})

check(WEB.refusedSettingsChangeNothing, changed, ({ afterTheMove, afterAQuery, afterAForbiddenHeader }) => {
  const before = callForBooking(afterTheMove.booking)
  const { value: address } = before.address
  const { value: header } = before.header('Authorization')
  for (const call of [afterAQuery, afterAForbiddenHeader].flatMap(callsAfterRefusal)) {
    call.address.satisfies(call.address.value === address, 'the URL before the refused change')
    const { value } = call.header('Authorization')
    if (header !== undefined && value !== undefined)
      call.header('Authorization').satisfies(value === header, 'the header before the refused change')
  }
})

const sent = property(
  'a booking with any security header',
  {
    effect: 'notify',
    as: 'TPP',
    needs: ['access', 'own-account', 'booking', 'webhook', 'webhook-settings'],
  },
  securityHeaders,
  async (session, securityHeader) => {
    const { webhook, customer, profile } = session
    const own = customer.accounts.find(({ bank, consented }) => bank === 'own' && consented)
    if (own === undefined) throw new NotReached("no account at the service's own bank is known")
    const { consentId } = await session.access()
    await webhook.activate({ securityHeader })
    const booking = await book(session, own)
    const isOfTheConsent = (delivery: Delivery): boolean => eventOf(delivery)?.consentId === consentId
    const call = await webhook.next(isOfTheConsent, { within: profile.webhooks.deliveryMs })
    // As HTTP carries it: blanks at its ends are no part of it.
    return { securityHeader: securityHeader.trim(), booking, ...(call && { call }) }
  },
  { edges: securityHeaderEdges },
)

check(WEB.securityHeaderIsSentAsAuthorization, sent, ({ call, securityHeader }) => {
  if (call === undefined) throw new NotReached('the booking was not notified')
  assertSecurityHeaderIs(call, securityHeader)
})

check(WEB.securityHeaderIsSentInEachCall, sent, ({ call, securityHeader }) => {
  if (call === undefined) throw new NotReached('the booking was not notified')
  // HTTP has no header values that consist of blanks.
  if (securityHeader === '') held()
  else assertHasSecurityHeader(call)
})
