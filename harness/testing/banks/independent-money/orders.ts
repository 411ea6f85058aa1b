import { stamp, type Clock } from './clock.ts'
import {
  AWKWARD,
  holdsAsIban,
  secretText,
  SULLEN,
  type Account,
  type Client,
  type Customer,
} from './register.ts'
import { has } from './ways.ts'
import {
  at,
  isFields,
  parsed,
  record,
  unknownPath,
  words,
  type Call,
  type Fields,
  type Reply,
} from './wire.ts'

interface Wish {
  label: string
  payer: Fields
  payee: Fields
  cents: number
  unit: string
  due?: string
  more: Fields
}

const WORDS: Record<string, string> = {
  AC04: 'that account is no more',
  AG01: 'that account takes no payments',
  TM01: 'too late for today',
}

const BIC = /^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/

/** Why an order is not taken, if it is not. */
function objection(
  { payer, payee, unit, due, cents, more }: Wish,
  now: number,
  seen: boolean,
): [string, string] | undefined {
  const to = payee.account
  if (typeof payer.account !== 'string' || !holdsAsIban(payer.account))
    return ['AC01', 'the account of the payer is not well written']
  if (typeof to !== 'string' || !holdsAsIban(to))
    return ['AC01', 'the account of the payee is not well written']
  const awkward = AWKWARD.get(to)
  if (awkward !== undefined) return [awkward, WORDS[awkward] ?? 'no']
  if (typeof payee.holder !== 'string' || payee.holder.trim() === '') return ['RR03', 'who is it for?']
  if (payee.bic !== undefined && !(typeof payee.bic === 'string' && BIC.test(payee.bic)))
    return ['RC01', 'there is no such way to write a bank']
  if (unit !== 'EUR') return ['AM03', 'euros alone']
  if (seen) return ['AM05', 'we have had this one before']
  if (more.expected !== undefined && more.expected !== cents) return ['AM09', 'another amount was agreed']
  if (more.control !== undefined && more.control !== cents) return ['AM10', 'the sums do not agree']
  if (due !== undefined && !(Date.parse(due) + 86_400_000 > now))
    return ['DT01', 'that day is over, or never was']
  return undefined
}

/** The account that an order is paid from, where it is a customer's. */
const holdings = (customers: Customer[], payer: Fields): Account | undefined =>
  customers.flatMap(({ accounts }) => accounts).find(({ iban }) => iban === at(payer, 'account'))

/** Orders to pay, of one environment. */

interface Order {
  id: string
  client: Client
  status: 'ACTC' | 'ACSP' | 'ACSC' | 'PDNG' | 'RJCT'
  since: number
  wish: Wish
  reason?: [code: string, words: string]
  agreed?: boolean
}

const SHORT: [string, string] = ['AM04', 'there is not enough on the account']

const WAYS = new Set(['/payments/ecomm/sba', '/payments/wire/plain', '/payments/wire/dated'])

export class Orders {
  readonly #orders = new Map<string, Order>()
  readonly #labels = new Set<string>()

  constructor(
    readonly clock: Clock,
    readonly customers: Customer[],
  ) {}

  serve(call: Call, path: string, client: Client | undefined, refusal: number): Reply {
    const status = /^\/payments\/([^/]+)\/status$/.exec(path)?.[1]
    const known = WAYS.has(path) || path === '/payments/submission' || status !== undefined
    if (!known) return unknownPath()
    if (call.method !== (status === undefined ? 'POST' : 'GET')) return words(405, 'not like this\n')
    if (client === undefined)
      return words(refusal, 'a pass for payments, please\n', { 'www-authenticate': 'Bearer realm="counter"' })
    if (status !== undefined) return this.#told(client, status)
    const body = parsed(call.body)
    if (body === undefined) return words(422, 'this is no order\n')
    return path === '/payments/submission'
      ? this.#submitted(client, body)
      : this.#taken(client, body, path.endsWith('/dated'))
  }

  /** An order of a client, as the pages ask for it. */
  find(client: Client, id: string): Order | undefined {
    const order = this.#orders.get(id)
    return order?.client === client ? this.#upToDate(order) : undefined
  }

