import { randomBytes, randomUUID } from 'node:crypto'
import { isValidIBAN } from 'ibantools'
import type { Clock } from './clock.ts'
import type { Account, Ledger } from './ledger.ts'
import type { Application } from './seed-data.ts'
import { isTargetDay } from './target-days.ts'
import { randomText } from './wire.ts'

/** The payment orders of one environment. Each step is taken whole, without waiting in between. */

export interface Wish {
  slip: string
  from: string
  to: { who?: string | null | undefined; iban: string }
  cents: number
  unit: string
  note?: string | undefined
  on?: string | undefined
}

interface Reason {
  code: 'AC01' | 'AM03' | 'AM04' | 'AM05' | 'DT01' | 'RR03'
  text: string
}

export interface Order {
  id: string
  /** The part of the approval page's address that nobody can guess. */
  link: string
  application: Application
  wish: Wish
  /** The account that pays, where it is one of the bank. */
  payer: Account | undefined
  status: 'ACTC' | 'ACSP' | 'ACSC' | 'PDNG' | 'RJCT'
  /** The time of the last change of the status. */
  since: number
  reason?: Reason
  /** The value by which the application shows that the customer has approved. */
  approval?: string
}

const SETTLEMENT_MS = 20_000

const NO_MONEY: Reason = { code: 'AM04', text: 'There is not enough money on the account.' }

export class OrderBook {
  readonly #orders = new Map<string, Order>()
  readonly #slips = new Set<string>()

  constructor(
    readonly clock: Clock,
    readonly ledger: Ledger,
  ) {}

  take(application: Application, wish: Wish): Order {
    const payer = this.ledger.account(wish.from)
    const slip = JSON.stringify([application.id, wish.slip])
    const reason = this.#faultOf(wish, payer, this.#slips.has(slip))
    this.#slips.add(slip)
    const order: Order = {
      id: randomUUID(),
      link: randomText(),
      application,
      wish,
      payer,
      status: reason === undefined ? 'ACTC' : 'RJCT',
      since: this.clock.now(),
      ...(reason === undefined ? {} : { reason }),
    }
    this.#orders.set(order.id, order)
    return order
  }

  /** An order of an application; orders of others are unknown to it. */
  find(application: Application, id: string): Order | undefined {
    const order = this.#orders.get(id)
    return order?.application === application ? order : undefined
  }

  findByLink(link: string): Order | undefined {
    return [...this.#orders.values()].find((order) => order.link === link)
  }

  /** The approval value; a second approval gives the same one. */
  approve(order: Order): string {
    order.approval ??= `K7-${randomBytes(12).toString('hex').toUpperCase()}-9`
    return order.approval
  }

  /** The last decision of the customer counts, so an earlier approval ends. */
  disapprove(order: Order): void {
    delete order.approval
  }

  /** Submits an approved order. */
  submit(order: Order): void {
    const { payer, wish } = order
    delete order.approval
    if (payer === undefined || wish.cents > payer.available) this.#move(order, 'RJCT', NO_MONEY)
    else if (wish.on !== undefined && wish.on > this.clock.today()) this.#move(order, 'PDNG')
    else {
      payer.reserve(wish.cents)
      this.#move(order, 'ACSP')
    }
  }

  /** Does what has fallen due, the earliest first, since each payment may need the money of another. */
  settleDue(): void {
    const now = this.clock.now()
    const due = [...this.#orders.values()].filter((order) => dueOf(order) <= now)
    for (const order of due.sort((one, other) => dueOf(one) - dueOf(other))) this.#settle(order)
  }

  #settle(order: Order): void {
    const { payer, wish, status } = order
    if (payer === undefined) return
    if (status === 'ACSP') payer.release(wish.cents)
    else if (wish.cents > payer.available) return this.#move(order, 'RJCT', NO_MONEY)
    const now = this.clock.now()
    const text = wish.note ?? wish.slip
    payer.book(-wish.cents, now, text)
    this.ledger.account(wish.to.iban)?.book(wish.cents, now, text)
    this.#move(order, 'ACSC')
  }

  #move(order: Order, status: Order['status'], reason?: Reason): void {
    order.status = status
    order.since = this.clock.now()
    if (reason !== undefined) order.reason = reason
  }

  /** The first reason in the order of the bank. */
  #faultOf(wish: Wish, payer: Account | undefined, isRepeated: boolean): Reason | undefined {
    const { from, to, cents, unit, on } = wish
    if (isRepeated) return { code: 'AM05', text: 'The slip was used before.' }
    if ((to.who ?? '').trim() === '') return { code: 'RR03', text: 'The name of the payee is missing.' }
    if (!isValidIBAN(from) || !isValidIBAN(to.iban))
      return { code: 'AC01', text: 'An account number is not an IBAN with the right check digits.' }
    if (unit !== 'EUR') return { code: 'AM03', text: 'Only EUR is paid.' }
    if (on !== undefined && (on < this.clock.today() || !isTargetDay(on)))
      return { code: 'DT01', text: 'The date is in the past or no working day.' }
    return cents > (payer?.available ?? 0) ? NO_MONEY : undefined
  }
}

/** When the status changes by itself; never, where it does not. */
function dueOf({ status, since, wish }: Order): number {
  if (status === 'ACSP') return since + SETTLEMENT_MS
  return status === 'PDNG' && wish.on !== undefined ? Date.parse(`${wish.on}T05:00:00.000Z`) : Infinity
}
