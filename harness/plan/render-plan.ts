import { span } from '../evidence/signals.ts'
import { waitLines, type Patience } from './waits.ts'
import { askedLines, sharedGrants } from './shared-grants.ts'
import { scopeOf } from './scope.ts'
import { writeLines, type WrittenTarget } from './writes.ts'
import { groupBy, idRanges } from './lists.ts'
import { running as runningIn, scenariosOf, sumOver, type Plan, type PlannedCheck } from './plan.ts'
import { counted, ladderOf, testableIn, testableSentence } from './testable.ts'

/** `--dry-run`: the planned checks, those held back with the reason, and the estimated requests and time. */

export interface PlanHeading {
  readonly target: string
  readonly environment: string
  readonly clock: string
  readonly rate?: number
  /** Requests that may be sent, in all and of single operations. */
  readonly budget?: {
    readonly requests?: number | undefined
    readonly perOperation: Readonly<Record<string, number>>
  }
  readonly concurrency: number
  /** Whether a person authorizes. */
  readonly byPerson: boolean
  /** The amount of one payment, if the target has a payment API. */
  readonly payment?:
    | {
        readonly amount: number
        readonly currency: string
        /** Orders that are accepted, and may have amounts of their own. */
        readonly rejectedAtSubmission?: Readonly<Record<string, unknown>>
      }
    | undefined
  /** The profile and the current time, if the run waits by the wall clock. */
  readonly waits?: { readonly profile: Patience['profile']; readonly now: Date }
  /** A description of the address for webhook calls. */
  readonly sink: string
  /** What becomes of the personal data of customers in the evidence. */
  readonly personalData?: 'pseudonyms' | 'kept'
  /** The target whose addresses are shown, each with its number of writes. */
  readonly written?: WrittenTarget
}

/** An authorization by recipe: the request, the login and its page, the consent and its page, the code exchange. */
const EXCHANGES_PER_AUTHORIZATION = 6
const EXCHANGES_PER_SCENARIO = 3
/** The assumed duration of one exchange over a network, in ms. */
const EXCHANGE_MS = 60

/** How many scenarios run, and about how many requests they send. */
export const estimate = (plan: Plan) => {
  const scenarios = scenariosOf(runningIn(plan))
  const shared = sharedGrants(runningIn(plan)).length
  const authorizations = shared + sumOver(scenarios, plan.runs, (check) => check.authorizations)
  const others = sumOver(scenarios, plan.runs, () => EXCHANGES_PER_SCENARIO)
  const exchanges = authorizations * EXCHANGES_PER_AUTHORIZATION + others
  return { scenarios: scenarios.length, authorizations, exchanges }
}

/** How long the requests take over a network, in ms. */
export const requestsMs = (
  exchanges: number,
  { rate, concurrency }: { readonly rate?: number | undefined; readonly concurrency: number },
): number =>
  Math.max((exchanges * EXCHANGE_MS) / concurrency, rate === undefined ? 0 : (exchanges / rate) * 1000)

const chapterLines = (checks: readonly PlannedCheck[]): readonly string[] =>
  [...groupBy(checks, ({ chapter }) => chapter), ['all', checks] as const].map(([chapter, own]) => {
    const requirements = new Set(own.map(({ requirement }) => requirement)).size
    return `  ${chapter.padEnd(14)} ${String(requirements).padStart(4)} requirements ${String(own.length).padStart(5)} checks ${String(scenariosOf(own).length).padStart(5)} scenarios`
  })

/** What is missing, each thing once; what most requirements need comes first. */
const testableLines = (plan: Plan): readonly string[] =>
  testableIn(plan).flatMap((one) => [
    `  ${testableSentence(one)}`,
    `    ${idRanges([...one.requirements, ...one.partly]).join(', ')}`,
    ...(one.change.example === undefined ? [] : [`    ${one.change.example}`]),
  ])

