import {
  DAY,
  HOUR,
  MINUTE,
  CREATION,
  DISBURSED,
  FINISHED,
  IN_PROGRESS,
  ageOf,
  isDelete,
  isIn,
  isOlderThan,
  isOn,
  isStatusCall,
  isUntouched,
  statusHas,
  type Facts,
  type Scenario,
  type Status,
} from './applications.ts'
import {
  accept,
  alter,
  both,
  defectsOf,
  refuse,
  when,
  type FactsOf,
  type Past,
} from '../../shared/changes.ts'
import { LOA } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** What becomes of an application in time: its statuses, when and why they change, and its deletion. */

/** Other statuses of a scenario, after NEW. */
const path = (scenario: Scenario, ...statuses: readonly Status[]) =>
  when((facts: FactsOf<'loanPath'>) => facts.scenario === scenario, alter({ loanPath: ['NEW', ...statuses] }))

/** The statuses after the end of a scenario's path. */
const beyond = (scenario: Scenario, ...statuses: readonly Status[]) =>
  when(isOn(scenario), alter({ loanPathBeyondItsEnd: statuses }))

// Applications that are polled at the same time are on these paths.
const EXPIRED_PATH = [LOA.expiredScenarioKeepsItsPath, LOA.applicationsMoveOnTheirOwn]
const NON_CLIENT_PATH = [LOA.nonClientScenarioKeepsItsPath, LOA.applicationsMoveOnTheirOwn]
const CLIENT_PATH = [LOA.clientScenarioKeepsItsPath, LOA.statusChangesEveryThreeMinutes]

const STEP = 3 * MINUTE

type Step = FactsOf<'loanStepDelay'>

const lasts = (minutes: number) => alter({ loanStepDelay: minutes * MINUTE })
const selectedLate = isOlderThan(MINUTE)

/** Whether another application was selected within the last three minutes, and no other since. */
const isHeldUp = ({ application, now }: Facts, past: Past<'loanPath'>): boolean => {
  const last = past.of('loanPath').at(-1)?.facts
  const isRecent = last !== undefined && now.getTime() < last.now.getTime() + STEP
  return isRecent && last.application.applicationId !== application.applicationId
}

/** Applications exist for so many ms. */
const keptFor = (ms: number) => alter({ applicationIsKept: (_, facts) => ageOf(facts) < ms })

/** Another status from the second day on. */
const later = (status: Status, other: Status) =>
  when(isOlderThan(DAY), when(isIn(status), alter({ reportedLoanStatus: other })))

const isOver = isOlderThan(7 * DAY)
const DELETED = [LOA.applicationIsDeletedAfterSevenDays, LOA.applicationIsDeletedToTheMinute]

