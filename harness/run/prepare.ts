import { buildPlan } from '../plan/build-plan.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { verifyBrowser } from '../profile/chromium.ts'
import { readWaivers, verifyWaivers } from '../plan/waivers.ts'
import { settleSubject } from './subject.ts'
import type { Catalogue } from '../plan/catalogue.ts'
import type { Options } from '../plan/options.ts'
import type { Plan } from '../plan/plan.ts'
import type { Waiver } from '../plan/waivers.ts'
import type { Standing } from '../resume/resumption.ts'
import type { RunSubject } from './subject.ts'

/** What a run is about, settled before anything is sent. */
export interface Preparation {
  readonly options: Options
  readonly argv: readonly string[]
  readonly subject: RunSubject
  readonly catalogue: Catalogue
  readonly plan: Plan
  /** Declared exceptions. */
  readonly waivers: readonly Waiver[]
  /** Scenarios at a time. */
  readonly concurrency: number
  /** What the run has come to before, where it is gone on with. */
  readonly standing?: Standing
}

/** Scenarios of the reference bank at a time: each has a bank of its own. */
const SIDE_BY_SIDE = 8
/** On a shared target a later grant may end the tokens of an earlier one, so that scenarios take turns. */
const IN_TURN = 1

/** @throws ConfigurationError for whatever is wrong with options, profile or selectors. */
export const prepare = async (
  options: Options,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Preparation> => {
  const [subject, catalogue, waivers] = await Promise.all([
    settleSubject(options, env),
    loadCatalogue(),
    options.waivers === undefined ? [] : readWaivers(options.waivers),
  ])
  verifyBrowser(subject.profile, env)
  verifyWaivers(options.waivers ?? '', waivers, { rows: catalogue.requirements, now: new Date() })
  const target = { profile: subject.profile, virtual: subject.clock === 'virtual' }
  const concurrency = options.concurrency ?? (subject.baseUrl === undefined ? SIDE_BY_SIDE : IN_TURN)
  const plan = buildPlan(catalogue, target, { ...options, waived: waivers })
  return { options, argv, subject, catalogue, concurrency, plan, waivers }
}
