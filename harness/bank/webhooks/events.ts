import { randomUUID } from '../random.ts'
import { listedIdOf, openConsents, stillOpen } from '../authorization/consents.ts'
import { ENVIRONMENTS } from '../base-paths.ts'
import { contextOf, factsAt, type BankParts, type BankContext } from '../call.ts'
import { stateOf } from './webhook-settings.ts'
import { send } from './calls.ts'
import type { BankShare } from '../rules/refresh-rules.ts'
import type { OpenConsent } from '../rules/webhook-rules.ts'
import type { Account, Client } from '../seed-data.ts'
import type { Consent, Notice, RefreshTask, Transaction } from '../state.ts'

/** Selects the events, their receivers and their times. */

/** Notifies a booking, with one transactionEvent for each consent that includes the account. */
export const notifyBooking = (context: BankContext, account: Account, transaction: Transaction): void => {
  const { rules, world } = context
  const facts = factsAt(context)
  if (!rules.bookingIsNotified({ ...facts, account, transaction })) return
  const { clients } = world.seedData
  for (const { consent } of rules.consentsConcerned({ ...facts, account, consents: openConsents(context) })) {
    for (const client of rules.recipients({ ...facts, event: 'transactionEvent', consent, clients })) {
      notice(context, client, consent, account)
    }
  }
}

const notice = (context: BankContext, client: Client, consent: Consent, account: Account): void => {
  const { rules, ledger, clock, environment } = context
  const facts = { ...factsAt(context), client, consent, account }
  const due = new Date(facts.now.getTime() + rules.transactionEventDelay(facts))
  const dueAt = rules.notifiedAt({ ...facts, ...stateOf(context, client), due })
  if (!dueAt) return
  const waiting = [...ledger.notices.values()].filter(
    ({ consentId, clientId }) => consentId === consent.consentId && clientId === client.clientId,
  )
  const joined = rules.noticeJoined({ ...facts, waiting })
  if (joined) return addTo(context, joined, account)
  const noticeId = randomUUID()
  const { consentId } = consent
  const { clientId } = client
  ledger.notices.set(noticeId, { environment, noticeId, consentId, clientId, accounts: [account], dueAt })
  clock.schedule(dueAt, () => sendNotice(context, client, noticeId))
}

const addTo = ({ ledger }: BankContext, joined: Notice, account: Account): void => {
  const accounts = [...new Set([...joined.accounts, account])]
  ledger.notices.set(joined.noticeId, { ...joined, accounts })
}

const sendNotice = async (context: BankContext, client: Client, noticeId: string): Promise<void> => {
  const { ledger, rules } = context
  const due = ledger.notices.get(noticeId)
  ledger.notices.delete(noticeId)
  const open = due && stillOpen(context, due.consentId)
  if (!open) return
  const { consent } = open
  const { accounts } = due
  const accountIds = accounts.map((account) => listedIdOf(context, open, account))
  const otherIds = open.accounts
    .filter((account) => !accounts.includes(account))
    .map((account) => listedIdOf(context, open, account))
  const facts = { ...factsAt(context), client, consent, accounts, accountIds, otherIds }
  const plainBody = rules.transactionEventBody(facts)
  await send(context, { client, consentId: consent.consentId, event: 'transactionEvent', plainBody })
}

interface ReachedStage {
  readonly task: RefreshTask
  readonly open: OpenConsent
  readonly share: BankShare
  readonly status: string
  /** The accounts on which the bank has booked since the last refresh. */
  readonly changed: readonly Account[]
}

/** Notifies a stage of the refresh at one bank. */
export const notifyStage = async (
  context: BankContext,
  { open, changed, ...reached }: ReachedStage,
): Promise<void> => {
  const { rules, world } = context
  const { consent } = open
  const { clients } = world.seedData
  for (const client of rules.recipients({ ...factsAt(context), event: 'accountEvent', consent, clients })) {
    const facts = { ...factsAt(context), client, consent, ...reached }
    const items = rules.accountsReported({ ...facts, changed }).map((account) => ({
      accountId: listedIdOf(context, open, account),
      eventType: rules.accountEventType({ ...facts, account }),
    }))
    const plainBody = rules.accountEventBody({ ...facts, items })
    await send(context, { client, consentId: consent.consentId, event: 'accountEvent', plainBody })
  }
}

/** Notifies a booking in each environment. */
export const announceBooking = (parts: BankParts, account: Account, transaction: Transaction): void => {
  for (const environment of ENVIRONMENTS) notifyBooking(contextOf(parts, environment), account, transaction)
}
