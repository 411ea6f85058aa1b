import { LOA } from '../requirements.ts'
import { breaking, on } from '../../shared/defects.ts'
import type { Defect, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

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
    breaks: [LOA.tooLowApplicationIsRefused, LOA.amountWithCentsOutOfBoundsIsNotAppliedFor],
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
    breaks: [LOA.tooLowApplicationIsRefused, LOA.amountWithCentsOutOfBoundsIsNotAppliedFor],
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
    breaks: [LOA.tooHighApplicationIsRefused, LOA.amountWithCentsOutOfBoundsIsNotAppliedFor],
    rules: largest(2001),
  },
  {
    id: 'applications-have-no-maximum',
    story: 'An application has no maximum.',
    breaks: [LOA.tooHighApplicationIsRefused, LOA.amountWithCentsOutOfBoundsIsNotAppliedFor],
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
    story: 'The application-id is an object.',
    breaks: [LOA.applicationIsAnswered],
    rules: submissions(({ body }) => ({ ...body, applicationId: { value: body?.applicationId } })),
  },
  {
    id: 'eleventh-application-has-the-id-of-the-first',
    story: 'The eleventh application has the application-id of the first.',
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
        body: { applicationStatus: lawful.reportedLoanStatus({ ...facts, endpoint: 'loan-status' }) },
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

/** An application for another amount, with the credentials of a refused one. */
const ofAnOrdinaryAmount = async (request: Request): Promise<Request> => {
  const body = (await request.clone().text()).replaceAll(/("totalAmount":)-?[\d.]+/g, '$1250')
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  return new Request(request.url, { method: request.method, headers, body })
}

const SUBMISSION = on('POST', /\/v1\/applications$/)

/** Refuses an application for its amount, and keeps it all the same. */
const keepingRefused =
  (show: (refusal: Response, applicationId: string) => Response | Promise<Response>): Wire =>
  (next) =>
  async (request) => {
    if (!SUBMISSION(request)) return next(request)
    const ordinary = await ofAnOrdinaryAmount(request)
    const answer = await next(request)
    const isForItsAmount = /"TOTAL_AMNT_|"LOAN_AMNT_|AMOUNT/i.test(await answer.clone().text())
    if (answer.status < 400 || !isForItsAmount) return answer
    const kept = (await (await next(ordinary)).json()) as { readonly applicationId: string }
    return show(answer, kept.applicationId)
  }

const withMember = async (refusal: Response, reference: string): Promise<Response> =>
  Response.json({ ...((await refusal.json()) as object), reference }, { status: refusal.status })

const withLocation = (refusal: Response, applicationId: string): Response => {
  refusal.headers.set('location', `/paylater/sandbox/v1/applications/${applicationId}/status`)
  return refusal
}

const kept: readonly Defect[] = breaking(LOA.refusedApplicationDoesNotExist, {
  'refused-application-is-kept': {
    story: 'An application that is refused for its amount is kept; its refusal has the id as `reference`.',
    wire: keepingRefused(withMember),
  },
  'refused-application-is-kept-at-its-location': {
    story: 'An application that is refused for its amount is kept; its refusal has the header Location.',
    wire: keepingRefused(withLocation),
  },
  'refused-application-is-kept-and-counted': {
    story: 'Applications are numbered; one that is refused for its amount has a number, and exists.',
    rules: () => {
      let count = 1000
      return { newApplicationId: () => String((count += 1)) }
    },
    wire: keepingRefused((refusal) => refusal),
  },
})

export const defectsOfApplying: readonly Defect[] = [...bounds, ...answers, ...kept]

/** Operations that use the wrong application, or change it wrongly, while it is NEW. */

type Word = Parameters<Rules['refusalBody']>[0]['error']
type Endpoint = Parameters<Rules['isTooSmallALoan']>[0]['endpoint']
type Application = Parameters<Rules['outcomeOfCancellation']>[0]['application']

/** NEW, and no scenario is selected. */
const isUntouched = ({ status, scenario }: Application): boolean => status === 'NEW' && scenario === undefined

const cancellations: readonly Defect[] = [
  {
    id: 'status-follows-the-last-cancellation',
    story: 'Once an application was canceled while it was NEW, all that are NEW are reported as CANCELED.',
    breaks: [LOA.submittedApplicationIsNew],
    rules: (lawful) => {
      let isCanceled = false
      return {
        outcomeOfCancellation: (facts) => {
          isCanceled ||= isUntouched(facts.application)
          return lawful.outcomeOfCancellation(facts)
        },
        reportedLoanStatus: (facts) =>
          isCanceled && isUntouched(facts.application) ? 'CANCELED' : lawful.reportedLoanStatus(facts),
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
          ? { status: 'NEW', continues: true }
          : lawful.outcomeOfCancellation(facts),
    }),
  },
  {
    id: 'no-application-can-be-canceled',
    story: 'A DELETE is answered NOT_ALLOWED_OPER in every status.',
    breaks: [LOA.someStatusCanBeCanceled],
    rules: { mayCancelLoan: () => false },
  },
  {
    id: 'new-application-is-not-found-by-delete',
    story: 'A DELETE of an application in NEW is answered APP_NOT_FOUND until its scenario is selected.',
    breaks: [LOA.newApplicationIsCanceled],
    rules: (lawful) => ({
      applicationNamed: (facts) => {
        const application = lawful.applicationNamed(facts)
        const isHidden =
          facts.endpoint === 'loan-cancellation' && application !== undefined && isUntouched(application)
        return isHidden ? undefined : application
      },
    }),
  },
  {
    id: 'canceled-application-is-expired',
    story: 'An application that was canceled while it was NEW is EXPIRED.',
    breaks: [LOA.newApplicationIsCanceled],
    rules: (lawful) => ({
      outcomeOfCancellation: (facts) =>
        isUntouched(facts.application)
          ? { status: 'EXPIRED', continues: false }
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
          ? { status: 'NEW', continues: false }
          : lawful.outcomeOfRefusedCancellation(facts),
    }),
  },
]

/** Refuses an operation with another code. */
const calling =
  (error: Word, endpoint: Endpoint, code: string) =>
  (lawful: Rules): Partial<Rules> => ({
    refusalBody: (facts) =>
      facts.error === error && facts.endpoint === endpoint
        ? { errorCode: code, errorDescription: facts.description }
        : lawful.refusalBody(facts),
  })

const applicationsOfOthers: readonly Defect[] = [
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
    id: 'unknown-application-is-a-server-error',
    story: 'An application that does not exist is always answered with the status 500 and without a code.',
    breaks: [LOA.unknownApplicationHasNoStatus, LOA.unknownApplicationIsNotCanceled],
    rules: (lawful) => ({
      applicationNamed: (facts) => {
        const application = lawful.applicationNamed(facts)
        // The bank answers what a rule throws with the status 500.
        if (application === undefined) throw new Error('there is no such application')
        return application
      },
    }),
  },
  {
    id: 'end-of-an-application-id-is-not-read',
    story: 'Only the first half of an application-id is compared.',
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
    story: 'The status of every application is reported to every client.',
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

export const defectsOfReaching: readonly Defect[] = [...cancellations, ...applicationsOfOthers]
