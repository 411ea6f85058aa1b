import { constantFrom, integer, oneof } from 'fast-check'
import { asCalculation, check, loanResult, note, NotReached, resultOf } from '../../harness/check/index.ts'
import { property, scenario } from '../../harness/session/index.ts'
import type { Exchange, LoanWords, ObservedExchange } from '../../harness/check/index.ts'
import type { Loans } from '../../harness/session/index.ts'
import { isAcceptedWithToken, isNegativeBetween, LARGEST, ORDINARY, SMALLEST } from './applications.ts'
import { LOA } from './requirements.ts'

/** Limits, Loan precalculation scenarios (sandbox). Amounts and incomes are in EUR. */
const HOUSEHOLD = { income: 1050, expenses: 410, children: 2 }
/** Its lowest 32 bits are an amount within the bounds. */
const BEYOND_32_BITS = 2 ** 32 + ORDINARY
const NONSENSE = { income: 'a', expenses: 'b', children: 'c' }
const SMALL = { amount: ORDINARY }
const LARGE = { amount: 1850 }

const READS = { effect: 'read', as: 'any', needs: ['loans'] } as const

const calculated = scenario('the precalculation scenarios of the sandbox', READS, async (session) => {
  const loans = await session.loans()
  const { profile, precalculate } = loans
  const positive = {
    small: await precalculate(SMALL),
    large: await precalculate(LARGE),
    sufficient: await precalculate({ ...SMALL, capacity: HOUSEHOLD }),
  }
  const bounds = {
    lowest: await withinBounds(loans, SMALLEST),
    highest: await withinBounds(loans, LARGEST),
    nextToLowest: await withinBounds(loans, SMALLEST + 1),
    nextToHighest: await withinBounds(loans, LARGEST - 1),
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
    farTooHigh: await session.between(
      () => precalculate(SMALL),
      () => precalculate({ amount: BEYOND_32_BITS }),
    ),
  }
  // The household and the result of another request must not change this one.
  const largeAgain = await precalculate(LARGE)
  const fraction = await precalculate({ amount: ORDINARY + 0.5 })
  const nonsense = await precalculate({ ...LARGE, capacity: NONSENSE })
  const { body, capacity } = profile.precalculation
  const names = `${JSON.stringify(body)}, with ${JSON.stringify(capacity)}`
  return { profile, positive, bounds, negative, largeAgain, fraction, nonsense, names }
})

const isPositive = (
  answer: ObservedExchange,
  words: LoanWords,
  because: string,
  others: readonly ObservedExchange[] = [],
): void => isAcceptedWithToken(answer, asCalculation(answer, words, others), because)

/** Whole amounts within the bounds that no scenario of the interface has. */
const UNSCRIPTED = [SMALLEST + 1, 251, 777, 1200, LARGEST - 1]

interface WithinBounds<Answer> {
  readonly answer: Answer
  /** Sent if the answer is not positive: scenario 1, and amounts that are not scripted. */
  readonly scripted: readonly Answer[]
  readonly unscripted: readonly Answer[]
}

/** A precalculation of an amount within the bounds; and of others, if it is not positive. */
const withinBounds = async (
  { profile, precalculate }: Loans,
  amount: number,
): Promise<WithinBounds<Exchange>> => {
  const answer = await precalculate({ amount })
  const isRefused = answer.response !== undefined && resultOf(answer, profile) !== 'positive'
  if (!isRefused) return { answer, scripted: [], unscripted: [] }
  const unscripted: Exchange[] = []
  for (const other of UNSCRIPTED) if (other !== amount) unscripted.push(await precalculate({ amount: other }))
  return { answer, scripted: [await precalculate(SMALL)], unscripted }
}

/** Judges that an amount within the bounds is positive, or that the sandbox refuses every amount that is not scripted. */
const isPositiveWithinBounds = (
  { answer, scripted, unscripted }: WithinBounds<ObservedExchange>,
  words: LoanWords,
  because: string,
): void => {
  const isScriptedOnly =
    scripted.some((other) => loanResult(other, words) === 'positive') &&
    unscripted.every((other) => loanResult(other, words) === 'negative')
  if (!isScriptedOnly) return isPositive(answer, words, because, [...scripted, ...unscripted])
  for (const other of [answer, ...unscripted])
    asCalculation(other, words).isRefused('the sandbox refuses every amount that is not scripted')
}

check(LOA.smallLoanIsPositive, calculated, ({ profile, positive }) =>
  isPositive(positive.small, profile, 'it is scenario 1', Object.values(positive)),
)

check(LOA.largeLoanIsPositive, calculated, ({ profile, positive, largeAgain }) => {
  isPositive(positive.large, profile, 'it is scenario 2', Object.values(positive))
  isPositive(largeAgain, profile, 'it is scenario 2, after scenario 4', Object.values(positive))
})

