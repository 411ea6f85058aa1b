import { encodingsOf } from '../evidence/redaction.ts'
import { Inconclusive, NotReached } from '../evidence/signals.ts'
import {
  brokeDown,
  endOf,
  isAccepted,
  isTurnedAway,
  isUnreadable,
  jsonFault,
  jsonOf,
  responseOf,
  unseen,
} from '../session/answer.ts'
import { isExchange, isLanding } from '../session/landing.ts'
import { isWalk } from '../session/walk.ts'
import { isDelivery } from '../session/webhook-event.ts'
import { combined, ObservedBody } from './observe-body.ts'
import { ObservedDelivery } from './observe-delivery.ts'
import { ObservedWalk } from './observe-walk.ts'
import { Subject } from './subject.ts'
import { ViolationError } from './violation.ts'
import type { Exchange, SentRequest } from '../evidence/exchange.ts'
import type { Walk } from '../session/accounts.ts'
import type { Landing } from '../session/landing.ts'
import type { Delivery } from '../session/webhook-event.ts'

/** The record of a scenario as its judges see it: the same shape, with exchanges and landings observed. */
export type Observed<T> = T extends Exchange
  ? ObservedExchange
  : T extends Landing
    ? ObservedLanding
    : T extends Walk
      ? ObservedWalk
      : T extends Delivery
        ? ObservedDelivery
        : T extends string | number | boolean | Date | null | undefined
          ? T
          : T extends readonly (infer Item)[]
            ? readonly Observed<Item>[]
            : { readonly [Key in keyof T]: Observed<T[Key]> }

/** Remembers which exchanges a judge looked at. */
export type Ledger = Set<string>

export const observe = <T>(record: T, ledger: Ledger): Observed<T> => look(record, ledger) as Observed<T>

const look = (value: unknown, ledger: Ledger): unknown => {
  if (isExchange(value)) return observeExchange(value, ledger)
  if (isLanding(value)) return new ObservedLanding(value, ledger)
  if (isWalk(value)) return new ObservedWalk(value, ledger, observeExchange)
  if (isDelivery(value)) return new ObservedDelivery(value, ledger)
  if (Array.isArray(value)) return value.map((item) => look(item, ledger))
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? lookAtMembers(value, ledger)
    : value
}

const lookAtMembers = (members: object, ledger: Ledger): object => {
  const seen = Object.assign({}, members) as Record<string, unknown>
  for (const key of Object.keys(seen)) seen[key] = look(seen[key], ledger)
  return seen
}

/**
 * What a judge sees of one exchange. Looking at it makes the verdict rest on it. A record has many, of which a judge
 * looks at few: nothing is made of one that is not looked at.
 */
export class ObservedExchange {
  readonly #exchange: Exchange
  readonly #ledger: Ledger

  constructor(exchange: Exchange, ledger: Ledger) {
    this.#exchange = exchange
    this.#ledger = ledger
  }

  get id(): string {
    return this.#exchange.id
  }

  get request(): SentRequest {
    return this.#exchange.request
  }

