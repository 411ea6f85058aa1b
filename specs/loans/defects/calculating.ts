import { membersOf, type Members } from '../../shared/defects.ts'
import { LOA } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'

type Amount = Parameters<Rules['isTooSmallALoan']>[0]
type Word = Parameters<Rules['refusalBody']>[0]['error']

const isCalculation = ({ endpoint }: Amount): boolean => endpoint === 'loan-precalculation'

const smallest =
  (least: number) =>
  (lawful: Rules): Partial<Rules> => ({
    isTooSmallALoan: (facts) => (isCalculation(facts) ? facts.amount < least : lawful.isTooSmallALoan(facts)),
  })

const largest =
  (most: number) =>
  (lawful: Rules): Partial<Rules> => ({
    isTooLargeALoan: (facts) => (isCalculation(facts) ? facts.amount > most : lawful.isTooLargeALoan(facts)),
  })

const LARGEST = 2000

const bounds: readonly Defect[] = [
  {
    id: 'precalculation-begins-behind-100',
    story: 'The minimum of a precalculation does not belong to its range.',
    breaks: [LOA.lowestAmountIsCalculated],
    rules: smallest(101),
  },
  {
    id: 'precalculation-begins-behind-101',
    story: 'The minimum of a precalculation is 102 EUR.',
    breaks: [LOA.lowestAmountIsCalculated, LOA.amountWithinTheBoundsIsPositive],
    rules: smallest(102),
  },
  {
    id: 'precalculation-begins-at-99',
    story: 'The minimum of a precalculation is 99 EUR.',
    breaks: [LOA.tooLowAmountIsNegative, LOA.amountBelowTheBoundsIsNegative],
    rules: smallest(99),
  },
  {
    id: 'precalculation-begins-at-1',
    story: 'A precalculation has no minimum but 1 EUR.',
    breaks: [LOA.tooLowAmountIsNegative, LOA.amountBelowTheBoundsIsNegative],
    rules: smallest(1),
  },
  {
    id: 'precalculation-of-nothing-is-positive',
    story: 'A precalculation of 0 EUR is positive.',
    breaks: [LOA.amountBelowTheBoundsIsNegative],
    rules: (lawful) => ({
      isTooSmallALoan: (facts) =>
        !(isCalculation(facts) && facts.amount === 0) && lawful.isTooSmallALoan(facts),
    }),
  },
  {
    id: 'precalculation-ends-before-2000',
    story: 'The maximum of a precalculation does not belong to its range.',
    breaks: [LOA.highestAmountIsCalculated],
    rules: largest(LARGEST - 1),
  },
  {
    id: 'precalculation-ends-before-1999',
    story: 'The maximum of a precalculation is 1998 EUR.',
    breaks: [LOA.highestAmountIsCalculated, LOA.amountWithinTheBoundsIsPositive],
    rules: largest(LARGEST - 2),
  },
  {
    id: 'precalculation-ends-at-2001',
    story: 'The maximum of a precalculation is 2001 EUR.',
    breaks: [LOA.tooHighAmountIsNegative, LOA.amountAboveTheBoundsIsNegative],
    rules: largest(LARGEST + 1),
  },
  {
    id: 'precalculation-has-no-end',
    story: 'A precalculation has no maximum.',
    breaks: [
      LOA.tooHighAmountIsNegative,
      LOA.amountAboveTheBoundsIsNegative,
      LOA.malformedAmountIsNotCalculated,
    ],
    rules: largest(Infinity),
  },
  {
    id: 'precalculated-amounts-have-32-bits',
    story: 'Of the amount of a precalculation 32 bits are kept.',
    breaks: [LOA.amountAboveTheBoundsIsNegative],
    rules: (lawful) => ({
      calculationOf: (facts) => {
        const calculation = lawful.calculationOf(facts)
        return typeof calculation === 'string' || !Number.isSafeInteger(calculation.amount)
          ? calculation
          : { ...calculation, amount: calculation.amount | 0 }
      },
    }),
  },
  {
    id: 'sign-of-a-loan-amount-is-dropped',
    story: 'A precalculation of an amount below zero takes it without its sign.',
    breaks: [LOA.amountBelowTheBoundsIsNegative],
    rules: (lawful) => ({
      calculationOf: (facts) => {
        const calculation = lawful.calculationOf(facts)
        return typeof calculation === 'string'
          ? calculation
          : { ...calculation, amount: Math.abs(calculation.amount) }
      },
    }),
  },
  {
    id: 'amounts-with-an-empty-byte-are-negative',
    story: 'A precalculation of 256, 512 or 1024 EUR, or of another multiple of 256, is negative.',
    breaks: [LOA.amountWithinTheBoundsIsPositive],
    rules: (lawful) => ({
      isTooLargeALoan: (facts) =>
        (isCalculation(facts) && facts.amount > 100 && facts.amount % 256 === 0) ||
        lawful.isTooLargeALoan(facts),
    }),
  },
]

