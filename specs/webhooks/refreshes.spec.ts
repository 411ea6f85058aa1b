import { check, hasCome, NotReached, note, scenario } from '../../harness/check/index.ts'
import type { Observed, ObservedDelivery } from '../../harness/check/index.ts'
import {
  accountEventsIn,
  eventsIn,
  goesTo,
  hasSecurityHeader,
  hasSecurityHeaderOf,
  idsOf,
  isOneOfTheTwo,
  ofConsent,
  someOf,
} from './calls.ts'
import {
  book,
  firstOf,
  isComplete,
  refreshAndListen,
  SECURITY_HEADER,
  securityHeaderOf,
  subscribe,
} from './listening.ts'
import { describeCalls } from './undisclosed.ts'
import { WEB } from './requirements.ts'

const refreshed = scenario(
  'two refreshes of accounts at other banks',
  {
    effect: 'notify',
    as: 'TPP',
    authorizations: 1,
    needs: ['customer', 'other-bank-account', 'webhook'],
  },
  async (session) => {
    const { app, webhook, profile, customer } = session
    await webhook.activate({ securityHeader: SECURITY_HEADER })
    // A consent of the same application, which is not the one that is refreshed.
    await app.consent()
    const subscription = await subscribe(session)
    firstOf(subscription.elsewhere, 'another bank')
    const refreshes = []
    while (refreshes.length < 2) {
      // A bank may tell of those accounts alone that have something new.
      if (profile.levers.bookTransaction !== undefined)
        for (const account of subscription.elsewhere) await book(session, account)
      const course = await refreshAndListen(session, subscription)
      const taskId = app.taskIdIn(course.refresh)
      refreshes.push({ ...course, ...(taskId !== undefined && { taskId }) })
    }
    const accounts = app.accounts('first')
    // A refresh may bring accounts that were not there.
    const listed = accounts.accountsIn(await accounts.list(subscription.accessToken))
    const after = listed.map(({ accountId }) => accountId)
    return {
      ...{ subscription, refreshes, after },
      isComplete: isComplete(customer, subscription) && subscription.ids.every((id) => after.includes(id)),
      url: webhook.url,
      securityHeader: securityHeaderOf(session, SECURITY_HEADER),
      isReached: webhook.isReached(),
      calls: webhook.deliveries(),
    }
  },
)

type Record = Observed<Awaited<ReturnType<typeof refreshed.act>>>

/** The accountEvents of the refreshes: by their consent or by their taskId, either of which may be wrong. */
const accountEventsOf = ({
  calls,
  subscription: { consentId },
  refreshes,
}: Record): readonly ObservedDelivery[] =>
  someOf(
    accountEventsIn(calls).filter(
      ({ event }) => event?.consentId === consentId || isTaskId(event?.taskId, refreshes),
    ),
    'accountEvent of a refresh',
  )

const isTaskId = (taskId: string | undefined, refreshes: Record['refreshes']): boolean =>
  taskId !== undefined && refreshes.some((course) => course.taskId === taskId)

const itemsOf = (record: Record) =>
  someOf(
    accountEventsOf(record).flatMap(({ accounts }) => accounts),
    'account of an accountEvent',
  )

/** Those that were accepted: how often a target takes one is not shown. @throws NotReached where none was. */
const acceptedOf = ({ refreshes }: Record): Record['refreshes'] => {
  const accepted = refreshes.filter(({ refresh }) => refresh.accepted)
  if (accepted.length > 0) return accepted
  throw new NotReached('no refresh was accepted')
}

check(WEB.refreshIsNotified, refreshed, (record) => {
  for (const { refresh, within, calls } of acceptedOf(record)) {
    const [delivery] = accountEventsIn(calls)
    hasCome({ delivery, after: refresh, within, isReached: record.isReached }, 'an accountEvent')
  }
})

check(WEB.accountEventIsOfOtherBanks, refreshed, (record) => {
  const own = record.subscription.own.map(({ accountId }) => accountId)
  for (const call of accountEventsOf(record))
    call
      .field('accounts')
      .satisfies(!idsOf(call).some((id) => own.includes(id)), "no account at the service's own bank")
})

check(WEB.accountEventIsSentForEachBank, refreshed, (record) => {
  const { subscription, isReached } = record
  const codes = subscription.elsewhere.map(({ bankCode }) => bankCode).filter((code) => code !== '')
  if (codes.length === 0) throw new NotReached('the profile knows the code of no other bank')
  for (const { refresh, within, calls } of acceptedOf(record)) {
    for (const code of codes) {
      const delivery = accountEventsIn(calls).find((call) => String(call.field('bankCode').value) === code)
      hasCome({ delivery, after: refresh, within, isReached }, `an accountEvent of the bank ${code}`)
    }
  }
})