  /** When it was sent, by the target's clock. */
  get sentAt(): Date {
    return new Date(this.#exchange.sentAt)
  }

  get status(): Subject {
    return this.#subject('status', responseOf(this.#touched()).status)
  }

  /** A header that stands more than once is read as one list (RFC 9110 §5.3). */
  header(name: string): Subject {
    return this.#subject(`header ${name}`, combined(responseOf(this.#touched()).headers, name))
  }

  /** Nothing of the answer holds this secret, in any encoding; `name` is what a reader calls it. */
  hides(secret: string, name: string): void {
    hides(this.#touched(), secret, name)
  }

  get body(): ObservedBody {
    return new ObservedBody({
      subject: (name, value) => this.#subject(name, value),
      json: () => this.#json(),
      text: () => responseOf(this.#touched()).body.text,
      isJson: () => jsonFault(this.#touched()) === undefined,
    })
  }

  get accepted(): boolean {
    return isAccepted(this.#touched())
  }

  /** The target did what it was asked for; `because` says why a conforming bank does. */
  isAccepted(because: string): void {
    expectAcceptance(this.#touched(), because)
  }

  /** The target did not do what it was asked for. A breakdown (5xx) is no refusal and leaves it open. */
  isRefused(because: string): void {
    expectRefusal(this.#touched(), because)
  }

  /** Whoever looks at it rests the verdict on it. */
  #touched(): Exchange {
    this.#ledger.add(this.#exchange.id)
    return this.#exchange
  }

  #subject(name: string, value: unknown): Subject {
    return new Subject(name, value, this.#touched().id)
  }

  #json(): unknown {
    const fault = jsonFault(this.#touched())
    if (fault === undefined) return jsonOf(this.#exchange)
    throw new Inconclusive(`the answer to ${this.id} is not JSON: ${fault}`)
  }
}

const observeExchange = (exchange: Exchange, ledger: Ledger): ObservedExchange =>
  new ObservedExchange(exchange, ledger)

const hides = (exchange: Exchange, secret: string, name: string): void => {
  const { headers, body } = responseOf(exchange)
  const places = [
    ['body', body.text] as const,
    ...headers.map(([field, value]) => [`header ${field}`, value] as const),
  ]
  const found = places.find(([, text]) => encodingsOf(secret).some((encoded) => text.includes(encoded)))
  if (found === undefined) return
  const [subject] = found
  throw new ViolationError({ subject, expected: `nothing of ${name}`, received: name, exchange: exchange.id })
}

/** What a judge sees of an authorization's end. */
export class ObservedLanding {
  readonly exchange: ObservedExchange
  readonly #landing: Landing
  readonly #ledger: Ledger

  constructor(landing: Landing, ledger: Ledger) {
    this.exchange = observeExchange(landing.exchange, ledger)
    this.#landing = landing
    this.#ledger = ledger
  }

  /** @throws NotReached where a person gave the code, and nobody else saw how it came. */
  get outcome(): Landing['outcome'] {
    return this.#withAddress().outcome
  }

  get code(): Subject {
    return this.#subject('authorization code', this.#landing.code)
  }

  /** Where the browser was sent, without the query. */
  get address(): Subject {
    const redirect = this.#redirect()
    return this.#subject('redirect', redirect && redirect.origin + redirect.pathname)
  }

  /** A parameter of the redirect's query. */
  parameter(name: string): Subject {
    return this.#subject(
      `redirect parameter "${name}"`,
      this.#redirect()?.searchParams.get(name) ?? undefined,
    )
  }

  /** A parameter of the redirect's fragment. */
  fragment(name: string): Subject {
    const parameters = new URLSearchParams(this.#redirect()?.hash.slice(1))
    return this.#subject(`redirect fragment "${name}"`, parameters.get(name) ?? undefined)
  }

  /** The names of the parameters of the redirect's query, as often as they stand there. */
  get names(): readonly string[] {
    return [...(this.#redirect()?.searchParams.keys() ?? [])]
  }

  get decision(): Landing['decision'] {
    return this.#seen(this.#landing.decision !== 'unasked', 'whether the customer was asked').decision
  }

  /** How many pages of the recipe the customer acted on. */
  get pages(): Subject {
    const { acted } = this.#seen(false, 'what the customer was shown')
    return this.#subject('pages that the customer acted on', acted.length)
  }

  get accepted(): boolean {
    return isAccepted(this.#touched())
  }

  isAccepted(because: string): void {
    expectAcceptance(this.#touched(), because)
  }

  isRefused(because: string): void {
    expectRefusal(this.#touched(), because)
  }

  /** Whoever looks at it rests the verdict on its exchange. */
  #touched(): Landing {
    const { exchange } = this.#landing
    this.#ledger.add(exchange.id)
    if (exchange.handover === undefined || exchange.handover.by === 'nobody') responseOf(exchange)
    return this.#landing
  }

  /** @throws NotReached where a person has authorized, and nobody else saw it. */
  #seen(isSeen: boolean, what: string): Landing {
    const landing = this.#touched()
    if (landing.exchange.handover === undefined || isSeen) return landing
    throw new NotReached(unseen(landing.exchange, what))
  }

  #withAddress(): Landing {
    return this.#seen(this.#landing.isCodeAlone !== true, 'where the bank has sent the customer')
  }

  #redirect(): URL | undefined {
    const { redirect } = this.#withAddress()
    return redirect === undefined ? undefined : new URL(redirect)
  }

  #subject(name: string, value: unknown): Subject {
    return new Subject(name, value, this.#touched().exchange.id)
  }
}

const describe = (attempt: Exchange | Landing): { readonly id: string; readonly end: string } => {
  const exchange = isLanding(attempt) ? attempt.exchange : attempt
  if (isLanding(attempt)) return { id: exchange.id, end: endOf(attempt) }
  const { status } = responseOf(exchange)
  return { id: exchange.id, end: `${status}${lackOf(attempt)}` }
}

/** What an answer lacks is told by the words of the profile, which may be what is wrong. */
const lackOf = (attempt: Exchange): string => {
  const { fruit } = attempt
  return fruit === undefined || isAccepted(attempt) ? '' : `, without ${fruit.join(' or ')}`
}

const expectAcceptance = (attempt: Exchange | Landing, because: string): void => {
  if (isAccepted(attempt)) return
  const { id, end } = describe(attempt)
  if (brokeDown(attempt)) throw new Inconclusive(`${id} ended in a breakdown (${end})`)
  if (isTurnedAway(attempt)) throw new Inconclusive(`${id} was turned away (${end}): see --rate`)
  if (isUnreadable(attempt)) throw new Inconclusive(`the answer to ${id} is not JSON (${end})`)
  throw new ViolationError({
    subject: 'the request',
    expected: `to be accepted: ${because}`,
    received: `a refusal (${end})`,
    exchange: id,
  })
}

const expectRefusal = (attempt: Exchange | Landing, because: string): void => {
  const { id, end } = describe(attempt)
  if (isAccepted(attempt))
    throw new ViolationError({
      subject: 'the request',
      expected: `to be refused: ${because}`,
      received: `its acceptance (${end})`,
      exchange: id,
    })
  if (brokeDown(attempt)) throw new Inconclusive(`${id} was not refused but broke down (${end})`)
}
