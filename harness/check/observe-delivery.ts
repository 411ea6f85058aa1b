import { Inconclusive } from '../evidence/signals.ts'
import { fieldOf } from '../session/answer.ts'
import { deliveredJson, eventObject, eventOf } from '../session/webhook-event.ts'
import { combined, kindOf, ObservedBody } from './observe-body.ts'
import { Subject } from './subject.ts'
import { ViolationError } from './violation.ts'
import type { Delivery, WebhookEvent } from '../session/webhook-event.ts'
import type { ObservedExchange } from './observe.ts'

/** What a judge sees of a webhook call of the target. Looking at it makes the verdict rest on it. */
export class ObservedDelivery {
  readonly #delivery: Delivery
  readonly #ledger: Set<string>

  constructor(delivery: Delivery, ledger: Set<string>) {
    this.#delivery = delivery
    this.#ledger = ledger
  }

  get id(): string {
    return this.#delivery.exchange.id
  }

  /** When it came, by the target's clock. */
  get receivedAt(): Date {
    return new Date(this.#delivery.exchange.sentAt)
  }

  /** Undisclosed: for notes. */
  get method(): Subject {
    return this.#subject('method', this.#touched().exchange.request.method)
  }

  /** The address that was called. */
  get address(): Subject {
    return this.#subject('the address that was called', this.#touched().exchange.request.url)
  }

  /** A header that stands more than once is read as one list (RFC 9110 §5.3). */
  header(name: string): Subject {
    return this.#subject(`header ${name}`, combined(this.#touched().exchange.request.headers, name))
  }

  /** The body as a whole; where in it the event stands is not shown. */
  get body(): ObservedBody {
    return new ObservedBody({
      subject: (name, value) => this.#subject(name, value),
      json: () => this.#json(),
      text: () => this.#touched().exchange.request.body?.text ?? '',
      isJson: () => 'json' in deliveredJson(this.#touched()),
    })
  }

  /** What the event says as far as it can be read: to find out which call this is. Nothing where it says nothing. */
  get event(): WebhookEvent | undefined {
    return eventOf(this.#touched())
  }

  /** The member under a dotted path within the event. @throws Inconclusive where the body is no JSON. */
  field(path: string): Subject {
    return this.#members('', () => eventObject(this.#json())).field(path)
  }

  /** The JSON type of a member of the event: `string`, `array`, `nothing` … */
  kind(path: string): Subject {
    return this.#members('', () => eventObject(this.#json())).kind(path)
  }

  /** The items of the event's accounts; none where they are no array. */
  get accounts(): readonly ObservedItem[] {
    const items: unknown = eventObject(this.#json())?.['accounts']
    return Array.isArray(items)
      ? items.map((item: unknown, at) => this.#members(`accounts ${at + 1}: `, () => item))
      : []
  }

  #members(name: string, object: () => unknown): ObservedItem {
    return {
      field: (path) => this.#subject(name + path, fieldOf(object(), path)),
      kind: (path) => this.#subject(`the type of ${name}${path}`, kindOf(fieldOf(object(), path))),
    }
  }

  /** Whoever looks at it rests the verdict on it. */
  #touched(): Delivery {
    this.#ledger.add(this.id)
    return this.#delivery
  }

  #subject(name: string, value: unknown): Subject {
    return new Subject(name, value, this.#touched().exchange.id)
  }

  #json(): unknown {
    const result = deliveredJson(this.#touched())
    if ('json' in result) return result.json
    // The encoding of the call is not shown.
    throw new Inconclusive(`the body of ${this.id} is not JSON: ${result.error}`)
  }
}

/** One item of the accounts of an event. */
export interface ObservedItem {
  field(path: string): Subject
  kind(path: string): Subject
}

/** A webhook call that a conforming bank makes. */
export interface Expected {
  /** The call that came; nothing where none did. */
  readonly delivery: ObservedDelivery | undefined
  /** What made it due: its absence is seen there. */
  readonly after: ObservedExchange
  /** How long it was waited for, in ms of the target's time. */
  readonly within: number
  /** Whether the target can make its calls (`webhook.isReached()`). */
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
