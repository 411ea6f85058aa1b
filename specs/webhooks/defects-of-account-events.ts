import { WEB } from './requirements.ts'
import type { Defect, RuleChange } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** Refreshes that are notified wrongly, or not at all. */

type Facts = Parameters<Rules['accountEventBody']>[0]
type Body = Readonly<Record<string, unknown>>
type Item = Readonly<Record<string, unknown>>
type Share = ReturnType<Rules['bankShares']>[number]
type ShareFacts = Parameters<Rules['bankShares']>[0]
type StageFacts = Parameters<Rules['refreshStages']>[0]

/** Words an accountEvent otherwise. */
const wording =
  (word: (body: Body, facts: Facts) => unknown): RuleChange =>
  (lawful) => ({ accountEventBody: (facts) => word(lawful.accountEventBody(facts) as Body, facts) })

/** Words the items of its accounts otherwise. */
const wordingItems = (word: (item: Item, facts: Facts) => unknown): RuleChange =>
  wording((body, facts) => ({ ...body, accounts: facts.items.map((item) => word(item, facts)) }))

const without = (body: Body, name: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))

/** Divides what is refreshed among the banks otherwise. */
const sharing =
  (share: (shares: readonly Share[], facts: ShareFacts) => readonly Share[]): RuleChange =>
  (lawful) => ({ bankShares: (facts) => share(lawful.bankShares(facts), facts) })

/** Tells nothing of the stages of a bank, where that is the case; its data is updated all the same. */
const silent =
  (isSilent: (facts: StageFacts) => boolean): RuleChange =>
  (lawful) => ({
    refreshStages: (facts) => {
      const stages = lawful.refreshStages(facts)
      return isSilent(facts) ? stages.map((stage) => ({ ...stage, status: undefined })) : stages
    },
  })

