import { AWKWARD, type Account, type Customer, holdsAsIban } from './register.ts'
import { type Fields, at } from './wire.ts'

export interface Wish {
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
export function objection(
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
export const holdings = (customers: Customer[], payer: Fields): Account | undefined =>
  customers.flatMap(({ accounts }) => accounts).find(({ iban }) => iban === at(payer, 'account'))
