import { isPrecalculation, isSubmission } from './applications.ts'
import {
  accept,
  alter,
  defectsOf,
  from,
  membersOf,
  refuse,
  when,
  type FactsOf,
} from '../../shared/changes.ts'
import { LOA } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** The amounts of precalculations and applications: their bounds, the capacity for them, and malformed ones. */

const least = (amount: number) => alter({ isTooSmallALoan: (_, facts) => facts.amount < amount })
const most = (amount: number) => alter({ isTooLargeALoan: (_, facts) => facts.amount > amount })
const zeroIsEnough = refuse('isTooSmallALoan', ({ amount }) => amount === 0)

/** Calculates with another amount. */
const calculate = (amount: (usual: number) => number) =>
  alter({
    calculationOf: (usual) =>
      typeof usual === 'string' ? usual : { ...usual, amount: amount(usual.amount) },
  })

/** The capacity of a household with other figures. */
const household = (change: (household: FactsOf<'capacityOf'>) => Partial<FactsOf<'capacityOf'>>) =>
  alter({ capacityOf: (_, facts, { rules }) => rules.capacityOf({ ...facts, ...change(facts) }) })

const NO_INCOME = [
  LOA.largeLoanIsPositive,
  LOA.highestAmountIsCalculated,
  LOA.amountWithinTheBoundsIsPositive,
]
const ALL_WITHOUT_INCOME = [
  ...NO_INCOME,
  LOA.smallLoanIsPositive,
  LOA.lowestAmountIsCalculated,
  LOA.tooLowAmountHasItsCause,
  LOA.tooHighAmountHasItsCause,
]

type Cause = FactsOf<'refusalBody'>['error']

/** The error code of a cause, for some amounts or for all. */
const code = (cause: Cause, errorCode: string, isMeant: (eur: number) => boolean = () => true) =>
  alter(
    {
      refusalBody: (usual, { error, description }, { of }) =>
        error === cause && isMeant(of('loanCausesChecked').at(-1)?.facts.calculation.amount ?? 0)
          ? { errorCode, errorDescription: description }
          : usual,
    },
    'loanCausesChecked',
  )

type Kind = (amount: unknown) => boolean
type Reading = (amount: unknown) => unknown

/** Reads another amount of a precalculation in the place of such ones. */
const readCalculated = (where: Kind, reading: Reading) =>
  alter({
    calculationOf: (usual, { body, ...facts }, { rules }) => {
      const { loanAmount, ...members } = membersOf(body)
      if (!where(loanAmount)) return usual
      return rules.calculationOf({ ...facts, body: { ...members, loanAmount: reading(loanAmount) } })
    },
  })

/** Reads another amount of an application in the place of such ones. */
const readAppliedFor = (where: Kind, reading: Reading) =>
  alter({
    loanRequestOf: (usual, { body, ...facts }, { rules }) => {
      const members = membersOf(membersOf(body).financeApplication)
      const { totalAmount, ...order } = membersOf(members.order)
      if (!where(totalAmount)) return usual
      const financeApplication = { ...members, order: { ...order, totalAmount: reading(totalAmount) } }
      return rules.loanRequestOf({ ...facts, body: { ...membersOf(body), financeApplication } })
    },
  })

const isNull: Kind = (amount) => amount === null
const isLeftOut: Kind = (amount) => amount === undefined
const isTrue: Kind = (amount) => amount === true
const isText: Kind = (amount) => typeof amount === 'string'
const isNumber: Kind = (amount) => typeof amount === 'number'
const isWords: Kind = (amount) => isText(amount) && !/\d/.test(String(amount))

const to250: Reading = () => 250
const rounded: Reading = (amount) => Math.round(Number(amount))
const cut: Reading = (amount) => Math.trunc(Number(amount))

/** The bank answers what a rule throws with the status 500. */
const failure: Reading = () => {
  throw new TypeError('amount.valueOf is not a function')
}