check(WEB.accountEventNamesAccountsOfItsBank, refreshed, (record) => {
  const bankOf = new Map(
    record.subscription.elsewhere.map(({ accountId, bankCode }) => [accountId, bankCode]),
  )
  for (const call of accountEventsOf(record)) {
    const banks = new Set(idsOf(call).flatMap((id) => bankOf.get(id) ?? []))
    call.field('accounts').satisfies(banks.size <= 1, 'the accounts of one bank')
    const [bank] = banks
    const code = call.field('bankCode')
    // That it is a string is judged beside it.
    if (bank !== undefined && bank !== '' && typeof code.value === 'string') code.equals(bank)
  }
})

check(WEB.accountEventNamesAccountsOfItsConsent, refreshed, (record) => {
  if (!record.isComplete) throw new NotReached('the list does not tell all accounts that the profile knows')
  const ids = [...record.subscription.ids, ...record.after]
  for (const call of accountEventsOf(record))
    call.field('accounts').satisfies(
      idsOf(call).every((id) => ids.includes(id)),
      'no account that is not among those of the consent',
    )
})

check(WEB.accountEventNamesItsConsent, refreshed, (record) => {
  const { refreshes, subscription } = record
  const ofTheTasks = accountEventsOf(record).filter(({ event }) => isTaskId(event?.taskId, refreshes))
  for (const call of someOf(ofTheTasks, 'accountEvent with the taskId of a refresh'))
    call.field('consentId').equals(subscription.consentId)
})

check(WEB.accountEventRepeatsTheTaskId, refreshed, (record) => {
  const { subscription } = record
  const accepted = acceptedOf(record)
  const known = accepted.flatMap(({ taskId }) => taskId ?? [])
  if (known.length < accepted.length)
    throw new NotReached('a refresh was answered with a taskId that is no text')
  for (const { calls, taskId = '' } of accepted) {
    const events = ofConsent(accountEventsIn(calls), subscription.consentId)
    for (const call of events) call.field('taskId').isOneOf(known)
    const [first, ...others] = events
    // The events of the refresh before may be late; those of this one must be among them.
    if (first !== undefined && !others.some(({ event }) => event?.taskId === taskId))
      first.field('taskId').equals(taskId)
  }
})

check(WEB.accountEventHasATaskStatus, refreshed, (record) => {
  for (const call of accountEventsOf(record)) call.kind('taskStatus').equals('string')
})

check(WEB.accountEventHasABankCode, refreshed, (record) => {
  for (const call of accountEventsOf(record)) call.kind('bankCode').equals('string')
})

check(WEB.accountEventHasABankName, refreshed, (record) => {
  for (const call of accountEventsOf(record)) call.kind('bankName').equals('string')
})

check(WEB.accountEventHasAnArrayOfAccounts, refreshed, (record) => {
  for (const call of accountEventsOf(record)) call.kind('accounts').equals('array')
})

check(WEB.accountEventItemsHaveAnAccountId, refreshed, (record) => {
  for (const item of itemsOf(record)) item.kind('accountId').equals('string')
})

check(WEB.accountEventItemsHaveAnEventType, refreshed, (record) => {
  for (const item of itemsOf(record)) item.kind('eventType').equals('string')
})

check(WEB.everyCallIsOneOfTheTwoEvents, refreshed, ({ calls }) => {
  for (const call of someOf(eventsIn(calls), 'webhook call')) isOneOfTheTwo(call)
})

check(WEB.callsGoToTheConfiguredUrl, refreshed, ({ calls, url }) => {
  for (const call of someOf(eventsIn(calls), 'webhook call')) goesTo(call, url)
})

check(WEB.securityHeaderIsSentInEachCall, refreshed, ({ calls, securityHeader }) => {
  if (securityHeader === '') throw new NotReached('no security header is set')
  for (const call of someOf(eventsIn(calls), 'webhook call')) hasSecurityHeader(call)
})

check(WEB.securityHeaderIsSentAsAuthorization, refreshed, ({ calls, securityHeader }) => {
  if (securityHeader === '') throw new NotReached('no security header is set')
  for (const call of someOf(eventsIn(calls), 'webhook call')) hasSecurityHeaderOf(call, securityHeader)
})

describeCalls(refreshed, accountEventsOf, 'accountEvent')

note(WEB.otherEventTypes, refreshed, (record) => {
  const types = new Set(itemsOf(record).map((item) => String(item.field('eventType').value)))
  return [...types].filter((type) => type !== 'ADDED').join(', ') || 'ADDED alone'
})

note(WEB.deliveryTiming, refreshed, ({ refreshes }) => {
  const times = refreshes.flatMap(({ refresh, calls }) =>
    accountEventsIn(calls).map(({ receivedAt, event }) => {
      const seconds = Math.max(0, receivedAt.getTime() - refresh.sentAt.getTime()) / 1000
      return `${event?.taskStatus ?? 'nothing'} ${seconds.toFixed(0)} s`
    }),
  )
  return times.length === 0 ? undefined : `accountEvent: ${[...new Set(times)].join(', ')} after the refresh`
})
