import { countrySpecs, ValidationErrorsIBAN, validateIBAN } from 'ibantools'
import { z } from 'zod'
import { type Account, centsOf } from './ledger.ts'
import { CLOSED_PAYEE } from './seed-data.ts'
import { isWorkingDay, localDay, takesOrders } from './time.ts'

/** The message of an initiation: its form, and the reasons for which its order is rejected. */

const text = (least: number, most: number): z.ZodType<string> =>
  z.string().refine((value) => value.length >= least && Array.from(value).length <= most)

const amount = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,11})(?:\.\d{1,2})?$/)
  .transform(centsOf)

/** A message whose order may have a day of its own. */
export const DATED = z.object({
  message: z.object({ id: text(1, 35), created: z.iso.datetime({ offset: true }) }),
  payer: z.object({ holder: text(1, 140), iban: z.string() }),
  // A payee without a holder is a message with a reason, not a message in a wrong form.
  payee: z.object({ holder: text(0, 140).optional(), iban: z.string(), bic: z.string().optional() }),
  sum: z.object({ value: amount.refine((cents) => cents > 0), unit: z.string() }),
  agreed: z.object({ value: amount }).optional(),
  control: z.object({ value: amount }).optional(),
  reference: text(1, 35),
  text: text(0, 140).optional(),
  due: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
})

export const UNDATED = DATED.extend({ due: z.never().optional() })

export type Message = z.infer<typeof DATED>

export interface Reason {
  code: string
  text: string
}

/** What the bank knows when a message arrives. */
export interface Arrival {
  message: Message
  now: number
  isRepeated: boolean
  /** The payer's account; undefined if the bank has none of that number. */
  payer: Account | undefined
}

interface Rule extends Reason {
  breaks(arrival: Arrival): boolean
}

const lacksMoney: Rule = {
  code: 'AM04',
  text: 'The available money does not cover the sum.',
  breaks: ({ message, payer }) => payer !== undefined && message.sum.value > payer.available,
}

/** In the order in which they are found; the first one counts. */
const RULES: Rule[] = [
  {
    code: 'AM05',
    text: 'A message with this id arrived before.',
    breaks: ({ isRepeated }) => isRepeated,
  },
  {
    code: 'RC01',
    text: 'The bic of the payee is not in the format of ISO 9362.',
    breaks: ({ message }) => message.payee.bic !== undefined && !isBic(message.payee.bic),
  },
  {
    code: 'RR03',
    text: 'The holder of the payee is missing.',
    breaks: ({ message }) => (message.payee.holder ?? '').trim() === '',
  },
  {
    code: 'AC01',
    text: 'An iban is not correct.',
    breaks: ({ message }) => !isIban(message.payer.iban) || !isIban(message.payee.iban),
  },
  {
    code: 'AC04',
    text: 'The account of the payee was closed.',
    breaks: ({ message }) => message.payee.iban === CLOSED_PAYEE,
  },
  {
    code: 'AG01',
    text: 'This kind of account may not pay.',
    breaks: ({ payer }) => payer?.seed.mayPay === false,
  },
  {
    code: 'AM03',
    text: 'Only EUR can be paid.',
    breaks: ({ message }) => message.sum.unit !== 'EUR',
  },
  {
    code: 'AM09',
    text: 'The sum is not the agreed one.',
    breaks: ({ message }) => (message.agreed?.value ?? message.sum.value) !== message.sum.value,
  },
  {
    code: 'AM10',
    text: 'The sum is not the control sum.',
    breaks: ({ message }) => (message.control?.value ?? message.sum.value) !== message.sum.value,
  },
  {
    code: 'DT01',
    text: 'The due date is past, or no working day.',
    breaks: ({ message: { due }, now }) => due !== undefined && (due < localDay(now) || !isWorkingDay(due)),
  },
  {
    code: 'TM01',
    text: 'Orders are taken from 07:00 to 03:00.',
    breaks: ({ now }) => !takesOrders(now),
  },
  lacksMoney,
  {
    code: 'MS03',
    text: 'The order cannot be executed.',
    breaks: ({ message, payer }) => payer === undefined || message.payee.holder === 'NOBODY AT ALL',
  },
]

export const reasonOf = (arrival: Arrival): Reason | undefined => RULES.find((rule) => rule.breaks(arrival))

/** What may have changed between the arrival and the submission of an order. */
export function reasonAtSubmission(message: Message, payer: Account, now: number): Reason | undefined {
  if (message.due !== undefined && message.due < localDay(now))
    return { code: 'DT01', text: 'The due date has passed before the submission.' }
  return reasonForMoney(message, payer, now)
}

export const reasonForMoney = (message: Message, payer: Account, now: number): Reason | undefined =>
  lacksMoney.breaks({ message, payer, now, isRepeated: false }) ? lacksMoney : undefined

const isBic = (bic: string): boolean =>
  /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(bic) && countrySpecs[bic.slice(4, 6)] !== undefined

/** The check digits within the numbers of some countries are the business of the payee's bank. */
const isIban = (iban: string): boolean =>
  validateIBAN(iban).errorCodes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum)
