import { defectsOfCanceling, defectsOfKeeping } from './path-ends.ts'
import { LOA } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

/** Which statuses an application goes through, and in which order. */

type PathFacts = Parameters<Rules['loanPath']>[0]
type Scenario = PathFacts['scenario']
type Path = ReturnType<Rules['loanPath']>

/** Another path for one scenario. */
const pathOf =
  (scenario: Scenario, path: Path) =>
  (lawful: Rules): Partial<Rules> => ({
    loanPath: (facts) => (facts.scenario === scenario ? path : lawful.loanPath(facts)),
  })

/** The statuses after the end of a scenario's path. */
const beyond =
  (scenario: Scenario, statuses: Path) =>
  (lawful: Rules): Partial<Rules> => ({
    loanPathBeyondItsEnd: (facts) =>
      facts.application.scenario === scenario ? statuses : lawful.loanPathBeyondItsEnd(facts),
  })

const [ROW_EXPIRED, ROW_NON_CLIENT] = [
  // Applications that are polled at the same time are on these paths.
  [LOA.expiredScenarioKeepsItsPath, LOA.applicationsMoveOnTheirOwn],
  [LOA.nonClientScenarioKeepsItsPath, LOA.applicationsMoveOnTheirOwn],
] as const

const statuses: readonly Defect[] = [
  {
    id: 'cancelled-path-creates-a-customer',
    story: 'The path Cancelled has one more step.',
    breaks: [LOA.cancelledScenarioKeepsItsPath],
    rules: pathOf('CANCELLED', [
      'NEW',
      'CUSTOMER_CREATION_IN_PROGRESS',
      'LOAN_APPLICATION_IN_PROGRESS',
      'CANCELED',
    ]),
  },
  {
    id: 'cancelled-path-has-one-step',
    story: 'The path Cancelled goes from NEW to CANCELED.',
    breaks: [LOA.cancelledScenarioKeepsItsPath],
    rules: pathOf('CANCELLED', ['NEW', 'CANCELED']),
  },
  {
    id: 'cancelled-path-expires',
    story: 'The path Cancelled ends in EXPIRED.',
    breaks: [LOA.cancelledScenarioKeepsItsPath],
    rules: pathOf('CANCELLED', ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'EXPIRED']),
  },
  {
    id: 'expired-path-is-canceled',
    story: 'The path Expired ends in CANCELED.',
    breaks: ROW_EXPIRED,
    rules: pathOf('EXPIRED', ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'CANCELED']),
  },
  {
    id: 'expired-path-finishes-first',
    story: 'An application on the path Expired is finished before it expires.',
    breaks: ROW_EXPIRED,
    rules: pathOf('EXPIRED', ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED', 'EXPIRED']),
  },
  {
    id: 'non-client-path-creates-no-customer',
    story: 'The path Non-client is that of a client.',
    breaks: ROW_NON_CLIENT,
    rules: pathOf('NON_CLIENT', [
      'NEW',
      'LOAN_APPLICATION_IN_PROGRESS',
      'LOAN_APPLICATION_FINISHED',
      'LOAN_DISBURSED',
    ]),
  },
  {
    id: 'non-client-path-creates-the-customer-late',
    story: 'On the path Non-client the customer is created once the application is in progress.',
    breaks: ROW_NON_CLIENT,
    rules: pathOf('NON_CLIENT', [
      'NEW',
      'LOAN_APPLICATION_IN_PROGRESS',
      'CUSTOMER_CREATION_IN_PROGRESS',
      'LOAN_APPLICATION_FINISHED',
      'LOAN_DISBURSED',
    ]),
  },
  {
    id: 'client-path-creates-a-customer',
    story: 'The path Client is that of a non-client.',
    breaks: [LOA.clientScenarioKeepsItsPath],
    rules: pathOf('CLIENT', [
      'NEW',
      'CUSTOMER_CREATION_IN_PROGRESS',
      'LOAN_APPLICATION_IN_PROGRESS',
      'LOAN_APPLICATION_FINISHED',
      'LOAN_DISBURSED',
    ]),
  },
  {
    id: 'client-path-disburses-at-once',
    story: 'On the path Client the loan is disbursed without having been finished.',
    breaks: [LOA.clientScenarioKeepsItsPath],
    rules: pathOf('CLIENT', ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_DISBURSED']),
  },
  {
    id: 'client-path-is-never-disbursed',
    story: 'The path Client ends in LOAN_APPLICATION_FINISHED.',
    breaks: [
      LOA.clientScenarioKeepsItsPath,
      LOA.statusChangesEveryThreeMinutes,
      LOA.refusedApplicationKeepsItsPath,
    ],
    rules: pathOf('CLIENT', ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED']),
  },
  {
    id: 'client-path-steps-back',
    story: 'On the path Client a finished application is in progress again.',
    breaks: [LOA.clientScenarioKeepsItsPath, LOA.refusedApplicationKeepsItsPath],
    rules: pathOf('CLIENT', [
      'NEW',
      'LOAN_APPLICATION_IN_PROGRESS',
      'LOAN_APPLICATION_FINISHED',
      'LOAN_APPLICATION_IN_PROGRESS',
      'LOAN_DISBURSED',
    ]),
  },
  {
    id: 'expired-path-has-a-status-of-its-own',
    story: 'An application on the path Expired is LOAN_APPLICATION_OVERDUE before it expires.',
    breaks: [...ROW_EXPIRED, LOA.statusIsOneOfSeven],
    rules: (lawful) => ({
      statusAnswer: (facts) => {
        const { http, body } = lawful.statusAnswer(facts)
        const isMeant =
          facts.application.scenario === 'EXPIRED' && facts.status === 'LOAN_APPLICATION_IN_PROGRESS'
        return isMeant
          ? { http, body: { ...body, applicationStatus: 'LOAN_APPLICATION_OVERDUE' } }
          : { http, body }
      },
    }),
  },
  {
    id: 'finished-application-is-unknown',
    story: 'An application in LOAN_APPLICATION_FINISHED is answered APP_NOT_FOUND.',
    breaks: [LOA.statusIsAnsweredWithOk],
    rules: (lawful) => ({
      applicationNamed: (facts) => {
        const named = lawful.applicationNamed(facts)
        const isMeant = facts.endpoint === 'loan-status' && named?.status === 'LOAN_APPLICATION_FINISHED'
        return isMeant ? undefined : named
      },
    }),
  },
]

const ends: readonly Defect[] = [
  {
    id: 'client-path-starts-again',
    story: 'After the end of the path Client the application is NEW again.',
    breaks: [LOA.endOfThePathIsFinal],
    rules: beyond('CLIENT', ['NEW', 'LOAN_APPLICATION_IN_PROGRESS']),
  },
  {
    id: 'disbursed-loan-is-canceled-later',
    story: 'A loan that was disbursed on the path Non-client is CANCELED three minutes later.',
    breaks: [LOA.endOfThePathIsFinal],
    rules: beyond('NON_CLIENT', ['CANCELED']),
  },
  {
    id: 'canceled-application-is-taken-up-again',
    story: 'After the end of the path Cancelled the application is in progress again.',
    breaks: [LOA.endOfThePathIsFinal],
    rules: beyond('CANCELLED', ['LOAN_APPLICATION_IN_PROGRESS']),
  },
  {
    id: 'expired-application-is-disbursed',
    story: 'After the end of the path Expired the loan is disbursed.',
    breaks: [LOA.endOfThePathIsFinal],
    rules: beyond('EXPIRED', ['LOAN_DISBURSED']),
  },
]

const defectsOfSteps: readonly Defect[] = [...statuses, ...ends]

/** When the status of an application changes, and why. */

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const STEP_MS = 3 * MINUTE_MS

type Step = Parameters<Rules['loanStepDelay']>[0]

/** @param delay in ms; nothing for the lawful one. */
const steps =
  (delay: (facts: Step) => number | undefined) =>
  (lawful: Rules): Partial<Rules> => ({
    loanStepDelay: (facts) => delay(facts) ?? lawful.loanStepDelay(facts),
  })

const WINDOW = [LOA.statusChangesEveryThreeMinutes, LOA.applicationsMoveOnTheirOwn] as const

const windows: readonly Defect[] = [
  {
    id: 'statuses-last-1-50',
    story: 'Each status lasts for 1:50 minutes.',
    breaks: WINDOW,
    rules: steps(() => 110 * SECOND_MS),
  },
  {
    id: 'statuses-last-4-30',
    story: 'Each status lasts for 4:30 minutes.',
    breaks: WINDOW,
    rules: steps(() => 270 * SECOND_MS),
  },
  {
    id: 'statuses-last-2-00-and-4-30-in-turn',
    story: 'Statuses last for 2:00 and 4:30 minutes in turn, which is about three on average.',
    breaks: WINDOW,
    rules: steps(({ step }) => (step % 2 === 1 ? 120 : 270) * SECOND_MS),
  },
  {
    id: 'third-step-is-late',
    story: 'The third step of a path comes after 4:30 minutes.',
    breaks: WINDOW,
    rules: steps(({ step }) => (step === 3 ? 270 * SECOND_MS : undefined)),
  },
  {
    id: 'last-step-is-early',
    story: 'A loan is disbursed 1:30 minutes after the application has been finished.',
    breaks: WINDOW,
    rules: steps(({ to }) => (to === 'LOAN_DISBURSED' ? 90 * SECOND_MS : undefined)),
  },
  {
    id: 'cancelled-path-hurries',
    story: 'An application on the path Cancelled moves every minute.',
    breaks: [LOA.statusChangesEveryThreeMinutes],
    rules: steps(({ application }) => (application.scenario === 'CANCELLED' ? MINUTE_MS : undefined)),
  },
  {
    id: 'client-path-counts-seconds',
    story: 'On the path Client a status lasts for three seconds.',
    breaks: [LOA.statusChangesEveryThreeMinutes, LOA.clientScenarioKeepsItsPath],
    rules: steps(({ application }) => (application.scenario === 'CLIENT' ? 3 * SECOND_MS : undefined)),
  },
  {
    id: 'time-begins-with-the-submission',
    story: 'The first status lasts for three minutes since the submission, and not since the selection.',
    breaks: [LOA.statusChangesEveryThreeMinutes],
    rules: steps(({ step, application, now }) =>
      step === 1 ? Math.max(0, application.submittedAt.getTime() + STEP_MS - now.getTime()) : undefined,
    ),
  },
  {
    id: 'time-of-all-steps-is-counted-in-hours',
    story: 'On the path Client a status lasts for three hours.',
    breaks: [
      LOA.statusChangesEveryThreeMinutes,
      LOA.clientScenarioKeepsItsPath,
      LOA.scenarioIsSelectedAfterSubmission,
    ],
    rules: steps(({ application }) => (application.scenario === 'CLIENT' ? 180 * MINUTE_MS : undefined)),
  },
]

const causes: readonly Defect[] = [
  {
    id: 'application-moves-when-asked-alone',
    story: 'The status changes only when it is requested, one step at a time.',
    breaks: [LOA.statusChangesByItself],
    rules: { loanMovesByItself: () => false, loanMovesWhenAsked: ({ due, now }) => now >= due },
  },
  {
    id: 'expired-path-stands-still',
    story: 'An application on the path Expired stays NEW.',
    breaks: [
      LOA.expiredScenarioKeepsItsPath,
      LOA.statusChangesByItself,
      LOA.statusChangesEveryThreeMinutes,
      LOA.applicationsMoveOnTheirOwn,
    ],
    rules: (lawful) => ({
      loanMovesByItself: (facts) =>
        facts.application.scenario !== 'EXPIRED' && lawful.loanMovesByItself(facts),
    }),
  },
  {
    id: 'application-moves-without-a-scenario',
    story:
      'An application is in progress three minutes after its submission, whether or not a scenario was selected.',
    breaks: [LOA.applicationWaitsForItsScenario],
    rules: (lawful) => ({
      reportedLoanStatus: (facts) => {
        const { application, now } = facts
        const isDue = now.getTime() - application.submittedAt.getTime() >= STEP_MS
        const waits = application.scenario === undefined && application.status === 'NEW'
        return waits && isDue ? 'LOAN_APPLICATION_IN_PROGRESS' : lawful.reportedLoanStatus(facts)
      },
    }),
  },
  {
    id: 'late-selection-has-no-effect',
    story: 'A scenario that is selected more than a minute after the submission changes no status.',
    breaks: [
      LOA.scenarioIsSelectedAfterSubmission,
      LOA.clientScenarioKeepsItsPath,
      LOA.statusChangesEveryThreeMinutes,
    ],
    rules: (lawful) => ({
      loanPath: (facts) =>
        facts.now.getTime() - facts.application.submittedAt.getTime() > MINUTE_MS
          ? ['NEW']
          : lawful.loanPath(facts),
    }),
  },
  {
    id: 'late-selection-expires',
    story: 'The application expires if any scenario is selected more than a minute after the submission.',
    breaks: [LOA.clientScenarioKeepsItsPath],
    rules: (lawful) => ({
      loanPath: (facts) =>
        facts.now.getTime() - facts.application.submittedAt.getTime() > MINUTE_MS
          ? lawful.loanPath({ ...facts, scenario: 'EXPIRED' })
          : lawful.loanPath(facts),
    }),
  },
]

const neighbours: readonly Defect[] = [
  {
    id: 'selection-starts-the-time-of-others-again',
    story: 'When a scenario is selected, the three minutes of every other application begin again.',
    breaks: [LOA.applicationsMoveOnTheirOwn],
    rules: (lawful) => {
      let selectedAt = 0
      let selected: string | undefined
      const isHeldUp = ({ application, now }: { application: Step['application']; now: Date }): boolean =>
        application.applicationId !== selected && now.getTime() < selectedAt + STEP_MS
      return {
        loanPath: (facts) => {
          selectedAt = facts.now.getTime()
          selected = facts.application.applicationId
          return lawful.loanPath(facts)
        },
        // Applications that were selected at the same moment are due at the same moment.
        loanMovesByItself: (facts) => !isHeldUp(facts),
        loanMovesWhenAsked: (facts) => facts.now > facts.due && !isHeldUp(facts),
      }
    },
  },
  {
    id: 'one-timer-moves-all-scenarios',
    story: 'When the status of one application changes, those on other paths change as well.',
    breaks: [LOA.applicationsMoveOnTheirOwn],
    rules: {
      applicationsMoved: ({ application, applications }) =>
        [...applications.values()]
          .filter(
            ({ applicationId, scenario }) =>
              applicationId === application.applicationId || scenario !== application.scenario,
          )
          .map(({ applicationId }) => applicationId),
    },
  },
  {
    id: 'applications-wait-for-one-another',
    story: 'A status lasts for five minutes where an application on another path is under way.',
    breaks: [LOA.applicationsMoveOnTheirOwn],
    rules: steps(({ application, applications }) =>
      [...applications.values()].some(
        ({ scenario, nextAt }) => nextAt !== undefined && scenario !== application.scenario,
      )
        ? 5 * MINUTE_MS
        : undefined,
    ),
  },
]

const defectsOfTimes: readonly Defect[] = [...windows, ...causes, ...neighbours]

/** Defects of the paths of applications and of their ends. */
export const pathDefects: readonly Defect[] = [
  ...defectsOfSteps,
  ...defectsOfTimes,
  ...defectsOfCanceling,
  ...defectsOfKeeping,
]
