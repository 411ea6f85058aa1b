import {
  breaking,
  changedRules,
  membersOf,
  without,
  type FactsOf,
  type Members,
} from '../../shared/defects.ts'
import { WEB } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'

/** Refreshes that are not notified, or with a wrong event. */

type EventFacts = FactsOf<'accountEventBody'>
type Share = EventFacts['share']
type ShareFacts = FactsOf<'bankShares'>
type StageFacts = FactsOf<'refreshStages'>

/** Sends another body. */
const rewording =
  (reword: (body: Members, facts: EventFacts) => unknown): RuleChange =>
  (lawful) => ({
    accountEventBody: (facts) => reword(membersOf(lawful.accountEventBody(facts)), facts),
  })

/** Sends other items of its accounts. */
const rewordingItems = (reword: (item: Members, facts: EventFacts) => unknown): RuleChange =>
  rewording((body, facts) => ({
    ...body,
    accounts: facts.items.map((item) => reword(membersOf(item), facts)),
  }))

/** Divides the refreshed accounts differently among the banks. */
const sharing =
  (share: (shares: readonly Share[], facts: ShareFacts) => readonly Share[]): RuleChange =>
  (lawful) => ({ bankShares: (facts) => share(lawful.bankShares(facts), facts) })

type Account = Share['accounts'][number]

/** The accounts under a consent that are at no other bank. */
const ownAccountsIn = ({ accounts }: ShareFacts, shares: readonly Share[]): readonly Account[] =>
  accounts.filter((account) => !shares.some((share) => share.accounts.includes(account)))

/** Does not report the stages of a bank; its data are updated all the same. */
const silent =
  (applies: (facts: StageFacts) => boolean): RuleChange =>
  (lawful) => ({
    refreshStages: (facts) => {
      const stages = lawful.refreshStages(facts)
      return applies(facts) ? stages.map((stage) => ({ ...stage, status: undefined })) : stages
    },
  })

