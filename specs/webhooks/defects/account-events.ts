import { isAtAnotherBank } from '../../shared/account-changes.ts'
import {
  alter,
  defectsOf,
  membersOf,
  when,
  without,
  type FactsOf,
  type Members,
  type Past,
} from '../../shared/changes.ts'
import { WEB } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Refreshes that are not notified, or with a wrong event. */

type EventFacts = FactsOf<'accountEventBody'>
type StageFacts = FactsOf<'refreshStages'>
type Share = EventFacts['share']

const isFinished = ({ status }: EventFacts): boolean => status === 'FINISHED'
const isUnderWay = (facts: EventFacts): boolean => !isFinished(facts)

/** Other members of an accountEvent. */
const event = (change: (facts: EventFacts, past: Past<'accountEventBody'>) => Members) =>
  alter({ accountEventBody: (usual, facts, past) => ({ ...membersOf(usual), ...change(facts, past) }) })

/** No end of the refresh is reported. */
const NOT_FINISHED = 'REF-09'

/** Does not report the stages of such a bank; its data are updated all the same. */
const unreported = (where: (facts: StageFacts, past: Past<'refreshStages'>) => boolean) =>
  alter({
    refreshStages: (stages, facts, past) =>
      where(facts, past) ? stages.map((stage) => ({ ...stage, status: undefined })) : stages,
  })

const stagesOf = (past: Past<'refreshStages'>, bankCode: string) =>
  past.of('refreshStages').flatMap(({ facts }) => (facts.share.bankCode === bankCode ? [facts.consent] : []))

const missing: readonly Defect[] = [
  ...defectsOf(
    [
      WEB.refreshIsNotified,
      WEB.accountEventIsSentForEachBank,
      WEB.accountEventIsSentForEachConsent,
      NOT_FINISHED,
    ],
    { 'A refresh updates the data, and is not notified': unreported(() => true) },
  ),
  ...defectsOf([WEB.refreshIsNotified, WEB.accountEventIsSentForEachBank, NOT_FINISHED], {
    'Only the first refresh of a consent is notified': unreported(({ consent, share: { bankCode } }, past) =>
      stagesOf(past, bankCode).some(({ consentId }) => consentId === consent.consentId),
    ),
  }),
  ...defectsOf([WEB.accountEventIsSentForEachBank, WEB.accountEventIsSentForEachConsent, NOT_FINISHED], {
    'Only the first bank of a refresh is notified': unreported(({ place }) => place > 0),
  }),
  ...defectsOf([WEB.accountEventIsSentForEachConsent], {
    'A bank is reported only under the first consent that was refreshed there': unreported(
      ({ consent, share: { bankCode } }, past) =>
        (stagesOf(past, bankCode)[0] ?? consent).consentId !== consent.consentId,
    ),
  }),
]

/** Each bank with the accounts of all banks. */
const joined = (shares: readonly Share[]): readonly Share[] =>
  shares.map((share) => ({ ...share, accounts: shares.flatMap(({ accounts }) => accounts) }))

/** An account of another customer, at a bank where the first one has an account as well. */
const FOREIGN_ID = 'b66411db-e432-408f-aea8-c0f8ad0487bb'

const accounts: readonly Defect[] = [
  ...defectsOf(
    [
      WEB.accountEventIsSentForEachBank,
      WEB.accountEventIsSentForEachConsent,
      WEB.accountEventNamesAccountsOfItsBank,
      NOT_FINISHED,
    ],
    {
      'All other banks of a consent are reported in one accountEvent': alter({
        bankShares: (shares) => joined(shares).slice(0, 1),
      }),
    },
  ),
  ...defectsOf([WEB.accountEventNamesAccountsOfItsBank], {
    'The accountEvent of each bank has the accounts at all of them': alter({ bankShares: joined }),
    'Where a consent has two other banks, each has the bankCode of the other': alter({
      bankShares: (shares) =>
        shares.map((share, at) => ({ ...share, bankCode: shares.at(at - 1)?.bankCode ?? share.bankCode })),
    }),
  }),
  ...defectsOf([WEB.finishedIsReportedInOneCall], {
    'The end at one bank is reported for the balances, and then for the transactions': when(
      ({ event }) => event === 'accountEvent',
      alter({
        deliveryCopies: 2,
        deliveryContent: (_, facts, { calls, rules }) => {
          const plainBody = membersOf(facts.plainBody)
          const eventType = calls % 2 === 0 ? 'BALANCES' : 'TRANSACTIONS'
          const items = plainBody.accounts as readonly Members[]
          const part = { ...plainBody, accounts: items.map((item) => ({ ...item, eventType })) }
          return rules.deliveryContent({ ...facts, body: rules.eventForm({ ...facts, body: part }) })
        },
      }),
    ),
  }),
  ...defectsOf([WEB.accountEventIsOfOtherBanks], {
    'The first accountEvent of a refresh also has an account of the own bank': alter(
      {
        accountsReported: (reported, { consent, share }, past) => {
          const shares = past
            .of('bankShares')
            .filter(({ facts }) => facts.consent.consentId === consent.consentId)
          const [last] = shares.slice(-1)
          const own = last?.facts.accounts.find((account) => !isAtAnotherBank(account))
          return own && last?.answer[0]?.bankCode === share.bankCode ? [...reported, own] : reported
        },
      },
      'bankShares',
    ),
    'A refresh without accounts at other banks leads to an accountEvent of the own bank': alter({
      bankShares: (shares, { accounts }) => {
        const [first] = accounts
        return shares.length > 0 || first === undefined ? shares : [{ ...first, accounts }]
      },
      accountsReported: (reported, { share }) => (isAtAnotherBank(share) ? reported : share.accounts),
    }),
    'A refresh also leads to an accountEvent of the own bank': alter({
      bankShares: (shares, facts) => {
        const own = facts.accounts.filter((account) => !isAtAnotherBank(account))
        const [first] = own
        if (first === undefined) return shares
        return [...shares, { bankCode: first.bankCode, bankName: first.bankName, accounts: own }]
      },
      accountsReported: (reported, { share }) => (isAtAnotherBank(share) ? reported : share.accounts),
    }),
  }),
  ...defectsOf([WEB.accountEventNamesAccountsOfItsConsent], {
    'An accountEvent has the account of another customer at the same bank': when(
      ({ share }: EventFacts) => share.accounts.some(({ bankCode }) => bankCode === '9803'),
      event((facts) => ({ accounts: [...facts.items, { accountId: FOREIGN_ID, eventType: 'ADDED' }] })),
    ),
  }),
]