const ladderLines = (plan: Plan): readonly string[] =>
  ladderOf(plan)
    .slice(0, 6)
    .map(({ changes, gained }) => `  ${`+${gained}`.padStart(4)}  ${changes.join('; and ')}`)

/** What no change of the profile makes testable: the options of the reader, and what the bank does not have. */
const leftOutLines = ({ checks, leftOut }: Plan): readonly string[] => {
  const runs = new Set(runningIn({ checks }).map(({ requirement }) => requirement))
  const without = [
    ...leftOut,
    ...checks.flatMap(({ requirement, heldBack }) =>
      heldBack === undefined || (heldBack.changes ?? []).length > 0 || runs.has(requirement)
        ? []
        : [{ requirement, ...heldBack }],
    ),
  ]
  return [...groupBy(without, ({ because }) => because)].flatMap(([because, rows]) => {
    const ids = new Set(rows.map(({ requirement }) => requirement))
    return [`  ${because}: ${counted(ids.size)}`, `    ${idRanges(ids).join(', ')}`]
  })
}

/** The number of payments and their total amount. */
const paymentLines = (
  running: readonly PlannedCheck[],
  runs: number,
  { payment, environment }: Pick<PlanHeading, 'payment' | 'environment'>,
): readonly string[] => {
  const scenarios = scenariosOf(running)
  const there = sumOver(
    scenarios.filter(({ elsewhere }) => elsewhere === 'pay'),
    runs,
    ({ payments }) => payments?.initiated ?? 0,
  )
  const initiated = sumOver(scenarios, runs, ({ payments }) => payments?.initiated ?? 0)
  const submitted = sumOver(scenarios, runs, ({ payments }) => payments?.submitted ?? 0)
  if (payment === undefined || initiated === 0) return []
  const { amount, currency, rejectedAtSubmission = {} } = payment
  const ownOrders = Object.entries(rejectedAtSubmission).flatMap(([code, order]) =>
    order === undefined ? [] : [code],
  )
  const money = (count: number): string => `${(count * amount).toFixed(2)} ${currency}`
  return [
    `  payments         ${initiated} initiated, ${money(initiated)} in sum at ${amount} ${currency} each; ${submitted} of them submitted, ${money(submitted)}${there === 0 ? '' : `; ${there} of them in ${otherName(environment)}`}`,
    ...(ownOrders.length === 0
      ? []
      : [
          `                   the orders of payments.rejectedAtSubmission (${ownOrders.join(', ')}) have the amounts of the profile, and may be executed`,
        ]),
  ]
}

const otherName = (environment: string): string =>
  environment === 'production' ? 'the sandbox' : 'production'

/** The effects in the other environment, in which some scenarios send requests. */
const elsewhereLines = (
  running: readonly PlannedCheck[],
  { effectsElsewhere }: Plan,
  { environment }: PlanHeading,
): readonly string[] => {
  const effects = new Set(running.flatMap(({ elsewhere }) => elsewhere ?? []))
  return effects.size === 0
    ? []
    : [
        `  elsewhere        ${[...effects].join(', ')} in ${otherName(environment)} (allowed there: ${effectsElsewhere.join(', ')})`,
      ]
}

const loanLines = (running: readonly PlannedCheck[], runs: number): readonly string[] => {
  const submitted = sumOver(scenariosOf(running), runs, ({ loans }) => loans?.submitted ?? 0)
  return submitted === 0 ? [] : [`  loans            ${submitted} applications submitted`]
}

/** The lines on payments, loans and the other environment. */
export const costLines = (
  plan: Plan,
  heading: Pick<PlanHeading, 'payment' | 'environment'>,
): readonly string[] => {
  const running = runningIn(plan)
  return [...paymentLines(running, plan.runs, heading), ...loanLines(running, plan.runs)]
}

