import {
  REJECTION_CODES,
  stamp,
  type Clock,
  isIban,
  randomToken,
  REJECTED_WITHOUT_REASON,
  type Account,
  type Client,
  type Customer,
} from './money-data.ts'
import {
  at,
  isFields,
  record,
  unknownPath,
  plainText,
  type Call,
  type Fields,
  type Reply,
} from './money-wire.ts'
import { objectOf } from './wire.ts'

interface Wish {
  label: string
  payer: Fields
  payee: Fields
  cents: number
  unit: string
  due?: string
  more: Fields
}

const REASON_TEXTS: Record<string, string> = {
  AC04: 'the account is closed',
  AG01: 'the account accepts no payments',
  TM01: 'too late for today',
}

const BIC = /^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/

/** The rejection code of an order and its text; undefined if the order is accepted. */
function rejectionOf(
  { payer, payee, unit, due, cents, more }: Wish,
  now: number,
  seen: boolean,
): [string, string] | undefined {
  const to = payee.account
  if (typeof payer.account !== 'string' || !isIban(payer.account))
    return ['AC01', 'the account of the payer is malformed']
  if (typeof to !== 'string' || !isIban(to)) return ['AC01', 'the account of the payee is malformed']
  const code = REJECTION_CODES.get(to)
  if (code !== undefined) return [code, REASON_TEXTS[code] ?? 'no']
  if (typeof payee.holder !== 'string' || payee.holder.trim() === '')
    return ['RR03', 'the name of the payee is missing']
  if (payee.bic !== undefined && !(typeof payee.bic === 'string' && BIC.test(payee.bic)))
    return ['RC01', 'the BIC is malformed']
  if (unit !== 'EUR') return ['AM03', 'only EUR']
  if (seen) return ['AM05', 'the order is a duplicate']
  if (more.expected !== undefined && more.expected !== cents)
    return ['AM09', 'the amount differs from the expected one']
  if (more.control !== undefined && more.control !== cents) return ['AM10', 'the control sum is wrong']
  if (due !== undefined && !(isCalendarDay(due) && Date.parse(due) + 86_400_000 > now))
    return ['DT01', 'the date is in the past or invalid']
  return undefined
}

function isCalendarDay(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10))
}

/** The customer's account that an order is paid from. */
const payerAccount = (customers: Customer[], payer: Fields): Account | undefined =>
  customers.flatMap(({ accounts }) => accounts).find(({ iban }) => iban === at(payer, 'account'))

/** A payment order of one environment. */
interface Order {
  id: string
  client: Client
  status: 'ACTC' | 'ACSP' | 'ACSC' | 'PDNG' | 'RJCT'
  since: number
  wish: Wish
  reason?: [code: string, words: string]
  agreed?: boolean
}

const INSUFFICIENT: [string, string] = ['AM04', 'insufficient funds']

const INITIATION_PATHS = new Set(['/payments/ecomm/sba', '/payments/wire/plain', '/payments/wire/dated'])

export class Orders {
  readonly #orders = new Map<string, Order>()
  readonly #labels = new Set<string>()

  constructor(
    readonly clock: Clock,
    readonly customers: Customer[],
  ) {}

  serve(call: Call, path: string, client: Client | undefined): Reply {
    const status = /^\/payments\/([^/]+)\/status$/.exec(path)?.[1]
    const known = INITIATION_PATHS.has(path) || path === '/payments/submission' || status !== undefined
    if (!known) return unknownPath()
    if (call.method !== (status === undefined ? 'POST' : 'GET'))
      return plainText(405, 'the method is not allowed\n')
    if (client === undefined)
      return plainText(401, 'the token is missing or invalid\n', {
        'www-authenticate': 'Bearer realm="counter"',
      })
    if (status !== undefined) return this.#status(client, status)
    const body = objectOf(call.body)
    if (body === undefined) return plainText(422, 'the body is malformed\n')
    return path === '/payments/submission'
      ? this.#submitted(client, body)
      : this.#taken(client, body, path.endsWith('/dated'))
  }

  /** An order of a client; undefined if it has no such order. */
  find(client: Client, id: string): Order | undefined {
    const order = this.#orders.get(id)
    return order?.client === client ? this.#upToDate(order) : undefined
  }

  #taken(client: Client, body: Fields, dated: boolean): Reply {
    const wish = wishOf(body)
    if (wish === undefined || (dated && wish.due === undefined))
      return plainText(422, 'a member is missing\n')
    const label = `${client.id} ${wish.label}`
    const reason = rejectionOf(wish, this.clock.now(), this.#labels.has(label))
    this.#labels.add(label)
    const id = `PO~${randomToken().slice(0, 20)}.q`
    const order: Order = {
      id,
      client,
      wish,
      since: this.clock.now(),
      status: reason === undefined ? 'ACTC' : 'RJCT',
      ...(reason ? { reason } : {}),
    }
    this.#orders.set(id, order)
    return record(201, statusRecord(order))
  }

  #status(client: Client, encoded: string): Reply {
    const order = this.find(client, decoded(encoded))
    return order === undefined ? plainText(403, 'the order is unknown\n') : record(200, statusRecord(order))
  }

  #submitted(client: Client, body: Fields): Reply {
    const id = at(body, 'release', 'order')
    const order = typeof id === 'string' ? this.find(client, id) : undefined
    if (order === undefined) return plainText(403, 'the order is unknown\n')
    if (order.status !== 'ACTC' || order.agreed !== true)
      return plainText(409, 'the order cannot be submitted\n')
    const account = payerAccount(this.customers, order.wish.payer)
    if (account === undefined || account.cents < order.wish.cents) this.#move(order, 'RJCT', INSUFFICIENT)
    else if (at(order.wish.payee, 'account') === REJECTED_WITHOUT_REASON)
      this.#move(order, 'RJCT', ['MS03', 'the receiving bank rejects it without a reason'])
    else if (order.wish.due !== undefined && Date.parse(order.wish.due) > this.clock.now())
      this.#move(order, 'PDNG')
    else {
      account.cents -= order.wish.cents
      this.#move(order, 'ACSP')
    }
    return record(202, statusRecord(order))
  }

  /** Stores the customer's decision. */
  settle(order: Order, agreed: boolean): void {
    order.agreed = agreed
  }

  /** Applies the status changes that are due: an order starts on its date, and is settled two hours later. */
  #upToDate(order: Order): Order {
    const now = this.clock.now()
    const due = Date.parse(order.wish.due ?? '')
    const settlementMs = 7_200_000
    if (order.status === 'PDNG' && now >= due) this.#move(order, 'ACSP', undefined, due)
    if (order.status === 'ACSP' && now >= order.since + settlementMs)
      this.#move(order, 'ACSC', undefined, order.since + settlementMs)
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

const statusRecord = ({ id, status, since, reason, wish }: Order): Fields => ({
  statusDateTime: stamp(since),
  counter: { label: wish.label, open: status === 'ACTC' },
  status,
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
