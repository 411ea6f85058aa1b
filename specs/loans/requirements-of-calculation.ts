import { must, should } from '../../harness/check/requirement.ts'

const SCENARIOS = 'Limits, Loan precalculation scenarios (sandbox)'

const NEGATIVE = 'How a negative result is told from a positive one is undisclosed: the profile says it.'

/** Sentences that more than one row quotes. */
const AMOUNT = {
  quote: '| Loan amount | minimum 100 EUR, maximum 2,000 EUR | Loan operations. |',
  place: 'Limits, row Loan amount',
}

const CAUSE = 'Where the answer says its cause, and in which words, is undisclosed: the profile says it.'
const BOUNDS_OF_BOTH = 'The bounds hold for the precalculation and for the application.'
const OF_NO_AMOUNT =
  'Left out, null, a truth value, words, lists, and what is out of bounds with cents. How a malformed request is taken is undisclosed, hence no more than a SHOULD.'

/** What the precalculation answers, and the amounts that a loan may have. */
export const CALCULATION = {
  smallLoanIsPositive: must('LOA-08', {
    claim: 'a precalculation of 250 EUR is positive',
    quote: '| 1 | Positive | 250 | - | - | - |',
    place: `${SCENARIOS}, row 1`,
    reading: 'A dash means that the field is not sent.',
  }),
  largeLoanIsPositive: must('LOA-09', {
    claim: 'a precalculation of 1850 EUR is positive',
    quote: '| 2 | Positive | 1850 | - | - | - |',
    place: `${SCENARIOS}, row 2`,
    reading: 'A dash means that the field is not sent.',
  }),
  sufficientCapacityIsPositive: must('LOA-10', {
    claim: 'a precalculation of 250 EUR with an income of 1050, expenses of 410 and 2 children is positive',
    quote: '| 3 | Positive | 250 | 1050 | 410 | 2 |',
    place: `${SCENARIOS}, row 3`,
  }),
  insufficientCapacityIsNegative: must('LOA-11', {
    claim: 'a precalculation of 1850 EUR with an income of 1050, expenses of 410 and 2 children is negative',
    quote: '| 4 | Negative (insufficient capacity) | 1850 | 1050 | 410 | 2 |',
    place: `${SCENARIOS}, row 4`,
    reading: NEGATIVE,
  }),
  tooLowAmountIsNegative: must('LOA-12', {
    claim: 'a precalculation of 99 EUR is negative',
    quote: '| 5 | Negative (amount too low) | 99 | - | - | - |',
    place: `${SCENARIOS}, row 5`,
    reading: NEGATIVE,
  }),
  tooHighAmountIsNegative: must('LOA-13', {
    claim: 'a precalculation of 2001 EUR is negative',
    quote: '| 6 | Negative (amount too high) | 2001 | - | - | - |',
    place: `${SCENARIOS}, row 6`,
    reading: NEGATIVE,
  }),
  lowestAmountIsCalculated: must('LOA-14', {
    claim: 'a precalculation of 100 EUR is positive',
    ...AMOUNT,
    reading: 'Both bounds belong to the range. No income is sent.',
  }),
  highestAmountIsCalculated: must('LOA-15', {
    claim: 'a precalculation of 2000 EUR is positive',
    ...AMOUNT,
    reading: 'Both bounds belong to the range. No income is sent.',
  }),
  lowestAmountIsAppliedFor: must('LOA-16', {
    claim: 'an application for 100 EUR is accepted',
    ...AMOUNT,
    reading: BOUNDS_OF_BOTH,
  }),
  highestAmountIsAppliedFor: must('LOA-17', {
    claim: 'an application for 2000 EUR is accepted',
    ...AMOUNT,
    reading: BOUNDS_OF_BOTH,
  }),
  tooLowApplicationIsRefused: must('LOA-18', {
    claim: 'an application for less than 100 EUR is refused',
    ...AMOUNT,
    reading: 'No application-id is answered. Whole amounts are tried.',
    tags: ['property'],
  }),
  tooHighApplicationIsRefused: must('LOA-19', {
    claim: 'an application for more than 2000 EUR is refused',
    ...AMOUNT,
    reading: 'No application-id is answered. Whole amounts are tried.',
    tags: ['property'],
  }),
  tooLowAmountHasItsCause: should('LOA-48', {
    claim: 'a negative result for less than 100 EUR says that the amount is too low',
    quote: '| 5 | Negative (amount too low) | 99 | - | - | - |',
    place: `${SCENARIOS}, row 5`,
    reading: CAUSE,
    tags: ['property'],
  }),
  tooHighAmountHasItsCause: should('LOA-49', {
    claim: 'a negative result for more than 2000 EUR says that the amount is too high',
    quote: '| 6 | Negative (amount too high) | 2001 | - | - | - |',
    place: `${SCENARIOS}, row 6`,
    reading: CAUSE,
    tags: ['property'],
  }),
  insufficientCapacityHasItsCause: should('LOA-50', {
    claim: 'the negative result of scenario 4 says that the capacity is insufficient',
    quote: '| 4 | Negative (insufficient capacity) | 1850 | 1050 | 410 | 2 |',
    place: `${SCENARIOS}, row 4`,
    reading: CAUSE,
  }),
  amountWithinTheBoundsIsPositive: must('LOA-51', {
    claim: 'a precalculation of any whole amount from 100 to 2000 EUR is positive',
    ...AMOUNT,
    reading: 'Both bounds belong to the range. No income is sent.',
    tags: ['property'],
  }),
  amountBelowTheBoundsIsNegative: must('LOA-52', {
    claim: 'a precalculation of any whole amount below 100 EUR is negative',
    ...AMOUNT,
    reading: 'Zero and amounts below zero are below 100 EUR.',
    tags: ['property'],
  }),
  amountAboveTheBoundsIsNegative: must('LOA-53', {
    claim: 'a precalculation of any whole amount above 2000 EUR is negative',
    ...AMOUNT,
    tags: ['property'],
  }),
  malformedAmountIsNotCalculated: should('LOA-54', {
    claim: 'a precalculation of what is no amount within the bounds is not positive',
    ...AMOUNT,
    reading: OF_NO_AMOUNT,
  }),
  malformedAmountIsNoBreakdown: should('LOA-55', {
    claim: 'a loan operation does not break down over a malformed amount',
    ...AMOUNT,
    reading: 'It is answered with a status below 500.',
  }),
  malformedApplicationIsRefused: should('LOA-56', {
    claim: 'an application for what is no amount within the bounds is refused',
    ...AMOUNT,
    reading: `No application-id is answered. ${OF_NO_AMOUNT}`,
  }),
  amountWithinTheBoundsIsAppliedFor: must('LOA-57', {
    claim: 'an application for any whole amount from 100 to 2000 EUR is accepted',
    ...AMOUNT,
    reading: BOUNDS_OF_BOTH,
    tags: ['property'],
  }),
} as const
