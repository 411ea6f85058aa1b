import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { LOA } from '../requirements.ts'

/** When an application moves, and what moves it. */

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
    story: 'A loan is disbursed 1:50 minutes after the application has been finished.',
    breaks: WINDOW,
    rules: steps(({ to }) => (to === 'LOAN_DISBURSED' ? 110 * SECOND_MS : undefined)),
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
    story: 'What falls due happens when the status is asked for, one step at a time.',
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
      loanStatusTold: (facts) => {
        const { application, now } = facts
        const isDue = now.getTime() - application.submittedAt.getTime() >= STEP_MS
        const waits = application.scenario === undefined && application.status === 'NEW'
        return waits && isDue ? 'LOAN_APPLICATION_IN_PROGRESS' : lawful.loanStatusTold(facts)
      },
    }),
  },
  {
    id: 'late-selection-has-no-effect',
    story: 'A scenario that is selected more than a minute after the submission moves nothing.',
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
    story: 'Whatever is selected more than a minute after the submission, the application expires.',
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
    story: 'When a scenario is selected, the three minutes of every other application begin anew.',
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
        // What was selected at the same moment is due at the same moment.
        loanMovesByItself: (facts) => !isHeldUp(facts),
        loanMovesWhenAsked: (facts) => facts.now > facts.due && !isHeldUp(facts),
      }
    },
  },
  {
    id: 'one-timer-moves-all-scenarios',
    story: 'An application that moves takes along the applications on other paths.',
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

export const defectsOfTimes: readonly Defect[] = [...windows, ...causes, ...neighbours]
