import { REF } from '../requirements.ts'
import { isAtAnotherBank } from '../../shared/account-defects.ts'
import { breaking, knowingConsents, refusing, where, type FactsOf } from '../../shared/defects.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'

/** Wrong answers to a refresh, and wrong reports of its end. */

const MINUTE = 60_000

type StageFacts = FactsOf<'refreshStages'>
type EventFacts = FactsOf<'accountEventBody'>

/** Counts refreshes by a key, from 1. */
const counting = (): ((key: string) => number) => {
  const counts = new Map<string, number>()
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
}

const fields: readonly Defect[] = [
  ...breaking(REF.refreshAnswersATaskId, {
    'refresh-answers-without-a-task-id': {
      story: 'The answer to a refresh has no taskId.',
      rules: { refreshBody: () => ({}) },
    },
    'refresh-names-its-task-otherwise': {
      story: 'The answer to a refresh calls its taskId id.',
      rules: { refreshBody: ({ taskId }) => ({ id: taskId }) },
    },
    'refresh-answers-an-empty-task-id': {
      story: 'The taskId of a refresh is empty.',
      rules: { refreshBody: () => ({ taskId: '' }) },
    },
    'refresh-answers-null-as-its-task-id': {
      story: 'The taskId of a refresh is null.',
      rules: { refreshBody: () => ({ taskId: null }) },
    },
    'later-refresh-answers-without-a-task-id': {
      story: 'From the second refresh of a consent on, the answer has no taskId.',
      rules: () => {
        const countOf = counting()
        return { refreshBody: ({ consentId, taskId }) => (countOf(consentId) > 1 ? {} : { taskId }) }
      },
    },
  }),
  ...breaking(REF.taskIdIsAString, {
    'task-id-is-a-number': {
      story: 'A taskId is a number in the answer, and a string in the events.',
      rules: () => {
        let tasks = 4_711
        return {
          newTaskId: () => String(tasks++),
          refreshBody: ({ taskId }) => ({ taskId: Number(taskId) }),
        }
      },
    },
    'later-task-id-is-a-number': {
      story: 'The taskId of the second refresh of a consent is a number.',
      rules: () => {
        let tasks = 4_711
        const countOf = counting()
        return {
          newTaskId: () => String(tasks++),
          refreshBody: ({ consentId, taskId }) => ({
            taskId: countOf(consentId) > 1 ? Number(taskId) : taskId,
          }),
        }
      },
    },
    'task-id-is-an-object': {
      story: 'The taskId of a refresh is an object with the id.',
      rules: { refreshBody: ({ taskId }) => ({ taskId: { value: taskId } }) },
    },
  }),
]

const ids: readonly Defect[] = [
  ...breaking(REF.taskIdsAreDistinct, {
    'task-ids-are-all-alike': {
      story: 'Every refresh has the same taskId.',
      alsoBreaks: [REF.laterTaskHasANewId],
      rules: { newTaskId: () => 'refresh' },
      inProduction: 'task-ids-are-all-alike-in-production',
    },
    'task-id-is-that-of-the-customer': {
      story: 'All refreshes for one customer have the same taskId.',
      alsoBreaks: [REF.laterTaskHasANewId],
      rules: { newTaskId: ({ grant }) => `task-of-${grant.username}-with-${grant.clientId}` },
    },
    'task-ids-are-counted-by-application': {
      story: 'TaskIds are counted for each application: both have a task-1.',
      rules: () => {
        const countOf = counting()
        return { newTaskId: ({ grant }) => `task-${countOf(grant.clientId)}` }
      },
    },
    'task-ids-of-each-application-begin-at-41': {
      story:
        'TaskIds are counted for each application, and one application is 40 refreshes ahead of the others.',
      rules: () => {
        const countOf = counting()
        const ahead = new Map<string, number>()
        return {
          newTaskId: ({ grant: { clientId } }) => {
            if (!ahead.has(clientId)) ahead.set(clientId, ahead.size === 0 ? 40 : 0)
            return `task-${countOf(clientId) + (ahead.get(clientId) ?? 0)}`
          },
        }
      },
    },
    'task-ids-begin-anew-after-two': {
      story: 'The third task has the id of the first one.',
      rules: () => {
        let tasks = 0
        return { newTaskId: () => `task-${tasks++ % 2}` }
      },
    },
  }),
]

const repetitions: readonly Defect[] = [
  ...breaking(REF.laterTaskHasANewId, {
    'task-id-is-that-of-the-consent': {
      story: 'All refreshes of one consent have the same taskId.',
      rules: { newTaskId: ({ consentId }) => `task-of-${consentId}` },
    },
    'task-id-is-given-again-a-minute-later': {
      story: 'A refresh within an hour of the one before starts a task with the same taskId.',
      rules: () => {
        const last = new Map<string, { readonly taskId: string; readonly at: number }>()
        return {
          newTaskId: ({ consentId, now }) => {
            const at = now.getTime()
            const known = last.get(consentId)
            if (known !== undefined && at - known.at < 60 * MINUTE) return known.taskId
            const taskId = `${consentId}-${at}`
            last.set(consentId, { taskId, at })
            return taskId
          },
        }
      },
    },
  }),
]

