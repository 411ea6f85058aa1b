/** The bodies of the loan operations. What has not its form is no request at all; what it asks for is for the rules. */
import * as z from 'zod'
import { SCENARIOS, type Calculation, type LoanRequest, type Scenario } from './loan.ts'

const whole = z.number().refine(Number.isInteger)

const calculation = z.object({
  loanAmount: whole,
  capacityInfo: z
    .object({ monthlyIncome: whole, monthlyExpenses: whole, numberOfChildren: whole })
    .optional(),
})

/** Two decimals at most, as JSON writes a number: goods have their cents. */
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

/** Where the problem is; what stands there is not repeated. */
const problemOf = ({ issues }: z.ZodError): string => {
  const places = new Set(issues.map(({ path }) => (path.length === 0 ? 'the body' : path.join('.'))))
  return `The request has not its form at ${[...places].join(', ')}.`
}

export const readCalculation = (body: unknown): Calculation | string => {
  const told = calculation.safeParse(body)
  if (!told.success) return problemOf(told.error)
  const { loanAmount: amount, capacityInfo: info } = told.data
  const household = info && {
    income: info.monthlyIncome,
    expenses: info.monthlyExpenses,
    children: info.numberOfChildren,
  }
  return { amount, household }
}

export const readLoanRequest = (body: unknown): LoanRequest | string => {
  const told = submission.safeParse(body)
  if (!told.success) return problemOf(told.error)
  const { financeApplication, scenario } = told.data
  const { orderNo, totalAmount: amount } = financeApplication.order
  return { orderNo, amount, scenario }
}

/** The scenario that a body selects; nothing if it selects none. */
export const readSelection = (body: unknown): Scenario | undefined => selection.safeParse(body).data?.scenario
