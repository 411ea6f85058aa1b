import { check, hasArrived, NotReached, note } from '../../harness/check/index.ts'
import type { Observed, ObservedDelivery, Selectable } from '../../harness/check/index.ts'
import type { Scenario } from '../../harness/session/index.ts'
import { idsIn, isAccountEvent } from './steps.ts'
import { WEB } from './requirements.ts'
import type { Booked } from './steps.ts'

/** What the checks of this chapter assert of webhook calls. */

type Calls = readonly ObservedDelivery[]

/** The calls with an event that can be read. A target may also call for other reasons. */
export const eventsIn = (calls: Calls): Calls => calls.filter(({ event }) => event !== undefined)

/** The calls with a transactionEvent, or with an event of no known kind. */
export const transactionEventsIn = (calls: Calls): Calls =>
  calls.filter(({ event }) => event !== undefined && !isAccountEvent(event))

export const accountEventsIn = (calls: Calls): Calls =>
  calls.filter(({ event }) => event !== undefined && isAccountEvent(event))

/** The calls of one consent. The application may have other consents, of which nothing is known. */
export const ofConsent = (calls: Calls, consentId: string): Calls =>
  calls.filter(({ event }) => event?.consentId === consentId)

export const idsOf = ({ event }: ObservedDelivery): readonly string[] => (event ? idsIn(event) : [])

/** @throws NotReached where there is none: then nothing can be judged. */
export const requireSome = <Item>(items: readonly Item[], what: string): readonly Item[] => {
  if (items.length > 0) return items
  throw new NotReached(`no ${what} has arrived`)
}

type ObservedBooked = Observed<Booked>

/** Asserts that a booking was notified, whatever the event says. */
export const assertNotified = (
  { booking, within, exact, near }: ObservedBooked,
  isReached: boolean,
): void => {
  hasArrived({ delivery: exact ?? near, after: booking, within, isReached }, 'a transactionEvent')
}

/** The call that reports a booking, or the most similar one. @throws NotReached where there is none. */
export const callForBooking = ({ exact, near }: ObservedBooked): ObservedDelivery => {
  const delivery = exact ?? near
  if (delivery === undefined) throw new NotReached('the booking was not notified')
  delivery.use()
  return delivery
}

/** That no call has come means something only where calls can come. @throws NotReached where none came at all. */
export const requireNotified = (booked: ObservedBooked): void => void callForBooking(booked)

const inFull = (url: string): string => new URL(url).href

/** Whether a call went to a URL: an empty path is the same as a slash. */
export const wentToUrl = ({ address }: ObservedDelivery, url: string): boolean =>
  inFull(String(address.value)) === inFull(url)

/** Whether a call went to the address of an earlier scenario, and not below the address of this one. */
export const wentToAnEarlierAddress = ({ address }: ObservedDelivery, own: string): boolean =>
  !String(address.value).includes(own.slice(own.lastIndexOf('/') + 1))

export const assertWentTo = (call: ObservedDelivery, url: string): void =>
  call.address.satisfies(wentToUrl(call, url), `the configured URL ${url}`)

const hasText = (value: unknown): boolean => value !== undefined && value !== ''

/** Asserts that a call has an Authorization header. */
export const assertHasSecurityHeader = (call: ObservedDelivery): void => {
  const header = call.header('Authorization')
  header.satisfies(hasText(header.value), 'the configured security header')
}

/** Asserts that the Authorization header of a call, where it has one, is the security header. */
export const assertSecurityHeaderIs = (call: ObservedDelivery, configured: string): void => {
  const header = call.header('Authorization')
  if (hasText(header.value)) header.satisfies(header.value === configured, configured)
}

/** Asserts that a call does not have a security header that was removed. */
export const assertNotSecurityHeader = (call: ObservedDelivery, removed: string): void => {
  const header = call.header('Authorization')
  header.satisfies(header.value !== removed, 'not the security header that was removed')
}

/** Asserts that a call has no Authorization header, or an empty one. */
export const assertNoSecurityHeader = (call: ObservedDelivery): void => {
  const header = call.header('Authorization')
  header.satisfies(!hasText(header.value), 'nothing')
}

