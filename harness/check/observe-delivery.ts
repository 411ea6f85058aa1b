import { Inconclusive } from '../evidence/signals.ts'
import { fieldOf } from '../session/answer.ts'
import { deliveredJson, eventObject, eventOf } from '../session/webhook-event.ts'
import { combined, kindOf, ObservedBody } from './observe-body.ts'
import { Subject } from './subject.ts'
import { ViolationError } from './violation.ts'
import type { Delivery, WebhookEvent } from '../session/webhook-event.ts'
import type { ObservedExchange } from './observe.ts'

/** What a judge sees of a webhook call of the target. Looking at it makes the verdict rest on it. */
export interface ObservedDelivery {
  readonly id: string
  /** When it came, by the target's clock. */
  readonly receivedAt: Date
  /** Undisclosed: for notes. */
  readonly method: Subject
  /** The address that was called. */
  readonly address: Subject
  /** A header that stands more than once is read as one list (RFC 9110 §5.3). */
  header(name: string): Subject
  /** The body as a whole; where in it the event stands is not shown. */
  readonly body: ObservedBody
  /** What the event says as far as it can be read: to find out which call this is. Nothing where it says nothing. */
  readonly event: WebhookEvent | undefined
  /** The member under a dotted path within the event. @throws Inconclusive where the body is no JSON. */
  field(path: string): Subject
  /** The JSON type of a member of the event: `string`, `array`, `nothing` … */
  kind(path: string): Subject
  /** The items of the event's accounts; none where they are no array. */
  readonly accounts: readonly ObservedItem[]
}

/** One item of the accounts of an event. */
export interface ObservedItem {
  field(path: string): Subject
  kind(path: string): Subject
}

export const observeDelivery = (delivery: Delivery, ledger: Set<string>): ObservedDelivery => {
  const { exchange } = delivery
  const { id, request } = exchange
  const subject = (name: string, value: unknown): Subject => {
    ledger.add(id)
    return new Subject(name, value, id)
  }
  const json = (): unknown => {
    ledger.add(id)
    const result = deliveredJson(delivery)
    if ('json' in result) return result.json
    // The encoding of the call is not shown.
    throw new Inconclusive(`the body of ${id} is not JSON: ${result.error}`)
  }
  const membersOf = (name: string, object: () => unknown): ObservedItem => ({
    field: (path) => subject(name + path, fieldOf(object(), path)),
    kind: (path) => subject(`the type of ${name}${path}`, kindOf(fieldOf(object(), path))),
  })
  return {
    id,
    receivedAt: new Date(exchange.sentAt),
    get method() {
      return subject('method', request.method)
    },
    get address() {
      return subject('the address that was called', request.url)
    },
    header: (name) => subject(`header ${name}`, combined(request.headers, name)),
    body: new ObservedBody({
      subject,
      json,
      text: () => request.body?.text ?? '',
      isJson: () => 'json' in deliveredJson(delivery),
    }),
    get event() {
      ledger.add(id)
      return eventOf(delivery)
    },
    ...membersOf('', () => eventObject(json())),
    get accounts() {
      const items: unknown = eventObject(json())?.['accounts']
      return Array.isArray(items)
        ? items.map((item: unknown, at) => membersOf(`accounts ${at + 1}: `, () => item))
        : []
    },
  }
}

/** A webhook call that a conforming bank makes. */
export interface Expected {
  /** The call that came; nothing where none did. */
  readonly delivery: ObservedDelivery | undefined
  /** What made it due: its absence is seen there. */
  readonly after: ObservedExchange
  /** How long it was waited for, in ms of the target's time. */
  readonly within: number
  /** Whether the target can make its calls (`webhook.isReached`). */
  readonly isReached: boolean
}

/**
 * Judges that a webhook call has come.
 * @param what the call, as words that follow "expected": "an accountEvent with the taskStatus FINISHED".
 * @throws Inconclusive where no call of the target has ever come: it may be that none can.
 */
export const hasCome = ({ delivery, after, within, isReached }: Expected, what: string): ObservedDelivery => {
  if (delivery !== undefined) {
    // Looking at it makes the verdict rest on it.
    delivery.address.isPresent()
    return delivery
  }
  if (!isReached)
    throw new Inconclusive(
      'no webhook call of the target has come in this run: it makes none, or cannot reach the sink (--webhook-url)',
    )
  throw new ViolationError({
    subject: 'the webhook calls',
    expected: what,
    received: `none within ${within / 1000} s`,
    exchange: after.id,
  })
}
