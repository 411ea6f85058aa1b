import {
  asCalculation,
  check,
  isAccepted,
  loanResult,
  note,
  NotReached,
  resultOf,
} from '../../harness/check/index.ts'
import { property, scenario } from '../../harness/session/index.ts'
import type { Exchange, LoanWords, ObservedExchange } from '../../harness/check/index.ts'
import type { Loans } from '../../harness/session/index.ts'
import { isAcceptedWithToken, isNegativeBetween, LARGEST, ORDINARY, SMALLEST } from './applications.ts'
import { amountsOutside, amountsWithin, edgesOutside, edgesWithin } from './amounts.ts'
import { LOA } from './requirements.ts'

/** Limits, Loan precalculation scenarios (sandbox). Amounts and incomes are in EUR. */
const HOUSEHOLD = { income: 1050, expenses: 410, children: 2 }
/** One that can repay every amount within the bounds, and more. */
const RICH = { income: 9000, expenses: 0, children: 0 }
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
  /** Each twice: what a bank answers the first time shows nothing of the second. */
  const twice = async (request: Parameters<typeof precalculate>[0]) => {
    const before = await precalculate({ ...SMALL, capacity: HOUSEHOLD })
    const changed = [await precalculate(request), await precalculate(request)]
    return { before, changed, after: await precalculate({ ...SMALL, capacity: HOUSEHOLD }) }
  }
  const negative = {
    insufficient: await twice({ ...LARGE, capacity: HOUSEHOLD }),
    tooLow: await twice({ amount: SMALLEST - 1 }),
    tooHigh: await twice({ amount: LARGEST + 1 }),
  }
  // The household and the result of another request must not change this one.
  const largeAgain = await precalculate(LARGE)
  const fraction = await precalculate({ amount: ORDINARY + 0.5 })
  const nonsense = await precalculate({ ...LARGE, capacity: NONSENSE })
  const { body, capacity } = profile.precalculation
  const names = `${JSON.stringify(body)}, with ${JSON.stringify(capacity)}`
  return { profile, positive, negative, largeAgain, fraction, nonsense, names }
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
  /** Scenario 3: a control that has a household. */
  readonly household: readonly Answer[]
}

/** A precalculation of an amount within the bounds; and of others, if it is not positive. */
const withinBounds = async (
  { profile, precalculate }: Loans,
  amount: number,
): Promise<WithinBounds<Exchange>> => {
  const answer = await precalculate({ amount })
  const isRefused = answer.response !== undefined && resultOf(answer, profile) !== 'positive'
  if (!isRefused) return { answer, scripted: [], unscripted: [], household: [] }
  const unscripted: Exchange[] = []
  for (const other of UNSCRIPTED) if (other !== amount) unscripted.push(await precalculate({ amount: other }))
  const household = [await precalculate({ ...SMALL, capacity: HOUSEHOLD })]
  return { answer, scripted: [await precalculate(SMALL)], unscripted, household }
}

/** Judges that an amount within the bounds is positive, or that the sandbox refuses every amount that is not scripted. */
const isPositiveWithinBounds = (
  { answer, scripted, unscripted, household }: WithinBounds<ObservedExchange>,
  words: LoanWords,
  because: string,
): void => {
  const isScriptedOnly =
    scripted.some((other) => loanResult(other, words) === 'positive') &&
    unscripted.every((other) => loanResult(other, words) === 'negative')
  if (!isScriptedOnly) return isPositive(answer, words, because, [...household, ...scripted, ...unscripted])
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

check(LOA.sufficientCapacityIsPositive, calculated, ({ profile, positive, negative }) => {
  const again = Object.values(negative).flatMap(({ before, after }) => [before, after])
  for (const answer of [positive.sufficient, ...again])
    isPositive(answer, profile, 'it is scenario 3', Object.values(positive))
})

check(LOA.insufficientCapacityIsNegative, calculated, ({ profile, negative, nonsense }) => {
  const [changed] = negative.insufficient.changed
  // Their names are not shown: a target that accepts a letter as an income may know it by another name.
  if (changed && asCalculation(changed, profile).accepted && asCalculation(nonsense, profile).accepted)
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
    .map(([name, { changed }]) => `${name}: ${String(changed[0]?.status.value)}`)
    .join(', '),
)

const calculatedWithin = property(
  'precalculations of amounts within the bounds',
  READS,
  amountsWithin,
  async (session, amount) => {
    const loans = await session.loans()
    return { profile: loans.profile, ...(await withinBounds(loans, amount)) }
  },
  { edges: edgesWithin },
)

check(LOA.amountWithinTheBoundsIsPositive, calculatedWithin, ({ profile, ...tried }, amount) =>
  isPositiveWithinBounds(tried, profile, `${amount} EUR lies between 100 and 2000`),
)

check(LOA.lowestAmountIsCalculated, calculatedWithin, ({ profile, ...tried }, amount) => {
  if (amount === SMALLEST) isPositiveWithinBounds(tried, profile, '100 EUR is the minimum')
})

check(LOA.highestAmountIsCalculated, calculatedWithin, ({ profile, ...tried }, amount) => {
  if (amount === LARGEST) isPositiveWithinBounds(tried, profile, '2000 EUR is the maximum')
})

const calculatedOutside = property(
  'precalculations of amounts outside the bounds',
  READS,
  amountsOutside,
  async (session, amount) => {
    const { profile, precalculate, others } = await session.loans()
    const before = await precalculate(SMALL)
    const changed = [await precalculate({ amount }), await precalculate({ amount, capacity: RICH })]
    const other = others.at(-1)
    const theirs = other && (await session.loans(other))
    if (theirs && isAccepted(theirs.token)) changed.push(await theirs.precalculate({ amount }))
    return { profile, before, changed, after: await precalculate(SMALL) }
  },
  { edges: edgesOutside },
)

check(LOA.amountBelowTheBoundsIsNegative, calculatedOutside, (record, amount) => {
  if (amount < SMALLEST) isNegativeBetween(record, record.profile, `${amount} EUR is less than 100`)
})

check(LOA.amountAboveTheBoundsIsNegative, calculatedOutside, (record, amount) => {
  if (amount > LARGEST) isNegativeBetween(record, record.profile, `${amount} EUR is more than 2000`)
})

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

const explainedOutside = property(
  'the causes of precalculations outside the bounds',
  READS_CAUSES,
  amountsOutside.filter((amount) => amount > 0),
  async (session, amount) => {
    const { profile, precalculate } = await session.loans()
    return { profile, ordinary: await precalculate(SMALL), answer: await precalculate({ amount }) }
  },
  { edges: [1, LARGEST + 1] },
)

check(LOA.tooLowAmountHasItsCause, explainedOutside, ({ profile, answer }, amount) => {
  if (amount < SMALLEST) isExplained(answer, profile, 'tooLow')
})

check(LOA.tooHighAmountHasItsCause, explainedOutside, ({ profile, answer }, amount) => {
  if (amount > LARGEST) isExplained(answer, profile, 'tooHigh')
})
