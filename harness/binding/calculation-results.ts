import { jsonOf } from '../session/answer.ts'
import { merge } from '../session/payments-body.ts'
import { isFilled } from './filled.ts'
import { placeOf } from './parts.ts'
import { isRefusedForWhatItSays, isTaken } from './requests.ts'
import { leavesOf } from './shape.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Misfit } from '../check/misfit.ts'
import type { LoansProfile } from '../profile/loans.ts'
import type { Profile } from '../profile/schema.ts'
import type { Leaf } from './shape.ts'

/**
 * How a positive result of a precalculation is told from a negative one is not shown. Where the profile tells them by
 * the HTTP status, and no negative one has ever had that of an error, the target may tell them in its answers.
 */

const PART = 'loans.precalculation'

type Calculation = LoansProfile['precalculation']

const is =
  (...values: readonly unknown[]) =>
  (sent: unknown): boolean =>
    values.includes(sent)

/** Limits, Loan amount; in EUR. */
const [SMALLEST, LARGEST] = [100, 2000]

const isWithin = (sent: unknown): boolean =>
  Number.isSafeInteger(sent) && Number(sent) >= SMALLEST && Number(sent) <= LARGEST

const isBeyond = (sent: unknown): boolean => typeof sent === 'number' && (sent < SMALLEST || sent > LARGEST)

/** Limits, Loan precalculation scenarios: the fourth to the sixth are negative. */
const TOO_MUCH = { amount: is(1850), income: is(1050), expenses: is(410), children: is(2) }
const OUT_OF_BOUNDS = { amount: is(SMALLEST - 1, LARGEST + 1) }

const sentIn = ({ request }: Exchange): unknown => {
  try {
    return JSON.parse(request.body?.text ?? '')
  } catch {
    return undefined
  }
}

const isPositive = (sent: unknown, { body }: Calculation): boolean =>
  isFilled(body, sent, { amount: isWithin }) && !isFilled(body, sent, { amount: isBeyond })

const isNegative = (sent: unknown, calculation: Calculation, amounts: typeof OUT_OF_BOUNDS): boolean => {
  const { body, capacity } = calculation
  if (isPositive(sent, calculation)) return false
  return isFilled(body, sent, amounts) || isFilled(merge(body, capacity), sent, TOO_MUCH)
}

/** Places in a list are all one. */
const pathOf = ({ path }: Leaf): string => path.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.')

/** What a value says of a result: a number, or a text with digits, is of one request alone. */
const wordOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : 'something'
  return typeof value === 'boolean' || (typeof value === 'string' && !/\d/.test(value))
    ? JSON.stringify(value)
    : typeof value
}

type Marks = ReadonlyMap<string, string>

const marksOf = (exchange: Exchange): Marks =>
  new Map(leavesOf(jsonOf(exchange)).map((leaf) => [pathOf(leaf), wordOf(leaf.value)]))

/** A place in which all positive answers are alike, and this one is not. */
const differenceOf = (negative: Marks, positives: readonly Marks[]): string | undefined => {
  const paths = new Set([negative, ...positives].flatMap((marks) => [...marks.keys()]))
  return [...paths].find((path) => {
    const [word, ...others] = new Set(positives.map((marks) => marks.get(path)))
    return others.length === 0 && word !== negative.get(path)
  })
}

/** The answers to what is positive by the interface; nothing where what is negative by it has been refused as one. */
const positivesIn = (profile: Profile, calculation: Calculation, all: Iterable<Exchange>) => {
  const positives: Exchange[] = []
  for (const exchange of all) {
    if (placeOf(profile, exchange)?.part.key !== PART) continue
    const sent = sentIn(exchange)
    if (isTaken(exchange) && isPositive(sent, calculation)) positives.push(exchange)
    if (isRefusedForWhatItSays(exchange) && isNegative(sent, calculation, OUT_OF_BOUNDS)) return []
  }
  return positives
}

/** @param exchanges those of one scenario. @param all those of the run so far. */
export const misfittingCalculationResults = (
  profile: Profile,
  exchanges: readonly Exchange[],
  all: () => Iterable<Exchange>,
): readonly Misfit[] => {
  const calculation = profile.loans?.precalculation
  if (calculation?.positive.kind !== 'status') return []
  const negatives = exchanges.filter(
    (exchange) =>
      placeOf(profile, exchange)?.part.key === PART &&
      isTaken(exchange) &&
      isNegative(sentIn(exchange), calculation, { amount: isBeyond }),
  )
  const positives = negatives.length === 0 ? [] : positivesIn(profile, calculation, all()).map(marksOf)
  if (positives.length === 0) return []
  return negatives.flatMap((exchange) => {
    const at = differenceOf(marksOf(exchange), positives)
    if (at === undefined) return []
    return [
      {
        ...{ key: `${PART}.positive.kind`, bound: 'status', expected: 'error among the statuses' },
        shown: `negative results have that of a success, and differ from positive ones ${placeIn(at)}`,
        exchange: exchange.id,
      },
    ]
  })
}

const placeIn = (path: string): string => (path === '' ? 'as a whole' : `in ${path}`)
