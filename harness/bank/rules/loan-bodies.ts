import * as z from 'zod'
import { problemOf } from './payment-order.ts'
import { SCENARIOS, type Calculation, type LoanRequest, type Scenario } from './loan.ts'

/** The bodies of the loan operations. Their form is checked here, their content by the rules. */

const whole = z.number().refine(Number.isInteger)

const calculation = z.object({
  loanAmount: whole,
  capacityInfo: z
    .object({ monthlyIncome: whole, monthlyExpenses: whole, numberOfChildren: whole })
    .optional(),
})

/** At most two decimals, as JSON writes a number: prices have cents. */
const hasCents = (value: number): boolean => /^-?\d+(\.\d{1,2})?$/.test(String(value))

const LONGEST_ORDER_NUMBER = 64

const order = z.object({
  orderNo: z.string().min(1).max(LONGEST_ORDER_NUMBER),
  totalAmount: z.number().refine(hasCents),
  orderItems: z.array(z.record(z.string(), z.unknown())).optional(),
})

const submission = z.object({
  financeApplication: z.object({ order, applicant: z.record(z.string(), z.unknown()).optional() }),
  scenario: z.enum(SCENARIOS).optional(),
})

const selection = z.object({ scenario: z.enum(SCENARIOS) })

export const readCalculation = (body: unknown): Calculation | string => {
  const result = calculation.safeParse(body)
  if (!result.success) return problemOf('request', result.error)
  const { loanAmount: amount, capacityInfo: info } = result.data
  const household = info && {
    income: info.monthlyIncome,
    expenses: info.monthlyExpenses,
    children: info.numberOfChildren,
  }
  return { amount, household }
}

export const readLoanRequest = (body: unknown): LoanRequest | string => {
  const result = submission.safeParse(body)
  if (!result.success) return problemOf('request', result.error)
  const { financeApplication, scenario } = result.data
  const { orderNo, totalAmount: amount } = financeApplication.order
  return { orderNo, amount, scenario }
}

/** The scenario that a body selects; undefined if it selects none. */
export const readSelection = (body: unknown): Scenario | undefined => selection.safeParse(body).data?.scenario