check(LOA.sufficientCapacityIsPositive, calculated, ({ profile, positive }) =>
  isPositive(positive.sufficient, profile, 'it is scenario 3', Object.values(positive)),
)

check(LOA.insufficientCapacityIsNegative, calculated, ({ profile, negative, nonsense }) => {
  const { changed } = negative.insufficient
  // Their names are not shown: a target that accepts a letter as an income may know it by another name.
  if (asCalculation(changed, profile).accepted && asCalculation(nonsense, profile).accepted)
    throw new NotReached(
      `the target accepts anything as income, expenses and children, and may know them by other names than \`loans.precalculation.capacity\` (${nonsense.id})`,
    )
  isNegativeBetween(negative.insufficient, profile, 'it is scenario 4, insufficient capacity')
})

check(LOA.tooLowAmountIsNegative, calculated, ({ profile, negative }) =>
  isNegativeBetween(negative.tooLow, profile, 'it is scenario 5, amount too low'),
)

check(LOA.tooHighAmountIsNegative, calculated, ({ profile, negative }) =>
  isNegativeBetween(negative.tooHigh, profile, 'it is scenario 6, amount too high'),
)

check(LOA.lowestAmountIsCalculated, calculated, ({ profile, bounds }) =>
  isPositiveWithinBounds(bounds.lowest, profile, '100 EUR is the minimum'),
)

check(LOA.highestAmountIsCalculated, calculated, ({ profile, bounds }) =>
  isPositiveWithinBounds(bounds.highest, profile, '2000 EUR is the maximum'),
)

check(LOA.amountWithinTheBoundsIsPositive, calculated, ({ profile, bounds }) => {
  isPositiveWithinBounds(bounds.nextToLowest, profile, '101 EUR lies between 100 and 2000')
  isPositiveWithinBounds(bounds.nextToHighest, profile, '1999 EUR lies between 100 and 2000')
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
    const loans = await session.loans()
    return { profile: loans.profile, ...(await withinBounds(loans, amount)) }
  },
)

check(LOA.amountWithinTheBoundsIsPositive, calculatedWithin, ({ profile, ...tried }, amount) =>
  isPositiveWithinBounds(tried, profile, `${amount} EUR lies between 100 and 2000`),
)

/** Between two positive precalculations. */
const betweenPositive = async ({ profile, precalculate }: Loans, amount: number) => ({
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
  async (session, amount) => betweenPositive(await session.loans(), amount),
)

check(LOA.amountBelowTheBoundsIsNegative, calculatedBelow, (record, amount) =>
  isNegativeBetween(record, record.profile, `${amount} EUR is less than 100`),
)

const above = oneof(
  constantFrom(LARGEST + 1, 2 ** 31, BEYOND_32_BITS, Number.MAX_SAFE_INTEGER),
  integer({ min: LARGEST + 1, max: 2 * LARGEST }),
  integer({ min: LARGEST + 1, max: 2 ** 31 - 1 }),
)

const calculatedAbove = property(
  'precalculations of amounts above the bounds',
  READS,
  above,
  async (session, amount) => betweenPositive(await session.loans(), amount),
)

check(LOA.amountAboveTheBoundsIsNegative, calculatedAbove, (record, amount) =>
  isNegativeBetween(record, record.profile, `${amount} EUR is more than 2000`),
)

check(LOA.amountAboveTheBoundsIsNegative, calculated, ({ profile, negative }) =>
  isNegativeBetween(negative.farTooHigh, profile, `${BEYOND_32_BITS} EUR is more than 2000`),
)

/** The ordinary requests show that the target reads its requests; the profile says where a cause is, and its words. */
const READS_CAUSES = { ...READS, needs: ['loans', 'loan-cause'] } as const

const explained = scenario('the causes of negative precalculations', READS_CAUSES, async (session) => {
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

/** @throws NotReached if the result is not negative: another check judges that. */
const isExplained = (answer: ObservedExchange, words: Words, cause: Cause): void => {
  const { cause: expected } = words.precalculation
  if (expected === undefined) throw new NotReached('the profile does not say where the cause is')
  const attempt = asCalculation(answer, words)
  if (attempt.accepted || answer.status.value === 401) throw new NotReached('there is no negative result')
  attempt.isRefused('it is out of bounds')
  answer.body.field(expected.member).equals(expected[cause])
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
  READS_CAUSES,
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
  READS_CAUSES,
  integer({ min: LARGEST + 1, max: 2 ** 31 - 1 }),
  async (session, amount) => {
    const { profile, precalculate } = await session.loans()
    return { profile, ordinary: await precalculate(SMALL), answer: await precalculate({ amount }) }
  },
)

check(LOA.tooHighAmountHasItsCause, explainedAbove, ({ profile, answer }) =>
  isExplained(answer, profile, 'tooHigh'),
)