/** Changes the household of a calculation. */
const counting =
  (change: (household: Parameters<Rules['capacityOf']>[0]) => Partial<Parameters<Rules['capacityOf']>[0]>) =>
  (lawful: Rules): Partial<Rules> => ({
    capacityOf: (household) => lawful.capacityOf({ ...household, ...change(household) }),
  })

const capacities: readonly Defect[] = [
  {
    id: 'capacity-is-ignored',
    story: 'Income, expenses and children count for nothing.',
    breaks: [LOA.insufficientCapacityIsNegative],
    rules: { householdCounted: () => undefined },
  },
  {
    id: 'children-are-ignored',
    story: 'The number of children counts for nothing.',
    breaks: [LOA.insufficientCapacityIsNegative],
    rules: counting(() => ({ children: 0 })),
  },
  {
    id: 'expenses-are-ignored',
    story: 'The monthly expenses count for nothing.',
    breaks: [LOA.insufficientCapacityIsNegative],
    rules: counting(() => ({ expenses: 0 })),
  },
  {
    id: 'expenses-count-as-income',
    story: 'The monthly expenses are added to the income.',
    breaks: [LOA.insufficientCapacityIsNegative],
    rules: counting(({ expenses }) => ({ expenses: -expenses })),
  },
  {
    id: 'capacity-has-to-carry-five-loans',
    story: 'The capacity has to be five times the amount.',
    breaks: [LOA.sufficientCapacityIsPositive],
    rules: (lawful) => ({
      hasCapacity: ({ capacity, ...facts }) => lawful.hasCapacity({ ...facts, capacity: capacity / 5 }),
    }),
  },
  {
    id: 'income-is-needed',
    story: 'Nothing is calculated without an income.',
    breaks: [
      LOA.smallLoanIsPositive,
      LOA.largeLoanIsPositive,
      LOA.lowestAmountIsCalculated,
      LOA.highestAmountIsCalculated,
      LOA.amountWithinTheBoundsIsPositive,
      LOA.tooLowAmountHasItsCause,
      LOA.tooHighAmountHasItsCause,
    ],
    rules: (lawful) => ({
      calculationOf: (facts) => {
        const calculation = lawful.calculationOf(facts)
        return typeof calculation === 'object' && calculation.household === undefined
          ? 'capacityInfo is missing.'
          : calculation
      },
    }),
  },
  {
    id: 'large-loans-need-an-income',
    story: 'Without an income nothing above 1500 EUR is lent.',
    breaks: [LOA.largeLoanIsPositive, LOA.highestAmountIsCalculated, LOA.amountWithinTheBoundsIsPositive],
    rules: (lawful) => ({
      loanCausesChecked: (facts) => {
        const { household, amount } = facts.calculation
        return household === undefined && amount > 1500 && amount <= LARGEST
          ? ['capacity_insufficient', ...lawful.loanCausesChecked(facts)]
          : lawful.loanCausesChecked(facts)
      },
      householdCounted: (facts) => lawful.householdCounted(facts) ?? { income: 0, expenses: 0, children: 0 },
      hasCapacity: (facts) =>
        facts.calculation.household === undefined
          ? facts.calculation.amount <= 1500
          : lawful.hasCapacity(facts),
    }),
  },
]

/** Answers the cause of a negative result with another code. */
const calling =
  (error: Word, code: string, isMeant: (amount: number) => boolean = () => true) =>
  (lawful: Rules): Partial<Rules> => {
    let amount = 0
    return {
      loanCausesChecked: (facts) => {
        amount = facts.calculation.amount
        return lawful.loanCausesChecked(facts)
      },
      refusalBody: (facts) =>
        facts.error === error && isMeant(amount)
          ? { errorCode: code, errorDescription: facts.description }
          : lawful.refusalBody(facts),
    }
  }

const causes: readonly Defect[] = [
  {
    id: 'too-low-is-called-too-high',
    story: 'A precalculation of too low an amount is negative because the amount is too high.',
    breaks: [LOA.tooLowAmountHasItsCause],
    rules: calling('loan_too_low', 'LOAN_AMNT_HIGH'),
  },
  {
    id: 'far-too-low-is-called-invalid',
    story: 'A precalculation of less than 50 EUR is negative because of an invalid request.',
    breaks: [LOA.tooLowAmountHasItsCause],
    rules: calling('loan_too_low', 'INVALID_REQUEST', (amount) => amount < 50),
  },
  {
    id: 'too-high-is-called-too-low',
    story: 'A precalculation of too high an amount is negative because the amount is too low.',
    breaks: [LOA.tooHighAmountHasItsCause],
    rules: calling('loan_too_high', 'LOAN_AMNT_LOW'),
  },
  {
    id: 'far-too-high-is-called-insufficient',
    story: 'A precalculation of more than 10,000 EUR is negative because of insufficient capacity.',
    breaks: [LOA.tooHighAmountHasItsCause],
    rules: calling('loan_too_high', 'INSUFFICIENT_CAPACITY', (amount) => amount > 10_000),
  },
  {
    id: 'insufficient-is-called-too-high',
    story: 'A precalculation without the capacity is negative because the amount is too high.',
    breaks: [LOA.insufficientCapacityHasItsCause],
    rules: calling('capacity_insufficient', 'LOAN_AMNT_HIGH'),
  },
]

