import { hasCome, NotReached } from '../../harness/check/index.ts'
import type { Observed, ObservedDelivery } from '../../harness/check/index.ts'
import { idsIn, isAccountEvent } from './listening.ts'
import type { Booked } from './listening.ts'

/** What the judges of this chapter have in common. */

type Calls = readonly ObservedDelivery[]

/** The calls that tell of something, as far as they can be read: an application may be greeted, too. */
export const eventsIn = (calls: Calls): Calls => calls.filter(({ event }) => event !== undefined)

/** What cannot be told from a transactionEvent is taken for one. */
export const transactionEventsIn = (calls: Calls): Calls =>
  calls.filter(({ event }) => event !== undefined && !isAccountEvent(event))

export const accountEventsIn = (calls: Calls): Calls =>
  calls.filter(({ event }) => event !== undefined && isAccountEvent(event))

/** Those of one consent: those of another that the application may have are not known. */
export const ofConsent = (calls: Calls, consentId: string): Calls =>
  calls.filter(({ event }) => event?.consentId === consentId)

export const idsOf = ({ event }: ObservedDelivery): readonly string[] => (event ? idsIn(event) : [])

/** @throws NotReached where there is none: then there is nothing to have the property. */
export const someOf = <Item>(items: readonly Item[], what: string): readonly Item[] => {
  if (items.length > 0) return items
  throw new NotReached(`no ${what} has come`)
}

type ObservedBooked = Observed<Booked>

/** Judges that a booking was notified, in whatever words. */
export const isNotified = ({ booking, within, exact, near }: ObservedBooked, isReached: boolean): void => {
  hasCome({ delivery: exact ?? near, after: booking, within, isReached }, 'a transactionEvent')
}

/** The call that tells of a booking, or comes closest to it. @throws NotReached where none came. */
export const callOf = ({ exact, near }: ObservedBooked): ObservedDelivery => {
  const delivery = exact ?? near
  if (delivery === undefined) throw new NotReached('the booking was not notified')
  // Looking at it makes the verdict rest on it.
  delivery.address.isPresent()
  return delivery
}

/** Silence shows something of a target alone that can be heard. @throws NotReached where it was never heard. */
export const isHeard = (booked: ObservedBooked): void => void callOf(booked)

const inFull = (url: string): string => new URL(url).href

/** Whether a call went there: an empty path is the same as a slash. */
export const wentTo = ({ address }: ObservedDelivery, url: string): boolean =>
  inFull(String(address.value)) === inFull(url)

/** Whether a call went to where an earlier scenario has listened, and not below the address of this one. */
export const wentAstray = ({ address }: ObservedDelivery, own: string): boolean =>
  !String(address.value).includes(own.slice(own.lastIndexOf('/') + 1))

/** Judges that a call went there. */
export const goesTo = (call: ObservedDelivery, url: string): void =>
  call.address.satisfies(wentTo(call, url), `the configured URL ${url}`)

/** What HTTP can carry of a security header: blanks at its ends are no part of a field's value. */
const carried = (value: unknown): string => (typeof value === 'string' ? value.replace(/^ +| +$/g, '') : '')

/** Judges that a call has an Authorization header where the security header is set. */
export const hasSecurityHeader = (call: ObservedDelivery): void => {
  const header = call.header('Authorization')
  header.satisfies(carried(header.value) !== '', 'the configured security header')
}

/** Judges that the Authorization header of a call, where it has one, is the security header. */
export const hasSecurityHeaderOf = (call: ObservedDelivery, configured: string): void => {
  const header = call.header('Authorization')
  if (carried(header.value) !== '')
    header.satisfies(carried(header.value) === carried(configured), configured)
}

/** Judges that a call has no Authorization header, or an empty one. */
export const hasNoSecurityHeader = (call: ObservedDelivery): void => {
  const header = call.header('Authorization')
  header.satisfies(carried(header.value) === '', 'nothing')
}

/** Whether what a call says is one of the two events: told by what one of them has and the other has not. */
export const isEither = (call: ObservedDelivery): boolean => {
  const { event } = call
  const hasAccounts = call.kind('accounts').value !== 'nothing'
  return hasAccounts || event?.eventType === 'NEW' || (event !== undefined && isAccountEvent(event))
}

/** Judges that what a call says is one of the two events. */
export const isOneOfTheTwo = (call: ObservedDelivery): void =>
  call.field('accounts').satisfies(isEither(call), 'the accounts that both events have')
