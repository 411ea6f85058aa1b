import { constantFrom, integer, oneof } from 'fast-check'
import { asCalculation, check, note, NotReached } from '../../harness/check/index.ts'
import { property, scenario } from '../../harness/session/index.ts'
import type { LoanWords, ObservedExchange } from '../../harness/check/index.ts'
import type { Loans } from '../../harness/session/index.ts'
import { isAcceptedWithToken, isNegativeBetween, LARGEST, ORDINARY, SMALLEST } from './applications.ts'
import { LOA } from './requirements.ts'

/** Limits, Loan precalculation scenarios (sandbox). Amounts and incomes are in EUR. */
const HOUSEHOLD = { income: 1050, expenses: 410, children: 2 }
const NONSENSE = { income: 'a', expenses: 'b', children: 'c' }
const SMALL = { amount: ORDINARY }
const LARGE = { amount: 1850 }

const READS = { effect: 'read', as: 'any', needs: ['loans'] } as const

const calculated = scenario('the precalculation scenarios of the sandbox', READS, async (session) => {
  const { profile, precalculate } = await session.loans()
  const positive = {
    small: await precalculate(SMALL),
    large: await precalculate(LARGE),
    sufficient: await precalculate({ ...SMALL, capacity: HOUSEHOLD }),
    lowest: await precalculate({ amount: SMALLEST }),
    highest: await precalculate({ amount: LARGEST }),
    nextToLowest: await precalculate({ amount: SMALLEST + 1 }),
    nextToHighest: await precalculate({ amount: LARGEST - 1 }),
  }
  const negative = {
    insufficient: await session.between(
      () => precalculate({ ...SMALL, capacity: HOUSEHOLD }),
      () => precalculate({ ...LARGE, capacity: HOUSEHOLD }),
    ),
    tooLow: await session.between(
      () => precalculate(SMALL),
      () => precalculate({ amount: SMALLEST - 1 }),
    ),
    tooHigh: await session.between(
      () => precalculate(SMALL),
      () => precalculate({ amount: LARGEST + 1 }),
    ),
    nothing: await session.between(
      () => precalculate(SMALL),
      () => precalculate({ amount: 0 }),
    ),
    belowZero: await session.between(
      () => precalculate(SMALL),
      () => precalculate({ amount: -ORDINARY }),
    ),
  }
  // Neither the household of another request nor its result is anything to this one.
  const largeAgain = await precalculate(LARGE)
  const fraction = await precalculate({ amount: ORDINARY + 0.5 })
  const nonsense = await precalculate({ ...LARGE, capacity: NONSENSE })
  const { body, capacity } = profile.precalculation
  const names = `${JSON.stringify(body)}, with ${JSON.stringify(capacity)}`
  return { profile, positive, negative, largeAgain, fraction, nonsense, names }
})

const isPositive = (answer: ObservedExchange, words: LoanWords, because: string): void =>
  isAcceptedWithToken(answer, asCalculation(answer, words), because)

check(LOA.smallLoanIsPositive, calculated, ({ profile, positive }) =>
  isPositive(positive.small, profile, 'it is scenario 1'),
)

check(LOA.largeLoanIsPositive, calculated, ({ profile, positive, largeAgain }) => {
  isPositive(positive.large, profile, 'it is scenario 2')
  isPositive(largeAgain, profile, 'it is scenario 2, behind scenario 4')
})

check(LOA.sufficientCapacityIsPositive, calculated, ({ profile, positive }) =>
  isPositive(positive.sufficient, profile, 'it is scenario 3'),
)

check(LOA.insufficientCapacityIsNegative, calculated, ({ profile, negative, nonsense }) => {
  const { changed } = negative.insufficient
  // Their names are not shown: who takes a letter for an income may well have it under another one.
  if (asCalculation(changed, profile).accepted && asCalculation(nonsense, profile).accepted)
    throw new NotReached(
      `the target takes anything for income, expenses and children, and may know them by other names than \`loans.precalculation.capacity\` (${nonsense.id})`,
    )
  isNegativeBetween(negative.insufficient, profile, 'it is scenario 4, insufficient capacity')
})

check(LOA.tooLowAmountIsNegative, calculated, ({ profile, negative }) =>
  isNegativeBetween(negative.tooLow, profile, 'it is scenario 5, amount too low'),
)

check(LOA.tooHighAmountIsNegative, calculated, ({ profile, negative }) =>
  isNegativeBetween(negative.tooHigh, profile, 'it is scenario 6, amount too high'),
)

check(LOA.lowestAmountIsCalculated, calculated, ({ profile, positive }) =>
  isPositive(positive.lowest, profile, '100 EUR is the minimum'),
)

check(LOA.highestAmountIsCalculated, calculated, ({ profile, positive }) =>
  isPositive(positive.highest, profile, '2000 EUR is the maximum'),
)

check(LOA.amountWithinTheBoundsIsPositive, calculated, ({ profile, positive }) => {
  isPositive(positive.nextToLowest, profile, '101 EUR lies between 100 and 2000')
  isPositive(positive.nextToHighest, profile, '1999 EUR lies between 100 and 2000')
})

check(LOA.amountBelowTheBoundsIsNegative, calculated, ({ profile, negative }) => {
  isNegativeBetween(negative.nothing, profile, '0 EUR is less than 100')
  isNegativeBetween(negative.belowZero, profile, '-250 EUR is less than 100')
})

