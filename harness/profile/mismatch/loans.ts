import { fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { fill, merge, placeholdersOf } from '../template.ts'
import { isRefusedForContent, isSuccess, sentJson, statusOf } from './mismatch.ts'
import { placeOf } from './paths.ts'
import { is, isFilled } from './requests.ts'
import { leavesOf, type Leaf } from './names.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import { bodyOfCall, type LoansProfile } from '../schema/loans.ts'
import type { Profile } from '../schema.ts'
import type { ProfileMismatch, RunExchanges } from './mismatch.ts'

/** Undocumented details of loans: the form of a positive result, and the words that select a scenario. */

const PART = 'loans.precalculation'

type Calculation = LoansProfile['precalculation']

/** Limits, Loan amount; in EUR. */
const [SMALLEST, LARGEST] = [100, 2000]

const isWithin = (sent: unknown): boolean =>
  Number.isSafeInteger(sent) && Number(sent) >= SMALLEST && Number(sent) <= LARGEST

const isBeyond = (sent: unknown): boolean => typeof sent === 'number' && (sent < SMALLEST || sent > LARGEST)

/** Limits, Loan precalculation scenarios: the fourth to the sixth are negative. */
const TOO_MUCH = { amount: is(1850), income: is(1050), expenses: is(410), children: is(2) }
const OUT_OF_BOUNDS = { amount: is(SMALLEST - 1, LARGEST + 1) }

const isPositive = (sent: unknown, { body }: Calculation): boolean =>
  isFilled(body, sent, { amount: isWithin }) && !isFilled(body, sent, { amount: isBeyond })

const isNegative = (sent: unknown, calculation: Calculation, amounts: typeof OUT_OF_BOUNDS): boolean => {
  const { body, capacity } = calculation
  if (isPositive(sent, calculation)) return false
  return isFilled(body, sent, amounts) || isFilled(merge(body, capacity), sent, TOO_MUCH)
}

/** All items of a list have the same path. */
const pathOf = ({ path }: Leaf): string => path.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('.')

/** The value as a mark of a result: numbers, and texts with digits, depend on the request and are ignored. */
const wordOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : 'something'
  return typeof value === 'boolean' || (typeof value === 'string' && !/\d/.test(value))
    ? JSON.stringify(value)
    : typeof value
}

type Marks = ReadonlyMap<string, string>

const marksOf = (exchange: Exchange): Marks =>
  new Map(leavesOf(jsonOf(exchange)).map((leaf) => [pathOf(leaf), wordOf(leaf.value)]))

/** A path at which all positive answers have the same value, and this one another. */
const differenceOf = (negative: Marks, positives: readonly Marks[]): string | undefined => {
  const paths = new Set([negative, ...positives].flatMap((marks) => [...marks.keys()]))
  return [...paths].find((path) => {
    const [word, ...others] = new Set(positives.map((marks) => marks.get(path)))
    return others.length === 0 && word !== negative.get(path)
  })
}

/** The answers to requests with a positive result by the interface; empty if a negative request has been refused with an error status. */
const positivesIn = (profile: Profile, calculation: Calculation, all: Iterable<Exchange>) => {
  const positives: Exchange[] = []
  for (const exchange of all) {
    if (placeOf(profile, exchange)?.part.key !== PART) continue
    const sent = sentJson(exchange)
    if (isSuccess(exchange) && isPositive(sent, calculation)) positives.push(exchange)
    if (isRefusedForContent(exchange) && isNegative(sent, calculation, OUT_OF_BOUNDS)) return []
  }
  return positives
}

/**
 * If the profile distinguishes results by the HTTP status, but no negative result has ever had an error
 * status, the target may report results in its answers.
 */
export const mismatchedCalculationResults = ({
  profile,
  exchanges,
  all,
}: RunExchanges): readonly ProfileMismatch[] => {
  const calculation = profile.loans?.precalculation
  if (calculation?.positive.kind !== 'status') return []
  const negatives = exchanges.filter(
    (exchange) =>
      placeOf(profile, exchange)?.part.key === PART &&
      isSuccess(exchange) &&
      isNegative(sentJson(exchange), calculation, { amount: isBeyond }),
  )
  const positives = negatives.length === 0 ? [] : positivesIn(profile, calculation, all()).map(marksOf)
  if (positives.length === 0) return []
  return negatives.flatMap((exchange) => {
    const at = differenceOf(marksOf(exchange), positives)
    if (at === undefined) return []
    return [
      {
        key: `${PART}.positive.kind`,
        bound: 'status',
        expected: 'error among the statuses',
        shown: `negative results have that of a success, and differ from positive ones ${placeIn(at)}`,
        exchange: exchange.id,
      },
    ]
  })
}

const placeIn = (path: string): string => (path === '' ? 'as a whole' : `in ${path}`)

type Scenario = Exclude<LoansProfile['scenario'], { readonly kind: 'page' }>
type Name = keyof Scenario['values']

const NAMES: readonly Name[] = ['cancelled', 'expired', 'nonClient', 'client']

/** The request with the word; on pages, the recipe itself reports a missing button. */
const sentWith = (
  scenario: LoansProfile['scenario'],
): { readonly part: string; readonly template: unknown } | undefined => {
  if (scenario.kind === 'call') return { part: 'loans.scenario', template: bodyOfCall(scenario) }
  if (scenario.kind === 'parameter') return { part: 'loans.submission', template: scenario.patch }
  return undefined
}

/** The scenario whose word a request carries. */
const nameIn = (exchange: Exchange, template: unknown, values: Scenario['values']): Name | undefined => {
  const [place] = placeholdersOf(template)
  if (place === undefined) return undefined
  const at = place.at.join('.')
  const sent = fieldOf(sentJson(exchange), at)
  return NAMES.find((name) => fieldOf(fill(template, { scenario: values[name] }), at) === sent)
}

/**
 * A word for a scenario of the loan sandbox that the target has always refused may be
 * wrong.
 */
export const mismatchedScenarioWords = ({
  profile,
  exchanges,
  all,
}: RunExchanges): readonly ProfileMismatch[] => {
  const { loans } = profile
  const sending = loans && sentWith(loans.scenario)
  if (loans === undefined || sending === undefined) return []
  const { part, template } = sending
  const { values } = loans.scenario
  const wordIn = (exchange: Exchange): Name | undefined =>
    placeOf(profile, exchange)?.part.key === part ? nameIn(exchange, template, values) : undefined
  const refusals = new Map(
    exchanges.flatMap((exchange) => {
      const name = isRefusedForContent(exchange) ? wordIn(exchange) : undefined
      return name === undefined ? [] : [[name, exchange] as const]
    }),
  )
  for (const exchange of refusals.size === 0 ? [] : all()) {
    const name = isSuccess(exchange) ? wordIn(exchange) : undefined
    if (name !== undefined) refusals.delete(name)
  }
  return [...refusals].map(([name, refusal]) => ({
    key: `loans.scenario.values.${name}`,
    bound: values[name],
    expected: 'scenario of the target',
    shown: `each request with it is answered ${statusOf(refusal)}`,
    exchange: refusal.id,
  }))
}
