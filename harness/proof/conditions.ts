import { isOnlyRemembered } from '../bank/changes/alter.ts'
import { withFurther } from '../bank/changes/change.ts'
import { offsetAt } from '../bank/rules/payment-calendar.ts'
import { totalOf } from '../bank/rules/payment-order.ts'
import { RESULT_SCREEN, seedData } from '../bank/seed-data.ts'
import type { Defect } from '../bank/defect.ts'
import type { Order, Payment } from '../bank/rules/payment.ts'
import type { Rules } from '../bank/rules.ts'
import type { Transaction } from '../bank/state.ts'
import type { TrialOptions } from './trial.ts'

/**
 * Conditions for the defects of the proof: the bank has the defect while the condition holds, and conforms otherwise.
 * `npm run prove -- --conditions N` draws pairs of a defect and a condition, and reports which of them are caught.
 */

/** What a rule of the bank is asked about: an object whose members depend on the rule. On the wire, only the time is known. */
type AnyFacts = Readonly<Record<string, unknown>>

export interface Condition {
  readonly title: string
  /**
   * @param call the number of this call of the rule, from 1.
   * @param underWay the requests that the bank is answering.
   * @returns undefined if the facts do not contain it.
   */
  readonly holds: (facts: AnyFacts, call: number, underWay: number) => boolean | undefined
  /** The only environment in which it holds, and in which it is tried. */
  readonly environment?: 'production'
  /** Where it holds more often: a pair that no call has exercised is tried once more with this. */
  readonly again?: Pick<TrialOptions, 'opensAt' | 'isOneBank'>
}

/** An id may be in an object in the facts, such as the id of the client in the grant of the token. */
const DEEPEST = 3

const named = (facts: unknown, name: string, depth = DEEPEST): readonly string[] => {
  if (depth === 0 || typeof facts !== 'object' || facts === null || facts instanceof Map) return []
  return Object.entries(facts).flatMap(([key, value]) =>
    key === name && typeof value === 'string' ? [value] : named(value, name, depth - 1),
  )
}

const has =
  (names: readonly string[], isMeant: (value: string) => boolean) =>
  (facts: AnyFacts): boolean | undefined => {
    const values = names.flatMap((name) => named(facts, name))
    return values.length === 0 ? undefined : values.some(isMeant)
  }

/** The second of each kind. */
const SECOND_APPLICATIONS = seedData.clients
  .filter(({ kind }, at, all) => all.findIndex((one) => one.kind === kind) !== at)
  .map(({ clientId }) => clientId)
const SECOND_CUSTOMERS = seedData.customers.slice(1).map(({ username }) => username)

const at =
  (holds: (local: Date) => boolean) =>
  ({ now }: AnyFacts): boolean | undefined =>
    now instanceof Date ? holds(new Date(now.getTime() + offsetAt(now))) : undefined

/** In hundredths. */
const LEAST_AMOUNT = 500

interface AmountFacts {
  readonly transaction?: Transaction
  readonly payment?: Payment
  readonly order?: Order
}

/** Of one booking or payment: a list of bookings has amounts of all sizes. */
const isSmall = (facts: AnyFacts): boolean | undefined => {
  const { transaction, payment, order = payment?.order }: AmountFacts = facts
  const amount = transaction?.amount ?? (order && totalOf(order))
  return amount === undefined ? undefined : Math.abs(amount) < LEAST_AMOUNT
}

const DAY_MS = 86_400_000
const isLastDayOfMonth = (local: Date): boolean =>
  new Date(local.getTime() + DAY_MS).getUTCMonth() !== local.getUTCMonth()

/** Like a real bank, it counts the calls of all scenarios together. */
const ONE_BANK = { isOneBank: true } as const

const IDS = ['accountId', 'consentId', 'orderId', 'applicationId', 'taskId'] as const

