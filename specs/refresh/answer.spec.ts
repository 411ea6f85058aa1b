import { check, note, NotReached, scenario } from '../../harness/check/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import { REF } from './requirements.ts'
import { refreshFresh } from './refreshing.ts'

const consents = scenario(
  'refreshes of several consents',
  { effect: 'notify', as: 'TPP', authorizations: 3, needs: ['customer'] },
  async ({ app, profile }) => ({
    binding: profile.operations.refresh,
    refreshes: [await refreshFresh(app), await refreshFresh(app), await refreshFresh(app)],
  }),
)

const applications = scenario(
  'refreshes of two applications',
  { effect: 'notify', as: 'TPP', authorizations: 2, needs: ['customer', 'second-application'] },
  async ({ app, other }) => ({ refreshes: [await refreshFresh(app), await refreshFresh(other)] }),
)

const carriesATaskId = (refresh: ObservedExchange): void =>
  refresh.isAccepted('its token was granted for a consent a moment before')

const isAString = (refresh: ObservedExchange): void => {
  if (!refresh.accepted) throw new NotReached('the answer carries no taskId')
  const taskId = refresh.body.anywhere('taskId')
  taskId.satisfies(typeof taskId.value === 'string', 'a string')
}

const areDistinct = (refreshes: readonly ObservedExchange[]): void => {
  if (!refreshes.every(({ accepted }) => accepted)) throw new NotReached('an answer carries no taskId')
  const taskIds = refreshes.map(({ body }) => body.anywhere('taskId'))
  for (const [at, taskId] of taskIds.entries())
    for (const earlier of taskIds.slice(0, at))
      taskId.differsFrom(earlier.value, 'the taskId of another consent')
}

check(REF.refreshAnswersATaskId, consents, ({ refreshes }) => refreshes.forEach(carriesATaskId))

check(REF.taskIdIsAString, consents, ({ refreshes }) => refreshes.forEach(isAString))

check(REF.taskIdsAreDistinct, consents, ({ refreshes }) => areDistinct(refreshes))

check(REF.refreshAnswersATaskId, applications, ({ refreshes }) => refreshes.forEach(carriesATaskId))

check(REF.taskIdsAreDistinct, applications, ({ refreshes }) => areDistinct(refreshes))

note(REF.shapeOfTheRefreshRequest, consents, ({ binding: { headers, body }, refreshes: [refresh] }) => {
  if (!refresh?.accepted) return undefined
  const members = Object.keys(body ?? {}).join(', ')
  const names = Object.keys(headers).join(', ')
  return `accepted ${members === '' ? 'without a body' : `with a JSON body of ${members}`}${names && ` and with ${names}`}`
})
