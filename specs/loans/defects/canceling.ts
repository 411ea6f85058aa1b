import {
  DAY,
  CREATION,
  DISBURSED,
  FINISHED,
  IN_PROGRESS,
  MINUTE,
  hide,
  isDelete,
  isIn,
  isOlderThan,
  isOn,
  isStatusCall,
  isUntouched,
  type Facts,
  type Status,
} from './applications.ts'
import {
  accept,
  alter,
  body,
  both,
  defectsOf,
  refuse,
  when,
  type FactsOf,
  type Past,
} from '../../shared/changes.ts'
import { LOA } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** What a DELETE does to an application, and operations on unknown applications or those of other clients. */

/** What becomes of an application in the first status by a DELETE that is answered OK. */
const deleted = (status: Status, outcome: Status, continues = false) =>
  when(isIn(status), alter({ outcomeOfCancellation: { status: outcome, continues } }))

/** What becomes of an application in the first status by a DELETE that is refused. */
const refused = (status: Status, outcome: Status, continues = false) =>
  when(isIn(status), alter({ outcomeOfRefusedCancellation: { status: outcome, continues } }))

const staysNew = deleted('NEW', 'NEW', true)
const continues = alter({ outcomeOfCancellation: { status: 'CANCELED', continues: true } })

const cancelable = (status: Status) => accept('mayCancelLoan', (facts) => facts.status === status)

const wasCanceled = (
  past: Past<'outcomeOfCancellation'>,
  where: (facts: FactsOf<'outcomeOfCancellation'>) => boolean,
): boolean => past.of('outcomeOfCancellation').some(({ facts }) => where(facts))

/** Once any application was canceled, those that are meant are reported as NEW. */
const onceCanceled = (...are: readonly ((facts: Facts) => boolean)[]) =>
  alter(
    {
      reportedLoanStatus: (usual, facts, past) =>
        are.every((isMeant) => isMeant(facts)) && wasCanceled(past, () => true) ? 'NEW' : usual,
    },
    'outcomeOfCancellation',
  )

type Asked = FactsOf<'mayCancelLoan'>

/** How often a DELETE of this application was sent before. */
const earlierDeletes = ({ application: { applicationId } }: Asked, past: Past<'mayCancelLoan'>): number =>
  past.of('mayCancelLoan').filter(({ facts }) => facts.application.applicationId === applicationId).length

/** The error code for an application that does not exist. */
const codeOfUnknown = (errorCode: string) =>
  when(
    ({ error }: FactsOf<'refusalBody'>) => error === 'application_unknown',
    alter({ refusalBody: (_, { description }) => ({ errorCode, errorDescription: description }) }),
  )

/** An id that no application has is taken for that of another one. */
const findsNear = (isNear: (id: string, asked: string) => boolean) =>
  alter({
    applicationNamed: (usual, { applicationId, applications }) =>
      usual ?? [...applications].find(([id]) => applicationId !== '' && isNear(id, applicationId))?.[1],
  })

const UNKNOWN = [LOA.unknownApplicationHasNoStatus, LOA.unknownApplicationIsNotCanceled]
const STATUS_OF_UNKNOWN = [
  LOA.unknownApplicationHasNoStatus,
  LOA.applicationIsDeletedAfterSevenDays,
  LOA.applicationIsDeletedToTheMinute,
]