const statuses: readonly Defect[] = [
  ...breaking(REF.statusGivesTheResult, {
    'refresh-answered-with-404': {
      story: 'A refresh is started, and answered with 404 and its taskId.',
      rules: { refreshStatus: () => 404 },
    },
    'refresh-answered-with-302': {
      story: 'A refresh is started, and answered with 302 and its taskId.',
      rules: { refreshStatus: () => 302 },
    },
    'second-refresh-answered-with-409': {
      story: 'From the second refresh of a consent on, the answer has the taskId and the status 409.',
      rules: (lawful) => {
        const countOf = counting()
        return {
          refreshStatus: (facts) => (countOf(facts.consentId) > 1 ? 409 : lawful.refreshStatus(facts)),
        }
      },
    },
    'refresh-without-a-token-refused-with-200': {
      story: 'A refresh without an access token is refused with the status 200.',
      rules: refusing(({ endpoint, error }) => endpoint === 'refresh' && error === 'token_missing', {
        status: 200,
      }),
    },
    'refresh-of-another-consent-refused-with-200': {
      story: 'A refresh of another consent is refused with the status 200.',
      rules: refusing(({ endpoint, error }) => endpoint === 'refresh' && error === 'consent_unknown', {
        status: 200,
      }),
    },
  }),
]

/** Reports another status in the place of FINISHED; undefined reports nothing. */
const endingWith =
  (
    status: EventFacts['status'] | undefined,
    applies: (facts: StageFacts, count: number) => boolean = () => true,
  ): RuleChange =>
  (lawful) => {
    const counts = new Map<string, number>()
    return {
      refreshStages: (facts) => {
        const key = `${facts.consent.consentId} ${facts.share.bankCode}`
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        return lawful
          .refreshStages(facts)
          .map((stage) =>
            stage.status === 'FINISHED' && applies(facts, count) ? { ...stage, status } : stage,
          )
      },
    }
  }

/** Reports a task under the first consent of the application. */
const reportingUnderTheFirstConsent = (applies: (facts: EventFacts) => boolean): RuleChange =>
  knowingConsents((created) =>
    where(applies, (lawful) => ({
      accountEventBody: (facts) => {
        const first = created.find(({ clientId }) => clientId === facts.client.clientId)
        return lawful.accountEventBody({ ...facts, consent: { ...facts.consent, ...first } })
      },
    })),
  )

const reported: readonly Defect[] = [
  ...breaking(REF.taskIsReportedAsFinished, {
    'refresh-is-never-finished': {
      story: 'A bank is reported as RUNNING, and never as FINISHED.',
      rules: endingWith('RUNNING'),
    },
    'end-of-a-refresh-is-not-reported': {
      story: 'The end of a refresh is not reported.',
      rules: endingWith(undefined),
    },
    'refresh-is-done': {
      story: 'The last taskStatus of a refresh is DONE.',
      rules: endingWith('DONE'),
    },
    'refresh-is-finished-in-small-letters': {
      story: 'The last taskStatus of a refresh is finished, in small letters.',
      rules: endingWith('finished'),
    },
    'second-bank-is-never-finished': {
      story: 'Only the first bank of a refresh is reported as FINISHED.',
      rules: endingWith(undefined, ({ place }) => place > 0),
    },
    'second-refresh-is-never-finished': {
      story: 'The end is reported only for the first refresh of a consent.',
      rules: endingWith(undefined, (_, count) => count > 1),
    },
  }),
  ...breaking(REF.refreshReportsNoOtherConsent, {
    'refresh-is-reported-under-the-first-consent': {
      story: 'The events of every refresh name the first consent of the application.',
      alsoBreaks: ['WEB-32'],
      rules: reportingUnderTheFirstConsent(() => true),
    },
    'begin-of-a-refresh-is-reported-under-the-first-consent': {
      story: 'Until a refresh is FINISHED, its events name the first consent of the application.',
      alsoBreaks: ['WEB-32'],
      rules: reportingUnderTheFirstConsent(({ status }) => status !== 'FINISHED'),
    },
  }),
]

export const taskDefects: readonly Defect[] = [...fields, ...ids, ...repetitions, ...statuses, ...reported]

/** Data that a refresh does not update, or too late. */

const FIRST_OTHER_BANK = '9802'

/** What else is broken where no account is updated. */
const NOTHING_IS_UPDATED = [
  REF.refreshUpdatesTheTransactions,
  REF.refreshUpdatesEveryAccountOfTheConsent,
  REF.otherBanksAreUpdatedByARefresh,
]

type SeenFacts = FactsOf<'bookingsSeen'>
type Purpose = SeenFacts['purpose']

