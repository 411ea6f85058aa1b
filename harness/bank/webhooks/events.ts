import { randomUUID } from '../random.ts'
import { listedIdOf, openConsents, stillOpen } from '../authorization/consents.ts'
import { ENVIRONMENTS } from '../base-paths.ts'
import { contextOf, factsAt, type BankParts, type BankContext } from '../call.ts'
import { stateOf } from './webhook-settings.ts'
import type { BankShare } from '../rules/refresh-rules.ts'
import type { DeliveryFacts, EventName, OpenConsent } from '../rules/webhook-rules.ts'
import type { Account, Client } from '../seed-data.ts'
import type { Consent, Notice, RefreshTask, Transaction } from '../state.ts'

/** Calls to applications, with repetitions after failures. */

interface OutgoingEvent {
  /** The application that is called. */
  readonly client: Client
  readonly consentId: string
  readonly event: EventName
  /** Without its form. */
  readonly plainBody: unknown
}

/** An event in its form, which its repetitions share. */
interface FormedEvent extends OutgoingEvent {
  readonly body: unknown
}

/** The time that an application has to answer, in ms of real time: it must not stop the bank's clock. */
const ANSWER_DEADLINE_MS = 5000

/** Sends an event. If the clock does not run by itself, this resolves when the application has answered. */
const send = async (context: BankContext, outgoing: OutgoingEvent): Promise<void> => {
  const { client, event, plainBody } = outgoing
  const facts = { ...factsAt(context), event }
  const body = context.rules.eventForm({ ...facts, client, body: plainBody })
  const copies = context.rules.deliveryCopies(facts)
  for (let copy = 0; copy < copies; copy += 1) await begin(context, { ...outgoing, body }, 1)
}

const begin = async (context: BankContext, outgoing: FormedEvent, attempt: number): Promise<void> => {
  const ended = tryOnce(context, outgoing, attempt)
  // A clock that runs by itself does not wait for the answer.
  if (!context.runs) await ended
}

const tryOnce = async (context: BankContext, outgoing: FormedEvent, attempt: number): Promise<void> => {
  const { client, consentId, event } = outgoing
  const { isActive, settings } = stateOf(context, client)
  // Checked at each attempt, since webhooks may have been disabled or the consent revoked.
  if (!isActive || !stillOpen(context, consentId)) return
  const facts: DeliveryFacts = { ...factsAt(context), client, settings, event, attempt }
  const status = await statusOf(context, facts, outgoing)
  if (context.rules.deliveryIsDone({ ...facts, status })) return
  const delay = context.rules.retryDelay(facts)
  if (delay === undefined) return
  const at = new Date(context.clock.now().getTime() + delay)
  context.clock.schedule(at, () => begin(context, outgoing, attempt + 1))
}

/** The status of the application's answer; undefined if there is none. */
const statusOf = async (
  context: BankContext,
  facts: DeliveryFacts,
  outgoing: FormedEvent,
): Promise<number | undefined> => {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), ANSWER_DEADLINE_MS)
  try {
    const request = requestFor(context, facts, outgoing, deadline.signal)
    return await Promise.race([answerTo(context, request), aborted(deadline.signal)])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

const answerTo = async ({ deliver }: BankContext, request: Request): Promise<number> => {
  const response = await deliver(request)
  // The body is read, since a connection is reused only after that.
  await response.arrayBuffer()
  return response.status
}

const requestFor = (
  { rules }: BankContext,
  facts: DeliveryFacts,
  { body, plainBody }: FormedEvent,
  signal: AbortSignal,
): Request =>
  new Request(rules.deliveryAddress(facts), {
    method: rules.deliveryMethod(facts),
    headers: rules.deliveryHeaders(facts),
    body: rules.deliveryContent({ ...facts, body, plainBody }),
    redirect: 'manual',
    signal,
  })

/** Resolves on abort, since `deliver` may ignore the signal. */
const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })

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