  #taken(client: Client, body: Fields, dated: boolean): Reply {
    const wish = wishOf(body)
    if (wish === undefined || (dated && wish.due === undefined)) return words(422, 'something is missing\n')
    const label = `${client.id} ${wish.label}`
    const lacks = has('funds-at-the-door') && (holdings(this.customers, wish.payer)?.cents ?? 0) < wish.cents
    const reason = objection(wish, this.clock.now(), this.#labels.has(label)) ?? (lacks ? SHORT : undefined)
    this.#labels.add(label)
    const id = has('long-order-ids')
      ? `${secretText()}:${'0'.repeat(160)}=`
      : `PO~${secretText().slice(0, 20)}.q`
    const order: Order = {
      id,
      client,
      wish,
      since: this.clock.now(),
      status: reason === undefined ? 'ACTC' : 'RJCT',
      ...(reason ? { reason } : {}),
    }
    this.#orders.set(id, order)
    return record(201, this.#record(order))
  }

  #told(client: Client, encoded: string): Reply {
    const order = this.find(client, decoded(encoded))
    return order === undefined ? words(403, 'not one of yours\n') : record(200, this.#record(order))
  }

  #submitted(client: Client, body: Fields): Reply {
    const id = at(body, 'release', 'order')
    const order = typeof id === 'string' ? this.find(client, id) : undefined
    if (order === undefined) return words(403, 'not one of yours\n')
    if (order.status !== 'ACTC' || order.agreed !== true)
      return has('patient-counter') ? record(200, this.#record(order)) : words(409, 'not now\n')
    const account = holdings(this.customers, order.wish.payer)
    if (account === undefined || account.cents < order.wish.cents) this.#move(order, 'RJCT', SHORT)
    else if (at(order.wish.payee, 'account') === SULLEN)
      this.#move(order, 'RJCT', ['MS03', 'the other side says no, and not why'])
    else if (order.wish.due !== undefined && Date.parse(order.wish.due) > this.clock.now())
      this.#move(order, 'PDNG')
    else {
      account.cents -= order.wish.cents
      this.#move(order, 'ACSP')
    }
    return record(202, this.#record(order))
  }

  #record(order: Order): Fields {
    const inner = told(has('time-of-reading') ? { ...order, since: this.clock.now() } : order)
    return has('record-within') ? { payment: inner } : inner
  }

  /** The customer has answered. */
  settle(order: Order, agreed: boolean): void {
    order.agreed = agreed
    if (!agreed && has('denial-rejects')) this.#move(order, 'RJCT', ['MS03', 'the customer does not want it'])
  }

  /** What has come about by time alone: the day of an order comes, and two hours later the money is there. */
  #upToDate(order: Order): Order {
    const now = this.clock.now()
    const due = Date.parse(order.wish.due ?? '')
    const rest = has('settled-at-once') ? 0 : 7_200_000
    if (order.status === 'PDNG' && now >= due) this.#move(order, 'ACSP', undefined, due)
    if (order.status === 'ACSP' && now >= order.since + rest && !has('never-settled'))
      this.#move(order, 'ACSC', undefined, order.since + rest)
    return order
  }

  #move(order: Order, status: Order['status'], reason?: [string, string], since = this.clock.now()): void {
    order.status = status
    order.since = since
    if (reason !== undefined) order.reason = reason
  }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const told = ({ id, status, since, reason, wish }: Order): Fields => ({
  statusDateTime: stamp(since),
  counter: { label: wish.label, open: status === 'ACTC' },
  status,
  ...(reason === undefined && has('empty-members') ? { reasonCode: null, additionalInformation: '' } : {}),
  ...(reason === undefined ? {} : { reasonCode: reason[0], additionalInformation: reason[1] }),
  orderId: id,
})

function wishOf(body: Fields): Wish | undefined {
  const { label, payer, payee, sum, due, ...more } = body
  const cents = at(sum, 'minor')
  const unit = at(sum, 'unit')
  if (typeof label !== 'string' || label === '' || !isFields(payer) || !isFields(payee)) return undefined
  if (typeof cents !== 'number' || !Number.isInteger(cents) || cents < 1 || typeof unit !== 'string')
    return undefined
  if (due !== undefined && (typeof due !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(due))) return undefined
  return { label, payer, payee, cents, unit, more, ...(due === undefined ? {} : { due }) }
}
