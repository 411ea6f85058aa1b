import type { Account, Ledger } from './ledger.ts'
import { type Message, type Reason, reasonAtSubmission, reasonForMoney, reasonOf } from './messages.ts'
import type { Application } from './seed-data.ts'
import { type Clock, executionOf, localDay, stamp } from './time.ts'
import { randomId, randomToken } from './wire.ts'

/** The payment orders of one environment. What is done here waits for nothing, so that it is done whole. */

const SETTLEMENT = 40_000

export interface Order {
  id: string
  application: Application
  message: Message
  returnTo: string
  status: 'ACTC' | 'ACSP' | 'ACSC' | 'PDNG' | 'RJCT'
  /** The moment of the last change of the status. */
  since: number
  reason?: Reason
  /** The secret end of the link by which the customer approves. */
  link: string
  /** The values that open the order, each once. */
  approvals: Set<string>
  /** The moment of the next change of the status that comes by itself. */
  next?: number
}

export class Orders {
  readonly #orders = new Map<string, Order>()
  readonly #byLink = new Map<string, Order>()
  readonly #messages = new Set<string>()

  constructor(
    readonly clock: Clock,
    readonly ledger: Ledger,
  ) {}

  initiate(application: Application, message: Message, returnTo: string): Order {
    const now = this.clock.now()
    const key = `${application.id} ${message.message.id}`
    const payer = this.ledger.byIban(message.payer.iban)
    const reason = reasonOf({ message, now, payer, isRepeated: this.#messages.has(key) })
    this.#messages.add(key)
    const order: Order = {
      id: randomId(),
      application,
      message,
      returnTo,
      status: 'ACTC',
      since: now,
      link: randomToken(),
      approvals: new Set(),
    }
    if (reason !== undefined) reject(order, reason, now)
    this.#orders.set(order.id, order)
    this.#byLink.set(order.link, order)
    return order
  }

  find(application: Application, id: string): Order | undefined {
    const order = this.#orders.get(id)
    return order?.application === application ? order : undefined
  }

  byLink(link: string): Order | undefined {
    return this.#byLink.get(link)
  }

  payerOf({ message }: Order): Account {
    const account = this.ledger.byIban(message.payer.iban)
    if (account === undefined) throw new Error('an order was accepted without an account of the payer')
    return account
  }

  /** Opens an order with an approval. @returns why it stays closed. */
  submit(order: Order, approval: string): 'unapproved' | 'closed' | undefined {
    if (!order.approvals.has(approval)) return 'unapproved'
    if (order.status !== 'ACTC') return 'closed'
    order.approvals.delete(approval)
    const now = this.clock.now()
    const { message } = order
    const payer = this.payerOf(order)
    const reason = reasonAtSubmission(message, payer, now)
    if (reason !== undefined) {
      reject(order, reason, now)
    } else if (message.due !== undefined && message.due > localDay(now)) {
      move(order, 'PDNG', now)
      order.next = executionOf(message.due)
    } else {
      payer.reserved += message.sum.value
      move(order, 'ACSP', now)
      order.next = now + SETTLEMENT
    }
    return undefined
  }

  /** Does what has fallen due, each at its moment and one after the other. */
  settle(): void {
    const now = this.clock.now()
    const due = [...this.#orders.values()]
      .map((order) => ({ order, moment: order.next ?? Infinity }))
      .filter(({ moment }) => moment <= now)
      .sort((one, other) => one.moment - other.moment)
    for (const { order, moment } of due) this.#complete(order, moment)
  }

  #complete(order: Order, moment: number): void {
    const { sum, payee } = order.message
    const payer = this.payerOf(order)
    delete order.next
    if (order.status === 'ACSP') {
      payer.reserved -= sum.value
    } else {
      const reason = reasonForMoney(order.message, payer, moment)
      if (reason !== undefined) return reject(order, reason, moment)
    }
    move(order, 'ACSC', moment)
    payer.book(-sum.value, moment)
    this.ledger.byIban(payee.iban)?.book(sum.value, moment)
  }
}

function move(order: Order, status: Order['status'], moment: number): void {
  order.status = status
  order.since = moment
}

function reject(order: Order, reason: Reason, moment: number): void {
  move(order, 'RJCT', moment)
  order.reason = reason
}

/** The status record of an order. */
export const recordOf = ({ id, status, since, reason }: Order): Record<string, string> => ({
  orderId: id,
  status,
  statusDateTime: stamp(since),
  ...(reason === undefined ? {} : { reasonCode: reason.code, additionalInformation: reason.text }),
})
