import { countAssertions } from '../check/verdict.ts'
import { withoutFacts } from '../check/facts.ts'
import { ObservedDelivery } from '../check/observed/delivery.ts'
import { ObservedExchange, UsedExchanges } from '../check/observed/exchange.ts'
import { kindOfAnswer } from '../evidence/record/answer-kind.ts'
import { findingFrom, JUDGED_AT_THE_END, shortened } from './judge.ts'
import { throughSteps, type Explain, type Finding } from './verdict-steps.ts'
import type { WholeRun } from '../check/whole-run.ts'
import { identityOf, type CheckResult } from '../check/result.ts'
import { byPlan } from '../report/order.ts'
import { attemptOf, scenarioOf, type Exchange } from '../evidence/exchange.ts'
import type { CataloguedCheck, StatedCheck } from '../plan/catalogue.ts'
import type { PlannedCheck } from '../plan/plan.ts'
import type { Profile } from '../profile/schema.ts'

/** Judges the checks on all answers of a run, from the stored exchanges. A run, the proof and `rejudge` call it. */

export interface RunToJudge {
  readonly profile: Profile
  readonly planned: readonly PlannedCheck[]
  readonly checks: readonly CataloguedCheck[]
  /** All stored exchanges, in the order of the answers. */
  readonly exchanges: Iterable<Exchange>
  /** Whether all scenarios had one bank; otherwise, each had its own. */
  readonly isOneBank: boolean
}

/** Of transactions, pages of so many characters are judged: all of them may be more than the memory holds. */
const MOST_KEPT = 64 * 1024 * 1024

/** A result lists at most so many of the exchanges that were judged. */
const MOST_NAMED = 20

/** Any other answer may be that of a firewall or a proxy. What customers did on pages counts, whoever answered. */
const isOfTheBank = (exchange: Exchange): boolean =>
  exchange.sender === 'target' ||
  exchange.sender === 'customer' ||
  (exchange.sender === 'scenario' && exchange.response !== undefined && kindOfAnswer(exchange) === 'bank')

interface Seen {
  readonly exchange: Exchange
  readonly kind: PlannedCheck['application']
  readonly observed: ObservedExchange
  /** If the target sent it. */
  readonly call?: ObservedDelivery
}

/** What each bank answered in one environment, in the order of time. What was sent at one time is in the order of the answers. */
const banksIn = (
  { exchanges, isOneBank, planned, profile }: RunToJudge,
  operations: ReadonlySet<string>,
  used: UsedExchanges,
): readonly (readonly Seen[])[] => {
  const kinds = new Map(
    planned.map(({ scenario, application, actingKind }) => [scenario, application ?? actingKind]),
  )
  const banks = new Map<string, Seen[]>()
  let kept = 0
  for (const exchange of exchanges) {
    const scenario = scenarioOf(exchange)
    // Requests that delete what the run created belong to no scenario.
    if (!operations.has(exchange.operation) || !kinds.has(scenario) || !isOfTheBank(exchange)) continue
    if (exchange.operation === 'listTransactions') kept += exchange.response?.body.text.length ?? 0
    if (exchange.operation === 'listTransactions' && kept > MOST_KEPT) continue
    // The same id may exist in each environment.
    const name = `${isOneBank ? '' : attemptOf(exchange)} ${exchange.environment ?? profile.environment}`
    const bank = banks.get(name) ?? []
    banks.set(name, bank)
    const call = exchange.sender === 'target' && {
      call: new ObservedDelivery({ kind: 'delivery', exchange }, used),
    }
    bank.push({
      exchange,
      kind: kinds.get(scenario),
      observed: new ObservedExchange(exchange, used),
      ...call,
    })
  }
  return [...banks.values()].map((bank) =>
    bank.sort((one, other) => one.observed.sentAt.getTime() - other.observed.sentAt.getTime()),
  )
}

