import * as z from 'zod'
import { path } from './primitives.ts'
import { REASON_CODES } from './payments-codes.ts'
import type { ReasonCode } from './payments-codes.ts'

/** What the owner of a target tells of its payment orders: their bodies, and which of them are rejected. */

/** What stands in the place of a placeholder of an order. */
export const ORDER_VALUES = [
  'instructionIdentification',
  'creationDateTime',
  'endToEndIdentification',
  'remittanceInformation',
  'amount',
  'amountText',
  'amountMinor',
  'amountMinorText',
  'currency',
  'date',
  'debtorName',
  'debtorIban',
  'creditorName',
  'creditorIban',
] as const

export type OrderValue = (typeof ORDER_VALUES)[number]

const json = z.record(z.string(), z.unknown())

/** A payment that is executed at once. */
const AT_ONCE = {
  instructionIdentification: '{instructionIdentification}',
  creationDateTime: '{creationDateTime}',
  debtor: { name: '{debtorName}', iban: '{debtorIban}' },
  creditor: { name: '{creditorName}', iban: '{creditorIban}' },
  instructedAmount: { value: '{amount}', currency: '{currency}' },
  endToEndIdentification: '{endToEndIdentification}',
  remittanceInformation: '{remittanceInformation}',
}

const initiation = z.strictObject({
  /** Your own label; provocations use it. */
  name: z
    .string()
    .min(1)
    .meta({ examples: ['ecomm'] }),
  path: path.meta({ examples: ['/payments/ecomm/sba'] }),
  /**
   * Sent as JSON. `{amount}` alone becomes a number, `{amountText}` has two decimals, `{amountMinor}` is a number of
   * hundredths and `{amountMinorText}` the same as a text, `{date}` is a requested execution date, YYYY-MM-DD. Each order has an instructionIdentification and an endToEndIdentification of its own.
   */
  body: json
    .refine(
      (body) => /\{amount(Text|Minor|MinorText)?\}/.test(JSON.stringify(body)),
      'the body passes {amount} on',
    )
    .default(AT_ONCE),
  /** Whether `{date}` may lie in the future. */
  future: z.boolean().default(false),
})

/** The ways to initiate a payment; the first is POST /payments/ecomm/sba, the others are further methods. */
export const initiations = z
  .array(initiation)
  .nonempty()
  .default([
    { name: 'ecomm', path: '/payments/ecomm/sba', body: AT_ONCE, future: false },
    {
      name: 'standard',
      path: '/payments/standard/sba',
      body: { ...AT_ONCE, requestedExecutionDate: '{date}' },
      future: true,
    },
  ])

/** A time of day, by UTC. */
const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day is written HH:MM, by UTC')
  .meta({ examples: ['21:00'] })

/** When payments are taken, on working days, by UTC: where the clock can be moved, it is moved there. */
export const hours = z.strictObject({ from: timeOfDay, to: timeOfDay })

/** How an order has to differ from a valid one. */
const provocation = z.strictObject({
  /** The name of one of `initiations`; the first, if it is left out. */
  method: z.string().min(1).optional(),
  /** Merged over the body (RFC 7396): null removes a member. */
  change: json.default({}),
  /** The time of day at which it is sent; it needs levers.advanceClock. */
  at: timeOfDay.optional(),
  /** The same order is sent twice, and the second is meant. */
  twice: z.boolean().default(false),
})

export type Provocation = z.output<typeof provocation>

/** How an order has to differ that is valid when it is initiated, and rejected when it is submitted. */
const doom = z.strictObject({
  method: z.string().min(1).optional(),
  change: json.default({}),
  /** The time of day at which it is authorized and submitted; it needs levers.advanceClock. */
  at: timeOfDay.optional(),
})

const byCode = <Order extends z.ZodType>(order: Order) =>
  z
    .strictObject(
      Object.fromEntries(REASON_CODES.map((code) => [code, order.optional()])) as Record<
        ReasonCode,
        z.ZodOptional<Order>
      >,
    )
    .prefault({})

/** Reason code → how an initiation is provoked to it. */
export const provocations = byCode(provocation)

/**
 * Reason code → the order that is rejected with it only when it is submitted. A code that is named neither here nor among
 * the provocations is not judged.
 */
export const rejectedAtSubmission = byCode(doom)
