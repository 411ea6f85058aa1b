import * as z from 'zod'
import { iban, part } from './primitives.ts'

/** What the owner of a target states about its payments: the orders that are rejected follow from it. */

/** A time of day, by the `timeZone` of the profile. */
export const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day is written HH:MM, by `timeZone`')
  .meta({ examples: ['21:00'] })

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'a currency has three capitals')
  .meta({ examples: ['EUR'] })

const named = {
  name: z.string().min(1).max(70).optional(),
  iban: iban.meta({ examples: ['SK0311000000002600106887'] }),
}

/** By its IBAN, or with the name of its holder, where that must fit. */
const account = z.union([
  iban.transform((number) => ({ name: undefined, iban: number })),
  z.strictObject(named),
])

type Account = z.output<typeof account>

export const paymentFacts = part({
  /** A payment to one of them is rejected with AC04. */
  closedAccounts: z.array(account).default([]),
  /** A payment from one of them is rejected with AG01. */
  savingsAccounts: z.array(account).default([]),
  /** No accounts of this bank: a payment from one of them is rejected, with whatever reason code. */
  unknownDebtors: z.array(account).default([]),
  /** A payment that is initiated after it on the same day is rejected with TM01. */
  cutOff: timeOfDay.optional(),
  /** All currencies that are processed: a payment in another one is rejected with AM03. */
  currencies: z.array(currency).nonempty().optional(),
  /** Accounts that have less than an amount: a payment of this amount from one of them is rejected with AM04. */
  funds: z
    .array(
      z.strictObject({
        ...named,
        below: z
          .number()
          .min(0.01)
          .meta({ examples: [1000] }),
      }),
    )
    .default([]),
  /** Creditors with whom an amount is agreed: a payment of another amount is rejected with AM09. */
  agreedAmounts: z
    .array(
      z.strictObject({
        ...named,
        amount: z
          .number()
          .min(0.01)
          .meta({ examples: [12.5] }),
      }),
    )
    .default([]),
})

export type PaymentFacts = z.output<typeof paymentFacts>

/** An order that is rejected by what the owner states. */
interface FactOrder {
  readonly code: 'AC04' | 'AG01' | 'AM03' | 'AM04' | 'AM09' | 'TM01' | 'any'
  readonly key: string
  readonly states: string
  readonly order: {
    /** Undefined if no method has the placeholders. */
    readonly method: string | undefined
    readonly change: Readonly<Record<string, never>>
    /** Of placeholders, in the place of those of a valid order. */
    readonly values: Readonly<Record<string, unknown>>
    readonly at?: string
    readonly twice: false
  }
}

interface Stated {
  readonly facts: PaymentFacts
  readonly initiations: readonly { readonly name: string; readonly body: unknown; readonly future: boolean }[]
}

type Fact = Pick<FactOrder, 'code' | 'states'> & {
  readonly values?: Readonly<Record<string, unknown>>
  readonly at?: string
}

/** `SK55…2225` */
const short = ({ iban: number }: Pick<Account, 'iban'>): string => `${number.slice(0, 4)}…${number.slice(-4)}`

const party = (role: 'creditor' | 'debtor', { name, iban: number }: Account) => ({
  [`${role}Iban`]: number,
  ...(name !== undefined && { [`${role}Name`]: name }),
})

const OTHER_CURRENCIES = ['USD', 'CHF', 'GBP', 'EUR']

const AFTER_THE_CUT_OFF = 5
const LAST_MINUTE = 24 * 60 - 1

/** A few minutes later, on the same day. */
const afterCutOff = (time: string): string => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const later = Math.min(hours * 60 + minutes + AFTER_THE_CUT_OFF, LAST_MINUTE)
  return `${String(Math.floor(later / 60)).padStart(2, '0')}:${String(later % 60).padStart(2, '0')}`
}

/** The amounts that are a cent less and a cent more. */
export const aCentFrom = (amount: number): readonly number[] =>
  [-1, 1].map((cents) => (Math.round(amount * 100) + cents) / 100).filter((other) => other > 0)

/** By key: what is stated, and what an order has in the place of the values of a valid one. */
const factsIn = (facts: PaymentFacts): readonly (readonly [keyof PaymentFacts, readonly Fact[]])[] => {
  const {
    closedAccounts,
    savingsAccounts,
    unknownDebtors,
    cutOff,
    currencies = [],
    funds,
    agreedAmounts,
  } = facts
  const other = OTHER_CURRENCIES.find((one) => !currencies.includes(one))
  const processed = `${currencies.join(', ')} ${currencies.length === 1 ? 'is the only currency' : 'are the only currencies'} of payments`
  const of =
    (code: Fact['code'], role: 'creditor' | 'debtor', what: string) =>
    (one: Account): Fact => ({ code, states: `${short(one)} is ${what}`, values: party(role, one) })
  return [
    ['closedAccounts', closedAccounts.map(of('AC04', 'creditor', 'closed'))],
    ['savingsAccounts', savingsAccounts.map(of('AG01', 'debtor', 'a savings account'))],
    ['unknownDebtors', unknownDebtors.map(of('any', 'debtor', 'no account of the bank'))],
    [
      'cutOff',
      cutOff === undefined
        ? []
        : [{ code: 'TM01', states: `the cut-off time is ${cutOff}`, at: afterCutOff(cutOff) }],
    ],
    [
      'currencies',
      currencies.length === 0 ? [] : [{ code: 'AM03', states: processed, values: { currency: other } }],
    ],
    [
      'funds',
      funds.map((one) => ({
        code: 'AM04',
        states: `${short(one)} has less than ${one.below}`,
        values: { ...party('debtor', one), amount: one.below },
      })),
    ],
    [
      'agreedAmounts',
      agreedAmounts.flatMap((one) =>
        aCentFrom(one.amount).map((other) => ({
          code: 'AM09',
          states: `${one.amount} is the amount agreed with ${short(one)}`,
          values: { ...party('creditor', one), amount: other },
        })),
      ),
    ],
  ]
}

const OPTIONAL = ['creditorName', 'debtorName', 'amount']

/** Whether the order reaches the bank: a name need not, and an amount is in every body. */
const passesOn = (body: string, values: Fact['values'] = {}): boolean =>
  Object.keys(values)
    .filter((name) => !OPTIONAL.includes(name))
    .every((name) => body.includes(`{${name}}`))

/**
 * The orders that follow from the facts. Each is sent by the next method, since a bank may check the orders of one method
 * only. A method for a later day is used only if there is no other: a bank may look for the funds on that day.
 */
export const factOrders = ({ facts, initiations }: Stated): readonly FactOrder[] => {
  const written = initiations.map((one) => ({ ...one, text: JSON.stringify(one.body) }))
  return factsIn(facts).flatMap(([fact, own], turn) =>
    own.map(({ code, states, values = {}, at }, place) => {
      const fitting = written.filter(({ text }) => passesOn(text, values))
      const atOnce = fitting.filter(({ future }) => !future)
      const methods = atOnce.length > 0 ? atOnce : fitting
      // Methods may have other cut-off times.
      const method = methods[at === undefined ? (turn + place) % methods.length : 0]
      return {
        code,
        key: `payments.facts.${fact}${own.length > 1 ? `.${place}` : ''}`,
        states,
        order: { method: method?.name, change: {}, values, ...(at !== undefined && { at }), twice: false },
      }
    }),
  )
}
