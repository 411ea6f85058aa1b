import {
  attemptOf,
  check,
  hasArrived,
  everyAnswer,
  inWholeRun,
  isAccepted,
  note,
  NotReached,
} from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { Exchange, ObservedDelivery, ObservedExchange, RecordOf } from '../../harness/check/index.ts'
import type { Application, TokenSet } from '../../harness/session/index.ts'
import {
  assertFinished,
  assertStatusGivesTheResult,
  otherBanksOf,
  isFinished,
  PAUSE_MS,
  refreshAgain,
  refreshAndWait,
  waitForTheEndOf,
  withoutRefusedRepetitions,
} from './steps.ts'
import { grantsIn } from '../shared/grants.ts'
import { notifying } from '../shared/scenario-options.ts'
import { REF } from './requirements.ts'

const refreshOf = async (app: Application): Promise<Counting> => {
  const tokens = await app.tokens()
  return { app, tokens, refresh: await app.refreshAccounts(tokens) }
}

const consents = scenario('refreshes of several consents', notifying(3), async ({ app, profile }) => {
  const held = [await refreshOf(app), await refreshOf(app), await refreshOf(app)]
  // A bank may join them to the tasks that are under way, or refuse them.
  for (const { tokens } of held) await app.refreshAccounts(tokens)
  return { binding: profile.operations.refresh, refreshes: held.map(({ refresh }) => refresh) }
})

/** Task ids that are counted: what is in front of the number, and the number. */
const countIn = (taskId = ''): readonly [prefix: string, count: number] => {
  const [, prefix = '', digits = ''] = /^(.*?)(\d{1,9})$/.exec(taskId) ?? []
  return [prefix, Number(digits)]
}

/** More refreshes than these are not sent to make two counts meet. */
const MOST_COUNTED = 60

/**
 * Where two applications have counted task ids, the counts meet only after some refreshes: the application whose count is
 * lower goes on with refreshes of its consent until then. Other ids cannot be foreseen, and nothing is sent.
 */
const refreshUntilCountsMeet = async ([one, other]: readonly [Counting, Counting]): Promise<void> => {
  const [oneId, otherId] = [one, other].map(({ app, refresh }) => countIn(app.taskIdIn(refresh)))
  if (oneId === undefined || otherId === undefined || oneId[0] !== otherId[0]) return
  const missing = Math.abs(oneId[1] - otherId[1])
  const { app, tokens } = oneId[1] < otherId[1] ? one : other
  for (let count = 0; missing <= MOST_COUNTED && count < missing; count += 1)
    if (!isAccepted(await app.refreshAccounts(tokens))) return
}

interface Counting {
  readonly app: Application
  readonly tokens: TokenSet
  readonly refresh: Exchange
}

const applications = scenario(
  'refreshes of two applications',
  notifying(2, 'second-application'),
  async ({ app, other }) => {
    const both = [await refreshOf(app), await refreshOf(other)] as const
    for (const { app: one, tokens } of both) await one.refreshAccounts(tokens)
    await refreshUntilCountsMeet(both)
    return { refreshes: both.map(({ refresh }) => refresh) }
  },
)

const assertTaskId = (refresh: ObservedExchange): void =>
  refresh.isAccepted('its token was granted for a consent a moment before')

/** Each accepted refresh of a consent in the run, with those of other consents before it in its scenario. */
const besideOthers = inWholeRun(consents, ['token', 'refresh'])
  .each((run) => {
    const grantOf = grantsIn(run)
    const accepted = run.exchanges.flatMap((refresh) => {
      const consentId = grantOf(refresh)?.consentId
      const isMeant = refresh.operation === 'refresh' && consentId !== undefined && refresh.accepted
      return isMeant ? [{ refresh, consentId }] : []
    })
    return accepted.map(({ refresh, consentId }, at) => ({
      refresh,
      others: accepted
        .slice(0, at)
        .filter((one) => one.consentId !== consentId && attemptOf(one.refresh) === attemptOf(refresh)),
    }))
  }, 'no answer carries a taskId')
  .where(({ others }) => others.length > 0, 'no scenario has refreshes of different consents')

check(REF.taskIdsAreDistinct, besideOthers, ({ refresh, others }) => {
  const taskId = refresh.body.anywhere('taskId')
  for (const { body } of others.map((one) => one.refresh))
    taskId.differsFrom(body.anywhere('taskId').value, 'the taskId of another consent')
})

check(REF.refreshAnswersATaskId, consents, ({ refreshes }) => refreshes.forEach(assertTaskId))

check(
  REF.taskIdIsAString,
  everyAnswer(consents, ['refresh']).where(({ accepted }) => accepted, 'no answer carries a taskId'),
  ({ body }) => body.anywhere('taskId').isText(),
)

check(REF.refreshAnswersATaskId, applications, ({ refreshes }) => refreshes.forEach(assertTaskId))

check(REF.statusGivesTheResult, consents, ({ refreshes }) => assertStatusGivesTheResult({ valid: refreshes }))