export const amountDefects: readonly Defect[] = [
  ...defectsOf([LOA.lowestAmountIsCalculated, LOA.amountWithinTheBoundsIsPositive], {
    'The minimum of a precalculation is 101 EUR': when(isPrecalculation, least(101)),
    'The minimum of a precalculation is 102 EUR': when(isPrecalculation, least(102)),
  }),
  ...defectsOf([LOA.tooLowAmountIsNegative, LOA.amountBelowTheBoundsIsNegative], {
    'The minimum of a precalculation is 99 EUR': when(isPrecalculation, least(99)),
    'The minimum of a precalculation is 1 EUR': when(isPrecalculation, least(1)),
  }),
  ...defectsOf([LOA.amountBelowTheBoundsIsNegative], {
    'A precalculation of 0 EUR is positive': when(isPrecalculation, zeroIsEnough),
    'The sign of the amount of a precalculation is ignored': calculate(Math.abs),
  }),
  ...defectsOf([LOA.highestAmountIsCalculated, LOA.amountWithinTheBoundsIsPositive], {
    'The maximum of a precalculation is 1999 EUR': when(isPrecalculation, most(1999)),
    'The maximum of a precalculation is 1998 EUR': when(isPrecalculation, most(1998)),
  }),
  ...defectsOf([LOA.tooHighAmountIsNegative, LOA.amountAboveTheBoundsIsNegative], {
    'The maximum of a precalculation is 2001 EUR': when(isPrecalculation, most(2001)),
  }),
  ...defectsOf(
    [LOA.tooHighAmountIsNegative, LOA.amountAboveTheBoundsIsNegative, LOA.malformedAmountIsNotCalculated],
    {
      'A precalculation has no maximum': when(isPrecalculation, most(Infinity)),
    },
  ),
  ...defectsOf([LOA.amountAboveTheBoundsIsNegative], {
    'An amount of a precalculation has 32 bits': calculate((amount) =>
      Number.isSafeInteger(amount) ? amount | 0 : amount,
    ),
  }),
  ...defectsOf([LOA.amountWithinTheBoundsIsPositive], {
    'A precalculation of a multiple of 256 EUR is negative': when(
      isPrecalculation,
      accept('isTooLargeALoan', ({ amount }) => amount > 100 && amount % 256 === 0),
    ),
  }),
  ...defectsOf([LOA.lowestAmountIsAppliedFor, LOA.amountWithinTheBoundsIsAppliedFor], {
    'The minimum of an application is 101 EUR': when(isSubmission, least(101)),
    'The minimum of an application is 102 EUR': when(isSubmission, least(102)),
  }),
  ...defectsOf([LOA.tooLowApplicationIsRefused, LOA.amountWithCentsOutOfBoundsIsNotAppliedFor], {
    'The minimum of an application is 99 EUR': when(isSubmission, least(99)),
    'An application has no minimum': when(isSubmission, least(-Infinity)),
  }),
  ...defectsOf([LOA.tooLowApplicationIsRefused], {
    'An application for 0 EUR is accepted': when(isSubmission, zeroIsEnough),
  }),
  ...defectsOf([LOA.highestAmountIsAppliedFor, LOA.amountWithinTheBoundsIsAppliedFor], {
    'The maximum of an application is 1999 EUR': when(isSubmission, most(1999)),
    'The maximum of an application is 1000 EUR': when(isSubmission, most(1000)),
  }),
  ...defectsOf([LOA.tooHighApplicationIsRefused, LOA.amountWithCentsOutOfBoundsIsNotAppliedFor], {
    'The maximum of an application is 2001 EUR': when(isSubmission, most(2001)),
    'An application has no maximum': when(isSubmission, most(Infinity)),
  }),
  ...defectsOf([LOA.tooHighApplicationIsRefused], {
    'An application for more than 100,000 EUR is accepted': when(
      isSubmission,
      refuse('isTooLargeALoan', ({ amount }) => amount > 100_000 && amount <= Number.MAX_SAFE_INTEGER),
    ),
  }),
  ...defectsOf([LOA.insufficientCapacityIsNegative], {
    'Scenario 4 is positive the second time': when(
      ({ calculation: { amount, household: counted } }) => amount === 1850 && counted !== undefined,
      when(from(2), accept('hasCapacity')),
    ),
    'The number of children is ignored': household(() => ({ children: 0 })),
    'The monthly expenses are ignored': household(() => ({ expenses: 0 })),
  }),
  ...defectsOf([LOA.sufficientCapacityIsPositive], {
    'The capacity has to be five times the amount': alter({
      hasCapacity: (_, facts, { rules }) => rules.hasCapacity({ ...facts, capacity: facts.capacity / 5 }),
    }),
  }),
  ...defectsOf(ALL_WITHOUT_INCOME, {
    'A precalculation without an income is refused': alter({
      calculationOf: (usual) =>
        typeof usual === 'string' || usual.household ? usual : 'capacityInfo is missing.',
    }),
  }),
  ...defectsOf(NO_INCOME, {
    'A precalculation of more than 1500 EUR is negative without an income': when(
      ({ calculation }: FactsOf<'householdCounted'>) => calculation.household === undefined,
      alter({
        loanCausesChecked: (usual, { calculation: { amount } }) =>
          amount > 1500 && amount <= 2000 ? ['capacity_insufficient', ...usual] : usual,
        householdCounted: (usual) => usual ?? { income: 0, expenses: 0, children: 0 },
        hasCapacity: (_, { calculation }) => calculation.amount <= 1500,
      }),
    ),
  }),
  ...defectsOf([LOA.largeLoanIsPositive], {
    'A precalculation without a household takes the one of the request before': alter({
      householdCounted: (usual, _, { of }) => usual ?? of('householdCounted').at(-1)?.answer,
    }),
  }),
  ...defectsOf([LOA.tooLowAmountHasItsCause], {
    'The code of too low an amount is LOAN_AMNT_HIGH': code('loan_too_low', 'LOAN_AMNT_HIGH'),
    'The code below 50 EUR is INVALID_REQUEST': code('loan_too_low', 'INVALID_REQUEST', (eur) => eur < 50),
  }),
  ...defectsOf([LOA.tooHighAmountHasItsCause], {
    'The code of too high an amount is LOAN_AMNT_LOW': code('loan_too_high', 'LOAN_AMNT_LOW'),
    'The code above 10,000 EUR is INSUFFICIENT_CAPACITY': code(
      'loan_too_high',
      'INSUFFICIENT_CAPACITY',
      (eur) => eur > 10_000,
    ),
  }),
  ...defectsOf([LOA.insufficientCapacityHasItsCause], {
    'The code without capacity is LOAN_AMNT_HIGH': code('capacity_insufficient', 'LOAN_AMNT_HIGH'),
  }),
  ...defectsOf([LOA.malformedAmountIsNotCalculated], {
    'A precalculation without an amount is one of 250 EUR': readCalculated(isLeftOut, to250),
    'A precalculation whose amount is null is one of 250 EUR': readCalculated(isNull, to250),
    'A precalculation of a text without digits is one of 250 EUR': readCalculated(isWords, to250),
  }),
  ...defectsOf([LOA.malformedAmountIsNoBreakdown], {
    'A precalculation whose amount is null fails with 500': readCalculated(isNull, failure),
    'A precalculation whose amount is a list fails with 500': readCalculated(Array.isArray, failure),
    'An application whose amount is a text fails with 500': readAppliedFor(isText, failure),
  }),
  ...defectsOf([LOA.malformedApplicationIsRefused], {
    'An application without an amount is one for 250 EUR': readAppliedFor(isLeftOut, to250),
    'An application whose amount is true is one for 250 EUR': readAppliedFor(isTrue, to250),
  }),
  ...defectsOf([LOA.amountWithCentsOutOfBoundsIsNotCalculated], {
    'A precalculation of 99.50 EUR is one of 100 EUR': readCalculated(isNumber, rounded),
  }),
  ...defectsOf([LOA.amountWithCentsOutOfBoundsIsNotAppliedFor], {
    'An application for 2000.50 EUR is one for 2000 EUR': readAppliedFor(isNumber, cut),
  }),
]
