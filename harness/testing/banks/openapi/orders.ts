import { randomUUID } from 'node:crypto'
import { isValidBIC, isValidIBAN } from 'ibantools'
import { z } from 'zod'
import { type Accounts, isOwn } from './ledger.ts'
import { type Clock, dayOf, isDay, startOf, timestamp } from './clock.ts'
import {
  AGREED_AMOUNT,
  type Application,
  BLOCKED_WITHOUT_REASON,
  CLOSED_ACCOUNT,
  NEVER_THE_SAME_DAY,
} from './seed.ts'

const amount = z.string().regex(/^(?=.*[1-9])\d{1,9}\.\d{2}$/, 'must be a positive amount such as 12.50')

export const paymentMessage = z.object({
  messageId: z.string().regex(/^\S{1,35}$/, 'must be 1 to 35 characters without spaces'),
  debtorIban: z.string().max(34),
  creditor: z.object({
    name: z.string().max(70).optional(),
    address: z.string().max(140).optional(),
    iban: z.string().max(34),
    bic: z.string().max(11).optional(),
  }),
  instructedAmount: z.object({ currency: z.string().regex(/^[A-Z]{3}$/), value: amount }),
  controlSum: amount.optional(),
  executionDate: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
  remittanceText: z.string().max(140).optional(),
})

export type PaymentMessage = z.infer<typeof paymentMessage>

interface Reason {
  code: string
  text: string
}

export interface Order {
  orderId: string
  application: Application
  message: PaymentMessage
  status: 'ACTC' | 'ACSP' | 'ACSC' | 'PDNG' | 'RJCT'
  changedAt: number
  reason?: Reason
}

const SETTLEMENT_MILLISECONDS = 2 * 60_000

const centsOf = (value: string): number => Math.round(Number(value) * 100)

const isBlank = (text: string | undefined): boolean => (text ?? '').trim() === ''

/** The payments of one environment. Every change is made in one go, so that no other call comes between. */
export class Orders {
  readonly #orders = new Map<string, Order>()
  readonly #accounts: Accounts
  readonly #clock: Clock

  constructor(accounts: Accounts, clock: Clock) {
    this.#accounts = accounts
    this.#clock = clock
  }

  find(orderId: string, application: Application): Order | undefined {
    const order = this.#orders.get(orderId)
    return order?.application === application ? order : undefined
  }

