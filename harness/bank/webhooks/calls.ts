import { stillOpen } from '../authorization/consents.ts'
import { factsAt, type BankContext } from '../call.ts'
import { stateOf } from './webhook-settings.ts'
import type { EventName, DeliveryFacts } from '../rules/webhook-rules.ts'
import type { Client } from '../seed-data.ts'

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
export const send = async (context: BankContext, outgoing: OutgoingEvent): Promise<void> => {
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
