import { must } from '../../harness/check/requirement.ts'

const pending = 'no check yet'

const SCENARIOS = 'Limits, Loan precalculation scenarios (sandbox)'

const NEGATIVE = 'How a negative result is told from a positive one is undisclosed: the profile says it.'

/** Sentences that more than one row quotes. */
const AMOUNT = {
  quote: '| Loan amount | minimum 100 EUR, maximum 2,000 EUR | Loan operations. |',
  place: 'Limits, row Loan amount',
}

/** What the precalculation answers, and the amounts that a loan may have. */
export const CALCULATION = {
  smallLoanIsPositive: must('LOA-08', {
    claim: 'a precalculation of 250 EUR is positive',
    quote: '| 1 | Positive | 250 | - | - | - |',
    place: `${SCENARIOS}, row 1`,
    reading: 'A dash means that the field is not sent.',
    pending,
  }),
  largeLoanIsPositive: must('LOA-09', {
    claim: 'a precalculation of 1850 EUR is positive',
    quote: '| 2 | Positive | 1850 | - | - | - |',
    place: `${SCENARIOS}, row 2`,
    reading: 'A dash means that the field is not sent.',
    pending,
  }),
  sufficientCapacityIsPositive: must('LOA-10', {
    claim: 'a precalculation of 250 EUR with an income of 1050, expenses of 410 and 2 children is positive',
    quote: '| 3 | Positive | 250 | 1050 | 410 | 2 |',
    place: `${SCENARIOS}, row 3`,
    pending,
  }),
  insufficientCapacityIsNegative: must('LOA-11', {
    claim: 'a precalculation of 1850 EUR with an income of 1050, expenses of 410 and 2 children is negative',
    quote: '| 4 | Negative (insufficient capacity) | 1850 | 1050 | 410 | 2 |',
    place: `${SCENARIOS}, row 4`,
    reading: NEGATIVE,
    pending,
  }),
  tooLowAmountIsNegative: must('LOA-12', {
    claim: 'a precalculation of 99 EUR is negative',
    quote: '| 5 | Negative (amount too low) | 99 | - | - | - |',
    place: `${SCENARIOS}, row 5`,
    reading: NEGATIVE,
    pending,
  }),
  tooHighAmountIsNegative: must('LOA-13', {
    claim: 'a precalculation of 2001 EUR is negative',
    quote: '| 6 | Negative (amount too high) | 2001 | - | - | - |',
    place: `${SCENARIOS}, row 6`,
    reading: NEGATIVE,
    pending,
  }),
  lowestAmountIsCalculated: must('LOA-14', {
    claim: 'a precalculation of 100 EUR is positive',
    ...AMOUNT,
    reading: 'Both bounds belong to the range. No income is sent.',
    pending,
  }),
  highestAmountIsCalculated: must('LOA-15', {
    claim: 'a precalculation of 2000 EUR is positive',
    ...AMOUNT,
    reading: 'Both bounds belong to the range. No income is sent.',
    pending,
  }),
  lowestAmountIsAppliedFor: must('LOA-16', {
    claim: 'an application for 100 EUR is accepted',
    ...AMOUNT,
    reading: 'The bounds hold for the precalculation and for the application.',
    pending,
  }),
  highestAmountIsAppliedFor: must('LOA-17', {
    claim: 'an application for 2000 EUR is accepted',
    ...AMOUNT,
    reading: 'The bounds hold for the precalculation and for the application.',
    pending,
  }),
  tooLowApplicationIsRefused: must('LOA-18', {
    claim: 'an application for less than 100 EUR is refused',
    ...AMOUNT,
    reading: 'No application-id is answered. Whole amounts are tried.',
    tags: ['property'],
    pending,
  }),
  tooHighApplicationIsRefused: must('LOA-19', {
    claim: 'an application for more than 2000 EUR is refused',
    ...AMOUNT,
    reading: 'No application-id is answered. Whole amounts are tried.',
    tags: ['property'],
    pending,
  }),
} as const