/** Whether a call is a transactionEvent or an accountEvent, by the fields that only they have. */
export const isOfAKnownKind = (call: ObservedDelivery): boolean => {
  const { event } = call
  const hasAccounts = call.kind('accounts').value !== 'nothing'
  return hasAccounts || event?.eventType === 'NEW' || (event !== undefined && isAccountEvent(event))
}

export const assertKnownKind = (call: ObservedDelivery): void =>
  call.field('accounts').satisfies(isOfAKnownKind(call), 'the accounts that both events have')

/** Asserts that a call has a field of one of the two events. @throws Inconclusive where it is not JSON, and not empty. */
export const assertCarriesAnEvent = (call: ObservedDelivery): void => {
  const { text } = call.body
  const isEmpty = textOf(text.value).trim() === ''
  if (call.event === undefined && !isEmpty) call.field('consentId')
  text.satisfies(call.event !== undefined, 'one of the two events')
}

interface Recorded {
  readonly calls: Calls
  readonly url: string
  readonly securityHeader: string
}

const NO_CALL = 'no webhook call has arrived'

/** What holds of every call while one URL and one security header are configured. */
export const checkCalls = (scenario: Selectable<Recorded>): void => {
  const events = scenario.each(({ calls, url }) => eventsIn(calls).map((call) => ({ call, url })), NO_CALL)
  const secured = scenario
    .where(({ securityHeader }) => securityHeader !== '', 'no security header is set')
    .each((record) => eventsIn(record.calls).map((call) => ({ call, ...record })), NO_CALL)
  check(WEB.callsGoToTheConfiguredUrl, events, ({ call, url }) => assertWentTo(call, url))
  check(WEB.securityHeaderIsSentInEachCall, secured, ({ call }) => assertHasSecurityHeader(call))
  check(WEB.securityHeaderIsSentAsAuthorization, secured, ({ call, securityHeader }) =>
    assertSecurityHeaderIs(call, securityHeader),
  )
}

export const OF_THE_OWN_BANK = "which is one at the service's own bank"
export const OF_ANOTHER_BANK = 'which is one at another bank'

/** Asserts that a call names none of these accounts. @param because why, such as "which is one at another bank". */
export const assertNamesNone = (call: ObservedDelivery, ids: readonly string[], because: string): void => {
  const named = idsOf(call).find((id) => ids.includes(id))
  call
    .field('accounts')
    .satisfies(named === undefined, `no item with the accountId ${named ?? ''}, ${because}`)
}

/** Asserts that a call names no account but these. */
export const assertNamesOnly = (call: ObservedDelivery, ids: readonly string[]): void => {
  const unknown = idsOf(call).find((accountId) => !ids.includes(accountId))
  call
    .field('accounts')
    .satisfies(unknown === undefined, 'no account that the application was not authorized for')
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'nothing')

const distinctValues = (values: readonly string[]): string => [...new Set(values)].join(', ')

/** How many calls have the same body as an earlier one. Two bookings on one account may have equal events. */
const repetitionsIn = (calls: readonly ObservedDelivery[]): number =>
  calls.length - new Set(calls.map(({ body }) => textOf(body.text.value))).size

/** Notes how the target calls, which the interface does not show. */
export const noteCalls = <Seen>(
  scenario: Scenario<Seen>,
  pick: (record: Observed<Seen>) => readonly ObservedDelivery[],
  name: 'transactionEvent' | 'accountEvent',
): void => {
  const describe =
    (say: (calls: readonly ObservedDelivery[]) => string) =>
    (record: Observed<Seen>): string | undefined => {
      const calls = pick(record)
      return calls.length === 0 ? undefined : `${name}: ${say(calls)}`
    }
  note(
    WEB.methodOfTheCall,
    scenario,
    describe((calls) => distinctValues(calls.map(({ method }) => textOf(method.value)))),
  )
  note(
    WEB.encodingOfTheCall,
    scenario,
    describe((calls) => {
      const types = distinctValues(calls.map((call) => textOf(call.header('Content-Type').value)))
      const shapes = distinctValues(calls.map(({ body }) => body.shape))
      return `${types}, ${shapes}`
    }),
  )
  note(
    WEB.deliveryRetries,
    scenario,
    describe((calls) => {
      const repeated = repetitionsIn(calls)
      return `each call was answered with 204; ${repeated} of ${calls.length} have the same body as an earlier call`
    }),
  )
}
