import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { LOA } from '../requirements.ts'

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
    story: 'An application that was canceled goes on along its path.',
    breaks: [LOA.canceledApplicationLeavesItsPath],
    rules: outcome(() => ({ status: 'CANCELED', goesOn: true })),
  },
  {
    id: 'application-canceled-in-progress-goes-on',
    story: 'An application that was canceled while it was in progress goes on along its path.',
    breaks: [LOA.canceledApplicationLeavesItsPath],
    rules: outcome((facts) => (inProgress(facts) ? { status: 'CANCELED', goesOn: true } : undefined)),
  },
  {
    id: 'cancellation-in-progress-does-nothing',
    story: 'A DELETE of an application in progress is answered OK, and cancels nothing.',
    breaks: [LOA.cancellationCancelsOrIsNotAllowed],
    rules: outcome((facts) =>
      inProgress(facts) ? { status: 'LOAN_APPLICATION_IN_PROGRESS', goesOn: true } : undefined,
    ),
  },
  {
    id: 'cancellation-on-a-path-does-nothing-while-new',
    story:
      'A DELETE of an application that is NEW is answered OK once its scenario is selected, and cancels nothing.',
    breaks: [LOA.newApplicationIsCanceled, LOA.cancellationCancelsOrIsNotAllowed],
    rules: outcome((facts) =>
      isIn('NEW')(facts) && facts.application.scenario !== undefined
        ? { status: 'NEW', goesOn: true }
        : undefined,
    ),
  },
  {
    id: 'cancellation-of-a-client-to-be-expires',
    story: 'An application that is canceled while the customer is created expires.',
    breaks: [LOA.cancellationCancelsOrIsNotAllowed],
    rules: outcome((facts) =>
      isIn('CUSTOMER_CREATION_IN_PROGRESS')(facts) ? { status: 'EXPIRED', goesOn: false } : undefined,
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
    story: 'A DELETE of a loan that was disbursed is answered OK, though nothing comes of it.',
    breaks: [LOA.disbursedApplicationIsNotCanceled],
    rules: (lawful) => ({
      ...cancelable('LOAN_DISBURSED')(lawful),
      ...outcome((facts) => (disbursed(facts) ? { status: 'LOAN_DISBURSED', goesOn: false } : undefined))(
        lawful,
      ),
    }),
  },
  {
    id: 'path-that-was-canceled-can-be-canceled',
    story: 'An application that has come to CANCELED on its path is canceled once more.',
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
    rules: refusal((facts) => (finished(facts) ? { status: 'CANCELED', goesOn: false } : undefined)),
  },
  {
    id: 'refused-cancellation-of-a-disbursed-loan-cancels',
    story: 'A DELETE of a loan that was disbursed is answered NOT_ALLOWED_OPER, and cancels it.',
    breaks: [LOA.refusedCancellationChangesNothing],
    rules: refusal((facts) => (disbursed(facts) ? { status: 'CANCELED', goesOn: false } : undefined)),
  },
  {
    id: 'refused-cancellation-begins-anew',
    story: 'A finished application is NEW after a DELETE that was refused.',
    breaks: [LOA.refusedCancellationChangesNothing, LOA.refusedApplicationKeepsItsPath],
    rules: refusal((facts) => (finished(facts) ? { status: 'NEW', goesOn: true } : undefined)),
  },
  {
    id: 'refused-cancellation-holds-the-application-up',
    story: 'A finished application moves no further after a DELETE that was refused.',
    breaks: [LOA.refusedApplicationKeepsItsPath],
    rules: refusal((facts) =>
      finished(facts) ? { status: 'LOAN_APPLICATION_FINISHED', goesOn: false } : undefined,
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
