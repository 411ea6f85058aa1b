import { DISBURSED, FINISHED, IN_PROGRESS, hide, isIn, isStatusCall, statusHas } from './applications.ts'
import {
  alter,
  defectsOf,
  from,
  replaceRules,
  replaceWire,
  when,
  type Change,
  type Incoming,
  type Members,
} from '../../shared/changes.ts'
import { LOA } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Applications for a loan: the answers to them and to their status, and refused ones. */

/** Another result code of the answers to a GET of the status; none for undefined. */
const resultCode = (code: string | undefined) => statusHas({ resultCode: code })

/** Other members of the answers to an application; undefined leaves one out. */
const submittedHas = (members: Members) =>
  alter({ submissionAnswer: (usual) => ({ ...usual, body: { ...usual.body, ...members } }) })

/** Refuses an application for its amount, and keeps one for an ordinary amount. */
const keepRefused = (
  show: (refusal: Response, applicationId: string) => Response | Promise<Response>,
): Change<Incoming> =>
  replaceWire(
    (next) => async (request) => {
      const body = (await request.clone().text()).replaceAll(/("totalAmount":)-?[\d.]+/g, '$1250')
      const headers = new Headers(request.headers)
      headers.delete('content-length')
      const answer = await next(request)
      const isForItsAmount = /"TOTAL_AMNT_|"LOAN_AMNT_|AMOUNT/i.test(await answer.clone().text())
      if (answer.status < 400 || !isForItsAmount) return answer
      const kept = await next(new Request(request.url, { method: 'POST', headers, body }))
      return show(answer, ((await kept.json()) as { readonly applicationId: string }).applicationId)
    },
    'submitLoan',
  )

export const applicationDefects: readonly Defect[] = [
  ...defectsOf(
    [
      LOA.applicationIsAnswered,
      LOA.lowestAmountIsAppliedFor,
      LOA.highestAmountIsAppliedFor,
      LOA.amountWithinTheBoundsIsAppliedFor,
    ],
    {
      'The answer to an application has no application-id': submittedHas({ applicationId: undefined }),
      'The application-id is an empty text': submittedHas({ applicationId: '' }),
    },
  ),
  ...defectsOf([LOA.applicationIsAnswered], {
    'The application-id is an object': submittedHas({ applicationId: { value: 1 } }),
  }),
  ...defectsOf([LOA.applicationIdsAreDistinct], {
    'The eleventh application has the application-id of the first': when(
      from(11),
      alter({ newApplicationId: (usual, _, { of }) => of('newApplicationId')[0]?.answer ?? usual }),
    ),
  }),
  ...defectsOf([LOA.statusIsAnsweredWithOk], {
    'The sixth application deletes the first': alter({
      applicationNamed: (usual, { applications }) => {
        const ids = [...applications.keys()]
        return usual && ids.length - ids.indexOf(usual.applicationId) > 5 ? undefined : usual
      },
    }),
  }),
  ...defectsOf([LOA.submittedApplicationIsNew], {
    'A submitted application is in progress at once': alter({ firstLoanStatus: IN_PROGRESS }),
    'An application for 1000 EUR or more is in progress at once': alter({
      firstLoanStatus: (usual, { amount }) => (amount < 1000 ? usual : IN_PROGRESS),
    }),
  }),
  ...defectsOf(
    [LOA.statusIsAnsweredWithOk, LOA.applicationIsKeptForSevenDays, LOA.applicationIsKeptToTheMinute],
    {
      'The answer to a GET of the status has none': statusHas({ applicationStatus: undefined }),
    },
  ),
  ...defectsOf([LOA.statusIsAnsweredWithOk], {
    'The result code of a GET of the status is SUCCESS': resultCode('SUCCESS'),
    'The answer to a GET of the status has no result code': resultCode(undefined),
    'The result code of a loan in progress is IN_PROGRESS': when(
      isIn(IN_PROGRESS),
      resultCode('IN_PROGRESS'),
    ),
    'The status of a disbursed loan has no result code': when(isIn(DISBURSED), resultCode(undefined)),
    'The status of a finished application is not found': when(isStatusCall, hide(isIn(FINISHED))),
    'Of several applications at the same moment only one is kept': replaceRules((conforming) => {
      const lost = new Set<string>()
      let underWay = 0
      return {
        newApplicationId: async (facts) => {
          const isBusy = underWay > 0
          underWay += 1
          // The other requests arrive by then.
          await new Promise((resolve) => setImmediate(resolve))
          const id = await conforming.newApplicationId(facts)
          underWay -= 1
          if (isBusy) lost.add(id)
          return id
        },
        applicationNamed: (facts) =>
          lost.has(facts.applicationId) ? undefined : conforming.applicationNamed(facts),
      }
    }),
  }),
  ...defectsOf([LOA.refusedApplicationDoesNotExist], {
    'An application refused for its amount exists, and the refusal has its id': keepRefused(
      async (refusal, reference) =>
        Response.json({ ...((await refusal.json()) as object), reference }, { status: refusal.status }),
    ),
    'An application refused for its amount exists at the Location of the refusal': keepRefused(
      (refusal, applicationId) => {
        refusal.headers.set('location', `/paylater/sandbox/v1/applications/${applicationId}/status`)
        return refusal
      },
    ),
  }),
]
