import { join } from 'node:path'
import { OUTPUT } from '../../evidence/output.ts'
import { durationOf, type RunDuration } from '../../plan/duration.ts'
import { buildPlan, verifyNotApplicable } from '../../plan/build-plan.ts'
import { loadCatalogue, type Catalogue } from '../../plan/catalogue.ts'
import { readWaivers, verifyWaivers, type Waiver } from '../../plan/waivers.ts'
import { verifyBrowser } from '../../profile/chromium.ts'
import { requestCounts } from '../../report/evidence-file.ts'
import { resolveTarget, type RunSubject } from './target.ts'
import type { EarlierRun } from '../resume/resumable-run.ts'
import type { RunInput } from '../run-input.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Limits } from '../../session/http/permissions.ts'
import type { RunOptions } from './options.ts'

/** The first step of a run: the profile, the catalogue and the plan. */

/** A run before its first request: its options, target and plan. */
export interface PreparedRun {
  readonly options: RunOptions
  readonly argv: readonly string[]
  readonly subject: RunSubject
  readonly catalogue: Catalogue
  readonly plan: Plan
  /** Accepted exceptions. */
  readonly waivers: readonly Waiver[]
  /** Scenarios at the same time. */
  readonly concurrency: number
  readonly duration: RunDuration
  readonly earlier?: EarlierRun
}

/** The file with the exchanges of the run. */
export const evidenceOf = ({ options }: Pick<PreparedRun, 'options'>): string =>
  join(options.out, OUTPUT.evidence)

/** On the embedded target each scenario has a bank of its own. */
const CONCURRENT = 8
/** On a shared target a later grant may end the tokens of an earlier one, so that scenarios run one after the other. */
const IN_TURN = 1

/** @throws ConfigurationError if options, profile or selectors are wrong. */
export const prepare = async (
  options: RunOptions,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<PreparedRun> => {
  const [subject, catalogue, waivers] = await Promise.all([
    resolveTarget(options, env),
    loadCatalogue(options.catalogue),
    options.waivers === undefined ? [] : readWaivers(options.waivers),
  ])
  verifyBrowser(subject.profile, env)
  verifyNotApplicable(subject.profile, catalogue.requirements)
  verifyWaivers(options.waivers ?? '', waivers, { rows: catalogue.requirements, now: new Date() })
  const target = { profile: subject.profile, virtual: subject.clock === 'virtual' }
  // Any scenario with a refresh then moves the clock.
  const movesOften = subject.profile.operations.token.refreshesOnlyExpired
  const usual = subject.baseUrl === undefined ? CONCURRENT : IN_TURN
  const wanted = options.concurrency ?? usual
  const concurrency = movesOften ? Math.min(wanted, usual) : wanted
  const plan = buildPlan(catalogue, target, { ...options, waived: waivers })
  const duration = durationOf({
    plan,
    profile: subject.profile,
    concurrency,
    rate: options.rate,
    requests: limitsOf({ options, subject })?.requests,
  })
  return { options, argv, subject, catalogue, concurrency, plan, waivers, duration }
}

/** The limits of requests of a run; undefined without a budget. */
export const limitsOf = ({
  options,
  subject,
}: Pick<PreparedRun, 'options' | 'subject'>): Limits | undefined => {
  const { budget } = subject.profile
  const requests = options.budget ?? budget.requests
  return requests === undefined && Object.keys(budget.perOperation).length === 0
    ? undefined
    : { ...budget, requests }
}

/** The budget, with the number of requests sent so far: by the probe, and before the run was resumed. */
export const budgetOf = (
  prepared: Pick<PreparedRun, 'options' | 'subject'>,
  evidence: string,
): Pick<RunInput, 'budget'> => {
  const limits = limitsOf(prepared)
  return limits === undefined ? {} : { budget: { limits, spent: requestCounts(evidence) } }
}
