import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { LOA } from '../requirements.ts'

/** How long an application is there to be read. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Application = Parameters<Rules['applicationIsKept']>[0]['application']

const after = ({ submittedAt }: Application, ms: number): Date => new Date(submittedAt.getTime() + ms)

/** @param time in ms. */
const keepingFor = (time: number): Partial<Rules> => ({
  applicationIsKept: ({ application, now }) => now < after(application, time),
})

const TOO_EARLY = [LOA.applicationIsKeptForSevenDays, LOA.applicationIsKeptToTheMinute] as const
const TOO_LATE = [
  LOA.applicationIsDeletedAfterSevenDays,
  LOA.applicationIsDeletedToTheMinute,
  LOA.deletedApplicationIsNotCanceled,
] as const

const deletions: readonly Defect[] = [
  {
    id: 'application-is-deleted-after-six-days',
    story: 'Applications are deleted after 6 days.',
    breaks: TOO_EARLY,
    rules: keepingFor(6 * DAY_MS),
  },
  {
    id: 'application-is-deleted-two-hours-early',
    story: 'Applications are deleted after 7 days less two hours.',
    breaks: TOO_EARLY,
    rules: keepingFor(7 * DAY_MS - 2 * HOUR_MS),
  },
  {
    id: 'application-is-deleted-half-an-hour-early',
    story: 'Applications are deleted after 7 days less half an hour.',
    breaks: [LOA.applicationIsKeptToTheMinute],
    rules: keepingFor(7 * DAY_MS - 30 * MINUTE_MS),
  },
  {
    id: 'canceled-application-is-deleted-after-a-day',
    story: 'An application that was canceled is deleted a day after its submission.',
    breaks: TOO_EARLY,
    rules: (lawful) => ({
      mayOpenApplication: (facts) =>
        lawful.mayOpenApplication(facts) &&
        !(facts.application.status === 'CANCELED' && facts.now > after(facts.application, DAY_MS)),
    }),
  },
  {
    id: 'application-is-deleted-ten-minutes-late',
    story: 'Applications are deleted ten minutes after the 7 days.',
    breaks: [LOA.applicationIsDeletedToTheMinute],
    rules: keepingFor(7 * DAY_MS + 10 * MINUTE_MS),
  },
  {
    id: 'applications-are-deleted-once-a-night',
    story: 'Applications are deleted at the first midnight behind the 7 days.',
    breaks: [LOA.applicationIsDeletedToTheMinute],
    rules: {
      applicationIsKept: ({ application, now }) =>
        now.getTime() < Math.ceil(after(application, 7 * DAY_MS).getTime() / DAY_MS) * DAY_MS,
    },
  },
  {
    id: 'application-is-deleted-after-nine-days',
    story: 'Applications are deleted after 9 days.',
    breaks: TOO_LATE,
    rules: keepingFor(9 * DAY_MS),
  },
  {
    id: 'application-without-scenario-is-never-deleted',
    story: 'An application for which no scenario was selected is never deleted.',
    breaks: TOO_LATE,
    rules: (lawful) => ({
      applicationIsKept: (facts) =>
        facts.application.scenario === undefined || lawful.applicationIsKept(facts),
    }),
  },
  {
    id: 'deleted-application-is-hidden-from-its-reader',
    story: 'After 7 days the status of an application is told no more, and a DELETE still finds it.',
    breaks: [LOA.deletedApplicationIsNotCanceled],
    rules: (lawful) => ({
      applicationIsKept: () => true,
      mayOpenApplication: (facts) => {
        const isOver = facts.now > after(facts.application, 7 * DAY_MS)
        return lawful.mayOpenApplication(facts) && !(isOver && facts.endpoint === 'loan-status')
      },
    }),
  },
  {
    id: 'deleted-application-is-told-to-be-expired',
    story: 'After 7 days an application is told to be EXPIRED, and no DELETE finds it.',
    breaks: [LOA.applicationIsDeletedAfterSevenDays, LOA.applicationIsDeletedToTheMinute],
    rules: (lawful) => ({
      applicationIsKept: () => true,
      loanStatusTold: (facts) =>
        facts.now > after(facts.application, 7 * DAY_MS) ? 'EXPIRED' : lawful.loanStatusTold(facts),
      mayOpenApplication: (facts) => {
        const isOver = facts.now > after(facts.application, 7 * DAY_MS)
        return lawful.mayOpenApplication(facts) && !(isOver && facts.endpoint === 'loan-cancellation')
      },
    }),
  },
]

type Told = Parameters<Rules['loanStatusTold']>[0]

/** @param changes what is told from the second day on; nothing for the truth. */
const forgetting =
  (changes: (facts: Told) => ReturnType<Rules['loanStatusTold']> | undefined) =>
  (lawful: Rules): Partial<Rules> => ({
    loanStatusTold: (facts) =>
      (facts.now > after(facts.application, DAY_MS) ? changes(facts) : undefined) ??
      lawful.loanStatusTold(facts),
  })

const memories: readonly Defect[] = [
  {
    id: 'disbursed-loan-is-finished-again-after-a-day',
    story: 'A loan that was disbursed is told to be LOAN_APPLICATION_FINISHED from the second day on.',
    breaks: [LOA.lastStatusIsKeptUntilTheDeletion],
    rules: forgetting(({ application }) =>
      application.status === 'LOAN_DISBURSED' ? 'LOAN_APPLICATION_FINISHED' : undefined,
    ),
  },
  {
    id: 'canceled-application-expires-after-a-day',
    story: 'An application that was canceled is told to be EXPIRED from the second day on.',
    breaks: [LOA.lastStatusIsKeptUntilTheDeletion],
    rules: forgetting(({ application }) => (application.status === 'CANCELED' ? 'EXPIRED' : undefined)),
  },
]

export const defectsOfKeeping: readonly Defect[] = [...deletions, ...memories]
