/** Other permitted requests, stages and reports of a refresh. */
import { accept, alter, replaceRules, type Call, type FactsOf } from '../changes/alter.ts'
import { variationsOf } from '../changes/named.ts'
import type { RuleChange, Variation } from '../defect.ts'
import { MINUTE, SECOND } from '../rules/facts.ts'
import type { Stage } from '../rules/refresh-rules.ts'
import { isAtOwnBank } from '../seed-data.ts'
import { sixteenDigits } from './words.ts'

const running = (delay: number, status = 'RUNNING'): Stage => ({ delay, status, updates: false })

const finished = (delay: number): Stage => ({ delay, status: 'FINISHED', updates: true })

/** Whether the consent was refreshed less than five minutes before. */
const isTooSoon = (
  { consentId, now }: FactsOf<'mayRefreshConsent'>,
  earlier: readonly Call<'mayRefreshConsent'>[],
): boolean =>
  earlier.some(
    ({ facts, answer }) =>
      answer && facts.consentId === consentId && now.getTime() < facts.now.getTime() + 5 * MINUTE,
  )

const refusedTooSoon = alter({
  mayRefreshConsent: (may, facts, { of }) => may && !isTooSoon(facts, of('mayRefreshConsent')),
  refusalStatus: (status, { error }, { of }) => {
    const asked = of('mayRefreshConsent').at(-1)
    const isRefused = asked?.answer === false && isTooSoon(asked.facts, of('mayRefreshConsent'))
    return isRefused && error === 'consent_unknown' ? 409 : status
  },
})

/** Shows the data of a refresh with this delay, in ms. */
const shownAfter =
  (delay: number): RuleChange =>
  (conforming) => {
    const since = new Map<unknown, number>()
    return {
      bookingsSeen: (facts) => {
        const now = facts.now.getTime()
        const known = conforming.bookingsSeen(facts)
        if (isAtOwnBank(facts.account)) return known
        for (const booking of known) since.set(booking, since.get(booking) ?? now)
        return known.filter((booking) => now >= (since.get(booking) ?? now) + delay)
      },
    }
  }

export const refreshVariations: readonly Variation[] = variationsOf({
  'A refresh is answered with 200 and a taskStatus': alter({
    refreshStatus: 200,
    refreshBody: ({ taskId }) => ({ taskStatus: 'CREATED', taskId }),
  }),
  'A refresh without the header PSU-IP-Address is refused': alter({
    customerAddressIsAccepted: (_, { address }) => address !== undefined && address !== '',
  }),
  'The body of a refresh is ignored': alter({ consentToRefresh: (_, { grant }) => grant.consentId }),
  'A refresh joins the running one of its consent': alter({ taskJoined: (_, { underWay }) => underWay[0] }),
  'A consent cannot be refreshed again for five minutes': refusedTooSoon,
  'Task ids are sixteen digits': alter({ newTaskId: () => sixteenDigits(9) }),
  'FINISHED is the only taskStatus': alter({ refreshStages: [finished(4 * SECOND)] }),
  'Three other values of taskStatus come before FINISHED': alter({
    refreshStages: [
      running(0, 'CREATED'),
      running(SECOND, 'IN_PROGRESS'),
      running(3 * SECOND, 'ALMOST_FINISHED'),
      finished(8 * SECOND),
    ],
  }),
  'Every bank is FINISHED at the moment of the request': alter({ refreshStages: [finished(0)] }),
  'A refresh takes four minutes and two more for each bank': alter({
    refreshStages: (_, { place }) => [running(30 * SECOND), finished((4 + 2 * place) * MINUTE)],
  }),
  'The bank that starts first is the last to be FINISHED': alter({
    refreshStages: (_, { place }) => [
      running((1 + place) * SECOND),
      finished(Math.max(9 - 3 * place, 2 + place) * SECOND),
    ],
  }),
  'RUNNING is notified after FINISHED': alter({ refreshStages: [finished(4 * SECOND), running(5 * SECOND)] }),
  'The data is current while the taskStatus is RUNNING': alter({
    refreshStages: [
      { delay: 2 * SECOND, status: 'RUNNING', updates: true },
      { delay: 20 * SECOND, status: 'FINISHED', updates: false },
    ],
  }),
  'The data is shown three seconds after FINISHED': replaceRules(shownAfter(3 * SECOND)),
  'Bookings at other banks are known at once': accept('bookingIsKnownAtOnce'),
  'An accountEvent has only accounts with new bookings': alter({
    accountsReported: (_, { changed }) => changed,
  }),
  'The eventTypes of accounts are PENDING and UPDATED': alter({
    accountEventType: (_, { status }) => (status === 'FINISHED' ? 'UPDATED' : 'PENDING'),
  }),
  'The names of other banks have quotes and several scripts': alter({
    bankShares: (shares) =>
      shares.map((share) => ({ ...share, bankName: `„${share.bankName}“ – Žilinská & Ďalší <银行> 🏦` })),
  }),
})
