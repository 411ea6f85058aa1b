/** The body of an initiation, read into an order. What has not its form is no order at all. */
import * as z from 'zod'
import type { Creditor, Method, Money, Order, Transfer } from './payment.ts'

/** Where hundredths cannot be told apart any more. */
const LARGEST_VALUE = 1e12

const CENTS = 100

/** Two decimals at most, as JSON writes a number. */
const hasCents = (value: number): boolean => /^\d+(\.\d{1,2})?$/.test(String(value))

/** No line breaks, and nothing else that cannot be printed. */
const isPrintable = (text: string): boolean => !/[\u0000-\u001f\u007f]/.test(text)

const text = (most: number) => z.string().max(most).refine(isPrintable)

/** Of a message: SEPA gives identifications 35 characters. */
const identification = text(35).min(1)
/** SEPA. */
const name = text(70)
/** Long enough for numbers that are none: whether it is an IBAN is for the rules to say. */
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

const creditorOf = (told: z.output<typeof creditor>): Creditor => ({
  name: told.name,
  iban: told.iban,
  bic: told.bic,
  address: told.address,
})

const transferOf = (told: z.output<typeof transfer>): Transfer => ({
  creditor: creditorOf(told.creditor),
  instructed: moneyOf(told.instructedAmount),
  endToEndIdentification: told.endToEndIdentification,
  remittanceInformation: told.remittanceInformation,
})

const orderOf = (
  method: Method,
  told: z.output<typeof message>,
  transfers: readonly z.output<typeof transfer>[],
): Order => ({
  method,
  instructionIdentification: told.instructionIdentification,
  createdAt: new Date(told.creationDateTime),
  debtor: { name: told.debtor.name, iban: told.debtor.iban },
  transfers: transfers.map(transferOf),
  agreed: told.agreedAmount && moneyOf(told.agreedAmount),
  controlSum: told.controlSum === undefined ? undefined : Math.round(told.controlSum * CENTS),
  requestedDate: told.requestedExecutionDate,
})

/** What a body asks for, or what is wrong with its form. */
export const readOrder = (method: Method, body: unknown): Order | string => {
  if (method === 'batch') {
    const told = batch.safeParse(body)
    return told.success ? orderOf(method, told.data, told.data.transfers) : problemOf(told.error)
  }
  const told = single.safeParse(body)
  return told.success ? orderOf(method, told.data, [told.data]) : problemOf(told.error)
}

/** Where the problem is; what stands there is not repeated. */
const problemOf = ({ issues }: z.ZodError): string => {
  const places = new Set(issues.map(({ path }) => (path.length === 0 ? 'the body' : path.join('.'))))
  return `The order has not its form at ${[...places].join(', ')}.`
}

/** All that leaves the debtor's account, in hundredths. */
export const totalOf = ({ transfers }: Order): number =>
  transfers.reduce((sum, { instructed }) => sum + instructed.amount, 0)
