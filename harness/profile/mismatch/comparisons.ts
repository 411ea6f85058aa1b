import { fieldOf, jsonOf } from '../../evidence/record/answer.ts'
import { merge, nested } from '../template.ts'
import { household, is, isFilled, isLoanAmount, LARGEST_LOAN, SMALLEST_LOAN } from './bodies.ts'
import { answered, isRefusedForContent, isRefusedThere, sentJson } from './mismatch.ts'
import { isOf } from './paths.ts'
import { leavesOf, pathOf } from './kinds.ts'
import { isObjectOrList } from '../../evidence/json.ts'
import { isSuccess, type Exchange } from '../../evidence/exchange.ts'
import type { ProfileMismatch, RunExchanges } from './mismatch.ts'
import type { Profile } from '../schema.ts'
import type { LoansProfile } from '../schema/loans.ts'

/** Keys of which only a comparison of several answers shows that they do not fit. */

/**
 * The member of a body that carries the page size, in the second variant: the interface has its name, and does not show
 * the names of the body's fields. If no answer ever depends on it, the target may use another name.
 */
const PAGES = 'secondVariant.listTransactions'

/** Limits, pageSize. */
const [SMALLEST_PAGE, LARGEST_PAGE] = [10, 100]

interface PageRequest {
  readonly exchange: Exchange
  readonly size: unknown
  readonly otherMembers: string
  /** The number of transactions; undefined if the request was refused. */
  readonly count: number | undefined
}

type Pair = readonly [PageRequest, PageRequest]

const pairsIn = (profile: Profile, exchanges: Iterable<Exchange>): readonly Pair[] => {
  const { pageSize = '', transactions = '' } = profile.secondVariant?.listTransactions ?? {}
  const isPage = isOf(profile, PAGES)
  const requests = [...exchanges].filter(isPage).flatMap((exchange): readonly PageRequest[] => {
    const body = sentJson(exchange)
    if (!isObjectOrList(body)) return []
    const list = isSuccess(exchange) ? fieldOf(jsonOf(exchange), transactions) : undefined
    if (!Array.isArray(list) && !isRefusedForContent(exchange)) return []
    return [
      {
        exchange,
        size: fieldOf(body, pageSize),
        otherMembers: JSON.stringify(merge(body, nested(pageSize, null))),
        count: Array.isArray(list) ? list.length : undefined,
      },
    ]
  })
  return requests.flatMap((one, at) =>
    requests
      .slice(at + 1)
      .filter(({ otherMembers, size }) => otherMembers === one.otherMembers && size !== one.size)
      .map((other) => [one, other] as const),
  )
}

const isPageSize = (size: unknown): size is number =>
  Number.isSafeInteger(size) && Number(size) >= SMALLEST_PAGE && Number(size) <= LARGEST_PAGE

/** As many came for both sizes, and more than the smaller one. */
const contradicts = ([one, other]: Pair): boolean =>
  isPageSize(one.size) &&
  isPageSize(other.size) &&
  one.count === other.count &&
  (one.count ?? 0) > Math.min(one.size, other.size)

export const mismatchedPageSizes = ({
  profile,
  exchanges,
  all,
}: RunExchanges): readonly ProfileMismatch[] => {
  const contradicted = pairsIn(profile, exchanges).find(contradicts)
  if (contradicted === undefined) return []
  const hasEffect = pairsIn(profile, all()).some(([one, other]) => one.count !== other.count)
  if (hasEffect) return []
  const [{ exchange, count = 0 }] = contradicted
  return [
    {
      key: `${PAGES}.pageSize`,
      bound: profile.secondVariant?.listTransactions.pageSize ?? '',
      expected: 'page size of the target',
      shown: `each answer has ${count} transactions, whatever its value`,
      exchange: exchange.id,
    },
  ]
}

const CALCULATION = 'loans.precalculation'

type Calculation = LoansProfile['precalculation']

const isBeyond = (sent: unknown): boolean =>
  typeof sent === 'number' && (sent < SMALLEST_LOAN || sent > LARGEST_LOAN)

const isPositive = (sent: unknown, { body }: Calculation): boolean =>
  isFilled(body, sent, { amount: isLoanAmount }) && !isFilled(body, sent, { amount: isBeyond })

/** Whether the result is negative by the interface (Limits, Loan precalculation scenarios, 4 to 6). */
const isNegative = (sent: unknown, calculation: Calculation, isOutOfBounds = isBeyond): boolean =>
  !isPositive(sent, calculation) &&
  (isFilled(calculation.body, sent, { amount: isOutOfBounds }) ||
    isFilled(merge(calculation.body, calculation.capacity), sent, household(1850)))

