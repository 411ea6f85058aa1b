/** Loans that are read, offered and calculated in other ways; the six scenarios have the same results. */
import type { Variation } from '../defect.ts'
import { changeObjects } from './wires.ts'

const NUMBERS: readonly string[] = [
  'loanAmount',
  'totalAmount',
  'monthlyIncome',
  'monthlyExpenses',
  'numberOfChildren',
]

/** Numbers that came as texts. */
const withNumbers = (body: unknown): unknown =>
  changeObjects(body, (members) =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => {
        const isMeant = NUMBERS.includes(name) && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
        return [name, isMeant ? Number(value) : value]
      }),
    ),
  )

const withWholeNumbers = (body: unknown): unknown =>
  changeObjects(body, (members) =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        NUMBERS.includes(name) && typeof value === 'number' ? Math.floor(value) : value,
      ]),
    ),
  )

const amountIn = (body: unknown): number => (body as { readonly loanAmount: number }).loanAmount

export const loanCalculationVariations: readonly Variation[] = [
  {
    id: 'loan-numbers-read-leniently',
    story: 'Numbers may come as texts, and those of a precalculation with a fraction.',
    rules: (lawful) => ({
      calculationOf: (facts) => {
        const body = withNumbers(facts.body)
        const calculation = lawful.calculationOf({ ...facts, body: withWholeNumbers(body) })
        return typeof calculation === 'string' ? calculation : { ...calculation, amount: amountIn(body) }
      },
      loanRequestOf: (facts) => lawful.loanRequestOf({ ...facts, body: withNumbers(facts.body) }),
    }),
  },
  {
    id: 'one-offer',
    story: 'A precalculation offers one loan.',
    rules: (lawful) => ({ loanOffers: (facts) => lawful.loanOffers(facts).slice(0, 1) }),
  },
  {
    id: 'many-offers',
    story:
      'A precalculation offers loans of 1 to 60 months, free of interest, and none of them is preferred.',
    rules: {
      loanOffers: ({ calculation: { amount } }) =>
        Array.from({ length: 60 }, (_, place) => ({
          amount,
          months: place + 1,
          interestRate: 0,
          annualRate: 0,
          instalment: Math.ceil((amount * 100) / (place + 1)) / 100,
          isPreferred: false,
        })),
    },
  },
  {
    id: 'capacity-by-income-and-expenses',
    story: 'A household may owe what it can save in two months, however many children it has.',
    rules: { capacityOf: ({ income, expenses }) => (income - expenses) * 2 },
  },
  {
    id: 'capacity-by-instalments',
    story:
      'A household may owe twelve tenths of what it has left in a month, each child costing 200 EUR of it.',
    rules: { capacityOf: ({ income, expenses, children }) => 1.2 * (income - expenses - 200 * children) },
  },
  {
    id: 'loan-causes-in-another-order',
    story: 'The causes for a negative result are looked for in the opposite order.',
    rules: (lawful) => ({ loanCausesLookedFor: (facts) => lawful.loanCausesLookedFor(facts).toReversed() }),
  },
]
