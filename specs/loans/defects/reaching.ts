import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { LOA } from '../requirements.ts'

/** How a bank can reach the wrong application, or do the wrong thing with it, as long as it is NEW. */

type Word = Parameters<Rules['refusalBody']>[0]['error']
type Endpoint = Parameters<Rules['isTooSmallALoan']>[0]['endpoint']
type Application = Parameters<Rules['outcomeOfCancellation']>[0]['application']

/** NEW, and nobody has selected a scenario. */
const isUntouched = ({ status, scenario }: Application): boolean => status === 'NEW' && scenario === undefined

const cancellations: readonly Defect[] = [
  {
    id: 'status-follows-the-last-cancellation',
    story: 'Once an application was canceled while it was NEW, all that are NEW are told to be CANCELED.',
    breaks: [LOA.submittedApplicationIsNew],
    rules: (lawful) => {
      let isCanceled = false
      return {
        outcomeOfCancellation: (facts) => {
          isCanceled ||= isUntouched(facts.application)
          return lawful.outcomeOfCancellation(facts)
        },
        loanStatusTold: (facts) =>
          isCanceled && isUntouched(facts.application) ? 'CANCELED' : lawful.loanStatusTold(facts),
      }
    },
  },
  {
    id: 'cancellation-of-a-new-application-does-nothing',
    story: 'A DELETE of an application in NEW is answered as if it was canceled, and it stays NEW.',
    breaks: [LOA.newApplicationIsCanceled],
    rules: (lawful) => ({
      outcomeOfCancellation: (facts) =>
        isUntouched(facts.application)
          ? { status: 'NEW', goesOn: true }
          : lawful.outcomeOfCancellation(facts),
    }),
  },
  {
    id: 'new-application-cannot-be-canceled',
    story: 'A DELETE of an application in NEW is refused.',
    breaks: [LOA.newApplicationIsCanceled],
    rules: (lawful) => ({
      mayCancelLoan: (facts) => !isUntouched(facts.application) && lawful.mayCancelLoan(facts),
    }),
  },
  {
    id: 'canceled-application-is-expired',
    story: 'An application that was canceled while it was NEW is EXPIRED.',
    breaks: [LOA.newApplicationIsCanceled],
    rules: (lawful) => ({
      outcomeOfCancellation: (facts) =>
        isUntouched(facts.application)
          ? { status: 'EXPIRED', goesOn: false }
          : lawful.outcomeOfCancellation(facts),
    }),
  },
  {
    id: 'application-is-canceled-again',
    story: 'A DELETE of an application in CANCELED is answered OK.',
    breaks: [LOA.canceledApplicationIsNotCanceledAgain],
    rules: (lawful) => ({
      mayCancelLoan: (facts) => facts.status === 'CANCELED' || lawful.mayCancelLoan(facts),
    }),
  },
  {
    id: 'second-cancellation-makes-new',
    story: 'A DELETE of an application in CANCELED is refused, and the application is NEW again.',
    breaks: [LOA.refusedCancellationChangesNothing, LOA.canceledApplicationIsNotCanceledAgain],
    rules: (lawful) => ({
      outcomeOfRefusedCancellation: (facts) =>
        facts.application.status === 'CANCELED'
          ? { status: 'NEW', goesOn: false }
          : lawful.outcomeOfRefusedCancellation(facts),
    }),
  },
]

/** Says no to an operation under another code. */
const calling =
  (error: Word, endpoint: Endpoint, code: string) =>
  (lawful: Rules): Partial<Rules> => ({
    refusalBody: (facts) =>
      facts.error === error && facts.endpoint === endpoint
        ? { errorCode: code, errorDescription: facts.description }
        : lawful.refusalBody(facts),
  })

const strangers: readonly Defect[] = [
  {
    id: 'unknown-application-is-not-allowed-to-be-canceled',
    story: 'A DELETE of an application that does not exist is answered NOT_ALLOWED_OPER.',
    breaks: [LOA.unknownApplicationIsNotCanceled, LOA.deletedApplicationIsNotCanceled],
    rules: calling('application_unknown', 'loan-cancellation', 'NOT_ALLOWED_OPER'),
  },
  {
    id: 'status-of-an-unknown-application-is-not-found',
    story: 'A GET of the status of an application that does not exist is answered NOT_FOUND.',
    breaks: [
      LOA.unknownApplicationHasNoStatus,
      LOA.applicationIsDeletedAfterSevenDays,
      LOA.applicationIsDeletedToTheMinute,
    ],
    rules: calling('application_unknown', 'loan-status', 'NOT_FOUND'),
  },
  {
    id: 'end-of-an-application-id-is-not-read',
    story: 'Of an application-id the first half is compared.',
    breaks: [
      LOA.unknownApplicationHasNoStatus,
      LOA.unknownApplicationIsNotCanceled,
      LOA.submittedApplicationIsNew,
    ],
    rules: (lawful) => ({
      applicationNamed: (facts) => {
        const { applicationId, applications } = facts
        const half = applicationId.slice(0, applicationId.length / 2)
        const [, near] = [...applications].find(([id]) => half !== '' && id.startsWith(half)) ?? []
        return lawful.applicationNamed(facts) ?? near
      },
    }),
  },
  {
    id: 'applications-are-everybodys',
    story: 'Every client may ask for every application, and cancel it.',
    breaks: [LOA.foreignApplicationIsNotTold, LOA.foreignApplicationIsNotCanceled],
    rules: { mayOpenApplication: () => true },
  },
  {
    id: 'status-is-told-to-everybody',
    story: 'Every client is told the status of every application.',
    breaks: [LOA.foreignApplicationIsNotTold],
    rules: (lawful) => ({
      mayOpenApplication: (facts) => facts.endpoint === 'loan-status' || lawful.mayOpenApplication(facts),
    }),
  },
  {
    id: 'everybody-may-cancel',
    story: 'Every client can cancel every application.',
    breaks: [LOA.foreignApplicationIsNotCanceled],
    rules: (lawful) => ({
      mayOpenApplication: (facts) =>
        facts.endpoint === 'loan-cancellation' || lawful.mayOpenApplication(facts),
    }),
  },
]

export const defectsOfReaching: readonly Defect[] = [...cancellations, ...strangers]
