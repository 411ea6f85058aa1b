import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { LOA } from '../requirements.ts'

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

/** What follows on the end of a scenario's path. */
const beyond =
  (scenario: Scenario, statuses: Path) =>
  (lawful: Rules): Partial<Rules> => ({
    loanPathBeyondItsEnd: (facts) =>
      facts.application.scenario === scenario ? statuses : lawful.loanPathBeyondItsEnd(facts),
  })

const [ROW_EXPIRED, ROW_NON_CLIENT] = [
  // An application beside others is followed on these paths.
  [LOA.expiredScenarioKeepsItsPath, LOA.applicationsMoveOnTheirOwn],
  [LOA.nonClientScenarioKeepsItsPath, LOA.applicationsMoveOnTheirOwn],
] as const

const statuses: readonly Defect[] = [
  {
    id: 'cancelled-path-creates-a-customer',
    story: 'The path Cancelled has a step too many.',
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
    story: 'The path Client is that of somebody who is none.',
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
    story: 'On the path Client a finished application is in progress once more.',
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
    story: 'Behind the end of the path Client the application is NEW again.',
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
    story: 'Behind the end of the path Cancelled the application is in progress again.',
    breaks: [LOA.endOfThePathIsFinal],
    rules: beyond('CANCELLED', ['LOAN_APPLICATION_IN_PROGRESS']),
  },
  {
    id: 'expired-application-is-disbursed',
    story: 'Behind the end of the path Expired the loan is disbursed.',
    breaks: [LOA.endOfThePathIsFinal],
    rules: beyond('EXPIRED', ['LOAN_DISBURSED']),
  },
]

export const defectsOfSteps: readonly Defect[] = [...statuses, ...ends]
