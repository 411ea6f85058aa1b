import {
  check,
  hasArrived,
  held,
  NotReached,
  note,
  everyCall,
  inWholeRun,
} from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { ObservedDelivery, RecordOf } from '../../harness/check/index.ts'
import {
  accountEventsIn,
  assertNamesNone,
  checkCalls,
  idsOf,
  noteCalls,
  OF_ANOTHER_BANK,
  OF_THE_OWN_BANK,
  ofConsent,
  requireSome,
  transactionEventsIn,
} from './assertions.ts'
import { grantsIn } from '../shared/grants.ts'
import {
  book,
  requireFirst,
  isComplete,
  refreshAndListen,
  SECURITY_HEADER,
  securityHeaderOf,
  subscribe,
} from './steps.ts'
import { notifying } from '../shared/scenario-options.ts'
import { WEB } from './requirements.ts'

const refreshed = scenario(
  'two refreshes of accounts at other banks',
  notifying(1, 'other-bank-account', 'webhook'),
  async (session) => {
    const { app, webhook, profile, customer } = session
    await webhook.activate({ securityHeader: SECURITY_HEADER })
    // Another consent of the same application, which is not refreshed.
    await app.consent()
    const subscription = await subscribe(session)
    requireFirst(subscription.elsewhere, 'another bank')
    const refreshes = []
    while (refreshes.length < 2) {
      // A bank may report only accounts that have something new.
      if (profile.testHooks.bookTransaction !== undefined)
        for (const account of subscription.elsewhere) await book(session, account)
      const run = await refreshAndListen(session, subscription)
      const taskId = app.taskIdIn(run.refresh)
      refreshes.push({ ...run, ...(taskId !== undefined && { taskId }) })
    }
    const accounts = app.accounts('first')
    // A refresh may add accounts.
    const listed = accounts.accountsIn(await accounts.list(subscription.accessToken))
    const after = listed.map(({ accountId }) => accountId)
    return {
      subscription,
      refreshes,
      after,
      // An account may have another id in each list.
      isComplete: isComplete(customer, subscription) && after.length >= subscription.ids.length,
      url: webhook.url,
      securityHeader: securityHeaderOf(session, SECURITY_HEADER),
      isReached: webhook.isReached(),
      calls: webhook.deliveries(),
    }
  },
)

type Record = RecordOf<typeof refreshed>

/** The accountEvents of the refreshes: by their consent or by their taskId, since either may be wrong. */
const accountEventsOf = ({
  calls,
  subscription: { consentId },
  refreshes,
}: Record): readonly ObservedDelivery[] =>
  requireSome(
    accountEventsIn(calls).filter(
      ({ event }) => event?.consentId === consentId || isTaskId(event?.taskId, refreshes),
    ),
    'accountEvent of a refresh',
  )

const isTaskId = (taskId: string | undefined, refreshes: Record['refreshes']): boolean =>
  taskId !== undefined && refreshes.some((run) => run.taskId === taskId)

checkCalls(refreshed)

const accountEvents = everyCall(refreshed).where(
  (call) => accountEventsIn([call]).length > 0,
  'no accountEvent has arrived',
)

const items = accountEvents.each(({ accounts }) => accounts, 'no accountEvent has an account')

for (const [row, field, kind] of [
  [WEB.accountEventHasATaskStatus, 'taskStatus', 'string'],
  [WEB.accountEventHasABankCode, 'bankCode', 'string'],
  [WEB.accountEventHasAnArrayOfAccounts, 'accounts', 'array'],
] as const)
  check(row, accountEvents, (call) => call.kind(field).equals(kind))

check(WEB.accountEventItemsHaveAnAccountId, items, (item) => item.kind('accountId').equals('string'))
check(WEB.accountEventItemsHaveAnEventType, items, (item) => item.kind('eventType').equals('string'))

/** The accepted refreshes: how often a target accepts one is not shown. @throws NotReached where none was. */
const acceptedOf = ({ refreshes }: Record): Record['refreshes'] => {
  const accepted = refreshes.filter(({ refresh }) => refresh.accepted)
  if (accepted.length > 0) return accepted
  throw new NotReached('no refresh was accepted')
}

check(WEB.refreshIsNotified, refreshed, (record) => {
  for (const { refresh, within, calls } of acceptedOf(record)) {
    const [delivery] = accountEventsIn(calls)
    hasArrived({ delivery, after: refresh, within, isReached: record.isReached }, 'an accountEvent')
  }
})

check(WEB.accountEventIsOfOtherBanks, refreshed, (record) => {
  const own = record.subscription.own.map(({ accountId }) => accountId)
  for (const call of accountEventsOf(record)) assertNamesNone(call, own, OF_THE_OWN_BANK)
})

check(
  WEB.transactionEventIsOfTheOwnBank,
  refreshed,
  (record) => {
    const ids = record.subscription.elsewhere.map(({ accountId }) => accountId)
    // If no accountEvent has arrived either, calls may be lost on the way.
    accountEventsOf(record)
    for (const call of transactionEventsIn(record.calls)) assertNamesNone(call, ids, OF_ANOTHER_BANK)
    held()
  },
  // Without bookings there is nothing that a bank could notify by mistake.
  { needs: ['booking'] },
)