export const defectsOfCalculating: readonly Defect[] = [...bounds, ...capacities, ...causes]

/** Bodies without a valid amount within the bounds. */

/** Reads the amount of a precalculation leniently. */
const reading =
  (read: (amount: unknown) => unknown) =>
  (lawful: Rules): Partial<Rules> => ({
    calculationOf: ({ body, ...facts }) => {
      const members = membersOf(body)
      return lawful.calculationOf({ ...facts, body: { ...members, loanAmount: read(members.loanAmount) } })
    },
  })

const orderIn = (body: unknown): Members => membersOf(membersOf(membersOf(body).financeApplication).order)

/** Reads the amount of an application leniently. */
const readingApplications =
  (read: (amount: unknown) => unknown) =>
  (lawful: Rules): Partial<Rules> => ({
    loanRequestOf: ({ body, ...facts }) => {
      const order = orderIn(body)
      const financeApplication = {
        ...membersOf(membersOf(body).financeApplication),
        order: { ...order, totalAmount: read(order.totalAmount) },
      }
      return lawful.loanRequestOf({ ...facts, body: { ...membersOf(body), financeApplication } })
    },
  })

/** Replaces a missing amount by this value. */
const missing =
  (isMissing: (amount: unknown) => boolean, value = 250) =>
  (amount: unknown): unknown =>
    isMissing(amount) ? value : amount

const rounded = (amount: unknown): unknown => (typeof amount === 'number' ? Math.round(amount) : amount)

const failing =
  (isMeant: (amount: unknown) => boolean) =>
  (amount: unknown): unknown => {
    if (isMeant(amount)) throw new TypeError('amount.valueOf is not a function')
    return amount
  }

const isNull = (amount: unknown): boolean => amount === null
const isLeftOut = (amount: unknown): boolean => amount === undefined
const isText = (amount: unknown): boolean => typeof amount === 'string'

export const defectsOfBodies: readonly Defect[] = [
  {
    id: 'missing-loan-amount-is-250',
    story: 'A precalculation without an amount is one of 250 EUR.',
    breaks: [LOA.malformedAmountIsNotCalculated],
    rules: reading(missing(isLeftOut)),
  },
  {
    id: 'loan-amount-null-is-250',
    story: 'A precalculation whose amount is null is one of 250 EUR.',
    breaks: [LOA.malformedAmountIsNotCalculated],
    rules: reading(missing(isNull)),
  },
  {
    id: 'loan-amount-in-words-is-250',
    story: 'A precalculation whose amount is a text without digits is one of 250 EUR.',
    breaks: [LOA.malformedAmountIsNotCalculated],
    rules: reading(missing((amount) => isText(amount) && !/\d/.test(String(amount)))),
  },
  {
    id: 'loan-amount-99-50-is-rounded',
    story: 'A precalculation of 99.50 EUR is one of 100 EUR.',
    breaks: [LOA.amountWithCentsOutOfBoundsIsNotCalculated],
    rules: reading(rounded),
  },
  {
    id: 'loan-amount-null-breaks-the-bank',
    story: 'A precalculation whose amount is null is answered with a server error.',
    breaks: [LOA.malformedAmountIsNoBreakdown],
    rules: reading(failing(isNull)),
  },
  {
    id: 'list-as-a-loan-amount-breaks-the-bank',
    story: 'A precalculation whose amount is a list is answered with a server error.',
    breaks: [LOA.malformedAmountIsNoBreakdown],
    rules: reading(failing(Array.isArray)),
  },
  {
    id: 'text-as-a-total-breaks-the-bank',
    story: 'An application whose amount is a text is answered with a server error.',
    breaks: [LOA.malformedAmountIsNoBreakdown],
    rules: readingApplications(failing(isText)),
  },
  {
    id: 'missing-total-is-250',
    story: 'An application without an amount is one for 250 EUR.',
    breaks: [LOA.malformedApplicationIsRefused],
    rules: readingApplications(missing(isLeftOut)),
  },
  {
    id: 'true-is-a-total',
    story: 'An application whose amount is true is one for 250 EUR.',
    breaks: [LOA.malformedApplicationIsRefused],
    rules: readingApplications(missing((amount) => amount === true)),
  },
  {
    id: 'total-2000-50-is-cut',
    story: 'An application for 2000.50 EUR is one for 2000 EUR.',
    breaks: [LOA.amountWithCentsOutOfBoundsIsNotAppliedFor],
    rules: readingApplications((amount) => (typeof amount === 'number' ? Math.trunc(amount) : amount)),
  },
]