/** How often the bank of a consent was asked for. */
const counted = (isSilent: (count: number) => boolean): RuleChange => {
  return (lawful) => {
    const counts = new Map<string, number>()
    const change = silent(({ consent, share }) => {
      const key = `${consent.consentId} ${share.bankCode}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return isSilent(count)
    })
    return typeof change === 'function' ? change(lawful) : change
  }
}

const FINISHED = { id: 'REF-09' }

/** Of another customer, at a bank where the first one has an account as well. */
const FOREIGN_ID = 'b66411db-e432-408f-aea8-c0f8ad0487bb'

const lost: readonly Defect[] = [
  {
    id: 'refreshes-not-notified',
    story: 'A refresh updates the data, and is not notified.',
    breaks: [
      WEB.refreshIsNotified,
      WEB.accountEventIsSentForEachBank,
      WEB.accountEventIsSentForEachConsent,
      FINISHED,
    ],
    rules: silent(() => true),
  },
  {
    id: 'second-refresh-not-notified',
    story: 'Only the first refresh of a consent is notified.',
    breaks: [WEB.refreshIsNotified, WEB.accountEventIsSentForEachBank, FINISHED],
    rules: counted((count) => count > 1),
  },
  {
    id: 'first-bank-alone-notified',
    story: 'A refresh is notified of its first bank alone.',
    breaks: [WEB.accountEventIsSentForEachBank, WEB.accountEventIsSentForEachConsent, FINISHED],
    rules: silent(({ place }) => place > 0),
  },
  {
    id: 'second-consent-of-a-bank-not-notified',
    story: 'A bank is reported under the first consent that was refreshed there, and under no other.',
    breaks: [WEB.accountEventIsSentForEachConsent],
    rules: (lawful) => {
      const consents = new Map<string, string>()
      const change = silent(({ consent: { consentId }, share: { bankCode } }) => {
        if (!consents.has(bankCode)) consents.set(bankCode, consentId)
        return consents.get(bankCode) !== consentId
      })
      return typeof change === 'function' ? change(lawful) : change
    },
  },
]

const shared: readonly Defect[] = [
  {
    id: 'two-banks-in-one-account-event',
    story: 'All other banks of a consent are reported in one accountEvent.',
    breaks: [
      WEB.accountEventIsSentForEachBank,
      WEB.accountEventIsSentForEachConsent,
      WEB.accountEventNamesAccountsOfItsBank,
      FINISHED,
    ],
    rules: sharing((shares) =>
      shares.slice(0, 1).map((share) => ({ ...share, accounts: shares.flatMap(({ accounts }) => accounts) })),
    ),
  },
  {
    id: 'account-event-names-accounts-of-every-bank',
    story: 'The accountEvent of each bank names the accounts at all of them.',
    breaks: [WEB.accountEventNamesAccountsOfItsBank],
    rules: sharing((shares) =>
      shares.map((share) => ({ ...share, accounts: shares.flatMap(({ accounts }) => accounts) })),
    ),
  },
  {
    id: 'bank-codes-exchanged',
    story: 'Where a consent has two other banks, each has the bankCode of the other.',
    breaks: [WEB.accountEventNamesAccountsOfItsBank],
    rules: sharing((shares) =>
      shares.map((share, at) => ({ ...share, bankCode: shares.at(at - 1)?.bankCode ?? share.bankCode })),
    ),
  },
  {
    id: 'own-account-in-an-account-event',
    story: "The first accountEvent of a refresh names an account of the service's own bank as well.",
    breaks: [WEB.accountEventIsOfOtherBanks],
    rules: sharing((shares, { accounts }) => {
      const elsewhere = shares.flatMap((share) => share.accounts)
      const own = accounts.filter((account) => !elsewhere.includes(account)).slice(0, 1)
      return shares.map((share, at) =>
        at === 0 ? { ...share, accounts: [...share.accounts, ...own] } : share,
      )
    }),
  },
  {
    id: 'account-event-of-the-own-bank',
    story: "A refresh leads to an accountEvent of the service's own bank, too.",
    breaks: [WEB.accountEventIsOfOtherBanks],
    rules: sharing((shares, { accounts }) => {
      const elsewhere = shares.flatMap((share) => share.accounts)
      const own = accounts.filter((account) => !elsewhere.includes(account))
      const [first] = own
      if (first === undefined) return shares
      return [...shares, { bankCode: first.bankCode, bankName: first.bankName, accounts: own }]
    }),
  },
  {
    id: 'account-event-names-a-foreign-account',
    story: 'An accountEvent names the account of another customer at the same bank.',
    breaks: [WEB.accountEventNamesAccountsOfItsConsent],
    rules: wording((body, { items, share: { accounts } }) =>
      accounts.some(({ bankCode }) => bankCode === '9803')
        ? { ...body, accounts: [...items, { accountId: FOREIGN_ID, eventType: 'ADDED' }] }
        : body,
    ),
  },
]

const worded: readonly Defect[] = [
  {
    id: 'account-event-without-consent-id',
    story: 'An accountEvent does not say which consent it is about.',
    breaks: [WEB.accountEventNamesItsConsent, WEB.accountEventIsSentForEachConsent],
    rules: wording((body) => without(body, 'consentId')),
  },
  {
    id: 'account-event-of-another-task',
    story: 'The accountEvents of a second refresh carry the taskId of the first.',
    breaks: [WEB.accountEventRepeatsTheTaskId, FINISHED],
    rules: (lawful) => {
      const first = new Map<string, string>()
      return {
        accountEventBody: (facts) => {
          const { consentId } = facts.consent
          const taskId = first.get(consentId) ?? facts.task.taskId
          first.set(consentId, taskId)
          return { ...(lawful.accountEventBody(facts) as Body), taskId }
        },
      }
    },
  },
  {
    id: 'account-event-with-a-task-id-of-its-own',
    story: 'Each bank of a refresh is reported with a taskId of its own.',
    breaks: [WEB.accountEventRepeatsTheTaskId, FINISHED],
    rules: wording((body, { task, share }) => ({ ...body, taskId: `${task.taskId}-${share.bankCode}` })),
  },
  {
    id: 'account-event-without-task-id',
    story: 'An accountEvent has no taskId.',
    breaks: [WEB.accountEventRepeatsTheTaskId, FINISHED],
    rules: wording((body) => without(body, 'taskId')),
  },
  {
    id: 'task-id-of-the-beginning-in-capitals',
    story: 'Until a refresh is FINISHED, its taskId is told in capitals.',
    breaks: [WEB.accountEventRepeatsTheTaskId],
    rules: wording((body, { task, status }) =>
      status === 'FINISHED' ? body : { ...body, taskId: task.taskId.toUpperCase() },
    ),
  },
  {
    id: 'task-status-of-the-beginning-is-a-number',
    story: 'Until a refresh is FINISHED, its taskStatus is a percentage.',
    breaks: [WEB.accountEventHasATaskStatus],
    rules: wording((body, { status }) => (status === 'FINISHED' ? body : { ...body, taskStatus: 50 })),
  },
  {
    id: 'account-event-of-the-beginning-without-task-status',
    story: 'The accountEvent with which a refresh begins has no taskStatus.',
    breaks: [WEB.accountEventHasATaskStatus],
    rules: wording((body, { status }) => (status === 'FINISHED' ? body : without(body, 'taskStatus'))),
  },
  {
    id: 'bank-code-is-a-number',
    story: 'The bankCode of an accountEvent is a number.',
    breaks: [WEB.accountEventHasABankCode],
    rules: wording((body, { share }) => ({ ...body, bankCode: Number(share.bankCode) })),
  },
  {
    id: 'account-event-without-bank-name',
    story: 'An accountEvent has no bankName.',
    breaks: [WEB.accountEventHasABankName],
    rules: wording((body) => without(body, 'bankName')),
  },
  {
    id: 'bank-name-by-language',
    story: 'The bankName of an accountEvent is an object with a name for each language.',
    breaks: [WEB.accountEventHasABankName],
    rules: wording((body, { share }) => ({ ...body, bankName: { sk: share.bankName } })),
  },
  {
    id: 'account-event-of-the-beginning-without-accounts',
    story: 'The accountEvent with which a refresh begins has no accounts.',
    breaks: [WEB.accountEventHasAnArrayOfAccounts],
    rules: wording((body, { status }) => (status === 'FINISHED' ? body : without(body, 'accounts'))),
  },
  {
    id: 'account-event-with-accounts-of-text',
    story: 'The accounts of an accountEvent are a text, in which commas part them.',
    breaks: [WEB.accountEventHasAnArrayOfAccounts],
    rules: wording((body, { items, status }) =>
      status === 'FINISHED' ? { ...body, accounts: items.map(({ accountId }) => accountId).join(',') } : body,
    ),
  },
  {
    id: 'account-event-items-without-account-id',
    story: 'An account of an accountEvent is named by an id.',
    breaks: [WEB.accountEventItemsHaveAnAccountId],
    rules: wordingItems(({ accountId, ...item }) => ({ id: accountId, ...item })),
  },
  {
    id: 'account-event-items-without-event-type',
    story: 'An account of an accountEvent has no eventType.',
    breaks: [WEB.accountEventItemsHaveAnEventType],
    rules: wordingItems((item) => without(item, 'eventType')),
  },
  {
    id: 'event-type-of-accounts-is-null-at-first',
    story: 'Until a refresh is FINISHED, the eventType of its accounts is null.',
    breaks: [WEB.accountEventItemsHaveAnEventType],
    rules: wordingItems((item, { status }) => (status === 'FINISHED' ? item : { ...item, eventType: null })),
  },
]

export const defectsOfAccountEvents: readonly Defect[] = [...lost, ...shared, ...worded]