/** With a clock that can be moved these waits take no time. */
const silenceLines = (
  running: readonly PlannedCheck[],
  { clock }: Pick<PlanHeading, 'clock'>,
): readonly string[] => {
  const ms = scenariosOf(running).reduce((sum, { listensMs = 0 }) => sum + listensMs, 0)
  if (clock !== 'wall' || ms === 0) return []
  return [
    `  silence          about ${Math.ceil(ms / 60_000)} min, waiting for webhook calls that must not come (left out by --skip silence)`,
  ]
}

const personalDataLines = ({ personalData }: PlanHeading): readonly string[] => {
  if (personalData === undefined) return []
  const written =
    personalData === 'kept' ? 'written as they are' : 'written as pseudonyms (kept by `personalData: kept`)'
  return [`  personal data    names, account numbers and texts of customers are ${written}`]
}

/** What the conclusion of the run will be about. */
const scopeLine = ({ scope }: Plan): string =>
  `Scope: ${scope} (${scope === 'full' ? 'all chapters' : scopeOf(scope).chapters.join(', ')}).`

/** Whether the expected exchanges fit the budget; the number of requests per operation is not known in advance. */
const budgetLines = (exchanges: number, { budget }: PlanHeading): readonly string[] => {
  if (budget === undefined) return []
  const { requests, perOperation } = budget
  const most = Object.entries(perOperation).map(([operation, count]) => `at most ${count} ${operation}`)
  const fits = requests === undefined || exchanges <= requests
  const expected = fits
    ? `about ${exchanges} are expected`
    : `about ${exchanges} are expected and do not fit: the last checks are not reached`
  const all = requests === undefined ? [] : [`${requests} requests, ${expected}`]
  return [`  budget           ${[...all, ...most].join('; ')}`]
}

const writtenLines = (plan: Plan, { written }: PlanHeading): readonly string[] =>
  written === undefined
    ? []
    : ['Addresses of writes', ...orNothing(writeLines(plan, written), '  nowhere'), '']

const orNothing = (lines: readonly string[], nothing: string): readonly string[] =>
  lines.length === 0 ? [nothing] : lines

export const renderPlan = (plan: Plan, heading: PlanHeading): string => {
  const running = runningIn(plan)
  const { scenarios, authorizations, exchanges } = estimate(plan)
  const effects = [...new Set(running.map(({ effect }) => effect))]
  return [
    `${heading.target}, ${heading.environment}, ${heading.clock} clock. This is the plan; nothing is sent.`,
    scopeLine(plan),
    '',
    'What runs',
    ...(running.length === 0 ? ['  nothing'] : chapterLines(running)),
    '',
    'What it does',
    `  effects          ${effects.length === 0 ? 'none' : effects.join(', ')} (allowed: ${plan.effects.join(', ')})`,
    ...elsewhereLines(running, plan, heading),
    `  authorizations   ${authorizations} by a customer, ${heading.byPerson ? authorizations : 0} of them need a person`,
    ...(heading.byPerson ? askedLines(running, plan.runs) : []),
    ...costLines(plan, heading),
    `  exchanges        about ${exchanges} in ${scenarios} scenarios`,
    `  duration         about ${span(requestsMs(exchanges, heading))} over a network`,
    ...budgetLines(exchanges, heading),
    `  properties       ${plan.runs} runs each, seed ${plan.seed}`,
    `  webhook calls    ${running.some(({ awaitsWebhooks }) => awaitsWebhooks) ? heading.sink : 'none are expected'}`,
    ...silenceLines(running, heading),
    ...personalDataLines(heading),
    ...(heading.waits === undefined
      ? []
      : waitLines(scenariosOf(running), heading.waits.profile, heading.waits.now)),
    '',
    ...writtenLines(plan, heading),
    'What to add next, in this order, and how many requirements at least become testable',
    ...orNothing(ladderLines(plan), '  nothing is missing'),
    '',
    'Not tested, and what is missing (what the bank does not have: notApplicable, with the reason)',
    ...orNothing(testableLines(plan), '  nothing is missing'),
    '',
    'Left out',
    ...orNothing(leftOutLines(plan), '  nothing'),
    '',
  ].join('\n')
}