check(WEB.accountEventIsSentForEachBank, refreshed, (record) => {
  const { subscription, isReached } = record
  const codes = subscription.elsewhere.map(({ bankCode }) => bankCode).filter((code) => code !== '')
  if (codes.length === 0) throw new NotReached('the profile knows the code of no other bank')
  for (const { refresh, within, calls } of acceptedOf(record)) {
    for (const code of codes) {
      const delivery = accountEventsIn(calls).find((call) => String(call.field('bankCode').value) === code)
      hasArrived({ delivery, after: refresh, within, isReached }, `an accountEvent of the bank ${code}`)
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
    if (bank !== undefined && bank !== '' && typeof code.value === 'string') code.equals(bank)
  }
})

check(WEB.accountEventNamesAccountsOfItsConsent, refreshed, (record) => {
  if (!record.isComplete) throw new NotReached('the list does not show all accounts that the profile knows')
  const ids = [...record.subscription.ids, ...record.after]
  for (const call of accountEventsOf(record))
    call.field('accounts').satisfies(
      idsOf(call).every((id) => ids.includes(id)),
      'no account that is not among those of the consent',
    )
})

/** The accountEvents of the run, each with the consent of its refresh. */
const ofRefreshes = inWholeRun(refreshed, ['token', 'refresh', 'webhook']).each((run) => {
  const grantOf = grantsIn(run)
  const consents = new Map<unknown, string | undefined>()
  for (const refresh of run.exchanges.filter(
    ({ operation, accepted }) => operation === 'refresh' && accepted,
  )) {
    const { value: taskId } = refresh.body.anywhere('taskId')
    const consentId = grantOf(refresh)?.consentId
    // Where one task is answered for two consents, another check judges that.
    consents.set(taskId, consents.has(taskId) && consents.get(taskId) !== consentId ? undefined : consentId)
  }
  return accountEventsIn(run.calls).flatMap((call) => {
    const consentId = consents.get(call.event?.taskId)
    return consentId === undefined ? [] : [{ call, consentId }]
  })
}, 'no accountEvent carries the taskId of a refresh')

check(WEB.accountEventNamesItsConsent, ofRefreshes, ({ call, consentId }) =>
  call.field('consentId').equals(consentId),
)

/** The names of each bank in the events of the run: it may have one for each language. */
const namesByCode = (events: readonly ObservedDelivery[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const names = new Map<string, Set<string>>()
  for (const { bankCode, bankName } of events.flatMap(({ event }) => event ?? []))
    if (bankCode !== undefined && bankName !== undefined)
      names.set(bankCode, (names.get(bankCode) ?? new Set()).add(bankName))
  return names
}

/** Each accountEvent of the run, and whether its bank has another name too, while another bank has this one. */
const named = inWholeRun(refreshed, ['webhook']).each(({ calls }) => {
  const events = accountEventsIn(calls)
  const names = [...namesByCode(events)]
  return events.map((call) => {
    const { bankCode, bankName = '' } = call.event ?? {}
    const isOfAnother = names.some(([code, own]) => code !== bankCode && own.has(bankName))
    const hasAnother = names.some(([code, own]) => code === bankCode && own.size > 1)
    return { call, isMixed: isOfAnother && hasAnother }
  })
}, 'no accountEvent has arrived')

check(WEB.accountEventHasABankName, named, ({ call, isMixed }) => {
  call.kind('bankName').equals('string')
  call.field('bankName').satisfies(!isMixed, 'the name of this bank, and not that of another bankCode')
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
    // Events of the earlier refresh may be late, but there must be one of this refresh as well.
    if (first !== undefined && !others.some(({ event }) => event?.taskId === taskId))
      first.field('taskId').equals(taskId)
  }
})

/** What an event says of its accounts: `<accountId> <eventType>` of each. */
const reportedIn = ({ event }: ObservedDelivery): readonly string[] =>
  event?.accounts.map(({ accountId = '', eventType = '' }) => `${accountId} ${eventType}`) ?? []

check(WEB.finishedIsReportedInOneCall, refreshed, (record) => {
  const ends = new Map<string, ObservedDelivery[]>()
  for (const call of accountEventsOf(record)) {
    const { taskStatus, taskId, bankCode } = call.event ?? {}
    const key = `${taskId ?? ''} ${bankCode ?? ''}`
    if (taskStatus === 'FINISHED' && taskId !== undefined && bankCode !== undefined)
      ends.set(key, [...(ends.get(key) ?? []), call])
  }
  for (const calls of requireSome([...ends.values()], 'accountEvent with FINISHED')) {
    const all = new Set(calls.flatMap(reportedIn))
    const isWhole = (call: ObservedDelivery): boolean => new Set(reportedIn(call)).size === all.size
    calls
      .at(-1)
      ?.field('accounts')
      .satisfies(calls.some(isWhole), 'all that the events of this bank with FINISHED say')
  }
})

noteCalls(refreshed, accountEventsOf, 'accountEvent')

note(WEB.otherEventTypes, refreshed, (record) => {
  const all = accountEventsOf(record).flatMap(({ accounts }) => accounts)
  const types = new Set(all.map((item) => String(item.field('eventType').value)))
  return [...types].filter((type) => type !== 'ADDED').join(', ') || 'only ADDED'
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
