/** What happens when a payment gets a new status: it is recorded, booked, and its next change is scheduled. */
import { randomUUID } from 'node:crypto'
import { bookingsOf, bookOn } from '../accounts/bookings.ts'
import { type Branch, factsAt } from '../call.ts'
import type { ClientFacts } from '../rules/facts.ts'
import type { Stage } from '../rules/payment-order-rules.ts'
import type { Move, Outcome } from '../rules/payment-rules.ts'
import type { Account, Payee } from '../seed-data.ts'
import type { Ledger, Transaction, World } from '../state.ts'
import { notifyBooking } from '../webhooks/events.ts'
import { bankDay } from './calendar.ts'
import { totalOf } from './order.ts'
import type { Order, Payment, Transfer } from './payment.ts'

export const customerAccountOf = ({ residents }: World, iban: string): Account | undefined =>
  residents.customers.flatMap(({ accounts }) => accounts).find((account) => account.iban === iban)

/** Of those whose accounts the order names, the ones who do not use the interface. */
export const payeesOf = ({ residents }: World, { debtor, transfers }: Order): readonly Payee[] => {
  const named = [debtor.iban, ...transfers.map(({ creditor }) => creditor.iban)]
  return residents.payees.filter(({ iban }) => named.includes(iban))
}

/** What may leave the account, in hundredths: its balance, but for what is set aside for payments in process. */
export const fundsOn = (ledger: Ledger, account: Account | undefined): number => {
  if (!account) return 0
  const booked = bookingsOf(ledger, account).known
  const balance = booked.reduce((sum, { amount }) => sum + amount, account.openingBalance)
  const inProcess = [...ledger.payments.values()].filter(
    ({ status, order }) => status === 'ACSP' && order.debtor.iban === account.iban,
  )
  return inProcess.reduce((funds, { order }) => funds - totalOf(order), balance)
}

/** Writes a payment down as it is, and lets time do the rest. */
export const keep = (branch: Branch, payment: Payment): void => {
  branch.ledger.payments.set(payment.orderId, payment)
  const facts = { ...factsAt(branch), payment }
  const executionDay = executionDayOf(branch, payment)
  const move = branch.rules.nextMove({ ...facts, executionDay })
  if (!move) return
  if (move.at <= facts.now) follow(branch, payment, move)
  else branch.clock.schedule(move.at, () => follow(branch, payment, move))
}

/** The payment in the state it comes to, which is all that is to be told of it now: it may move on at once. */
export const moveTo = (
  branch: Branch,
  payment: Payment,
  { status, cause }: Outcome,
  stage: Stage,
): Payment => {
  if (status === payment.status) return payment
  const facts = { ...factsAt(branch), payment, status }
  const reason = cause && branch.rules.reasonTold({ ...facts, cause, stage })
  const moved = { ...payment, status, reason, statusAt: branch.rules.statusTime(facts) }
  if (branch.rules.isBooked(facts)) book(branch, payment)
  keep(branch, moved)
  return moved
}

const executionDayOf = (branch: Branch, { order, clientId, status }: Payment): string => {
  const client = branch.world.residents.clients.find((candidate) => candidate.clientId === clientId)
  if (!client) throw new Error(`a payment of an unknown client: ${clientId}`)
  const facts: ClientFacts = { ...factsAt(branch), client }
  return branch.rules.executionDayOf({
    ...facts,
    order,
    stage: status === 'ACTC' ? 'initiation' : 'submission',
  })
}

const follow = (branch: Branch, payment: Payment, move: Move): void => {
  const { ledger, world, rules } = branch
  // Something else has moved it first.
  if (ledger.payments.get(payment.orderId) !== payment) return
  const { order } = payment
  const funds = fundsOn(ledger, customerAccountOf(world, order.debtor.iban))
  const facts = { ...factsAt(branch), payment, move, total: totalOf(order), funds }
  moveTo(branch, payment, rules.outcomeOfMove(facts), 'submission')
}

/** The money leaves the debtor's account, and comes to the creditors' as far as they are customers. */
const book = (branch: Branch, { order }: Payment): void => {
  const debtor = customerAccountOf(branch.world, order.debtor.iban)
  for (const transfer of order.transfers) {
    const { amount } = transfer.instructed
    const creditor = customerAccountOf(branch.world, transfer.creditor.iban)
    const { name = '', iban } = transfer.creditor
    if (debtor) bookTransfer(branch, debtor, transactionOf(branch, transfer, -amount, { name, iban }))
    if (creditor) bookTransfer(branch, creditor, transactionOf(branch, transfer, amount, order.debtor))
  }
}

const bookTransfer = (branch: Branch, account: Account, transaction: Transaction): void => {
  bookOn(branch, account, transaction)
  notifyBooking(branch, account, transaction)
}

const transactionOf = (
  { clock }: Branch,
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