export const CONDITIONS = {
  'second-customer': {
    title: 'for other customers than the first',
    holds: has(['username'], (name) => SECOND_CUSTOMERS.includes(name)),
  },
  'second-application': {
    title: 'for the second application of a kind',
    holds: has(['clientId'], (id) => SECOND_APPLICATIONS.includes(id)),
  },
  'result-screen': {
    title: 'for codes on the result screen',
    holds: has(['redirectUri'], (uri) => uri === RESULT_SCREEN),
  },
  'after-a-refresh': {
    title: 'after a refresh',
    holds: has(['grantType'], (type) => type === 'refresh_token'),
  },
  'from-the-third-time': { title: 'from the third time on', holds: (_, call) => call >= 3, again: ONE_BANK },
  'from-the-sixth-time': { title: 'from the sixth time on', holds: (_, call) => call >= 6, again: ONE_BANK },
  'every-second-time': { title: 'every second time', holds: (_, call) => call % 2 === 0, again: ONE_BANK },
  'around-midnight': {
    title: 'between 23:00 and 1:00',
    holds: at((local) => local.getUTCHours() === 23 || local.getUTCHours() === 0),
    again: { opensAt: new Date('2026-01-05T22:30:00Z') },
  },
  'last-day-of-a-month': {
    title: 'on the last day of a month',
    holds: at(isLastDayOfMonth),
    again: { opensAt: new Date('2026-09-30T08:00:00Z') },
  },
  'in-summer': {
    title: 'in summer',
    holds: at((local) => [5, 6, 7].includes(local.getUTCMonth())),
    again: { opensAt: new Date('2026-07-08T08:00:00Z') },
  },
  'even-ids': {
    title: 'for ids that begin with an even digit or one of the letters a to m',
    holds: has(IDS, (id) => /^[02468a-m]/i.test(id)),
  },
  'in-production': { title: 'in production', holds: () => true, environment: 'production' },
  'small-amounts': { title: 'for amounts under 5 EUR', holds: isSmall },
  // The time does not show it: it is the same for requests in turn, since the clock of the bank is stopped.
  'at-the-same-moment': {
    title: 'where two calls arrive at the same moment',
    holds: (_, __, underWay) => underWay > 1,
  },
} as const satisfies Readonly<Record<string, Condition>>

export type ConditionId = keyof typeof CONDITIONS

export const CONDITION_IDS = Object.keys(CONDITIONS) as readonly ConditionId[]

type AnyRule = (facts: unknown) => unknown

export interface Exercise {
  /** Whether the facts of a call contain what the condition is about. */
  isKnown: boolean
  isExercised: boolean
}

/** The defect while the condition holds. */
export const under = (id: ConditionId, defect: Defect, exercise: Exercise): Defect => {
  const { holds, ...condition }: Condition = CONDITIONS[id]
  const { rules: change = {}, wire } = defect
  let underWay = 0
  const isMet = (facts: AnyFacts, call: number): boolean => {
    const isHolding = holds(facts, call, underWay)
    exercise.isKnown ||= isHolding !== undefined
    exercise.isExercised ||= isHolding === true
    return isHolding === true
  }
  return {
    ...defect,
    ...(condition.environment && { environment: condition.environment }),
    rules: (conforming) => {
      const replaced = Object.entries(typeof change === 'function' ? change(conforming) : change)
      const rules = replaced.map(([name, rule]) => {
        if (isOnlyRemembered(rule)) return [name, rule]
        let calls = 0
        const usual = conforming[name as keyof Rules] as AnyRule
        const conditional: AnyRule = (facts) => {
          calls += 1
          return isMet(facts as AnyFacts, calls) ? (rule as AnyRule)(facts) : usual(facts)
        }
        return [name, conditional]
      })
      return Object.fromEntries(rules) as Partial<Rules>
    },
    wire: (next, now) => {
      const counts = (call: number): boolean => isMet({ now: now?.() }, call)
      const exchange = wire === undefined ? next : withFurther({ counts }, () => wire(next))
      return async (request) => {
        underWay += 1
        return exchange(request).finally(() => (underWay -= 1))
      }
    },
  }
}

/** Whether a defect can be wrong under a condition: messages have no facts, but a time and a number. */
export const isConditional = ({ wire }: Defect, id: ConditionId): boolean => {
  const { holds }: Condition = CONDITIONS[id]
  return wire === undefined || holds({ now: new Date() }, 1, 1) !== undefined
}
