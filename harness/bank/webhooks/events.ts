import { randomUUID } from 'node:crypto'
import { listedIdOf, openConsents, stillOpen } from '../authorization/consents.ts'
import { ENVIRONMENTS } from '../base-paths.ts'
import { branchOf, factsAt, type BankParts, type Branch } from '../call.ts'
import { stateOf } from './webhook-settings.ts'
import type { BankShare } from '../rules/refresh-rules.ts'
import type { DeliveryFacts, EventName, OpenConsent } from '../rules/webhook-rules.ts'
import type { Account, Client } from '../seed-data.ts'
import type { Consent, Notice, RefreshTask, Transaction } from '../state.ts'

/** Calls to applications: sent, and sent again if they fail. */

interface OutgoingEvent {
  /** Whom it is sent to. */
  readonly client: Client
  readonly consentId: string
  readonly event: EventName
  readonly body: unknown
}

/** How long an application may take to answer, in ms of the wall: whoever hangs must not stop the bank's time. */
const LONGEST_ANSWER = 5000

/** Sends an event. Where time stands still between two advances, it is done when the application has answered. */
const send = async (branch: Branch, outgoing: OutgoingEvent): Promise<void> => {
  const copies = branch.rules.deliveryCopies({ ...factsAt(branch), event: outgoing.event })
  for (let copy = 0; copy < copies; copy += 1) await begin(branch, outgoing, 1)
}

const begin = async (branch: Branch, outgoing: OutgoingEvent, attempt: number): Promise<void> => {
  const ended = tryOnce(branch, outgoing, attempt)
  // A clock that runs by itself waits for nobody.
  if (!branch.runs) await ended
}

const tryOnce = async (branch: Branch, outgoing: OutgoingEvent, attempt: number): Promise<void> => {
  const { client, consentId, event } = outgoing
  const { isActive, settings } = stateOf(branch, client)
  // Looked at each time: webhooks may have been disabled since, and the consent revoked.
  if (!isActive || !stillOpen(branch, consentId)) return
  const facts: DeliveryFacts = { ...factsAt(branch), client, settings, event, attempt }
  const status = await statusOf(branch, facts, outgoing.body)
  if (branch.rules.deliveryIsDone({ ...facts, status })) return
  const delay = branch.rules.retryDelay(facts)
  if (delay === undefined) return
  const at = new Date(branch.clock.now().getTime() + delay)
  branch.clock.schedule(at, () => begin(branch, outgoing, attempt + 1))
}

/** The status of the application's answer; nothing if there is none. */
const statusOf = async (branch: Branch, facts: DeliveryFacts, body: unknown): Promise<number | undefined> => {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), LONGEST_ANSWER)
  try {
    const request = requestFor(branch, facts, body, deadline.signal)
    return await Promise.race([answerTo(branch, request), aborted(deadline.signal)])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

const answerTo = async ({ deliver }: Branch, request: Request): Promise<number> => {
  const response = await deliver(request)
  // Of no interest, but a connection whose answer was read serves the next call.
  await response.arrayBuffer()
  return response.status
}

const requestFor = ({ rules }: Branch, facts: DeliveryFacts, body: unknown, signal: AbortSignal): Request =>
  new Request(rules.deliveryAddress(facts), {
    method: rules.deliveryMethod(facts),
    headers: rules.deliveryHeaders(facts),
    body: rules.deliveryContent({ ...facts, body }),
    redirect: 'manual',
    signal,
  })

/** Whoever delivers may not heed the signal. */
const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })

/** Which event is sent to which application, and when. */

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

interface ReachedStage {
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