export const pathDefects: readonly Defect[] = [
  ...defectsOf([LOA.cancelledScenarioKeepsItsPath], {
    'The path Cancelled has one more step': path('CANCELLED', CREATION, IN_PROGRESS, 'CANCELED'),
    'The path Cancelled goes from NEW to CANCELED': path('CANCELLED', 'CANCELED'),
    'The path Cancelled ends in EXPIRED': path('CANCELLED', IN_PROGRESS, 'EXPIRED'),
  }),
  ...defectsOf(EXPIRED_PATH, {
    'The path Expired ends in CANCELED': path('EXPIRED', IN_PROGRESS, 'CANCELED'),
    'The path Expired has LOAN_APPLICATION_FINISHED': path('EXPIRED', IN_PROGRESS, FINISHED, 'EXPIRED'),
  }),
  ...defectsOf([...EXPIRED_PATH, LOA.statusIsOneOfSeven], {
    'The path Expired has the status LOAN_APPLICATION_OVERDUE': when(
      isOn('EXPIRED'),
      when(isIn(IN_PROGRESS), statusHas({ applicationStatus: 'LOAN_APPLICATION_OVERDUE' })),
    ),
  }),
  ...defectsOf(NON_CLIENT_PATH, {
    'The path Non-client is that of a client': path('NON_CLIENT', IN_PROGRESS, FINISHED, DISBURSED),
    'The path Non-client has another order': path('NON_CLIENT', IN_PROGRESS, CREATION, FINISHED, DISBURSED),
  }),
  ...defectsOf([LOA.clientScenarioKeepsItsPath], {
    'The path Client is that of a non-client': path('CLIENT', CREATION, IN_PROGRESS, FINISHED, DISBURSED),
    'The path Client disburses an unfinished loan': path('CLIENT', IN_PROGRESS, DISBURSED),
  }),
  ...defectsOf([...CLIENT_PATH, LOA.refusedApplicationKeepsItsPath], {
    'The path Client ends in LOAN_APPLICATION_FINISHED': path('CLIENT', IN_PROGRESS, FINISHED),
  }),
  ...defectsOf([LOA.clientScenarioKeepsItsPath, LOA.refusedApplicationKeepsItsPath], {
    'The path Client steps back': path('CLIENT', IN_PROGRESS, FINISHED, IN_PROGRESS, DISBURSED),
  }),
  ...defectsOf([LOA.endOfThePathIsFinal], {
    'After the end of the path Client the application is NEW again': beyond('CLIENT', 'NEW', IN_PROGRESS),
    'After the end of the path Non-client the loan is CANCELED': beyond('NON_CLIENT', 'CANCELED'),
    'After the end of the path Cancelled it is in progress': beyond('CANCELLED', IN_PROGRESS),
    'After the end of the path Expired the loan is disbursed': beyond('EXPIRED', DISBURSED),
  }),
  ...defectsOf([LOA.statusChangesEveryThreeMinutes], {
    'A step over midnight takes a day longer': alter({
      loanStepDelay: (usual, { now }) => {
        const day = (ms: number) => Math.floor(ms / DAY)
        return day(now.getTime()) === day(now.getTime() + usual) ? usual : usual + DAY
      },
    }),
  }),
  ...defectsOf([LOA.statusChangesEveryThreeMinutes, LOA.applicationsMoveOnTheirOwn], {
    'Each status lasts for 4:30 minutes': lasts(4.5),
    'Statuses last for 2:00 and 4:30 minutes in turn': alter({
      loanStepDelay: (_, { step }) => (step % 2 === 1 ? 2 : 4.5) * MINUTE,
    }),
    'The third step of a path comes after 4:30 minutes': when(({ step }: Step) => step === 3, lasts(4.5)),
    'A finished loan is disbursed after 1:30 minutes': when(({ to }: Step) => to === DISBURSED, lasts(1.5)),
  }),
  ...defectsOf([LOA.statusChangesEveryThreeMinutes], {
    'An application on the path Cancelled moves every minute': when(isOn('CANCELLED'), lasts(1)),
    'The first status lasts for three minutes since the submission': when(
      ({ step }: Step) => step === 1,
      alter({ loanStepDelay: (_, facts) => Math.max(0, STEP - ageOf(facts)) }),
    ),
  }),
  ...defectsOf(CLIENT_PATH, {
    'On the path Client a status lasts for three seconds': when(isOn('CLIENT'), lasts(1 / 20)),
  }),
  ...defectsOf([...CLIENT_PATH, LOA.scenarioIsSelectedAfterSubmission], {
    'On the path Client a status lasts for three hours': when(isOn('CLIENT'), lasts(180)),
    'A scenario selected after a minute has no effect': when(selectedLate, alter({ loanPath: ['NEW'] })),
  }),
  ...defectsOf([LOA.clientScenarioKeepsItsPath], {
    'An application whose scenario is selected after a minute expires': when(
      selectedLate,
      alter({ loanPath: (_, facts, { rules }) => rules.loanPath({ ...facts, scenario: 'EXPIRED' }) }),
    ),
  }),
  ...defectsOf([LOA.statusChangesByItself], {
    'The status changes only when it is requested, one step at a time': alter({
      loanMovesByItself: false,
      loanMovesWhenAsked: (_, { due, now }) => now >= due,
    }),
  }),
  ...defectsOf([...EXPIRED_PATH, LOA.statusChangesByItself, LOA.statusChangesEveryThreeMinutes], {
    'An application on the path Expired stays NEW': when(isOn('EXPIRED'), refuse('loanMovesByItself')),
  }),
  ...defectsOf([LOA.applicationWaitsForItsScenario], {
    'An application without a scenario is in progress after three minutes': when(
      (facts) => isUntouched(facts) && ageOf(facts) >= STEP,
      alter({ reportedLoanStatus: IN_PROGRESS }),
    ),
  }),
  ...defectsOf([LOA.applicationsMoveOnTheirOwn], {
    'The selection of a scenario starts the three minutes of all others again': alter(
      {
        // Applications that were selected at the same moment are due at the same moment.
        loanMovesByItself: (_, facts, past) => !isHeldUp(facts, past),
        loanMovesWhenAsked: (_, facts, past) => facts.now > facts.due && !isHeldUp(facts, past),
      },
      'loanPath',
    ),
    'The status of one application changes with that of those on other paths': alter({
      applicationsMoved: (usual, { application: { scenario }, applications }) => {
        const onOtherPaths = [...applications.values()].filter((other) => other.scenario !== scenario)
        return [...usual, ...onOtherPaths.map(({ applicationId }) => applicationId)]
      },
    }),
    'A status lasts for five minutes while one on another path is under way': when(
      ({ application: { scenario }, applications }) =>
        [...applications.values()].some((other) => other.nextAt !== undefined && other.scenario !== scenario),
      lasts(5),
    ),
  }),
  ...defectsOf([LOA.applicationIsKeptForSevenDays, LOA.applicationIsKeptToTheMinute], {
    'Applications are deleted after 6 days': keptFor(6 * DAY),
    'Applications are deleted after 7 days less two hours': keptFor(7 * DAY - 2 * HOUR),
    'A canceled application is deleted a day after its submission': when(
      isIn('CANCELED'),
      when(isOlderThan(DAY), refuse('mayOpenApplication')),
    ),
  }),
  ...defectsOf([LOA.applicationIsKeptToTheMinute], {
    'Applications are deleted half an hour early': keptFor(7 * DAY - HOUR / 2),
  }),
  ...defectsOf([LOA.applicationIsDeletedToTheMinute], {
    'Applications are deleted ten minutes late': keptFor(7 * DAY + 10 * MINUTE),
    'Applications are deleted at the first midnight after the 7 days': alter({
      applicationIsKept: (_, { application, now }) =>
        now.getTime() < Math.ceil(application.submittedAt.getTime() / DAY + 7) * DAY,
    }),
  }),
  ...defectsOf([...DELETED, LOA.deletedApplicationIsNotCanceled], {
    'Applications are deleted after 9 days': keptFor(9 * DAY),
    'An application without a scenario is never deleted': accept('applicationIsKept', isOn(undefined)),
    'An application in EXPIRED is never deleted': accept('applicationIsKept', isIn('EXPIRED')),
  }),
  ...defectsOf([LOA.deletedApplicationIsNotCanceled], {
    'After 7 days the status of an application is unknown, and a DELETE still finds it': both(
      accept('applicationIsKept'),
      when(isOver, when(isStatusCall, refuse('mayOpenApplication'))),
    ),
  }),
  ...defectsOf(DELETED, {
    'After 7 days an application is reported as EXPIRED, and no DELETE finds it': both(
      accept('applicationIsKept'),
      when(isOver, alter({ reportedLoanStatus: 'EXPIRED' })),
      when(isOver, when(isDelete, refuse('mayOpenApplication'))),
    ),
  }),
  ...defectsOf([LOA.lastStatusIsKeptUntilTheDeletion], {
    'From the second day on a canceled application is EXPIRED': later('CANCELED', 'EXPIRED'),
    'A disbursed loan is CANCELED in the last half hour of the 7 days': when(
      isOlderThan(7 * DAY - HOUR / 2),
      when(isIn(DISBURSED), alter({ reportedLoanStatus: 'CANCELED' })),
    ),
  }),
]
