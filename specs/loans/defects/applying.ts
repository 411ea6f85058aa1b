import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { LOA } from '../requirements.ts'

type Amount = Parameters<Rules['isTooSmallALoan']>[0]
type Answer = ReturnType<Rules['submissionAnswer']>

const isApplication = ({ endpoint }: Amount): boolean => endpoint === 'loan-submission'

const smallest =
  (least: number) =>
  (lawful: Rules): Partial<Rules> => ({
    isTooSmallALoan: (facts) => (isApplication(facts) ? facts.amount < least : lawful.isTooSmallALoan(facts)),
  })

const largest =
  (most: number) =>
  (lawful: Rules): Partial<Rules> => ({
    isTooLargeALoan: (facts) => (isApplication(facts) ? facts.amount > most : lawful.isTooLargeALoan(facts)),
  })

const bounds: readonly Defect[] = [
  {
    id: 'applications-begin-behind-100',
    story: 'The minimum of an application does not belong to its range.',
    breaks: [LOA.lowestAmountIsAppliedFor],
    rules: smallest(101),
  },
  {
    id: 'applications-begin-behind-101',
    story: 'The minimum of an application is 102 EUR.',
    breaks: [LOA.lowestAmountIsAppliedFor, LOA.amountWithinTheBoundsIsAppliedFor],
    rules: smallest(102),
  },
  {
    id: 'applications-begin-at-99',
    story: 'The minimum of an application is 99 EUR.',
    breaks: [LOA.tooLowApplicationIsRefused, LOA.malformedApplicationIsRefused],
    rules: smallest(99),
  },
  {
    id: 'applications-for-nothing-are-accepted',
    story: 'An application for 0 EUR is accepted.',
    breaks: [LOA.tooLowApplicationIsRefused],
    rules: (lawful) => ({
      isTooSmallALoan: (facts) =>
        !(isApplication(facts) && facts.amount === 0) && lawful.isTooSmallALoan(facts),
    }),
  },
  {
    id: 'applications-have-no-minimum',
    story: 'An application has no minimum.',
    breaks: [LOA.tooLowApplicationIsRefused, LOA.malformedApplicationIsRefused],
    rules: smallest(-Infinity),
  },
  {
    id: 'applications-end-before-2000',
    story: 'The maximum of an application does not belong to its range.',
    breaks: [LOA.highestAmountIsAppliedFor],
    rules: largest(1999),
  },
  {
    id: 'applications-end-at-2001',
    story: 'The maximum of an application is 2001 EUR.',
    breaks: [LOA.tooHighApplicationIsRefused, LOA.malformedApplicationIsRefused],
    rules: largest(2001),
  },
  {
    id: 'applications-have-no-maximum',
    story: 'An application has no maximum.',
    breaks: [LOA.tooHighApplicationIsRefused, LOA.malformedApplicationIsRefused],
    rules: largest(Infinity),
  },
  {
    id: 'far-too-high-applications-are-accepted',
    story: 'An application for more than 100,000 EUR is accepted.',
    breaks: [LOA.tooHighApplicationIsRefused],
    rules: (lawful) => ({
      isTooLargeALoan: (facts) => {
        const isFar = facts.amount > 100_000 && facts.amount <= Number.MAX_SAFE_INTEGER
        return !(isApplication(facts) && isFar) && lawful.isTooLargeALoan(facts)
      },
    }),
  },
  {
    id: 'applications-above-1000-are-refused',
    story: 'An application for more than 1000 EUR is refused.',
    breaks: [LOA.highestAmountIsAppliedFor, LOA.amountWithinTheBoundsIsAppliedFor],
    rules: largest(1000),
  },
]

const submissions =
  (change: (answer: Answer) => Readonly<Record<string, unknown>>) =>
  (lawful: Rules): Partial<Rules> => ({
    submissionAnswer: (facts) => {
      const answer = lawful.submissionAnswer(facts)
      return { ...answer, body: change(answer) }
    },
  })

const NO_APPLICATION = [
  LOA.applicationIsAnswered,
  LOA.lowestAmountIsAppliedFor,
  LOA.highestAmountIsAppliedFor,
  LOA.amountWithinTheBoundsIsAppliedFor,
]

const answers: readonly Defect[] = [
  {
    id: 'application-id-is-left-out',
    story: 'The answer to an application has no application-id.',
    breaks: NO_APPLICATION,
    rules: submissions(({ body }) =>
      Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => name !== 'applicationId')),
    ),
  },
  {
    id: 'application-id-is-empty',
    story: 'The application-id is an empty text.',
    breaks: NO_APPLICATION,
    rules: submissions(({ body }) => ({ ...body, applicationId: '' })),
  },
  {
    id: 'application-id-is-an-object',
    story: 'The application-id stands in an object.',
    breaks: [LOA.applicationIsAnswered],
    rules: submissions(({ body }) => ({ ...body, applicationId: { value: body?.applicationId } })),
  },
  {
    id: 'eleventh-application-has-the-id-of-the-first',
    story: 'Ten application-ids are given out, one after the other.',
    breaks: [LOA.applicationIdsAreDistinct],
    rules: (lawful) => {
      let count = 0
      let first: string | undefined
      return {
        newApplicationId: async (facts) => {
          count += 1
          if (first !== undefined && count > 10) return first
          const id = await lawful.newApplicationId(facts)
          first ??= id
          return id
        },
      }
    },
  },
  {
    id: 'status-is-left-out',
    story: 'The answer to a GET of the status has none.',
    breaks: [LOA.statusIsAnsweredWithOk, LOA.applicationIsKeptForSevenDays, LOA.applicationIsKeptToTheMinute],
    rules: (lawful) => ({
      statusAnswer: (facts) => ({ ...lawful.statusAnswer(facts), body: { resultCode: 'OK' } }),
    }),
  },
  {
    id: 'status-is-answered-with-success',
    story: 'The result code of a GET of the status is SUCCESS.',
    breaks: [LOA.statusIsAnsweredWithOk],
    rules: (lawful) => ({
      statusAnswer: (facts) => {
        const answer = lawful.statusAnswer(facts)
        return { ...answer, body: { ...answer.body, resultCode: 'SUCCESS' } }
      },
    }),
  },
  {
    id: 'status-is-answered-without-a-code',
    story: 'The answer to a GET of the status has no result code.',
    breaks: [LOA.statusIsAnsweredWithOk],
    rules: (lawful) => ({
      statusAnswer: (facts) => ({
        http: 200,
        body: { applicationStatus: lawful.loanStatusTold({ ...facts, endpoint: 'loan-status' }) },
      }),
    }),
  },
  {
    id: 'applications-begin-in-progress',
    story: 'An application is LOAN_APPLICATION_IN_PROGRESS once it is submitted.',
    breaks: [LOA.submittedApplicationIsNew],
    rules: { firstLoanStatus: () => 'LOAN_APPLICATION_IN_PROGRESS' },
  },
]

export const defectsOfApplying: readonly Defect[] = [...bounds, ...answers]
