import { LOA } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** What a DELETE does to an application on its path. */

type Status = Parameters<Rules['mayCancelLoan']>[0]['status']
type Canceling = Parameters<Rules['outcomeOfCancellation']>[0]
type Outcome = ReturnType<Rules['outcomeOfCancellation']>

/** @param outcome of a DELETE that is granted; nothing for the lawful one. */
const outcome =
  (of: (facts: Canceling) => Outcome | undefined) =>
  (lawful: Rules): Partial<Rules> => ({
    outcomeOfCancellation: (facts) => of(facts) ?? lawful.outcomeOfCancellation(facts),
  })

/** @param outcome of a DELETE that is refused; nothing for the lawful one. */
const refusal =
  (of: (facts: Canceling) => Outcome | undefined) =>
  (lawful: Rules): Partial<Rules> => ({
    outcomeOfRefusedCancellation: (facts) => of(facts) ?? lawful.outcomeOfRefusedCancellation(facts),
  })

const cancelable =
  (status: Status) =>
  (lawful: Rules): Partial<Rules> => ({
    mayCancelLoan: (facts) => facts.status === status || lawful.mayCancelLoan(facts),
  })

const isIn =
  (status: Status) =>
  ({ application }: Canceling): boolean =>
    application.status === status

const inProgress = isIn('LOAN_APPLICATION_IN_PROGRESS')
const finished = isIn('LOAN_APPLICATION_FINISHED')
const disbursed = isIn('LOAN_DISBURSED')

const granted: readonly Defect[] = [
  {
    id: 'canceled-application-goes-on',
    story: 'An application that was canceled continues on its path.',
    breaks: [LOA.canceledApplicationLeavesItsPath],
    rules: outcome(() => ({ status: 'CANCELED', continues: true })),
  },
  {
    id: 'application-canceled-in-progress-goes-on',
    story: 'An application that was canceled while it was in progress continues on its path.',
    breaks: [LOA.canceledApplicationLeavesItsPath],
    rules: outcome((facts) => (inProgress(facts) ? { status: 'CANCELED', continues: true } : undefined)),
  },
  {
    id: 'cancellation-in-progress-does-nothing',
    story: 'A DELETE of an application in progress is answered OK, and cancels nothing.',
    breaks: [LOA.cancellationCancelsOrIsNotAllowed],
    rules: outcome((facts) =>
      inProgress(facts) ? { status: 'LOAN_APPLICATION_IN_PROGRESS', continues: true } : undefined,
    ),
  },
  {
    id: 'cancellation-on-a-path-does-nothing-while-new',
    story:
      'A DELETE of an application that is NEW is answered OK once its scenario is selected, and cancels nothing.',
    breaks: [LOA.newApplicationIsCanceled, LOA.cancellationCancelsOrIsNotAllowed],
    rules: outcome((facts) =>
      isIn('NEW')(facts) && facts.application.scenario !== undefined
        ? { status: 'NEW', continues: true }
        : undefined,
    ),
  },
  {
    id: 'cancellation-of-a-client-to-be-expires',
    story: 'An application that is canceled while the customer is created expires.',
    breaks: [LOA.cancellationCancelsOrIsNotAllowed],
    rules: outcome((facts) =>
      isIn('CUSTOMER_CREATION_IN_PROGRESS')(facts) ? { status: 'EXPIRED', continues: false } : undefined,
    ),
  },
  {
    id: 'expired-application-can-be-canceled',
    story: 'An application in EXPIRED is canceled by a DELETE.',
    breaks: [LOA.expiredApplicationIsNotCanceled],
    rules: cancelable('EXPIRED'),
  },
  {
    id: 'disbursed-loan-can-be-canceled',
    story: 'A loan that was disbursed is canceled by a DELETE.',
    breaks: [LOA.disbursedApplicationIsNotCanceled],
    rules: cancelable('LOAN_DISBURSED'),
  },
  {
    id: 'delete-of-a-disbursed-loan-is-answered-ok',
    story: 'A DELETE of a loan that was disbursed is answered OK, and changes nothing.',
    breaks: [LOA.disbursedApplicationIsNotCanceled],
    rules: (lawful) => ({
      ...cancelable('LOAN_DISBURSED')(lawful),
      ...outcome((facts) => (disbursed(facts) ? { status: 'LOAN_DISBURSED', continues: false } : undefined))(
        lawful,
      ),
    }),
  },
  {
    id: 'path-that-was-canceled-can-be-canceled',
    story: 'An application that reached CANCELED on its path can be canceled again.',
    breaks: [LOA.canceledApplicationIsNotCanceledAgain],
    rules: (lawful) => ({
      mayCancelLoan: (facts) =>
        (facts.status === 'CANCELED' && facts.application.path.length > 0) || lawful.mayCancelLoan(facts),
    }),
  },
]