note(REF.shapeOfTheRefreshRequest, consents, ({ binding: { headers, body }, refreshes: [refresh] }) => {
  if (!refresh?.accepted) return undefined
  const members = Object.keys(body ?? {}).join(', ')
  const names = Object.keys(headers).join(', ')
  return `accepted ${members === '' ? 'without a body' : `with a JSON body of ${members}`}${names && ` and with ${names}`}`
})

const repeated = scenario(
  'two refreshes of a consent, one after the other',
  notifying(2, 'webhook', 'other-bank-account'),
  async (session) => {
    const { app, webhook, profile } = session
    await webhook.activate()
    // Another consent, which the refreshes do not concern.
    await app.tokens()
    const tokens = await app.tokens()
    const banks = await otherBanksOf(session, tokens)
    const first = await refreshAndWait(session, tokens, banks)
    await webhook.listen(PAUSE_MS)
    const second = await refreshAgain(session, tokens, banks)
    return {
      consentId: tokens.consentId ?? '',
      runs: [first, second],
      taskIds: [first, second].map(({ refresh }) => app.taskIdIn(refresh)),
      // Late calls are awaited as well.
      deliveries: await webhook.listen(profile.webhooks.deliveryMs),
    }
  },
)

type Record = RecordOf<typeof repeated>

const acceptedRuns = ({ runs }: Record): Record['runs'] => withoutRefusedRepetitions(runs, (run) => run)

/** The accountEvents that carry the taskId of one of the refreshes. */
const eventsOf = ({ deliveries, taskIds }: Record): readonly ObservedDelivery[] =>
  deliveries.filter(({ event }) => event?.taskId !== undefined && taskIds.includes(event.taskId))

check(REF.taskIsReportedAsFinished, repeated, (record) => acceptedRuns(record).forEach(assertFinished))

const overlapping = scenario(
  'two refreshes of a consent, the second while the first is under way',
  notifying(1, 'webhook', 'other-bank-account'),
  async (session) => {
    const { app, webhook } = session
    await webhook.activate()
    const tokens = await app.tokens()
    const banks = await otherBanksOf(session, tokens)
    const refreshes = [await app.refreshAccounts(tokens), await app.refreshAccounts(tokens)]
    // A bank may answer both with one taskId.
    const taskIds = [...new Set(refreshes.map((refresh) => app.taskIdIn(refresh)))]
    const runs = []
    for (const refresh of refreshes.slice(0, taskIds.length))
      runs.push(await waitForTheEndOf(session, refresh, banks))
    return { runs, taskIds, deliveries: webhook.deliveries() }
  },
)

// A bank may refuse the second one, or end one of them with a taskStatus that is not shown, since the other replaces it.
check(REF.taskIsReportedAsFinished, overlapping, ({ runs, taskIds, deliveries }) => {
  runs.filter((run) => isFinished(run) || !runs.some(isFinished)).forEach(assertFinished)
  runs.forEach(({ refresh, within, isReached }, at) => {
    if (!refresh.accepted) return
    const delivery = deliveries.find(({ event }) => event?.taskId === taskIds[at])
    hasArrived({ delivery, after: refresh, within, isReached }, 'an accountEvent with its taskId')
  })
})

check(REF.refreshReportsNoOtherConsent, repeated, (record) => {
  const events = eventsOf(record)
  if (events.length === 0) throw new NotReached('no accountEvent carries the taskId of a refresh')
  for (const delivery of events)
    delivery
      .field('consentId')
      .satisfies(
        delivery.event?.consentId === undefined || delivery.event.consentId === record.consentId,
        'the consent that was refreshed',
      )
})

check(REF.refreshAnswersATaskId, repeated, (record) => {
  for (const { refresh } of acceptedRuns(record)) refresh.isAccepted('its token was granted for a consent')
})

check(REF.laterTaskHasANewId, repeated, ({ runs: [first, second] }) => {
  if (first === undefined || !isFinished(first))
    throw new NotReached('the end of the first refresh was not reported')
  if (second === undefined || !isFinished(second))
    throw new NotReached('the end of a second refresh was not reported')
  second.refresh.body
    .anywhere('taskId')
    .differsFrom(first.refresh.body.anywhere('taskId').value, 'the taskId of the refresh that had ended')
})

check(REF.statusGivesTheResult, repeated, ({ runs }) =>
  assertStatusGivesTheResult({ valid: runs.map(({ refresh }) => refresh) }),
)

const isDefined = <T>(value: T | undefined): value is T => value !== undefined

note(REF.otherTaskStatusValues, repeated, (record) => {
  const statuses = new Set(
    eventsOf(record)
      .map(({ event }) => event?.taskStatus)
      .filter(isDefined),
  )
  return [...statuses].filter((status) => status !== 'FINISHED').join(', ') || 'only FINISHED'
})

/** For each bank, in the order of its events: `RUNNING → FINISHED`. */
note(REF.transitionsOfTheTaskStatus, repeated, (record) => {
  const transitions = new Map<string, string[]>()
  for (const { event } of eventsOf(record)) {
    const key = `${event?.taskId ?? ''} ${event?.bankCode ?? ''}`
    transitions.set(key, [...(transitions.get(key) ?? []), event?.taskStatus ?? 'nothing'])
  }
  return (
    [...new Set([...transitions.values()].map((statuses) => statuses.join(' → ')))].join('; ') || undefined
  )
})
