/** The body of an initiation, read as an order; and the forms of IBANs (ISO 13616) and BICs (ISO 9362). */
import * as z from 'zod'
import type { Creditor, Method, Money, Order, Transfer } from './payment.ts'

/** The lengths of the most frequent countries; at most 34 characters for all others. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/

const LENGTHS: Readonly<Record<string, number>> = {
  AT: 20,
  BE: 16,
  CH: 21,
  CZ: 24,
  DE: 22,
  ES: 24,
  FR: 27,
  GB: 22,
  HU: 28,
  IT: 27,
  NL: 18,
  PL: 28,
  SK: 24,
}

/** ISO 7064, MOD 97-10: the first four characters move to the end, letters become numbers, and the remainder is 1. */
const checkDigitsAreRight = (iban: string): boolean => {
  const moved = `${iban.slice(4)}${iban.slice(0, 4)}`
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

export const isIban = (iban: string): boolean => {
  if (!IBAN.test(iban)) return false
  const length = LENGTHS[iban.slice(0, 2)]
  return (length === undefined || iban.length === length) && checkDigitsAreRight(iban)
}

/** Bank, country, place, and the branch if there is one. */
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/

export const isBic = (bic: string): boolean => BIC.test(bic)

/** The SEPA countries outside the European Economic Area, whose payments need an address. */
const OUTSIDE_EEA: readonly string[] = ['AD', 'CH', 'GB', 'MC', 'SM', 'VA']

export const needsAddress = (iban: string): boolean => OUTSIDE_EEA.includes(iban.slice(0, 2))

/** Larger numbers do not represent hundredths exactly. */
const LARGEST_VALUE = 1e12

const CENTS = 100

/** Two decimals at most, as JSON writes a number. */
const hasCents = (value: number): boolean => /^\d+(\.\d{1,2})?$/.test(String(value))

/** Whether the text has no line breaks or other control characters. */
const isPrintable = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text)

const text = (most: number) => z.string().max(most).refine(isPrintable)

/** SEPA: identifications have at most 35 characters. */
const identification = text(35).min(1)
/** SEPA. */
const name = text(70)
/** Longer than an IBAN, since the rules check whether it is one. */
const accountNumber = text(64).min(1)

const amount = z.number().positive().max(LARGEST_VALUE).refine(hasCents)
const money = z.object({ value: amount, currency: z.string().regex(/^[A-Z]{3}$/) })

const creditor = z.object({
  name: name.optional(),
  iban: accountNumber,
  bic: text(35).optional(),
  address: text(140).optional(),
})

const transfer = z.object({
  creditor,
  instructedAmount: money,
  endToEndIdentification: identification.optional(),
  remittanceInformation: text(140).optional(),
})

const message = z.object({
  instructionIdentification: identification,
  creationDateTime: z.iso.datetime({ offset: true }),
  debtor: z.object({ name: name.min(1), iban: accountNumber }),
  agreedAmount: money.optional(),
  controlSum: amount.optional(),
  requestedExecutionDate: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
})

const LARGEST_BATCH = 1000

const single = message.extend(transfer.shape)
const batch = message.extend({ transfers: z.array(transfer).min(1).max(LARGEST_BATCH), controlSum: amount })

const moneyOf = ({ value, currency }: z.output<typeof money>): Money => ({
  amount: Math.round(value * CENTS),
  currency,
})

const creditorOf = (given: z.output<typeof creditor>): Creditor => ({
  name: given.name,
  iban: given.iban,
  bic: given.bic,
  address: given.address,
})

const transferOf = (given: z.output<typeof transfer>): Transfer => ({
  creditor: creditorOf(given.creditor),
  instructed: moneyOf(given.instructedAmount),
  endToEndIdentification: given.endToEndIdentification,
  remittanceInformation: given.remittanceInformation,
})

const orderOf = (
  method: Method,
  given: z.output<typeof message>,
  transfers: readonly z.output<typeof transfer>[],
): Order => ({
  method,
  instructionIdentification: given.instructionIdentification,
  createdAt: new Date(given.creationDateTime),
  debtor: { name: given.debtor.name, iban: given.debtor.iban },
  transfers: transfers.map(transferOf),
  agreed: given.agreedAmount && moneyOf(given.agreedAmount),
  controlSum: given.controlSum === undefined ? undefined : Math.round(given.controlSum * CENTS),
  requestedDate: given.requestedExecutionDate,
})

/** The order of a body, or the problem of its form. */
export const readOrder = (method: Method, body: unknown): Order | string => {
  if (method === 'batch') {
    const given = batch.safeParse(body)
    return given.success ? orderOf(method, given.data, given.data.transfers) : problemOf('order', given.error)
  }
  const given = single.safeParse(body)
  return given.success ? orderOf(method, given.data, [given.data]) : problemOf('order', given.error)
}

/** The place of the problem, without its value. */
export const problemOf = (what: 'order' | 'request', { issues }: z.ZodError): string => {
  const places = new Set(issues.map(({ path }) => (path.length === 0 ? 'the body' : path.join('.'))))
  return `The ${what} has not its form at ${[...places].join(', ')}.`
}

/** The total debit of the debtor's account, in hundredths. */
export const totalOf = ({ transfers }: Order): number =>
  transfers.reduce((sum, { instructed }) => sum + instructed.amount, 0)
