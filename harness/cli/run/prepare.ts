import { join } from 'node:path'
import { buildPlan } from '../../plan/build-plan.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { verifyBrowser } from '../../profile/chromium.ts'
import { partOf, SHARED_TARGET, splitPlan } from '../../plan/shard.ts'
import { readWaivers, verifyWaivers } from '../../plan/waivers.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { settleSubject } from './subject.ts'
import type { Catalogue } from '../../plan/catalogue.ts'
import type { Plan } from '../../plan/plan.ts'
import type { ShardChoice } from '../../plan/shard.ts'
import type { Waiver } from '../../plan/waivers.ts'
import type { Standing } from '../../engine/resume/resumption.ts'
import type { RunOptions } from './options.ts'
import type { RunSubject } from './subject.ts'

/** What a run is about, settled before anything is sent. */
export interface Preparation {
  readonly options: RunOptions
  readonly argv: readonly string[]
  readonly subject: RunSubject
  readonly catalogue: Catalogue
  readonly plan: Plan
  /** The plan that `plan` is a part of, where it is one. */
  readonly whole?: Plan
  /** Declared exceptions. */
  readonly waivers: readonly Waiver[]
  /** Scenarios at a time. */
  readonly concurrency: number
  /** What the run has come to before, where it is gone on with. */
  readonly standing?: Standing
}

/** Where the exchanges of the run are kept. */
export const evidenceOf = ({ options }: Pick<Preparation, 'options'>): string =>
  join(options.out, OUTPUT.evidence)

/** Scenarios of the reference bank at a time: each has a bank of its own. */
const SIDE_BY_SIDE = 8
/** On a shared target a later grant may end the tokens of an earlier one, so that scenarios take turns. */
const IN_TURN = 1

/** @throws ConfigurationError for whatever is wrong with options, profile or selectors. */
export const prepare = async (
  options: RunOptions,
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
  const preparation = { options, argv, subject, catalogue, concurrency, plan, waivers }
  return options.shard === undefined ? preparation : inPart(preparation, options.shard)
}

const inPart = (preparation: Preparation, shard: ShardChoice): Preparation => {
  const { subject, plan } = preparation
  const { profile, clock, baseUrl, warnings } = subject
  const whole = splitPlan(plan, shard.count, { profile, canMoveTime: clock !== 'wall' })
  const isShared = baseUrl !== undefined && shard.count > 1
  return {
    ...preparation,
    whole,
    plan: partOf(whole, shard),
    subject: { ...subject, warnings: isShared ? [...warnings, SHARED_TARGET] : warnings },
  }
}
