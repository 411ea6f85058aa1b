import { check, note, NotReached, scenario } from '../../harness/check/index.ts'
import type { Observed, ObservedDelivery } from '../../harness/check/index.ts'
import { REF } from './requirements.ts'
import { isFinished, otherBanksOf, PAUSE, refreshed, takenOf } from './refreshing.ts'

const course = scenario(
  'two refreshes of a consent, one after the other',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 2,
    needs: ['customer', 'webhook', 'other-bank-account'],
  },
  async (session) => {
    const { app, webhook, profile } = session
    await webhook.activate()
    // A consent beside it, which the refreshes do not concern.
    await app.tokens()
    const tokens = await app.tokens()
    const banks = await otherBanksOf(session, tokens)
    const first = await refreshed(session, tokens, banks)
    await webhook.listen(PAUSE)
    const second = await refreshed(session, tokens, banks)
    return {
      consentId: tokens.consentId ?? '',
      courses: [first, second],
      taskIds: [first, second].map(({ refresh }) => app.taskIdIn(refresh)),
      // What is late comes as well.
      deliveries: await webhook.listen(profile.webhooks.deliveryMs),
    }
  },
)

type Record = Observed<Awaited<ReturnType<typeof course.act>>>

const coursesOf = ({ courses }: Record): Record['courses'] => takenOf(courses, (one) => one)

/** The accountEvents that carry the taskId of one of the refreshes. */
const eventsOf = ({ deliveries, taskIds }: Record): readonly ObservedDelivery[] =>
  deliveries.filter(({ event }) => event?.taskId !== undefined && taskIds.includes(event.taskId))

check(REF.taskIsReportedAsFinished, course, (record) => coursesOf(record).forEach(isFinished))

check(REF.refreshReportsNoOtherConsent, course, (record) => {
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

check(REF.refreshAnswersATaskId, course, (record) => {
  for (const { refresh } of coursesOf(record)) refresh.isAccepted('its token was granted for a consent')
})

check(REF.taskIdIsAString, course, (record) => {
  for (const { refresh } of coursesOf(record)) {
    if (!refresh.accepted) throw new NotReached('the answer carries no taskId')
    refresh.body.anywhere('taskId').isText()
  }
})

const isDefined = <T>(value: T | undefined): value is T => value !== undefined

note(REF.otherTaskStatusValues, course, (record) => {
  const statuses = new Set(
    eventsOf(record)
      .map(({ event }) => event?.taskStatus)
      .filter(isDefined),
  )
  return [...statuses].filter((status) => status !== 'FINISHED').join(', ') || 'FINISHED alone'
})

/** `RUNNING → FINISHED`, for each bank, in the order in which the events came. */
note(REF.transitionsOfTheTaskStatus, course, (record) => {
  const ways = new Map<string, string[]>()
  for (const { event } of eventsOf(record)) {
    const key = `${event?.taskId ?? ''} ${event?.bankCode ?? ''}`
    ways.set(key, [...(ways.get(key) ?? []), event?.taskStatus ?? 'nothing'])
  }
  return [...new Set([...ways.values()].map((way) => way.join(' → ')))].join('; ') || undefined
})