const refused: readonly Defect[] = [
  {
    id: 'refused-cancellation-of-a-finished-application-cancels',
    story: 'A DELETE of a finished application is answered NOT_ALLOWED_OPER, and cancels it.',
    breaks: [LOA.refusedCancellationChangesNothing],
    rules: refusal((facts) => (finished(facts) ? { status: 'CANCELED', continues: false } : undefined)),
  },
  {
    id: 'refused-cancellation-of-a-disbursed-loan-cancels',
    story: 'A DELETE of a loan that was disbursed is answered NOT_ALLOWED_OPER, and cancels it.',
    breaks: [LOA.refusedCancellationChangesNothing],
    rules: refusal((facts) => (disbursed(facts) ? { status: 'CANCELED', continues: false } : undefined)),
  },
  {
    id: 'refused-cancellation-begins-anew',
    story: 'A finished application is NEW after a DELETE that was refused.',
    breaks: [LOA.refusedCancellationChangesNothing, LOA.refusedApplicationKeepsItsPath],
    rules: refusal((facts) => (finished(facts) ? { status: 'NEW', continues: true } : undefined)),
  },
  {
    id: 'refused-cancellation-holds-the-application-up',
    story: 'A finished application keeps its status for ever after a refused DELETE.',
    breaks: [LOA.refusedApplicationKeepsItsPath],
    rules: refusal((facts) =>
      finished(facts) ? { status: 'LOAN_APPLICATION_FINISHED', continues: false } : undefined,
    ),
  },
  {
    id: 'delete-in-progress-finds-no-application',
    story: 'A DELETE of an application in progress is answered APP_NOT_FOUND.',
    breaks: [LOA.cancellationCancelsOrIsNotAllowed],
    rules: (lawful) => ({
      applicationNamed: (facts) => {
        const named = lawful.applicationNamed(facts)
        const isMeant =
          facts.endpoint === 'loan-cancellation' && named?.status === 'LOAN_APPLICATION_IN_PROGRESS'
        return isMeant ? undefined : named
      },
    }),
  },
  {
    id: 'delete-of-an-expired-application-finds-none',
    story: 'A DELETE of an application in EXPIRED is answered APP_NOT_FOUND.',
    breaks: [LOA.expiredApplicationIsNotCanceled],
    rules: (lawful) => ({
      applicationNamed: (facts) => {
        const named = lawful.applicationNamed(facts)
        return facts.endpoint === 'loan-cancellation' && named?.status === 'EXPIRED' ? undefined : named
      },
    }),
  },
]

export const defectsOfCanceling: readonly Defect[] = [...granted, ...refused]

/** How long an application exists. */

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
    story: 'Applications are deleted at the first midnight after the 7 days.',
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
    story: 'After 7 days the status of an application is unknown, and a DELETE still finds it.',
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
    story: 'After 7 days an application is reported as EXPIRED, and no DELETE finds it.',
    breaks: [LOA.applicationIsDeletedAfterSevenDays, LOA.applicationIsDeletedToTheMinute],
    rules: (lawful) => ({
      applicationIsKept: () => true,
      reportedLoanStatus: (facts) =>
        facts.now > after(facts.application, 7 * DAY_MS) ? 'EXPIRED' : lawful.reportedLoanStatus(facts),
      mayOpenApplication: (facts) => {
        const isOver = facts.now > after(facts.application, 7 * DAY_MS)
        return lawful.mayOpenApplication(facts) && !(isOver && facts.endpoint === 'loan-cancellation')
      },
    }),
  },
]

type Told = Parameters<Rules['reportedLoanStatus']>[0]

/** @param changes the status that is reported from the second day on; undefined for the real one. */
const forgetting =
  (changes: (facts: Told) => ReturnType<Rules['reportedLoanStatus']> | undefined) =>
  (lawful: Rules): Partial<Rules> => ({
    reportedLoanStatus: (facts) =>
      (facts.now > after(facts.application, DAY_MS) ? changes(facts) : undefined) ??
      lawful.reportedLoanStatus(facts),
  })

const memories: readonly Defect[] = [
  {
    id: 'disbursed-loan-is-finished-again-after-a-day',
    story: 'A loan that was disbursed is reported as LOAN_APPLICATION_FINISHED from the second day on.',
    breaks: [LOA.lastStatusIsKeptUntilTheDeletion],
    rules: forgetting(({ application }) =>
      application.status === 'LOAN_DISBURSED' ? 'LOAN_APPLICATION_FINISHED' : undefined,
    ),
  },
  {
    id: 'canceled-application-expires-after-a-day',
    story: 'An application that was canceled is reported as EXPIRED from the second day on.',
    breaks: [LOA.lastStatusIsKeptUntilTheDeletion],
    rules: forgetting(({ application }) => (application.status === 'CANCELED' ? 'EXPIRED' : undefined)),
  },
]

export const defectsOfKeeping: readonly Defect[] = [...deletions, ...memories]