export const cancelingDefects: readonly Defect[] = [
  ...defectsOf([LOA.submittedApplicationIsNew], {
    'Once a NEW application was canceled, all NEW ones are CANCELED': when(
      isUntouched,
      alter(
        { reportedLoanStatus: (usual, _, past) => (wasCanceled(past, isUntouched) ? 'CANCELED' : usual) },
        'outcomeOfCancellation',
      ),
    ),
    'A refused DELETE of an unknown application cancels those that are NEW': alter(
      {
        reportedLoanStatus: (usual, _, { of }) => {
          const isMistaken = of('applicationNamed').some(({ facts, answer }) => isDelete(facts) && !answer)
          return isMistaken && usual === 'NEW' ? 'CANCELED' : usual
        },
      },
      'applicationNamed',
    ),
  }),
  ...defectsOf([LOA.newApplicationIsCanceled], {
    'An application without a scenario stays NEW when canceled': when(isUntouched, staysNew),
    'A NEW application is EXPIRED when it is canceled': when(isUntouched, deleted('NEW', 'EXPIRED')),
    'A DELETE does not find a NEW application': when(isDelete, hide(isUntouched)),
  }),
  ...defectsOf([LOA.newApplicationIsCanceled, LOA.cancellationCancelsOrIsNotAllowed], {
    'A NEW application on a path stays NEW when canceled': when((facts) => !isUntouched(facts), staysNew),
  }),
  ...defectsOf([LOA.someStatusCanBeCanceled], {
    'A DELETE is answered NOT_ALLOWED_OPER in every status': refuse('mayCancelLoan'),
  }),
  ...defectsOf([LOA.canceledApplicationLeavesItsPath], {
    'A canceled application continues on its path': continues,
    'A loan canceled in progress continues on its path': when(isIn(IN_PROGRESS), continues),
  }),
  ...defectsOf([LOA.cancellationCancelsOrIsNotAllowed], {
    'A DELETE of an application in progress cancels nothing': deleted(IN_PROGRESS, IN_PROGRESS, true),
    'An application that is canceled while the customer is created expires': deleted(CREATION, 'EXPIRED'),
    'A DELETE does not find an application in progress': when(isDelete, hide(isIn(IN_PROGRESS))),
  }),
  ...defectsOf([LOA.applicationsMoveOnTheirOwn, LOA.canceledApplicationIsNotCanceledAgain], {
    'A cancellation in progress cancels all that are past NEW on the same path': alter(
      {
        reportedLoanStatus: (usual, { application: { scenario } }, past) =>
          usual !== 'NEW' &&
          wasCanceled(past, (facts) => isIn(IN_PROGRESS)(facts) && facts.application.scenario === scenario)
            ? 'CANCELED'
            : usual,
      },
      'outcomeOfCancellation',
    ),
  }),
  ...defectsOf([LOA.applicationsMoveOnTheirOwn], {
    'Once an application was canceled, one on the path Client is NEW again when it is finished': onceCanceled(
      isOn('CLIENT'),
      isIn(FINISHED),
    ),
  }),
  ...defectsOf([LOA.endOfThePathIsFinal], {
    'Once an application was canceled, an expired one is NEW again nine minutes after its submission':
      onceCanceled(isIn('EXPIRED'), isOlderThan(9 * MINUTE)),
  }),
  ...defectsOf([LOA.canceledApplicationIsNotCanceledAgain], {
    'A DELETE of an application in CANCELED is answered OK': cancelable('CANCELED'),
    'An application that reached CANCELED on its path can be canceled again': when(
      ({ application }: FactsOf<'mayCancelLoan'>) => application.path.length > 0,
      cancelable('CANCELED'),
    ),
    'The third DELETE of an application is answered OK': accept(
      'mayCancelLoan',
      (facts, past) => facts.status === 'CANCELED' && earlierDeletes(facts, past) > 1,
    ),
  }),
  ...defectsOf([LOA.expiredApplicationIsNotCanceled], {
    'A DELETE of an application in EXPIRED cancels it': cancelable('EXPIRED'),
    'A DELETE does not find an application in EXPIRED': when(isDelete, hide(isIn('EXPIRED'))),
  }),
  ...defectsOf([LOA.disbursedApplicationIsNotCanceled], {
    'A DELETE of a disbursed loan cancels it': cancelable(DISBURSED),
    'A DELETE of a disbursed loan is answered OK, and changes nothing': both(
      cancelable(DISBURSED),
      deleted(DISBURSED, DISBURSED),
    ),
    'A disbursed loan can be canceled from the second day on': when(isOlderThan(DAY), cancelable(DISBURSED)),
  }),
  ...defectsOf([LOA.expiredApplicationIsNotCanceled, LOA.disbursedApplicationIsNotCanceled], {
    'The second DELETE of an application in EXPIRED or LOAN_DISBURSED cancels it': accept(
      'mayCancelLoan',
      (facts, past) => ['EXPIRED', DISBURSED].includes(facts.status) && earlierDeletes(facts, past) > 0,
    ),
  }),
  ...defectsOf([LOA.refusedCancellationChangesNothing], {
    'A refused DELETE of a finished application cancels it': refused(FINISHED, 'CANCELED'),
    'A refused DELETE of a disbursed loan cancels it': refused(DISBURSED, 'CANCELED'),
  }),
  ...defectsOf([LOA.refusedCancellationChangesNothing, LOA.canceledApplicationIsNotCanceledAgain], {
    'An application in CANCELED is NEW after a refused DELETE': refused('CANCELED', 'NEW'),
  }),
  ...defectsOf([LOA.refusedCancellationChangesNothing, LOA.refusedApplicationKeepsItsPath], {
    'A finished application is NEW after a refused DELETE': refused(FINISHED, 'NEW', true),
  }),
  ...defectsOf([LOA.refusedApplicationKeepsItsPath], {
    'A finished application keeps its status for ever after a refused DELETE': refused(FINISHED, FINISHED),
  }),
  ...defectsOf([LOA.unknownApplicationIsNotCanceled, LOA.deletedApplicationIsNotCanceled], {
    'A DELETE of an unknown application is not allowed': when(isDelete, codeOfUnknown('NOT_ALLOWED_OPER')),
  }),
  ...defectsOf(STATUS_OF_UNKNOWN, {
    'The status of an unknown application is NOT_FOUND': when(isStatusCall, codeOfUnknown('NOT_FOUND')),
  }),
  ...defectsOf(UNKNOWN, {
    'An unknown application is answered with 500, and without a code': alter({
      applicationNamed: (usual) => {
        // The bank answers what a rule throws with the status 500.
        if (usual === undefined) throw new Error('there is no such application')
        return usual
      },
    }),
  }),
  ...defectsOf([...UNKNOWN, LOA.submittedApplicationIsNew], {
    'Only the first half of an application-id is compared': findsNear((id, asked) =>
      id.startsWith(asked.slice(0, asked.length / 2)),
    ),
  }),
  ...defectsOf([LOA.unknownApplicationHasNoStatus, LOA.submittedApplicationIsNew], {
    'An application is found by a longer id that begins with its own': findsNear((id, asked) =>
      asked.startsWith(id),
    ),
    'An application is found by an id that lacks the last character': findsNear(
      (id, asked) => id.slice(0, -1) === asked,
    ),
    'An application is found by the beginning of its id, with a percent sign after it': findsNear(
      (id, asked) => asked.endsWith('%') && id.startsWith(asked.slice(0, -1)),
    ),
  }),
  ...defectsOf([LOA.foreignApplicationIsNotDisclosed, LOA.foreignApplicationIsNotCanceled], {
    'Every client can read and cancel every application': accept('mayOpenApplication'),
  }),
  ...defectsOf([LOA.foreignApplicationIsNotDisclosed], {
    'Every client can read every application': when(isStatusCall, accept('mayOpenApplication')),
    'A status has the application-id that was submitted before, by any client': body(
      'loanStatus',
      (members, _, { earlier }) => ({
        ...members,
        previous: earlier.find(({ asked }) => asked.operation === 'submitLoan')?.answer.members[
          'applicationId'
        ],
      }),
      'submitLoan',
    ),
  }),
  ...defectsOf([LOA.foreignApplicationIsNotCanceled], {
    'Every client can cancel every application': when(isDelete, accept('mayOpenApplication')),
  }),
]
