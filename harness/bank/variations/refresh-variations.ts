/** Other permitted requests, stages and reports of a refresh. */
import { randomInt } from '../random.ts'
import type { RuleChange, Variation } from '../defect.ts'
import { isAtOwnBank } from '../seed-data.ts'
import { MINUTE, SECOND } from '../rules/facts.ts'
import type { Stage } from '../rules/refresh-rules.ts'

const running = (delay: number, status = 'RUNNING'): Stage => ({ delay, status, updates: false })

const finished = (delay: number): Stage => ({ delay, status: 'FINISHED', updates: true })

const digits = (): string => `9${String(randomInt(2 ** 47)).padStart(15, '0')}`

/** Refuses a refresh of a consent that was refreshed less than five minutes before. */
const refusingTooSoon: RuleChange = (lawful) => {
  const last = new Map<string, number>()
  let isTooSoon = false
  return {
    mayRefreshConsent: (facts) => {
      const now = facts.now.getTime()
      isTooSoon = now < (last.get(facts.consentId) ?? -Infinity) + 5 * MINUTE
      if (isTooSoon || !lawful.mayRefreshConsent(facts)) return false
      last.set(facts.consentId, now)
      return true
    },
    refusalStatus: (facts) =>
      isTooSoon && facts.error === 'consent_unknown' ? 409 : lawful.refusalStatus(facts),
  }
}

/** Shows the data of a refresh with this delay, in ms. */
const shownAfter =
  (delay: number): RuleChange =>
  (lawful) => {
    const since = new Map<unknown, number>()
    return {
      bookingsSeen: (facts) => {
        const now = facts.now.getTime()
        const known = lawful.bookingsSeen(facts)
        if (isAtOwnBank(facts.account)) return known
        for (const booking of known) since.set(booking, since.get(booking) ?? now)
        return known.filter((booking) => now >= (since.get(booking) ?? now) + delay)
      },
    }
  }

const requestVariations: readonly Variation[] = [
  {
    id: 'refresh-answered-with-200',
    story: 'A refresh is answered with 200, and with a status next to the taskId.',
    rules: { refreshStatus: () => 200, refreshBody: ({ taskId }) => ({ taskStatus: 'CREATED', taskId }) },
  },
  {
    id: 'refresh-asks-for-psu-ip-address',
    story: 'A refresh without the header PSU-IP-Address is refused.',
    rules: { customerAddressIsAccepted: ({ address }) => address !== undefined && address !== '' },
  },
  {
    id: 'refresh-ignores-the-body',
    story: 'The consent of a refresh is that of its token; the body is ignored.',
    rules: { consentToRefresh: ({ grant }) => grant.consentId },
  },
  {
    id: 'refresh-joins-the-one-under-way',
    story: 'A refresh of a consent whose refresh is running is answered with the same taskId.',
    rules: { taskJoined: ({ underWay }) => underWay[0] },
  },
  {
    id: 'refresh-refused-if-too-soon',
    story: 'A refresh of a consent is refused for five minutes after an accepted one.',
    rules: refusingTooSoon,
  },
  {
    id: 'numeric-task-ids',
    story: 'Task ids are strings of sixteen digits.',
    rules: { newTaskId: digits },
  },
]

const stageVariations: readonly Variation[] = [
  {
    id: 'refresh-finished-alone',
    story: 'FINISHED is the only taskStatus that is notified.',
    rules: { refreshStages: () => [finished(4 * SECOND)] },
  },
  {
    id: 'refresh-in-many-stages',
    story: 'CREATED, IN_PROGRESS and ALMOST_FINISHED come before FINISHED.',
    rules: {
      refreshStages: () => [
        running(0, 'CREATED'),
        running(SECOND, 'IN_PROGRESS'),
        running(3 * SECOND, 'ALMOST_FINISHED'),
        finished(8 * SECOND),
      ],
    },
  },
  {
    id: 'refresh-at-once',
    story: 'Every bank is FINISHED at the moment of the request.',
    rules: { refreshStages: () => [finished(0)] },
  },
  {
    id: 'refresh-takes-minutes',
    story: 'The first bank takes four minutes, and each further one two more.',
    rules: { refreshStages: ({ place }) => [running(30 * SECOND), finished((4 + 2 * place) * MINUTE)] },
  },
  {
    id: 'refresh-ends-with-the-first-bank',
    story: 'The bank that starts first is the last to be FINISHED.',
    rules: {
      refreshStages: ({ place }) => [
        running((1 + place) * SECOND),
        finished(Math.max(9 - 3 * place, 2 + place) * SECOND),
      ],
    },
  },
  {
    id: 'refresh-running-told-late',
    story: 'RUNNING is notified after FINISHED.',
    rules: { refreshStages: () => [finished(4 * SECOND), running(5 * SECOND)] },
  },
  {
    id: 'refresh-updates-before-it-is-finished',
    story: 'The data is current while the task is still RUNNING.',
    rules: {
      refreshStages: () => [
        { delay: 2 * SECOND, status: 'RUNNING', updates: true },
        { delay: 20 * SECOND, status: 'FINISHED', updates: false },
      ],
    },
  },
  {
    id: 'refresh-shown-a-moment-later',
    story: 'The data of a refresh is shown three seconds after FINISHED was notified.',
    rules: shownAfter(3 * SECOND),
  },
  {
    id: 'other-banks-are-watched',
    story: 'Bookings at another bank are known at once, so that a refresh finds nothing new.',
    rules: { bookingIsKnownAtOnce: () => true },
  },
]

const accountVariations: readonly Variation[] = [
  {
    id: 'account-events-of-changed-accounts',
    story: 'An accountEvent lists only the accounts with new bookings, and so it may list none.',
    rules: { accountsReported: ({ changed }) => changed },
  },
  {
    id: 'account-events-of-other-types',
    story: 'The eventType of accounts is PENDING at first and UPDATED in the end.',
    rules: { accountEventType: ({ status }) => (status === 'FINISHED' ? 'UPDATED' : 'PENDING') },
  },
  {
    id: 'unicode-bank-names',
    story: 'The names of other banks contain quotes, letters of several scripts and an emoji.',
    rules: (lawful) => ({
      bankShares: (facts) =>
        lawful
          .bankShares(facts)
          .map((share) => ({ ...share, bankName: `„${share.bankName}“ – Žilinská & Ďalší <银行> 🏦` })),
    }),
  },
]

export const refreshVariations: readonly Variation[] = [
  ...requestVariations,
  ...stageVariations,
  ...accountVariations,
]
