import {
  asCalculation,
  asSubmission,
  brokeDown,
  check,
  Inconclusive,
  NotReached,
} from '../../harness/check/index.ts'
import { retryServerErrorOnce, scenario } from '../../harness/session/index.ts'
import type { Exchange, LoanWords, ObservedExchange } from '../../harness/check/index.ts'
import { LARGEST, ORDINARY, SMALLEST } from './calls.ts'
import { LOA } from './requirements.ts'

/** None of these is an amount within the bounds, however lenient its reader. */
const NO_AMOUNTS: readonly (readonly [what: string, amount: unknown])[] = [
  ['no amount', undefined],
  ['null as its amount', null],
  ['true as its amount', true],
  ['an empty text as its amount', ''],
  ['an amount in words', 'many'],
  ['an amount of 99 in a text', String(SMALLEST - 1)],
  ['an empty list as its amount', []],
  ['an empty object as its amount', {}],
  ['an amount of 99.50', SMALLEST - 0.5],
  ['an amount of 2000.50', LARGEST + 0.5],
  ['an amount of 1e300', 1e300],
]

/** Each case beside an ordinary one before and after. */
const besideOrdinary = async (ask: (amount: unknown) => Promise<Exchange>) => {
  const before = await ask(ORDINARY)
  const changed = []
  for (const [what, amount] of NO_AMOUNTS)
    changed.push({ what, answer: await retryServerErrorOnce(() => ask(amount)) })
  return { before, changed, after: await ask(ORDINARY) }
}

const calculated = scenario(
  'precalculations of what is no amount within the bounds',
  { effect: 'read', as: 'any', needs: ['loans'] },
  async (session) => {
    const { profile, precalculate } = await session.loans()
    return { profile, ...(await besideOrdinary((amount) => precalculate({ amount }))) }
  },
)

const submitted = scenario(
  'applications for what is no amount within the bounds',
  { effect: 'apply', as: 'any', needs: ['loans'], loans: { submitted: 2 } },
  async (session) => {
    const { profile, submit } = await session.loans()
    return { profile, ...(await besideOrdinary((amount) => submit({ amount }))) }
  },
)

interface Tried {
  readonly profile: LoanWords
  readonly before: ObservedExchange
  readonly changed: readonly { readonly what: string; readonly answer: ObservedExchange }[]
  readonly after: ObservedExchange
}

const wereAccepted = ({ before, after, profile }: Tried, read: typeof asCalculation): void => {
  if (!read(before, profile).accepted || !read(after, profile).accepted)
    throw new NotReached('the ordinary amount beside it was not accepted')
}

/** That it breaks down over none of them is judged by itself. */
const noneIsAccepted = (tried: Tried, read: typeof asCalculation): void => {
  wereAccepted(tried, read)
  const { changed, profile } = tried
  for (const { what, answer } of changed)
    if (!brokeDown(answer)) read(answer, profile).isRefused(`it has ${what}`)
  const broken = changed.find(({ answer }) => brokeDown(answer))
  if (broken !== undefined)
    throw new Inconclusive(`${broken.answer.id} was not refused but broke down: it has ${broken.what}`)
}

const noneIsABreakdown = (tried: Tried, read: typeof asCalculation): void => {
  wereAccepted(tried, read)
  for (const { what, answer } of tried.changed)
    answer.status.satisfies(!brokeDown(answer), `a status below 500: it has ${what}`)
}

check(LOA.malformedAmountIsNotCalculated, calculated, (tried) => noneIsAccepted(tried, asCalculation))

check(LOA.malformedApplicationIsRefused, submitted, (tried) => noneIsAccepted(tried, asSubmission))

check(LOA.malformedAmountIsNoBreakdown, calculated, (tried) => noneIsABreakdown(tried, asCalculation))

check(LOA.malformedAmountIsNoBreakdown, submitted, (tried) => noneIsABreakdown(tried, asSubmission))
