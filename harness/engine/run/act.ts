import { steadyNow } from '../../evidence/steady-clock.ts'
import { running } from '../../plan/plan.ts'
import { estimate } from '../../plan/render-plan.ts'
import { exchangesOf } from '../../report/evidence-file.ts'
import { judgeRun, type RunToJudge } from '../judge-run.ts'
import { lastReport } from '../resume/unfinished.ts'
import { budgetOf, evidenceOf, type PreparedRun } from './prepare.ts'
import { identityOf, type CheckResult } from '../../check/result.ts'
import type { Reach } from '../../connection/first-contact/first-contact.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import type { Created } from '../../report/created.ts'
import type { RunObserver } from '../../report/run-observer.ts'
import type { GrantStoreKey } from '../../session/authorization/grant-store.ts'
import type { RunInput } from '../run-input.ts'
import type { RunChecks, RunHooks, RunResult } from '../run-plan.ts'
import type { RunFolder } from './folder.ts'

/** The third step of a run: the scenarios with their checks in vitest, and then the deletion of what they created. */

/** What happened at the target. */
export interface Acted extends RunResult {
  readonly created: readonly Created[]
}

/** What is needed to act, besides what was prepared. */
export interface Acting {
  readonly observer: RunObserver
  readonly interruption: AbortSignal
  readonly promptChannel?: string | undefined
  /** Grants that earlier runs have stored. */
  readonly grants?: { readonly keeping: GrantStoreKey; readonly secrets: readonly KnownSecret[] } | undefined
}

export const promptsOf = ({ plan, subject }: Pick<PreparedRun, 'plan' | 'subject'>): number =>
  subject.profile.authorization.kind === 'person' ? estimate(plan).authorizations : 0

/** When a run that begins now is ended, in ms since 1970: each prompt prolongs it. */
const deadlineOf = (prepared: PreparedRun): number => {
  const { authorization } = prepared.subject.profile
  const perPrompt = authorization.kind === 'person' ? authorization.deadlineMs : 0
  return steadyNow() + prepared.duration.limitMs + promptsOf(prepared) * perPrompt
}

/** The input of a run's worker threads, from the options and the profile. */
export const inputOf = (prepared: PreparedRun, evidenceFile: string): RunInput => {
  const { options, subject, plan, concurrency, catalogue } = prepared
  return {
    plan,
    ...(catalogue.own && { ownChecks: catalogue.own.folder }),
    profile: subject.profile,
    evidenceFile,
    secrets: subject.secrets,
    concurrency,
    time: options.time,
    deadline: deadlineOf(prepared),
    pace: { origin: steadyNow(), speed: subject.profile.clock.speed },
    ...(subject.baseUrl !== undefined && { baseUrl: subject.baseUrl }),
    ...(options.rate !== undefined && { rate: options.rate }),
    ...budgetOf(prepared, evidenceFile),
    ...(options.webhookUrl !== undefined && { webhookUrl: options.webhookUrl }),
  }
}

/** What checks on the whole run judge. */
export const runToJudge = (
  prepared: Pick<PreparedRun, 'options' | 'plan' | 'catalogue' | 'subject'>,
): RunToJudge => ({
  planned: running(prepared.plan),
  checks: prepared.catalogue.checks,
  exchanges: exchangesOf(evidenceOf(prepared)),
  profile: prepared.subject.profile,
  isOneBank: prepared.subject.baseUrl !== undefined,
})

/** What an earlier part of the run has found, if no scenario is run now. */
const foundBefore = (prepared: PreparedRun): Acted => {
  const { earlier, options } = prepared
  if (earlier === undefined) return { results: [], observations: [], created: [] }
  const results = judgeRun(earlier.results, runToJudge(prepared))
  return { ...earlier.described, results, created: lastReport(options.out).created ?? [] }
}

/** Without a target, no further check is reached. */
const unreached = (
  { plan }: PreparedRun,
  found: Acted,
  { because, exchanges }: Extract<Reach, { reached: false }>,
): Acted => {
  const known = new Set(found.results.map(({ id }) => id))
  const others = running(plan)
    .filter(({ id }) => !known.has(id))
    .map((planned): CheckResult => ({
      ...identityOf(planned),
      verdict: 'not-reached',
      because,
      durationMs: 0,
      exchanges,
    }))
  return { ...found, results: [...found.results, ...others] }
}

/** @param runChecks vitest by default. It is imported late, so that an unreachable target is reported at once. */
export const act = async (
  prepared: PreparedRun,
  contact: Reach,
  folder: RunFolder,
  { observer, interruption, promptChannel, grants }: Acting,
  runChecks?: RunChecks,
): Promise<Acted> => {
  if (!contact.reached) return unreached(prepared, foundBefore(prepared), contact)
  if (folder.ends.aborted) return foundBefore(prepared)
  const { evidence, allure, pace, log } = folder
  const isShared = prepared.subject.baseUrl !== undefined
  const planned = inputOf(prepared, evidence)
  const input: RunInput = {
    ...planned,
    secrets: [...planned.secrets, ...(grants?.secrets ?? [])],
    ...(isShared && { pace, log }),
    ...(promptChannel !== undefined && { promptChannel }),
    ...(grants && { keeping: grants.keeping }),
  }
  const hooks: RunHooks = {
    ...(observer.onWait && { onWait: (notice) => observer.onWait?.(notice) }),
    judgeRun: (results) => {
      observer.onStep?.('judging all answers of the run')
      return judgeRun(results, runToJudge(prepared))
    },
    onResult: (result, drawings) => {
      allure.add(result, drawings)
      observer.onResult(result)
    },
    onFault: (sentence) => observer.onWarning(sentence),
    onDiskFull: (because) => folder.reportFull(because),
    interruption: folder.ends,
  }
  const runPlan = runChecks ?? (await import('../run-plan.ts')).runPlan
  const result = await runPlan(input, hooks, [allure.reporter])
  // Embedded banks end with their scenarios.
  if (!isShared) return { ...result, created: [] }
  const { cleanUpAfter } = await import('./clean-up.ts')
  const { deadline } = input
  observer.onStep?.('deleting what the run created')
  const created = await cleanUpAfter(prepared, result.results, { evidence, interruption, deadline })
  return { ...result, created }
}
