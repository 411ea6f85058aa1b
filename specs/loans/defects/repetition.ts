import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { LOA } from '../requirements.ts'

/** Defects that show only the second time, for a later record, or in one of many places. */

const DAY_MS = 24 * 60 * 60_000

type RuleMaker = (lawful: Rules) => Partial<Rules>
type Endpoint = Parameters<Rules['loanTokenIsFresh']>[0]['endpoint']
type Application = Parameters<Rules['mayCancelLoan']>[0]['application']
type Status = Application['status']

/** Answers another result code for an application in that status. */
const coding =
  (status: Status, resultCode: string | undefined): RuleMaker =>
  (lawful) => ({
    statusAnswer: (facts) => {
      const answer = lawful.statusAnswer(facts)
      return facts.status === status ? { ...answer, body: { ...answer.body, resultCode } } : answer
    },
  })

/** Changes the token answer, except for the first token. */
const tellingOfLater =
  (more: Readonly<Record<string, unknown>>): RuleMaker =>
  (lawful) => {
    let count = 0
    return {
      loanTokenBody: (facts) => {
        count += 1
        return { ...lawful.loanTokenBody(facts), ...(count > 1 && more) }
      },
    }
  }

/** States a lifetime of a day for every token; all but the first have another one. */
const livingLater =
  (ms: number): RuleMaker =>
  (lawful) => {
    let count = 0
    return {
      loanTokenLifetime: (facts) => {
        count += 1
        return count > 1 ? ms : lawful.loanTokenLifetime(facts)
      },
      loanTokenBody: (facts) => lawful.loanTokenBody({ ...facts, lifetime: DAY_MS }),
    }
  }

/** Accepts a token of any age in one operation. */
const takingOldTokens =
  (endpoint: Endpoint): RuleMaker =>
  (lawful) => ({
    loanTokenIsFresh: (facts) => facts.endpoint === endpoint || lawful.loanTokenIsFresh(facts),
  })

const answers: readonly Defect[] = [
  {
    id: 'status-in-progress-has-a-code-of-its-own',
    story: 'The result code of a status is OK, but for an application in progress.',
    breaks: [LOA.statusIsAnsweredWithOk],
    rules: coding('LOAN_APPLICATION_IN_PROGRESS', 'IN_PROGRESS'),
  },
  {
    id: 'status-of-a-disbursed-loan-has-no-code',
    story: 'The status of a loan that was disbursed comes without a result code.',
    breaks: [LOA.statusIsAnsweredWithOk],
    rules: coding('LOAN_DISBURSED', undefined),
  },
  {
    id: 'applications-at-once-are-lost',
    story: 'Of several applications that are submitted at the same moment only one is kept.',
    breaks: [LOA.statusIsAnsweredWithOk],
    rules: (lawful) => {
      const lost = new Set<string>()
      let underWay = 0
      return {
        newApplicationId: async (facts) => {
          const isBusy = underWay > 0
          underWay += 1
          // The other requests arrive by then.
          await new Promise((resolve) => setImmediate(resolve))
          const id = await lawful.newApplicationId(facts)
          underWay -= 1
          if (isBusy) lost.add(id)
          return id
        },
        applicationNamed: (facts) =>
          lost.has(facts.applicationId) ? undefined : lawful.applicationNamed(facts),
      }
    },
  },
  {
    id: 'household-is-that-of-the-request-before',
    story: 'A precalculation without a household takes the one of the request before.',
    breaks: [LOA.largeLoanIsPositive, LOA.highestAmountIsCalculated, LOA.amountWithinTheBoundsIsPositive],
    rules: (lawful) => {
      let known: ReturnType<Rules['householdCounted']>
      return {
        householdCounted: (facts) => {
          known = lawful.householdCounted(facts) ?? known
          return known
        },
      }
    },
  },
]

const tokens: readonly Defect[] = [
  {
    id: 'later-loan-token-expires-in-an-hour',
    story: 'expires_in of the second loan sandbox token is 3600.',
    breaks: [LOA.sandboxTokenExpiresInADay],
    rules: tellingOfLater({ expires_in: 3600 }),
  },
  {
    id: 'later-loan-token-is-of-the-type-mac',
    story: 'The token_type of the second loan sandbox token is mac.',
    breaks: [LOA.sandboxTokenIsABearerToken],
    rules: tellingOfLater({ token_type: 'mac' }),
  },
  {
    id: 'later-loan-token-tells-another-scope',
    story: 'The second token of the loan sandbox has the scope of the account interface.',
    breaks: [LOA.sandboxTokenHasTheScopePayLater],
    rules: tellingOfLater({ scope: 'PREMIUM_AIS' }),
  },
  {
    id: 'later-loan-token-never-ends',
    story: 'The second loan sandbox token lives for ever.',
    breaks: [LOA.sandboxTokenEndsAfterADay],
    rules: livingLater(1_000 * DAY_MS),
  },
  {
    id: 'later-loan-token-ends-after-an-hour',
    story: 'The second loan sandbox token has an expires_in of a day, and lives for an hour.',
    breaks: [LOA.sandboxTokenLivesForADay],
    rules: livingLater(DAY_MS / 24),
  },
  {
    id: 'expired-loan-token-reads-the-status',
    story: 'The status of an application is reported with a token that has expired.',
    breaks: [LOA.sandboxTokenEndsAfterADay],
    rules: takingOldTokens('loan-status'),
  },
  {
    id: 'expired-loan-token-submits',
    story: 'An application is accepted with a token that has expired.',
    breaks: [LOA.sandboxTokenEndsAfterADay],
    rules: takingOldTokens('loan-submission'),
  },
  {
    id: 'expired-loan-token-cancels',
    story: 'An application is canceled with a token that has expired.',
    breaks: [LOA.sandboxTokenEndsAfterADay],
    rules: takingOldTokens('loan-cancellation'),
  },
  {
    id: 'expired-loan-token-is-forbidden-to-cancel',
    story: 'A DELETE with a token that has expired is answered with 403.',
    breaks: [LOA.expiredTokenHasStatus401],
    rules: (lawful) => ({
      refusalStatus: (facts) =>
        facts.error === 'token_expired' && facts.endpoint === 'loan-cancellation'
          ? 403
          : lawful.refusalStatus(facts),
    }),
  },
]

