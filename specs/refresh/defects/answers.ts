import {
  alter,
  both,
  defectsOf,
  each,
  EVERYWHERE,
  IN_PRODUCTION,
  isFor,
  when,
  refuseWith,
  type Defect,
  type FactsOf,
  type Members,
  type Past,
} from '../../shared/changes.ts'
import { REF } from '../requirements.ts'

/** Wrong answers to a refresh: their fields, their ids of tasks and their status. */

const HOUR = 3_600_000

type OfAConsent = Pick<FactsOf<'refreshBody'>, 'consentId'>

/** Whether the consent was refreshed before. */
const isRepeated = ({ consentId }: OfAConsent, earlier: readonly { readonly facts: OfAConsent }[]): boolean =>
  earlier.some(({ facts }) => facts.consentId === consentId)

/** Other members in the answers to refreshes. */
const members = (change: (usual: Members) => Members) => alter({ refreshBody: change })

/** Other members in the answers to the refreshes of a consent after the first one. */
const laterMembers = (change: (usual: Members) => Members) =>
  alter({
    refreshBody: (usual, facts, { of }) => (isRepeated(facts, of('refreshBody')) ? change(usual) : usual),
  })

const withNumber = ({ taskId, ...others }: Members): Members => ({ taskId: Number(taskId), ...others })

type Task = FactsOf<'newTaskId'>

const taskId = (change: (facts: Task, past: Past<'newTaskId'>) => string) =>
  alter({ newTaskId: (_, facts, past) => change(facts, past) })

const ofDigits = taskId((_, { calls }) => String(4_710 + calls))

/** The number of a refresh, from 1, among those of the same application. */
const numberOf = ({ grant: { clientId } }: Task, { of }: Past<'newTaskId'>): number =>
  1 + of('newTaskId').filter(({ facts }) => facts.grant.clientId === clientId).length

const REFRESH = isFor('refresh')

export const answerDefects: readonly Defect[] = [
  ...defectsOf([REF.refreshAnswersATaskId], {
    'The answer to a refresh of accounts has no taskId': members(() => ({})),
    'The taskId of a refresh is called id': members(({ taskId: id }) => ({ id })),
    'The taskId of a refresh is empty': members(() => ({ taskId: '' })),
    'The taskId of a refresh is null': members(() => ({ taskId: null })),
    'From the second refresh of a consent on, the answer has no taskId': laterMembers(() => ({})),
  }),
  ...defectsOf([REF.taskIdIsAString], {
    'A taskId is a number in the answer, and a string in the events': both(members(withNumber), ofDigits),
    'From the second refresh of a consent on, the taskId is a number': both(
      laterMembers(withNumber),
      ofDigits,
    ),
    'The taskId of a refresh is an object with the id': members(({ taskId: value }) => ({
      taskId: { value },
    })),
  }),
  ...defectsOf([REF.taskIdsAreDistinct, REF.laterTaskHasANewId], {
    'Every refresh has the same taskId': each(
      [EVERYWHERE, IN_PRODUCTION],
      taskId(() => 'refresh'),
    ),
    'All refreshes for one customer have the same taskId': taskId(
      ({ grant: { username, clientId } }) => `task-of-${username}-with-${clientId}`,
    ),
  }),
  ...defectsOf([REF.taskIdsAreDistinct], {
    'TaskIds are counted for each application: both have a task-1': taskId(
      (facts, past) => `task-${numberOf(facts, past)}`,
    ),
  }),
  ...defectsOf([REF.laterTaskHasANewId], {
    'All refreshes of one consent have the same taskId': taskId(({ consentId }) => `task-of-${consentId}`),
    'A refresh within an hour of the one before has the same taskId': alter({
      newTaskId: (usual, { consentId, now }, { of }) =>
        of('newTaskId').findLast(
          ({ facts }) => facts.consentId === consentId && now.getTime() - facts.now.getTime() < HOUR,
        )?.answer ?? usual,
    }),
  }),
  ...defectsOf([REF.statusGivesTheResult], {
    'A refresh is started, and answered with 404 and its taskId': alter({ refreshStatus: 404 }),
    'A refresh is started, and answered with 302 and its taskId': alter({ refreshStatus: 302 }),
    'From the second refresh of a consent on, the answer has the taskId and the status 409': alter({
      refreshStatus: (usual, facts, { of }) => (isRepeated(facts, of('refreshStatus')) ? 409 : usual),
    }),
    'A refresh without an access token is refused with the status 200': when(
      REFRESH,
      refuseWith('token_missing', 200),
    ),
    'A refresh of another consent is refused with the status 200': when(
      REFRESH,
      refuseWith('consent_unknown', 200),
    ),
  }),
]