/** Knows other bookings at other banks. */
const knowing = (
  applies: (facts: SeenFacts) => boolean,
  known: (bookings: SeenFacts['known']) => SeenFacts['known'],
): RuleChange =>
  where<'bookingsSeen'>(
    (facts) => isAtAnotherBank(facts.account) && applies(facts),
    (lawful) => ({ bookingsSeen: (facts) => known(lawful.bookingsSeen(facts)) }),
  )

const isFor =
  (purpose: Purpose) =>
  (facts: SeenFacts): boolean =>
    facts.purpose === purpose

const isForSecondVariant =
  (...purposes: readonly Purpose[]) =>
  (facts: SeenFacts): boolean =>
    facts.variant === 'second' && purposes.includes(facts.purpose)

/** Updates the accounts so many ms after the last stage. */
const updatingAfterTheEnd =
  (ms: number): RuleChange =>
  (lawful) => ({
    refreshStages: (facts) => {
      const stages = lawful.refreshStages(facts).map((stage) => ({ ...stage, updates: false }))
      const end = Math.max(...stages.map(({ delay }) => delay))
      return [...stages, { delay: end + ms, status: undefined, updates: true }]
    },
  })

const nothing = (): SeenFacts['known'] => []

export const dataDefects: readonly Defect[] = [
  ...breaking(REF.refreshUpdatesTheBalances, {
    'refresh-updates-nothing': {
      story: 'A refresh is FINISHED, and nothing was updated.',
      alsoBreaks: NOTHING_IS_UPDATED,
      rules: { accountsUpdated: () => [] },
    },
    'refresh-updates-once': {
      story: 'Only the first refresh of a consent updates its accounts.',
      alsoBreaks: NOTHING_IS_UPDATED,
      rules: (lawful) => {
        const first = new Map<string, string>()
        return {
          accountsUpdated: (facts) => {
            const { consentId, taskId } = facts.task
            first.set(consentId, first.get(consentId) ?? taskId)
            return first.get(consentId) === taskId ? lawful.accountsUpdated(facts) : []
          },
        }
      },
    },
    'data-come-two-days-after-finished': {
      story: 'The data are there two days after FINISHED.',
      alsoBreaks: NOTHING_IS_UPDATED,
      rules: updatingAfterTheEnd(2 * 24 * 60 * MINUTE),
    },
    'refresh-leaves-the-balances-as-they-were': {
      story: 'A refresh updates the transactions, and not the balances.',
      rules: knowing(isFor('balances'), nothing),
    },
    'later-refresh-leaves-the-balances-as-they-were': {
      story: 'Only the first booking at another bank changes the balances.',
      rules: knowing(isFor('balances'), (bookings) => bookings.slice(-1)),
    },
    'refresh-leaves-the-balances-of-the-second-variant': {
      story: 'In the second variant, a refresh updates the transactions, and not the balances.',
      rules: knowing(isForSecondVariant('balances'), nothing),
    },
  }),
  ...breaking(REF.dataIsCurrentWhenFinished, {
    'finished-is-reported-before-the-data': {
      story: 'The data are there half an hour after FINISHED.',
      rules: updatingAfterTheEnd(30 * MINUTE),
    },
    'finished-is-reported-half-a-minute-before-the-data': {
      story: 'The data are there half a minute after FINISHED.',
      rules: updatingAfterTheEnd(MINUTE / 2),
    },
  }),
  ...breaking(REF.refreshUpdatesTheTransactions, {
    'refresh-leaves-the-transactions-as-they-were': {
      story: 'A refresh updates the balances, and not the transactions.',
      rules: knowing(isFor('transactions'), nothing),
    },
    'refresh-brings-no-debits': {
      story: 'After a refresh, new credits are listed, and new debits are not.',
      rules: knowing(isFor('transactions'), (bookings) => bookings.filter(({ amount }) => amount >= 0)),
    },
    'refresh-leaves-the-transactions-of-the-second-variant': {
      story: 'In the second variant, a refresh updates the balances, and not the transactions.',
      rules: knowing(isForSecondVariant('transactions'), nothing),
    },
  }),
  ...breaking(REF.refreshUpdatesEveryAccountOfTheConsent, {
    'refresh-updates-one-bank-alone': {
      story: 'Only the first bank of a consent is updated.',
      rules: where(({ share }) => share.bankCode !== FIRST_OTHER_BANK, { accountsUpdated: () => [] }),
    },
    'refresh-leaves-the-first-bank-out': {
      story: 'Every bank of a consent except the first is updated.',
      rules: where(({ share }) => share.bankCode === FIRST_OTHER_BANK, { accountsUpdated: () => [] }),
    },
    'refresh-is-not-seen-in-the-second-variant': {
      story: 'A refresh updates the first variant only.',
      rules: knowing(isForSecondVariant('balances', 'transactions'), nothing),
    },
  }),
]
