import { DateTime } from 'luxon'
import { days, untilTime, waitForAge, type Session } from '../../harness/session/index.ts'
import type { Exchange } from '../../harness/check/index.ts'

/** Every tolerance of the suite, with its reason. All are in ms. */

const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

export const TOLERANCES = {
  /** Before and after the end of a lifetime of days: the requests take time, and the clocks of two machines differ. */
  lifetime: 2 * MINUTE,
  /** The same for a lifetime that the bank states in seconds, and for the seven days of loan applications. */
  statedLifetime: MINUTE,
  /** An application that is submitted so long before the end of its token is still NEW when the token has ended. */
  lastSubmission: 45 * SECOND,
  /** A payment token may end at a server that is not the one that issued it, with another clock. */
  paymentToken: 10 * MINUTE,
  /** Accounts at the service's own bank "stay current": the profile may give another deadline (`deadlines.currentMs`). */
  current: MINUTE,
  /** `expires_in` of 90 days: they may be counted by the calendar, over a change of summer time. */
  expiresIn: HOUR,
  /** After a full hour, at which webhooks become active: the clocks of two machines differ. */
  fullHour: MINUTE,
  /** Of a statusDateTime: the clocks of two machines may differ by half an hour, but not by an hour, as time zones do. */
  statusDateTime: 30 * MINUTE,
  /** Of two times that a bank states one after the other: two of its servers may have written them. */
  serversOfOneBank: 5 * SECOND,
  /** Webhook calls that are under way when a consent is revoked may still arrive. */
  callsUnderWay: MINUTE,
} as const

/** The lifetime of account tokens (interface.md, "Token response"). */
export const LIFETIME = days(90)

/** A bank may count days of the calendar: by the zone of the profile, or, where that is not stated, by the summer time of Europe. */
const lifetimesOf = (
  { profile }: Pick<Session, 'profile'>,
  { sentAt }: Pick<Exchange, 'sentAt'>,
): readonly number[] =>
  [profile.timeZone, 'Europe/Bratislava'].map((zone) => {
    const issue = DateTime.fromISO(sentAt, { zone })
    return issue.plus({ days: 90 }).diff(issue).toMillis()
  })

type Issue = Pick<Exchange, 'sentAt' | 'durationMs'>

/** Waits until shortly before the 90 days of what an answer has issued end. */
export const waitForLastMinutes = (session: Session, issue: Issue): Promise<void> => {
  const { lifetime } = TOLERANCES
  const shortest = Math.min(LIFETIME, ...lifetimesOf(session, issue))
  return waitForAge(session, issue, shortest - lifetime, lifetime / 2)
}

/** Waits until the 90 days of what an answer has issued have ended. */
export const waitForTheEnd = (session: Session, issue: Issue): Promise<void> =>
  waitForAge(session, issue, Math.max(LIFETIME, ...lifetimesOf(session, issue)) + TOLERANCES.lifetime)

/** How long it is until that time on the last day of a month, or so many days ahead of one. */
export const untilLastDay = ({ clock, profile }: Session, until: string, ahead = 0): number => {
  const now = clock.now().getTime()
  const { timeZone: zone } = profile
  const later = DateTime.fromMillis(now, { zone }).plus({ days: ahead })
  const lastDay = later.endOf('month').startOf('day')
  const from = DateTime.max(later, lastDay)
  return from.toMillis() + untilTime(from.toJSDate(), until, zone) - later.toMillis()
}