/** The finding on all banks: a violation of one of them, or else a pass if one of them could be judged. */
const combined = (findings: readonly Finding[]): Finding => {
  const violated = findings.find(({ violation }) => violation !== undefined)
  const passed = findings.filter(({ verdict }) => verdict === 'pass')
  if (violated !== undefined) return violated
  if (passed.length > 0)
    return { verdict: 'pass', judged: passed.reduce((sum, { judged = 0 }) => sum + judged, 0) }
  return findings[0] ?? { verdict: 'not-reached', because: 'no such answer was received' }
}

/** The keys of the profile that explain other findings of the violating scenario, or of the requirement. */
const explaining =
  (results: readonly CheckResult[], planned: readonly PlannedCheck[], requirement: string): Explain =>
  (violated) => {
    if (violated === undefined) return []
    const own = new Set(
      planned.flatMap(({ id, scenario }) => (scenario === scenarioOf({ id: violated.exchange }) ? [id] : [])),
    )
    // Stored results are in the order of the plan, those of a run in the order in which the checks ended.
    return byPlan(results, { checks: planned })
      .filter((one) => own.has(one.id) || one.requirement === requirement)
      .flatMap(({ mismatches = [] }) => mismatches)
      .filter(({ key }, at, all) => all.findIndex((one) => one.key === key) === at)
  }

/** Whether the run decides. Otherwise the result of the scenario stays, which has the reason. */
const isFound = ({ verdict, violation }: Finding): boolean => verdict === 'pass' || violation !== undefined

/**
 * Judges the checks on the whole run.
 * @param results those of all checks. Such a check has only said there that its scenario was run, or why it was not.
 */
export const judgeRun = (results: readonly CheckResult[], run: RunToJudge): readonly CheckResult[] => {
  const checks = new Map<string, StatedCheck>(run.checks.map(({ key, check }) => [key, check]))
  const plannedOf = new Map(run.planned.map((planned) => [planned.id, planned]))
  const operations = new Set(run.checks.flatMap(({ check: { over = [] } }) => over))
  const used = new UsedExchanges()
  let banks: readonly (readonly Seen[])[] | undefined

  const judgeOne = (result: CheckResult, planned: PlannedCheck, check: StatedCheck): CheckResult => {
    const startedAt = performance.now()
    const isMeant = ({ exchange, kind }: Seen): boolean =>
      check.over?.some((operation) => operation === exchange.operation) === true &&
      (planned.application === undefined || kind === undefined || kind === planned.application)
    banks ??= banksIn(run, operations, used)
    used.clear()
    const findings = banks.flatMap((bank) => {
      const meant = bank.filter(isMeant)
      if (meant.length === 0) return []
      const whole: WholeRun = {
        exchanges: meant.filter(({ call }) => call === undefined).map(({ observed }) => observed),
        calls: meant.flatMap(({ call }) => call ?? []),
        profile: run.profile,
      }
      return findingFrom(
        withoutFacts(() => countAssertions(() => check.judge(whole, undefined))),
        check,
      )
    })
    const finding = combined(findings)
    if (!isFound(finding) && result.because !== JUDGED_AT_THE_END) return result
    const { violation } = finding
    const exchanges = violation === undefined ? [...used].slice(0, MOST_NAMED) : [violation.exchange]
    const { waiver, requirement } = planned
    // Of the exchanges of the run, only the violating one can show that an intermediary answered.
    const explain = explaining(results, run.planned, requirement)
    const around = { waiver, used: new UsedExchanges(exchanges), interferingScenario: undefined, explain }
    return {
      ...identityOf(planned),
      durationMs: performance.now() - startedAt,
      exchanges,
      ...shortened(throughSteps(finding, around)),
    }
  }

  return results.map((result) => {
    const planned = plannedOf.get(result.id)
    const check = planned && checks.get(planned.key)
    const isOpen = result.verdict === 'not-reached' || result.verdict === 'inconclusive'
    return planned !== undefined && check?.over !== undefined && isOpen && result.until === undefined
      ? judgeOne(result, planned, check)
      : result
  })
}
