import {
  hasArrived,
  held,
  type ObservedDelivery,
  type ObservedExchange,
} from '../../../harness/check/index.ts'
import { LIFETIME, MINUTE } from '../tolerances.ts'
import { ageOf, claim, MARGIN, type Known, type Of } from './known.ts'

/** What the interface requires of webhook calls, given the events before them. */

const names = ({ event }: ObservedDelivery, consentId: string | undefined): boolean =>
  event !== undefined && consentId !== undefined && event.consentId === consentId

const quiet = (known: Known, calls: readonly ObservedDelivery[], since: ObservedExchange): void => {
  for (const { given, ended: end } of known.grants) {
    const { consentId } = given
    if (end?.what !== 'endConsent' || consentId === undefined) continue
    claim(known, 'revokedConsentIsQuiet', () => {
      held()
      for (const call of calls)
        call
          .field('consentId')
          .satisfies(
            !names(call, consentId),
            `no consent that the user has ended at ${end.at.toISOString()} (${since.id})`,
          )
    })
  }
}

/** A consent belongs to one application. An event of an unknown one may go to any application. */
const disabledAreQuiet = ({ claims, grants, webhooks }: Known, calls: readonly ObservedDelivery[]): void => {
  const isOff = (app: string): boolean => (webhooks.get(app) ?? 'off') === 'off'
  const isAllOff = [...webhooks.keys()].every(isOff)
  const off = grants.filter(({ given }) => isOff(given.app))
  if (off.length === 0) return
  claims.push({
    says: 'disabledIsQuiet',
    judge: () => {
      held()
      for (const call of calls) {
        const isOfOne = off.some(({ given }) => names(call, given.consentId))
        const isWrong = call.event !== undefined && (isAllOff || isOfOne)
        call.field('consentId').satisfies(!isWrong, 'no event, since webhooks are disabled')
      }
    },
  })
}

/** Those that were off are active from the next full hour after they were enabled. */
const startingAreQuiet = (known: Known, calls: readonly ObservedDelivery[], until: number): void => {
  const starting = known.grants.filter(({ given }) => until < (known.activeFrom.get(given.app) ?? 0))
  if (starting.length === 0) return
  claim(known, 'startingIsQuiet', () => {
    held()
    for (const call of calls)
      call
        .field('consentId')
        .satisfies(
          !starting.some(({ given }) => names(call, given.consentId)),
          'no event before the full hour that follows the enabling',
        )
  })
}

/** A change of the settings may wait for the next full hour. */
const areSecured = (known: Known, calls: readonly ObservedDelivery[]): void => {
  for (const call of calls) {
    const { app = '' } = known.grants.find(({ given }) => names(call, given.consentId))?.given ?? {}
    const configured = known.securityHeaders.get(app)
    if (configured === undefined || known.webhooks.get(app) !== 'on') continue
    claim(known, 'callIsSecured', () => call.header('Authorization').equals(configured))
  }
}

export const heard = (known: Known, { heard: what, ...event }: Of<'book'>): void => {
  const { account, listedBy, openedBy, booking, isOwn } = event
  if (what === undefined) return
  const { calls, within, isReached } = what
  quiet(known, calls, booking)
  disabledAreQuiet(known, calls)
  areSecured(known, calls)
  startingAreQuiet(known, calls, booking.sentAt.getTime() + within + MINUTE)
  if (!isOwn) return
  for (const at of listedBy) {
    const grant = known.grants[at]
    if (grant === undefined || known.webhooks.get(grant.given.app) !== 'on') continue
    if (grant.ended || grant.mayHaveEnded || grant.given.consentId === undefined) continue
    // A bank may count the 90 days of all tokens from the authorization.
    const mayBeOver = ageOf(grant.tokens[0]?.issued, booking) > LIFETIME - MARGIN
    if (mayBeOver && at !== openedBy) continue
    // Which ids an event has is judged elsewhere: they may differ from list to list.
    const delivery = calls.find((call) => names(call, grant.given.consentId))
    claim(known, 'bookingIsNotified', () =>
      hasArrived(
        { delivery, after: booking, within, isReached },
        `a transactionEvent of the account ${account} under the consent of ${grant.given.exchange?.id ?? ''}`,
      ),
    )
  }
}

export const refreshed = (known: Known, event: Of<'refreshElsewhere'>): void => {
  const { exchange, heard: what, task, grant } = event
  const app = known.grants[grant]?.given.app ?? ''
  if (what === undefined || !exchange.accepted || known.webhooks.get(app) !== 'on') return
  const { calls, ...limits } = what
  const delivery = calls.find(({ event: one }) => one?.taskId === task && one.taskStatus === 'FINISHED')
  claim(known, 'refreshIsFinished', () =>
    hasArrived(
      { delivery, after: exchange, ...limits },
      'an accountEvent of the refresh with the taskStatus FINISHED',
    ),
  )
}
