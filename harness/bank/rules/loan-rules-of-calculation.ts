/** What may be lent, to whom, and on which terms. Amounts are in EUR. */
import { offersFor } from '../loans/offers.ts'
import { readCalculation, readLoanRequest } from '../loans/requests.ts'
import type { Calculation, Household, LoanRequest, Offer } from '../loans/loan.ts'
import type { ClientFacts, Endpoint } from './facts.ts'

/** Why nothing is lent. */
export type LoanCause = 'negative_value' | 'loan_too_low' | 'loan_too_high' | 'capacity_insufficient'

interface BodyFacts extends ClientFacts {
  /** Nothing if it is not JSON. */
  readonly body: unknown
}

interface AmountFacts extends ClientFacts {
  /** A precalculation or a submission. */
  readonly endpoint: Endpoint
  readonly amount: number
}

export interface CalculationFacts extends ClientFacts {
  readonly calculation: Calculation
}

export interface LoanCalculationRules {
  /** What a body asks to be calculated, or what is wrong with its form. */
  readonly calculationOf: (facts: BodyFacts) => Calculation | string
  /** What a body applies for, or what is wrong with its form. */
  readonly loanRequestOf: (facts: BodyFacts) => LoanRequest | string
  readonly isTooSmallALoan: (facts: AmountFacts) => boolean
  readonly isTooLargeALoan: (facts: AmountFacts) => boolean
  /** The causes that a calculation is looked through for, the first one that holds being the one told. */
  readonly loanCausesLookedFor: (facts: CalculationFacts) => readonly LoanCause[]
  readonly hasNegativeValue: (facts: CalculationFacts) => boolean
  /** What is counted of a household; nothing if nothing is known of one. */
  readonly householdCounted: (facts: CalculationFacts) => Household | undefined
  /** What a household can carry. */
  readonly capacityOf: (facts: ClientFacts & Household) => number
  readonly hasCapacity: (facts: CalculationFacts & { readonly capacity: number }) => boolean
  /** What a positive result offers. */
  readonly loanOffers: (facts: CalculationFacts) => readonly Offer[]
  /** One offer, member by member, in order. */
  readonly offerBody: (
    facts: CalculationFacts & { readonly offer: Offer },
  ) => Readonly<Record<string, unknown>>
  readonly precalculationBody: (facts: CalculationFacts & { readonly offers: readonly unknown[] }) => unknown
  /** HTTP status of a positive result. */
  readonly precalculationStatus: (facts: CalculationFacts) => number
}

/** Both are lent. */
const SMALLEST = 100
const LARGEST = 2000

/** What a child costs in a month. */
const COST_OF_A_CHILD = 150

/** How many months' savings a household may owe. */
const MONTHS = 3

/** In EUR, what a loan costs beside its interest. */
const FEE = 0

const valuesOf = ({ amount, household }: Calculation): readonly number[] =>
  household ? [amount, household.income, household.expenses, household.children] : [amount]

export const loanCalculationRules: LoanCalculationRules = {
  calculationOf: ({ body }) => readCalculation(body),
  loanRequestOf: ({ body }) => readLoanRequest(body),
  isTooSmallALoan: ({ amount }) => amount < SMALLEST,
  isTooLargeALoan: ({ amount }) => amount > LARGEST,
  loanCausesLookedFor: () => ['negative_value', 'loan_too_low', 'loan_too_high', 'capacity_insufficient'],
  hasNegativeValue: ({ calculation }) => valuesOf(calculation).some((value) => value < 0),
  householdCounted: ({ calculation }) => calculation.household,
  capacityOf: ({ income, expenses, children }) => (income - expenses - COST_OF_A_CHILD * children) * MONTHS,
  hasCapacity: ({ calculation, capacity }) => capacity >= calculation.amount,
  loanOffers: ({ calculation }) => offersFor(calculation.amount),
  offerBody: ({ offer }) => ({
    LoanInterestRate: offer.interestRate,
    InstallmentAmount: offer.instalment,
    LoanDuration: offer.months,
    Preference: offer.isPreferred,
    MainPreference: offer.isPreferred,
    RPMN: offer.annualRate,
    LoanFee: FEE,
    TotalAmount: Math.round(offer.instalment * offer.months * 100) / 100,
  }),
  precalculationBody: ({ offers }) => offers,
  precalculationStatus: () => 200,
}