/** Another value of a member, or none for undefined. */
const member = (name: string, value: unknown) => event(() => ({ [name]: value }))

/** Other items of the accounts. */
const items = (change: (item: Members) => Members) =>
  event((facts) => ({ accounts: facts.items.map((item) => change(membersOf(item))) }))

const bodies: readonly Defect[] = [
  ...defectsOf([WEB.accountEventNamesItsConsent], {
    'The accountEvents of a later consent have the consentId of an earlier one of the application': event(
      ({ client, consent }, past) => {
        const calls = past.of('accountEventBody').map(({ facts }) => facts)
        const earlier = calls.find((call) => call.client.clientId === client.clientId)
        return { consentId: (earlier?.consent ?? consent).consentId }
      },
    ),
  }),
  ...defectsOf([WEB.accountEventNamesItsConsent, WEB.accountEventIsSentForEachConsent], {
    'An accountEvent has no consentId': member('consentId', undefined),
  }),
  ...defectsOf([WEB.accountEventRepeatsTheTaskId, NOT_FINISHED], {
    'The accountEvents of a second refresh have the taskId of the first': event(({ consent, task }, past) => {
      const calls = past.of('accountEventBody').map(({ facts }) => facts)
      const first = calls.find((call) => call.consent.consentId === consent.consentId)
      return { taskId: (first?.task ?? task).taskId }
    }),
    'Each bank of a refresh is reported with another taskId': event(({ task, share }) => ({
      taskId: `${task.taskId}-${share.bankCode}`,
    })),
    'An accountEvent has no taskId': member('taskId', undefined),
  }),
  ...defectsOf([WEB.accountEventRepeatsTheTaskId], {
    'Until a refresh is FINISHED, its taskId is in capitals': event((facts) =>
      isFinished(facts) ? {} : { taskId: facts.task.taskId.toUpperCase() },
    ),
  }),
  ...defectsOf([WEB.accountEventHasATaskStatus], {
    'Until a refresh is FINISHED, its taskStatus is a percentage': when(isUnderWay, member('taskStatus', 50)),
    'Until a refresh is FINISHED, it has no taskStatus': when(isUnderWay, member('taskStatus', undefined)),
  }),
  ...defectsOf([WEB.accountEventHasABankCode], {
    'An accountEvent has a number as bankCode': event(({ share }) => ({ bankCode: Number(share.bankCode) })),
  }),
  ...defectsOf([WEB.accountEventHasABankName], {
    'An accountEvent has no bankName': member('bankName', undefined),
    'The bankName of an accountEvent is an object with a name for each language': event(({ share }) => ({
      bankName: { sk: share.bankName },
    })),
  }),
  ...defectsOf([WEB.accountEventHasAnArrayOfAccounts], {
    'The first accountEvent of a refresh has no accounts': when(isUnderWay, member('accounts', undefined)),
    'The accounts of an accountEvent are a text with commas': event((facts) =>
      isFinished(facts) ? { accounts: facts.items.map(({ accountId }) => accountId).join(',') } : {},
    ),
  }),
  ...defectsOf([WEB.accountEventItemsHaveAnAccountId], {
    'An account of an accountEvent has an id in the place of its accountId': items(
      ({ accountId, ...item }) => ({
        id: accountId,
        ...item,
      }),
    ),
  }),
  ...defectsOf([WEB.accountEventItemsHaveAnEventType], {
    'An account of an accountEvent has no eventType': items((item) => without(item, 'eventType')),
    'Until a refresh is FINISHED, the eventType of its accounts is null': when(
      isUnderWay,
      items((item) => ({ ...item, eventType: null })),
    ),
  }),
]

export const accountEventDefects: readonly Defect[] = [...missing, ...accounts, ...bodies]