  initiate(application: Application, message: PaymentMessage): Order {
    const isRepeated = [...this.#orders.values()].some(
      (order) => order.application === application && order.message.messageId === message.messageId,
    )
    const reason = isRepeated
      ? { code: 'AM05', text: 'A message with this messageId was received before.' }
      : (this.#lastingReason(message) ?? this.#dateReason(message, this.#clock.now()))
    const order: Order = {
      orderId: randomUUID(),
      application,
      message,
      status: reason === undefined ? 'ACTC' : 'RJCT',
      changedAt: this.#clock.now(),
      ...(reason && { reason }),
    }
    this.#orders.set(order.orderId, order)
    return order
  }

  /** Submits an order in ACTC. */
  submit(order: Order): void {
    const now = this.#clock.now()
    const reason = this.#dateReason(order.message, now)
    if (reason !== undefined) this.#reject(order, now, reason)
    else if ((order.message.executionDate ?? '') > dayOf(now)) this.#move(order, 'PDNG', now)
    else this.#execute(order, now)
  }

  /** Brings the orders to where time has moved them, in the sequence in which things happened. */
  catchUp(): void {
    const now = this.#clock.now()
    for (;;) {
      const due = [...this.#orders.values()]
        .map((order) => ({ order, at: this.#dueAt(order) }))
        .filter(({ at }) => at <= now)
        .sort((one, other) => one.at - other.at)[0]
      if (due === undefined) return
      if (due.order.status === 'PDNG') this.#execute(due.order, due.at)
      else this.#settle(due.order, due.at)
    }
  }

  #dueAt({ status, changedAt, message }: Order): number {
    if (status === 'ACSP') return changedAt + SETTLEMENT_MILLISECONDS
    return status === 'PDNG' ? startOf(message.executionDate ?? '') : Infinity
  }

  #move(order: Order, status: Order['status'], at: number): void {
    order.status = status
    order.changedAt = at
  }

  #reject(order: Order, at: number, reason: Reason): void {
    this.#move(order, 'RJCT', at)
    order.reason = reason
  }

  /** Takes the money from the debtor. */
  #execute(order: Order, at: number): void {
    const { debtorIban, creditor, instructedAmount, remittanceText } = order.message
    const debtor = this.#accounts.byIban(debtorIban)
    const cents = centsOf(instructedAmount.value)
    if (debtor === undefined || debtor.cents < cents) {
      this.#reject(order, at, { code: 'AM04', text: 'The available funds do not cover the amount.' })
      return
    }
    this.#accounts.book(debtor, {
      bookedAt: at,
      cents: -cents,
      counterparty: creditor.name ?? '',
      purpose: remittanceText ?? order.message.messageId,
    })
    this.#move(order, 'ACSP', at)
  }

  /** Gives the money to the creditor, whose account may be at this bank too. */
  #settle(order: Order, at: number): void {
    const { debtorIban, creditor, instructedAmount, remittanceText } = order.message
    const account = this.#accounts.byIban(creditor.iban)
    if (account !== undefined) {
      this.#accounts.book(account, {
        bookedAt: at,
        cents: centsOf(instructedAmount.value),
        counterparty: debtorIban,
        purpose: remittanceText ?? order.message.messageId,
      })
    }
    this.#move(order, 'ACSC', at)
  }

  /** The first rule that the message breaks at any time. */
  #lastingReason(message: PaymentMessage): Reason | undefined {
    const { debtorIban, creditor, instructedAmount, controlSum } = message
    const cents = centsOf(instructedAmount.value)
    const debtor = this.#accounts.byIban(debtorIban)
    const rules: [broken: boolean, code: string, text: string][] = [
      [!isValidIBAN(debtorIban), 'AC01', 'debtorIban is not an IBAN.'],
      [!isValidIBAN(creditor.iban), 'AC01', 'The IBAN of the creditor is not an IBAN.'],
      [creditor.bic !== undefined && !isValidBIC(creditor.bic), 'RC01', 'The BIC has an incorrect format.'],
      [isBlank(creditor.name), 'RR03', 'The name of the creditor is missing.'],
      [isBlank(creditor.address), 'RR03', 'The address of the creditor is missing.'],
      [instructedAmount.currency !== 'EUR', 'AM03', 'Payments are made in EUR only.'],
      [controlSum !== undefined && centsOf(controlSum) !== cents, 'AM10', 'controlSum is not the amount.'],
      [
        creditor.iban === AGREED_AMOUNT.iban && cents !== AGREED_AMOUNT.cents,
        'AM09',
        'The creditor has agreed another amount.',
      ],
      [creditor.iban === CLOSED_ACCOUNT, 'AC04', 'The account of the creditor has been closed.'],
      [debtor?.kind === 'SAVINGS', 'AG01', 'No payments are made from a savings account.'],
      [
        debtor === undefined || !isOwn(debtor) || creditor.iban === BLOCKED_WITHOUT_REASON,
        'MS03',
        'The payment cannot be made.',
      ],
    ]
    const broken = rules.find(([isBroken]) => isBroken)
    return broken && { code: broken[1], text: broken[2] }
  }

  /** The first rule that the message breaks at this moment. */
  #dateReason({ creditor, executionDate }: PaymentMessage, now: number): Reason | undefined {
    const today = dayOf(now)
    const day = executionDate ?? today
    const latest = dayOf(now + 365 * 86_400_000)
    if (!isDay(day) || day < today || day > latest) {
      return { code: 'DT01', text: 'executionDate is no day from today to one year ahead.' }
    }
    return creditor.iban === NEVER_THE_SAME_DAY && day === today
      ? { code: 'TM01', text: 'The bank of the creditor takes no more payments today.' }
      : undefined
  }
}

/** The payment status record. */
export const statusRecord = ({ orderId, status, changedAt, reason }: Order): Record<string, string> => ({
  orderId,
  status,
  statusDateTime: timestamp(changedAt),
  ...(reason && { reasonCode: reason.code, additionalInformation: reason.text }),
})
