/** Calls to applications: sent, and sent again if they fail. */
import { stillOpen } from '../authorization/consents.ts'
import { type Branch, factsAt } from '../call.ts'
import type { DeliveryFacts, EventName } from '../rules/webhook-rules.ts'
import type { Client } from '../seed-data.ts'
import { stateOf } from './webhook-settings.ts'

export interface OutgoingEvent {
  /** Whom it is sent to. */
  readonly client: Client
  readonly consentId: string
  readonly event: EventName
  readonly body: unknown
}

/** How long an application may take to answer, in ms of the wall: whoever hangs must not stop the bank's time. */
const LONGEST_ANSWER = 5000

/** Sends an event. Where time stands still between two advances, it is done when the application has answered. */
export const send = async (branch: Branch, outgoing: OutgoingEvent): Promise<void> => {
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