/** Does not report some refreshes of a bank under a consent, which are counted from 1. */
const silentByCount = (applies: (count: number) => boolean): RuleChange => {
  return (lawful) => {
    const counts = new Map<string, number>()
    const change = silent(({ consent, share }) => {
      const key = `${consent.consentId} ${share.bankCode}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return applies(count)
    })
    return changedRules(change, lawful)
  }
}

/** No end of the refresh is reported. */
const NOT_FINISHED = 'REF-09'

/** An account of another customer, at a bank where the first one has an account as well. */
const FOREIGN_ID = 'b66411db-e432-408f-aea8-c0f8ad0487bb'

const missing: readonly Defect[] = [
  ...breaking(WEB.refreshIsNotified, {
    'refreshes-not-notified': {
      story: 'A refresh updates the data, and is not notified.',
      alsoBreaks: [WEB.accountEventIsSentForEachBank, WEB.accountEventIsSentForEachConsent, NOT_FINISHED],
      rules: silent(() => true),
    },
    'second-refresh-not-notified': {
      story: 'Only the first refresh of a consent is notified.',
      alsoBreaks: [WEB.accountEventIsSentForEachBank, NOT_FINISHED],
      rules: silentByCount((count) => count > 1),
    },
  }),
  ...breaking(WEB.accountEventIsSentForEachBank, {
    'first-bank-alone-notified': {
      story: 'Only the first bank of a refresh is notified.',
      alsoBreaks: [WEB.accountEventIsSentForEachConsent, NOT_FINISHED],
      rules: silent(({ place }) => place > 0),
    },
  }),
  ...breaking(WEB.accountEventIsSentForEachConsent, {
    'second-consent-of-a-bank-not-notified': {
      story: 'A bank is reported only under the first consent that was refreshed there.',
      rules: (lawful) => {
        const consents = new Map<string, string>()
        const change = silent(({ consent: { consentId }, share: { bankCode } }) => {
          if (!consents.has(bankCode)) consents.set(bankCode, consentId)
          return consents.get(bankCode) !== consentId
        })
        return changedRules(change, lawful)
      },
    },
  }),
]

const accounts: readonly Defect[] = [
  ...breaking(WEB.accountEventIsSentForEachBank, {
    'two-banks-in-one-account-event': {
      story: 'All other banks of a consent are reported in one accountEvent.',
      alsoBreaks: [
        WEB.accountEventIsSentForEachConsent,
        WEB.accountEventNamesAccountsOfItsBank,
        NOT_FINISHED,
      ],
      rules: sharing((shares) =>
        shares
          .slice(0, 1)
          .map((share) => ({ ...share, accounts: shares.flatMap(({ accounts }) => accounts) })),
      ),
    },
  }),
  ...breaking(WEB.accountEventNamesAccountsOfItsBank, {
    'account-event-names-accounts-of-every-bank': {
      story: 'The accountEvent of each bank names the accounts at all of them.',
      rules: sharing((shares) =>
        shares.map((share) => ({ ...share, accounts: shares.flatMap(({ accounts }) => accounts) })),
      ),
    },
    'bank-codes-exchanged': {
      story: 'Where a consent has two other banks, each has the bankCode of the other.',
      rules: sharing((shares) =>
        shares.map((share, at) => ({ ...share, bankCode: shares.at(at - 1)?.bankCode ?? share.bankCode })),
      ),
    },
  }),
  ...breaking(WEB.finishedIsReportedInOneCall, {
    'end-of-a-refresh-reported-in-two-parts': {
      story: 'The end at one bank is reported twice: once for the balances, and once for the transactions.',
      rules: (lawful) => {
        let calls = 0
        return {
          deliveryCopies: ({ event }) => (event === 'accountEvent' ? 2 : 1),
          deliveryContent: (facts) => {
            if (facts.event !== 'accountEvent') return lawful.deliveryContent(facts)
            calls += 1
            const plainBody = membersOf(facts.plainBody)
            const eventType = calls % 2 === 0 ? 'BALANCES' : 'TRANSACTIONS'
            const items = plainBody['accounts'] as readonly Members[]
            const part = { ...plainBody, accounts: items.map((item) => ({ ...item, eventType })) }
            return lawful.deliveryContent({ ...facts, body: lawful.eventForm({ ...facts, body: part }) })
          },
        }
      },
    },
  }),
  ...breaking(WEB.accountEventIsOfOtherBanks, {
    'own-account-in-an-account-event': {
      story: "The first accountEvent of a refresh names an account of the service's own bank as well.",
      rules: (lawful) => {
        const named = new Map<string, { readonly bankCode: string; readonly own: Account }>()
        return {
          bankShares: (facts) => {
            const shares = lawful.bankShares(facts)
            const [[own], [first]] = [ownAccountsIn(facts, shares), shares]
            if (own && first) named.set(facts.consent.consentId, { bankCode: first.bankCode, own })
            return shares
          },
          accountsReported: (facts) => {
            const reported = lawful.accountsReported(facts)
            const known = named.get(facts.consent.consentId)
            return known?.bankCode === facts.share.bankCode ? [...reported, known.own] : reported
          },
        }
      },
    },
    'account-event-of-the-own-bank': {
      story: "A refresh leads to an accountEvent of the service's own bank, too.",
      rules: (lawful) => {
        const ownShares = new Set<unknown>()
        return {
          bankShares: (facts) => {
            const shares = lawful.bankShares(facts)
            const [first, ...others] = ownAccountsIn(facts, shares)
            if (first === undefined) return shares
            const { bankCode, bankName } = first
            ownShares.add(bankCode)
            return [...shares, { bankCode, bankName, accounts: [first, ...others] }]
          },
          accountsReported: (facts) =>
            ownShares.has(facts.share.bankCode) ? facts.share.accounts : lawful.accountsReported(facts),
        }
      },
    },
  }),
  ...breaking(WEB.accountEventNamesAccountsOfItsConsent, {
    'account-event-names-a-foreign-account': {
      story: 'An accountEvent names the account of another customer at the same bank.',
      rules: rewording((body, { items, share: { accounts } }) =>
        accounts.some(({ bankCode }) => bankCode === '9803')
          ? { ...body, accounts: [...items, { accountId: FOREIGN_ID, eventType: 'ADDED' }] }
          : body,
      ),
    },
  }),
]

const bodies: readonly Defect[] = [
  ...breaking(WEB.accountEventNamesItsConsent, {
    'account-event-without-consent-id': {
      story: 'An accountEvent has no consentId.',
      alsoBreaks: [WEB.accountEventIsSentForEachConsent],
      rules: rewording((body) => without(body, 'consentId')),
    },
  }),
  ...breaking(WEB.accountEventRepeatsTheTaskId, {
    'account-event-of-another-task': {
      story: 'The accountEvents of a second refresh carry the taskId of the first.',
      alsoBreaks: [NOT_FINISHED],
      rules: (lawful) => {
        const first = new Map<string, string>()
        return {
          accountEventBody: (facts) => {
            const { consentId } = facts.consent
            const taskId = first.get(consentId) ?? facts.task.taskId
            first.set(consentId, taskId)
            return { ...membersOf(lawful.accountEventBody(facts)), taskId }
          },
        }
      },
    },
    'account-event-with-a-task-id-of-its-own': {
      story: 'Each bank of a refresh is reported with another taskId.',
      alsoBreaks: [NOT_FINISHED],
      rules: rewording((body, { task, share }) => ({ ...body, taskId: `${task.taskId}-${share.bankCode}` })),
    },
    'account-event-without-task-id': {
      story: 'An accountEvent has no taskId.',
      alsoBreaks: [NOT_FINISHED],
      rules: rewording((body) => without(body, 'taskId')),
    },
    'task-id-of-the-beginning-in-capitals': {
      story: 'Until a refresh is FINISHED, its taskId is in capitals.',
      rules: rewording((body, { task, status }) =>
        status === 'FINISHED' ? body : { ...body, taskId: task.taskId.toUpperCase() },
      ),
    },
  }),
  ...breaking(WEB.accountEventHasATaskStatus, {
    'task-status-of-the-beginning-is-a-number': {
      story: 'Until a refresh is FINISHED, its taskStatus is a percentage.',
      rules: rewording((body, { status }) => (status === 'FINISHED' ? body : { ...body, taskStatus: 50 })),
    },
    'account-event-of-the-beginning-without-task-status': {
      story: 'The first accountEvent of a refresh has no taskStatus.',
      rules: rewording((body, { status }) => (status === 'FINISHED' ? body : without(body, 'taskStatus'))),
    },
  }),
  ...breaking(WEB.accountEventHasABankCode, {
    'bank-code-is-a-number': {
      story: 'The bankCode of an accountEvent is a number.',
      rules: rewording((body, { share }) => ({ ...body, bankCode: Number(share.bankCode) })),
    },
  }),
  ...breaking(WEB.accountEventHasABankName, {
    'account-event-without-bank-name': {
      story: 'An accountEvent has no bankName.',
      rules: rewording((body) => without(body, 'bankName')),
    },
    'bank-name-by-language': {
      story: 'The bankName of an accountEvent is an object with a name for each language.',
      rules: rewording((body, { share }) => ({ ...body, bankName: { sk: share.bankName } })),
    },
  }),
  ...breaking(WEB.accountEventHasAnArrayOfAccounts, {
    'account-event-of-the-beginning-without-accounts': {
      story: 'The first accountEvent of a refresh has no accounts.',
      rules: rewording((body, { status }) => (status === 'FINISHED' ? body : without(body, 'accounts'))),
    },
    'account-event-with-accounts-of-text': {
      story: 'The accounts of an accountEvent are a text with commas.',
      rules: rewording((body, { items, status }) =>
        status === 'FINISHED'
          ? { ...body, accounts: items.map(({ accountId }) => accountId).join(',') }
          : body,
      ),
    },
  }),
  ...breaking(WEB.accountEventItemsHaveAnAccountId, {
    'account-event-items-without-account-id': {
      story: 'An account of an accountEvent has an id in the place of its accountId.',
      rules: rewordingItems(({ accountId, ...item }) => ({ id: accountId, ...item })),
    },
  }),
  ...breaking(WEB.accountEventItemsHaveAnEventType, {
    'account-event-items-without-event-type': {
      story: 'An account of an accountEvent has no eventType.',
      rules: rewordingItems((item) => without(item, 'eventType')),
    },
    'event-type-of-accounts-is-null-at-first': {
      story: 'Until a refresh is FINISHED, the eventType of its accounts is null.',
      rules: rewordingItems((item, { status }) =>
        status === 'FINISHED' ? item : { ...item, eventType: null },
      ),
    },
  }),
]

export const accountEventDefects: readonly Defect[] = [...missing, ...accounts, ...bodies]
