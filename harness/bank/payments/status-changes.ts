/** Changes the status of a payment: stores it, books it, and schedules its next change. */
import { randomUUID } from '../random.ts'
import { accountWithIban, bookingsOf, bookOn } from '../bookings.ts'
import { type BankContext, clientOf, factsAt } from '../call.ts'
import type { Stage } from '../rules/payment-order-rules.ts'
import type { Move, Outcome } from '../rules/payment-rules.ts'
import type { Account, Payee } from '../seed-data.ts'
import type { Ledger, Transaction, World } from '../state.ts'
import { notifyBooking } from '../webhooks/events.ts'
import { bankDay } from '../rules/payment-calendar.ts'
import { totalOf } from '../rules/payment-order.ts'
import type { Order, Payment, Transfer } from '../rules/payment.ts'

/** The payees of the order, who do not use the interface. */
export const payeesOf = ({ seedData }: World, { debtor, transfers }: Order): readonly Payee[] => {
  const named = [debtor.iban, ...transfers.map(({ creditor }) => creditor.iban)]
  return seedData.payees.filter(({ iban }) => named.includes(iban))
}

/** The available amount of the account, in hundredths: its balance minus the payments in process. */
export const fundsOn = (ledger: Ledger, account: Account | undefined): number => {
  if (!account) return 0
  const booked = bookingsOf(ledger, account).known
  const balance = booked.reduce((sum, { amount }) => sum + amount, account.openingBalance)
  const inProcess = [...ledger.payments.values()].filter(
    ({ status, order }) => status === 'ACSP' && order.debtor.iban === account.iban,
  )
  return inProcess.reduce((funds, { order }) => funds - totalOf(order), balance)
}

/** Stores a payment and schedules its next status change. */
export const keep = (context: BankContext, payment: Payment): void => {
  context.ledger.payments.set(payment.orderId, payment)
  const facts = { ...factsAt(context), payment }
  const executionDay = executionDayOf(context, payment)
  const move = context.rules.nextMove({ ...facts, executionDay })
  if (!move) return
  if (move.at <= facts.now) follow(context, payment, move)
  else context.clock.schedule(move.at, () => follow(context, payment, move))
}

/** Changes the status. @returns the payment with this status, for the answer: the next change may follow at once. */
export const moveTo = (
  context: BankContext,
  payment: Payment,
  { status, cause }: Outcome,
  stage: Stage,
): Payment => {
  if (status === payment.status) return payment
  const facts = { ...factsAt(context), payment, status }
  const reason = cause && context.rules.reportedReason({ ...facts, cause, stage })
  const moved = { ...payment, status, reason, statusAt: context.rules.statusTime(facts) }
  if (context.rules.isBooked(facts)) book(context, payment)
  keep(context, moved)
  return moved
}

const executionDayOf = (context: BankContext, payment: Payment): string =>
  context.rules.executionDayOf({
    ...factsAt(context),
    client: clientOf(context, payment),
    order: payment.order,
    stage: payment.status === 'ACTC' ? 'initiation' : 'submission',
  })

const follow = (context: BankContext, payment: Payment, move: Move): void => {
  const { ledger, world, rules } = context
  // Another change came first.
  if (ledger.payments.get(payment.orderId) !== payment) return
  const { order } = payment
  const funds = fundsOn(ledger, accountWithIban(world, order.debtor.iban))
  const facts = { ...factsAt(context), payment, move, total: totalOf(order), funds }
  moveTo(context, payment, rules.outcomeOfMove(facts), 'submission')
}

/** Books the payment on the debtor's account, and on the creditors' accounts at this bank. */
const book = (context: BankContext, { order }: Payment): void => {
  const debtor = accountWithIban(context.world, order.debtor.iban)
  for (const transfer of order.transfers) {
    const { amount } = transfer.instructed
    const creditor = accountWithIban(context.world, transfer.creditor.iban)
    const { name = '', iban } = transfer.creditor
    if (debtor) bookTransfer(context, debtor, transactionOf(context, transfer, -amount, { name, iban }))
    if (creditor) bookTransfer(context, creditor, transactionOf(context, transfer, amount, order.debtor))
  }
}

const bookTransfer = (context: BankContext, account: Account, transaction: Transaction): void => {
  bookOn(context, account, transaction)
  notifyBooking(context, account, transaction)
}

const transactionOf = (
  { clock }: BankContext,
  { remittanceInformation = '' }: Transfer,
  amount: number,
  counterparty: Transaction['counterparty'],
): Transaction => {
  const today = bankDay(clock.now())
  return {
    transactionId: randomUUID(),
    amount,
    bookingDate: today,
    valueDate: today,
    counterparty,
    remittanceInformation,
  }
}
