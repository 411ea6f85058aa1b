import { Inconclusive } from '../../evidence/signals.ts'
import { fieldOf } from '../../evidence/record/answer.ts'
import { deliveredJson, eventObject, eventOf } from '../../evidence/record/webhook-event.ts'
import { combined, kindOf, ObservedBody } from './body.ts'
import { held, Subject, ViolationError } from '../verdict.ts'
import type { Delivery, WebhookEvent } from '../../evidence/record/webhook-event.ts'
import type { ObservedExchange, UsedExchanges } from './exchange.ts'

/** What a judge sees of a webhook call of the target. The verdict rests on every call that it reads. */
export class ObservedDelivery {
  readonly #delivery: Delivery
  readonly #used: UsedExchanges

  constructor(delivery: Delivery, used: UsedExchanges) {
    this.#delivery = delivery
    this.#used = used
  }

  get id(): string {
    return this.#delivery.exchange.id
  }

  /** When it arrived, by the clock of the target. */
  get receivedAt(): Date {
    return new Date(this.#delivery.exchange.sentAt)
  }

  /** Not shown by the interface: for notes only. */
  get method(): Subject {
    return this.#subject('method', this.#use().exchange.request.method)
  }

  /** The address that was called. */
  get address(): Subject {
    return this.#subject('the address that was called', this.#use().exchange.request.url)
  }

  /** The values of a repeated header as one list (RFC 9110 §5.3). */
  header(name: string): Subject {
    return this.#subject(`header ${name}`, combined(this.#use().exchange.request.headers, name))
  }

  /** The whole body. Where in it the event is, the interface does not show. */
  get body(): ObservedBody {
    return new ObservedBody({
      subject: (name, value) => this.#subject(name, value),
      json: () => this.#json(),
      text: () => this.#use().exchange.request.body?.text ?? '',
      isJson: () => 'json' in deliveredJson(this.#use()),
    })
  }

  /** The documented members of the event, to find out which call this is; undefined if there are none. */
  get event(): WebhookEvent | undefined {
    return eventOf(this.#use())
  }

  /** The member under a dotted path within the event. @throws Inconclusive if the body is not JSON. */
  field(path: string): Subject {
    return this.#members('', () => eventObject(this.#json())).field(path)
  }

  /** The JSON type of a member of the event: `string`, `array`, `nothing` … */
  kind(path: string): Subject {
    return this.#members('', () => eventObject(this.#json())).kind(path)
  }

  /** The items of `accounts` of the event; empty if that is not an array. */
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

  /** Notes that the verdict rests on this call; judges nothing. */
  use(): void {
    this.#use()
  }

  #use(): Delivery {
    this.#used.add(this.id)
    return this.#delivery
  }

  #subject(name: string, value: unknown): Subject {
    return new Subject(name, value, this.#use().exchange.id)
  }

  #json(): unknown {
    const result = deliveredJson(this.#use())
    if ('json' in result) return result.json
    // The interface does not show how a call is encoded.
    throw new Inconclusive(`the body of ${this.id} is not JSON: ${result.error}`)
  }
}

/** One item of the accounts of an event. */
export interface ObservedItem {
  field(path: string): Subject
  kind(path: string): Subject
}

/** A webhook call that a conforming bank makes, and what is known of it. */
export interface Expected {
  /** The call; undefined if none arrived. */
  readonly delivery: ObservedDelivery | undefined
  /** The exchange that must cause the call: a violation points to it. */
  readonly after: ObservedExchange
  /** How long the scenario waited for it, in ms of the target's time. */
  readonly within: number
  /** Whether the target can make its calls (`webhook.isReached()`). */
  readonly isReached: boolean
}

/**
 * Judges that a webhook call has arrived, and returns it.
 * @param what the call, as words that follow "expected": "an accountEvent with the taskStatus FINISHED".
 * @throws Inconclusive if no call of the target has arrived in the whole run: perhaps the target cannot reach the sink.
 */
export const hasArrived = (
  { delivery, after, within, isReached }: Expected,
  what: string,
): ObservedDelivery => {
  if (delivery !== undefined) {
    delivery.use()
    held()
    return delivery
  }
  if (!isReached)
    throw new Inconclusive(
      'no webhook call of the target has arrived in this run: it makes none, or cannot reach the sink (--webhook-url; `npm run doctor` with the same one tries it)',
    )
  throw new ViolationError({
    subject: 'the webhook calls',
    expected: what,
    received: `none within ${within / 1000} s`,
    exchange: after.id,
  })
}
