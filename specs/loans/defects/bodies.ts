import type { Defect } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { LOA } from '../requirements.ts'

/** What a bank makes of bodies that name no amount within the bounds. */

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {}

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

/** What is missing has this value. */
const missing =
  (isMissing: (amount: unknown) => boolean, value = 250) =>
  (amount: unknown): unknown =>
    isMissing(amount) ? value : amount

const rounded = (amount: unknown): unknown => (typeof amount === 'number' ? Math.round(amount) : amount)

const breakingDown =
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
    breaks: [LOA.malformedAmountIsNotCalculated],
    rules: reading(rounded),
  },
  {
    id: 'loan-amount-null-breaks-the-bank',
    story: 'The bank breaks down over a precalculation whose amount is null.',
    breaks: [LOA.malformedAmountIsNoBreakdown],
    rules: reading(breakingDown(isNull)),
  },
  {
    id: 'list-as-a-loan-amount-breaks-the-bank',
    story: 'The bank breaks down over a precalculation whose amount is a list.',
    breaks: [LOA.malformedAmountIsNoBreakdown],
    rules: reading(breakingDown(Array.isArray)),
  },
  {
    id: 'text-as-a-total-breaks-the-bank',
    story: 'The bank breaks down over an application whose amount is a text.',
    breaks: [LOA.malformedAmountIsNoBreakdown],
    rules: readingApplications(breakingDown(isText)),
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
    breaks: [LOA.malformedApplicationIsRefused],
    rules: readingApplications((amount) => (typeof amount === 'number' ? Math.trunc(amount) : amount)),
  },
]