/** @param count of the DELETE of an application, from 1. */
const cancelingAgain =
  (isMeant: (status: Status, count: number) => boolean): RuleMaker =>
  (lawful) => {
    const counts = new Map<string, number>()
    return {
      mayCancelLoan: (facts) => {
        const { applicationId } = facts.application
        const count = (counts.get(applicationId) ?? 0) + 1
        counts.set(applicationId, count)
        return isMeant(facts.status, count) || lawful.mayCancelLoan(facts)
      },
    }
  }

/** An application in that status can be canceled from the second day on. */
const cancelingLater =
  (status: Status): RuleMaker =>
  (lawful) => ({
    mayCancelLoan: (facts) =>
      (facts.status === status && isOld(facts.application, facts.now)) || lawful.mayCancelLoan(facts),
  })

const isOld = ({ submittedAt }: Application, now: Date): boolean =>
  now.getTime() - submittedAt.getTime() > DAY_MS

const cancellations: readonly Defect[] = [
  {
    id: 'delete-of-an-unknown-application-cancels-a-new-one',
    story: 'A DELETE of an application that does not exist is refused, and cancels those that are NEW.',
    breaks: [LOA.submittedApplicationIsNew],
    rules: (lawful) => {
      let isMistaken = false
      return {
        applicationNamed: (facts) => {
          const application = lawful.applicationNamed(facts)
          isMistaken ||= application === undefined && facts.endpoint === 'loan-cancellation'
          return application
        },
        reportedLoanStatus: (facts) => {
          const status = lawful.reportedLoanStatus(facts)
          return isMistaken && status === 'NEW' ? 'CANCELED' : status
        },
      }
    },
  },
  {
    id: 'second-delete-cancels-what-has-ended',
    story: 'The second DELETE of an application in EXPIRED or LOAN_DISBURSED cancels it.',
    breaks: [LOA.expiredApplicationIsNotCanceled, LOA.disbursedApplicationIsNotCanceled],
    rules: cancelingAgain(
      (status, count) => count > 1 && (status === 'EXPIRED' || status === 'LOAN_DISBURSED'),
    ),
  },
  {
    id: 'third-delete-is-answered-ok',
    story: 'The third DELETE of an application is answered OK.',
    breaks: [LOA.canceledApplicationIsNotCanceledAgain],
    rules: cancelingAgain((status, count) => count > 2 && status === 'CANCELED'),
  },
  {
    id: 'disbursed-loan-can-be-canceled-after-a-day',
    story: 'A loan that was disbursed can be canceled from the second day on.',
    breaks: [LOA.disbursedApplicationIsNotCanceled],
    rules: cancelingLater('LOAN_DISBURSED'),
  },
  {
    id: 'cancellation-takes-along-the-path',
    story: 'A cancellation of an application in progress cancels all that are past NEW on its path.',
    breaks: [LOA.applicationsMoveOnTheirOwn, LOA.canceledApplicationIsNotCanceledAgain],
    rules: (lawful) => {
      const paths = new Set<unknown>()
      return {
        outcomeOfCancellation: (facts) => {
          const { status, scenario } = facts.application
          if (status === 'LOAN_APPLICATION_IN_PROGRESS') paths.add(scenario)
          return lawful.outcomeOfCancellation(facts)
        },
        reportedLoanStatus: (facts) => {
          const status = lawful.reportedLoanStatus(facts)
          return status !== 'NEW' && paths.has(facts.application.scenario) ? 'CANCELED' : status
        },
      }
    },
  },
]

const ends: readonly Defect[] = [
  {
    id: 'expired-application-is-canceled-after-a-day',
    story: 'An application in EXPIRED is reported as CANCELED from the second day on.',
    breaks: [LOA.lastStatusIsKeptUntilTheDeletion],
    rules: (lawful) => ({
      reportedLoanStatus: (facts) => {
        const status = lawful.reportedLoanStatus(facts)
        return status === 'EXPIRED' && isOld(facts.application, facts.now) ? 'CANCELED' : status
      },
    }),
  },
  {
    id: 'expired-application-is-never-deleted',
    story: 'An application in EXPIRED is never deleted.',
    breaks: [
      LOA.applicationIsDeletedAfterSevenDays,
      LOA.applicationIsDeletedToTheMinute,
      LOA.deletedApplicationIsNotCanceled,
    ],
    rules: (lawful) => ({
      applicationIsKept: (facts) => facts.application.status === 'EXPIRED' || lawful.applicationIsKept(facts),
    }),
  },
]

export const defectsOfRepetition: readonly Defect[] = [...answers, ...tokens, ...cancellations, ...ends]