note(LOA.namesOfTheCalculationFields, calculated, ({ profile, positive, names }) =>
  asCalculation(positive.sufficient, profile).accepted ? `accepted with ${names}` : undefined,
)
note(LOA.bodiesOfTheLoanOperations, calculated, ({ positive }) => `positive: ${positive.small.body.shape}`)
note(LOA.bodiesOfTheLoanOperations, calculated, ({ profile, fraction }) => {
  const { accepted } = asCalculation(fraction, profile)
  return `an amount of 250.50: ${accepted ? 'positive' : 'not positive'} (${String(fraction.status.value)})`
})
note(LOA.statusCodesOfTheLoanOperations, calculated, ({ negative }) =>
  Object.entries(negative)
    .map(([name, { changed }]) => `${name}: ${String(changed.status.value)}`)
    .join(', '),
)

const within = oneof(constantFrom(200, 256, 512, 999, 1000, 1024), integer({ min: SMALLEST, max: LARGEST }))

const calculatedWithin = property(
  'precalculations of amounts within the bounds',
  READS,
  within,
  async (session, amount) => {
    const { profile, precalculate } = await session.loans()
    return { profile, answer: await precalculate({ amount }) }
  },
)

check(LOA.amountWithinTheBoundsIsPositive, calculatedWithin, ({ profile, answer }, amount) =>
  isPositive(answer, profile, `${amount} EUR lies between 100 and 2000`),
)

/** Beside a positive precalculation before and after. */
const beside = async ({ profile, precalculate }: Loans, amount: number) => ({
  profile,
  before: await precalculate(SMALL),
  changed: await precalculate({ amount }),
  after: await precalculate(SMALL),
})

const below = oneof(
  constantFrom(0, -1, 1, -SMALLEST, -ORDINARY, SMALLEST - 1, Number.MIN_SAFE_INTEGER),
  integer({ min: 0, max: SMALLEST - 1 }),
  integer({ min: -LARGEST, max: -1 }),
)

const calculatedBelow = property(
  'precalculations of amounts below the bounds',
  READS,
  below,
  async (session, amount) => beside(await session.loans(), amount),
)

check(LOA.amountBelowTheBoundsIsNegative, calculatedBelow, (record, amount) =>
  isNegativeBetween(record, record.profile, `${amount} EUR is less than 100`),
)

const above = oneof(
  constantFrom(LARGEST + 1, 2 ** 31, 2 ** 32 + ORDINARY, Number.MAX_SAFE_INTEGER),
  integer({ min: LARGEST + 1, max: 2 * LARGEST }),
  integer({ min: LARGEST + 1, max: 2 ** 31 - 1 }),
)

const calculatedAbove = property(
  'precalculations of amounts above the bounds',
  READS,
  above,
  async (session, amount) => beside(await session.loans(), amount),
)

check(LOA.amountAboveTheBoundsIsNegative, calculatedAbove, (record, amount) =>
  isNegativeBetween(record, record.profile, `${amount} EUR is more than 2000`),
)

/** What is asked for beside it shows that the target reads what it is asked: in what words, is for the profile to say. */
const TELLS_WHY = { ...READS, needs: ['loans', 'loan-cause'] } as const

const explained = scenario('the causes of negative precalculations', TELLS_WHY, async (session) => {
  const { profile, precalculate } = await session.loans()
  return {
    profile,
    ordinary: [await precalculate(SMALL), await precalculate({ ...SMALL, capacity: HOUSEHOLD })],
    insufficient: await precalculate({ ...LARGE, capacity: HOUSEHOLD }),
    tooLow: await precalculate({ amount: SMALLEST - 1 }),
    tooHigh: await precalculate({ amount: LARGEST + 1 }),
  }
})

type Cause = 'tooLow' | 'tooHigh' | 'insufficient'

type Words = LoanWords & {
  readonly precalculation: {
    readonly cause?: (Readonly<Record<Cause, string>> & { readonly member: string }) | undefined
  }
}

/** @throws NotReached where the result is not negative: that is judged by itself. */
const isExplained = (answer: ObservedExchange, words: Words, cause: Cause): void => {
  const { cause: told } = words.precalculation
  if (told === undefined) throw new NotReached('the profile says not where the cause stands')
  const attempt = asCalculation(answer, words)
  if (attempt.accepted || answer.status.value === 401) throw new NotReached('there is no negative result')
  attempt.isRefused('it is out of bounds')
  answer.body.field(told.member).equals(told[cause])
}

check(LOA.insufficientCapacityHasItsCause, explained, ({ profile, insufficient }) =>
  isExplained(insufficient, profile, 'insufficient'),
)

check(LOA.tooLowAmountHasItsCause, explained, ({ profile, tooLow }) => isExplained(tooLow, profile, 'tooLow'))

check(LOA.tooHighAmountHasItsCause, explained, ({ profile, tooHigh }) =>
  isExplained(tooHigh, profile, 'tooHigh'),
)

const explainedBelow = property(
  'the causes of precalculations below the bounds',
  TELLS_WHY,
  integer({ min: 1, max: SMALLEST - 1 }),
  async (session, amount) => {
    const { profile, precalculate } = await session.loans()
    return { profile, ordinary: await precalculate(SMALL), answer: await precalculate({ amount }) }
  },
)

check(LOA.tooLowAmountHasItsCause, explainedBelow, ({ profile, answer }) =>
  isExplained(answer, profile, 'tooLow'),
)

const explainedAbove = property(
  'the causes of precalculations above the bounds',
  TELLS_WHY,
  integer({ min: LARGEST + 1, max: 2 ** 31 - 1 }),
  async (session, amount) => {
    const { profile, precalculate } = await session.loans()
    return { profile, ordinary: await precalculate(SMALL), answer: await precalculate({ amount }) }
  },
)

check(LOA.tooHighAmountHasItsCause, explainedAbove, ({ profile, answer }) =>
  isExplained(answer, profile, 'tooHigh'),
)
