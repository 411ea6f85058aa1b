/** Which event is sent to which application, and when. */
import { randomUUID } from 'node:crypto'
import { listedIdOf, openConsents, stillOpen } from '../authorization/consents.ts'
import { ENVIRONMENTS } from '../base-paths.ts'
import { type BankParts, type Branch, branchOf, factsAt } from '../call.ts'
import type { BankShare } from '../rules/refresh-rules.ts'
import type { OpenConsent } from '../rules/webhook-rules.ts'
import type { Account, Client } from '../seed-data.ts'
import type { Consent, Notice, RefreshTask, Transaction } from '../state.ts'
import { send } from './deliveries.ts'
import { stateOf } from './webhook-settings.ts'

/** A transaction was booked: each consent that opens the account has a transactionEvent of its own. */
export const notifyBooking = (branch: Branch, account: Account, transaction: Transaction): void => {
  const { rules, world } = branch
  const facts = factsAt(branch)
  if (!rules.bookingIsNotified({ ...facts, account, transaction })) return
  const { clients } = world.residents
  for (const { consent } of rules.consentsConcerned({ ...facts, account, consents: openConsents(branch) })) {
    for (const client of rules.recipients({ ...facts, event: 'transactionEvent', consent, clients })) {
      notice(branch, client, consent, account)
    }
  }
}

const notice = (branch: Branch, client: Client, consent: Consent, account: Account): void => {
  const { rules, ledger, clock, environment } = branch
  const facts = { ...factsAt(branch), client, consent, account }
  const due = new Date(facts.now.getTime() + rules.transactionEventDelay(facts))
  const dueAt = rules.notifiedAt({ ...facts, ...stateOf(branch, client), due })
  if (!dueAt) return
  const waiting = [...ledger.notices.values()].filter(
    ({ consentId, clientId }) => consentId === consent.consentId && clientId === client.clientId,
  )
  const joined = rules.noticeJoined({ ...facts, waiting })
  if (joined) return addTo(branch, joined, account)
  const noticeId = randomUUID()
  const { consentId } = consent
  const { clientId } = client
  ledger.notices.set(noticeId, { environment, noticeId, consentId, clientId, accounts: [account], dueAt })
  clock.schedule(dueAt, () => sendNotice(branch, client, noticeId))
}

const addTo = ({ ledger }: Branch, joined: Notice, account: Account): void => {
  const accounts = [...new Set([...joined.accounts, account])]
  ledger.notices.set(joined.noticeId, { ...joined, accounts })
}

const sendNotice = async (branch: Branch, client: Client, noticeId: string): Promise<void> => {
  const { ledger, rules } = branch
  const due = ledger.notices.get(noticeId)
  ledger.notices.delete(noticeId)
  const open = due && stillOpen(branch, due.consentId)
  if (!open) return
  const { consent } = open
  const { accounts } = due
  const accountIds = accounts.map((account) => listedIdOf(branch, open, account))
  const otherIds = open.accounts
    .filter((account) => !accounts.includes(account))
    .map((account) => listedIdOf(branch, open, account))
  const facts = { ...factsAt(branch), client, consent, accounts, accountIds, otherIds }
  const body = rules.transactionEventBody(facts)
  await send(branch, { client, consentId: consent.consentId, event: 'transactionEvent', body })
}

export interface ReachedStage {
  readonly task: RefreshTask
  readonly open: OpenConsent
  readonly share: BankShare
  readonly status: string
  /** The accounts of which the bank has something new. */
  readonly changed: readonly Account[]
}

/** The refresh of one bank has come to a stage. */
export const notifyStage = async (
  branch: Branch,
  { open, changed, ...reached }: ReachedStage,
): Promise<void> => {
  const { rules, world } = branch
  const { consent } = open
  const { clients } = world.residents
  for (const client of rules.recipients({ ...factsAt(branch), event: 'accountEvent', consent, clients })) {
    const facts = { ...factsAt(branch), client, consent, ...reached }
    const items = rules.accountsReported({ ...facts, changed }).map((account) => ({
      accountId: listedIdOf(branch, open, account),
      eventType: rules.accountEventType({ ...facts, account }),
    }))
    const body = rules.accountEventBody({ ...facts, items })
    await send(branch, { client, consentId: consent.consentId, event: 'accountEvent', body })
  }
}

/** Tells those who want to know that a transaction was booked on the account, in every environment alike. */
export const announceBooking = (parts: BankParts, account: Account, transaction: Transaction): void => {
  for (const environment of ENVIRONMENTS) notifyBooking(branchOf(parts, environment), account, transaction)
}