/** The value as a mark of a result: numbers, and texts with digits, depend on the request and are ignored. */
const markOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : 'something'
  return typeof value === 'boolean' || (typeof value === 'string' && !/\d/.test(value))
    ? JSON.stringify(value)
    : typeof value
}

type Marks = ReadonlyMap<string, string>

const marksOf = (exchange: Exchange): Marks =>
  new Map(leavesOf(jsonOf(exchange)).map((leaf) => [pathOf(leaf), markOf(leaf.value)]))

/** A path at which all positive answers have the same value, and this one another. */
const differenceOf = (negative: Marks, positives: readonly Marks[]): string | undefined => {
  const paths = new Set([negative, ...positives].flatMap((marks) => [...marks.keys()]))
  return [...paths].find((path) => {
    const [mark, ...others] = new Set(positives.map((marks) => marks.get(path)))
    return others.length === 0 && mark !== negative.get(path)
  })
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
  const isCalculation = isOf(profile, CALCULATION)
  const negatives = exchanges.filter(
    (one) => isSuccess(one) && isCalculation(one) && isNegative(sentJson(one), calculation),
  )
  if (negatives.length === 0) return []
  const calculations = [...all()].filter(isCalculation)
  // Only the nearest amounts out of bounds are refused for being so.
  const isRefusal = (one: Exchange): boolean =>
    isRefusedForContent(one) &&
    isNegative(sentJson(one), calculation, is(SMALLEST_LOAN - 1, LARGEST_LOAN + 1))
  if (calculations.some(isRefusal)) return []
  const positives = calculations
    .filter((one) => isSuccess(one) && isPositive(sentJson(one), calculation))
    .map(marksOf)
  return negatives.flatMap((exchange) => {
    const at = positives.length === 0 ? undefined : differenceOf(marksOf(exchange), positives)
    if (at === undefined) return []
    return [
      {
        key: `${CALCULATION}.positive.kind`,
        bound: 'status',
        expected: 'error among the statuses',
        shown: `negative results have that of a success, and differ from positive ones ${at === '' ? 'as a whole' : `in ${at}`}`,
        exchange: exchange.id,
      },
    ]
  })
}

const TOKEN_LIFETIME_MS = 90 * 24 * 60 * 60_000

/** The refreshes of tokens that were issued in these exchanges, and whether the access token had not expired. */
const refreshesIn = ({ operations }: Profile, exchanges: Iterable<Exchange>) => {
  const { refreshForm, refreshToken } = operations.token
  const [name = ''] = Object.keys(refreshForm).filter((key) => refreshForm[key]?.includes('{refresh_token}'))
  const issued = new Map<unknown, number>()
  return [...exchanges].flatMap((exchange) => {
    if (exchange.operation !== 'token' || exchange.response === undefined) return []
    const sentAt = Date.parse(exchange.sentAt)
    const since = issued.get(new URLSearchParams(exchange.request.body?.text).get(name))
    issued.set(fieldOf(jsonOf(exchange), refreshToken), sentAt)
    return since === undefined ? [] : [{ exchange, isEarly: sentAt - since < TOKEN_LIFETIME_MS }]
  })
}

/**
 * If no refresh is accepted before its access token expires, and not each one is refused afterwards, the bank may renew
 * only expired tokens. This excuses no violation: a bank that refuses a refresh at any age breaks the requirement that
 * a refresh token lives 90 days, and where a later refresh was accepted no refusal was a violation.
 */
export const mismatchedRefreshes = ({ profile, exchanges, all }: RunExchanges) => {
  if (profile.operations.token.refreshesOnlyExpired) return []
  const refused = refreshesIn(profile, exchanges).find((one) => one.isEarly && isRefusedThere(one.exchange))
  const refreshes = refused === undefined ? [] : refreshesIn(profile, all())
  const accepted = refreshes.filter(({ exchange }) => isSuccess(exchange))
  const areAllRefused = accepted.length === 0 && refreshes.some(({ isEarly }) => !isEarly)
  if (refused === undefined || areAllRefused || accepted.some(({ isEarly }) => isEarly)) return []
  return [
    {
      key: 'operations.token.refreshesOnlyExpired',
      bound: 'false',
      expected: 'refresh that the target accepts',
      shown: answered('each one of an access token below 90 days of age')(refused.exchange),
      exchange: refused.exchange.id,
    },
  ]
}
