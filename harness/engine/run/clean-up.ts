import { applicationsIn } from '../../profile/applications.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import pThrottle from 'p-throttle'
import { openJournal, toleratingFullDisk } from '../../evidence/journal.ts'
import { createRedactor, type KnownSecret } from '../../evidence/redaction.ts'
import { NotReached } from '../../evidence/signals.ts'
import { testHooksIn } from '../../profile/test-hooks.ts'
import { CLEAN_UP, readCreated, scenarioIn, UNTRIED, type Created } from '../../report/created.ts'
import { responseOf } from '../../evidence/record/answer.ts'
import { kindOfAnswer } from '../../evidence/record/answer-kind.ts'
import { refusalCodeOf } from '../../evidence/record/loan-application.ts'
import { createBudget, type Budget } from '../../session/http/permissions.ts'
import { deleteConsent } from '../../session/authorization/consent-deletion.ts'
import { createLoans, type Loans } from '../../session/loans/loans.ts'
import { openAuthorizationDriver } from '../../session/authorization/open-driver.ts'
import { openTargetHttp } from '../../connection/target-http.ts'
import { createTestHooks } from '../../connection/test-hooks.ts'
import { createWallClock } from '../../connection/wall-clock.ts'
import { CLEAN_UP_MS } from '../run-limits.ts'
import { isTimed } from '../scheduler.ts'
import { allowedIn } from '../../session/http/permissions.ts'
import { budgetOf, type PreparedRun } from './prepare.ts'
import { running, type Plan } from '../../plan/plan.ts'
import { messageOf } from '../../evidence/errors.ts'
import { steadyNow } from '../../evidence/steady-clock.ts'
import type { CheckResult } from '../../check/result.ts'
import type { ApplicationProfile, Profile } from '../../profile/schema.ts'
import type { WebhookSettings } from '../../session/clock.ts'
import type { Http } from '../../session/http/http.ts'

/**
 * Deletes the objects that a run created at its target, after the last scenario. They are read from the evidence, so that a resumed
 * run also cleans up after its first part.
 */

interface CleanUp {
  readonly profile: Profile
  readonly baseUrl: string
  readonly secrets: readonly KnownSecret[]
  readonly plan: Plan
  readonly results: readonly CheckResult[]
  /** Whether the run waits by the wall clock and ended before all checks were judged. */
  readonly canResume: boolean
  readonly evidence: string
  /** The beginning of the ids of the clean-up's exchanges. */
  readonly scenario: string
  readonly rate?: number | undefined
  readonly interruption: AbortSignal
  /** What restores webhook settings that an earlier part of the run changed, by the id of the application. */
  readonly settings: ReadonlyMap<string, WebhookSettings>
  /** The rest of the run's budget. */
  readonly budget?: Budget
}

/** The deadline of the whole clean-up, in ms. */
const DEADLINE_MS = 120_000

export interface CleanUpOptions {
  readonly evidence: string
  readonly interruption: AbortSignal
  /** When the run had to be over, in ms since 1970. */
  readonly deadline: number
}

/** All objects that a run created at a target, each with the result of its deletion. */
export const cleanUpAfter = async (
  { options, subject, plan, earlier }: PreparedRun,
  results: readonly CheckResult[],
  { evidence, interruption, deadline }: CleanUpOptions,
): Promise<readonly Created[]> => {
  const { profile, secrets, clock, baseUrl = '' } = subject
  const { budget } = budgetOf({ options, subject }, evidence)
  return cleanUp({
    profile,
    baseUrl,
    secrets,
    plan,
    results,
    evidence,
    interruption,
    rate: options.rate,
    settings: earlier?.leftovers.settings ?? new Map(),
    canResume: clock === 'wall' && (interruption.aborted || steadyNow() >= deadline),
    ...(budget && { budget: createBudget(budget.limits, budget.spent) }),
    scenario: CLEAN_UP + (earlier === undefined ? '' : `~${earlier.resumed + 2}`),
  })
}

/** Marks what a resumed run can delete. */
const deletable = true as const

/** A deletion that cannot succeed later either. */
class Undeletable extends NotReached {}

const cleanUp = async (options: CleanUp): Promise<readonly Created[]> => {
  const redactor = createRedactor(options.secrets)
  const applications = applicationsIn(options.profile).map(({ name, clientId }) => ({
    name,
    shownId: redactor.text(clientId),
  }))
  const created = readCreated(options.evidence, options.profile, applications)
  const isNeeded = neededLater(options)
  const settled = created.map((one) => {
    if (settingsFor(one, options) !== undefined) return { ...one, because: UNTRIED }
    if (one.because !== UNTRIED) return one
    if (isKeptForNextRun(one, options)) return { ...one, because: KEPT }
    return isNeeded(one) ? { ...one, because: STILL_NEEDED, deletable } : one
  })
  if (!settled.some(isUntried)) return settled
  try {
    return await deleteAll(settled, options)
  } catch (error) {
    // What was created is listed in any case.
    const because = `the clean-up failed: ${messageOf(error)}`
    return settled.map((one) => (isUntried(one) ? { ...one, because, deletable } : one))
  }
}

/** What restores webhook settings that are not restored; undefined if that is not known. */
const settingsFor = ({ kind, id, cleaned }: Created, options: CleanUp): WebhookSettings | undefined => {
  if (kind !== 'webhook settings' || cleaned) return undefined
  const application = applicationsIn(options.profile).find(({ name }) => name === id)
  return options.settings.get(application?.clientId ?? '')
}

const isUntried = ({ because }: Created): boolean => because === UNTRIED

const KEPT = 'its grant is kept for the next run (authorization.keep)'

/** Whether its grant is stored for the next run. */
const isKeptForNextRun = ({ kind, exchange }: Created, { profile: { authorization } }: CleanUp): boolean =>
  kind === 'consent' &&
  authorization.kind !== 'tokens' &&
  authorization.keep !== undefined &&
  isShared(exchange)

const isShared = (exchange: string): boolean => exchange.includes(':grant/')

/** Why an object of a waiting scenario is not deleted. */
export const STILL_NEEDED = 'a scenario still waits for it; the resumed run deletes it'

/** The objects of a waiting scenario are kept; a shared consent is kept as long as any scenario waits. */
const neededLater = ({ plan, results, canResume }: CleanUp): ((one: Created) => boolean) => {
  const known = new Map(results.map((result) => [result.id, result]))
  const isPending = (id: string): boolean => {
    const result = known.get(id)
    if (result?.until !== undefined) return true
    return canResume && (result === undefined || result.verdict === 'inconclusive')
  }
  const waiting = new Set(
    running(plan)
      .filter((planned) => isTimed(planned) && isPending(planned.id))
      .map(({ scenario }) => scenario),
  )
  return (one) => waiting.has(scenarioIn(one.exchange)) || (waiting.size > 0 && isShared(one.exchange))
}

/** Ends the clean-up at its deadline, or soon after an interruption. */
const endOf = (interruption: AbortSignal): { readonly ends: AbortSignal; readonly stop: () => void } => {
  const end = new AbortController()
  const abortBecause = (reason: string) => () => end.abort(new NotReached(reason))
  const deadline = setTimeout(abortBecause('the clean-up took too long'), DEADLINE_MS)
  let afterInterruption: NodeJS.Timeout | undefined
  const start = (): void => {
    afterInterruption = setTimeout(abortBecause('the run was interrupted'), CLEAN_UP_MS)
  }
  if (interruption.aborted) start()
  else interruption.addEventListener('abort', start, { once: true })
  const stop = (): void => {
    clearTimeout(deadline)
    clearTimeout(afterInterruption)
    interruption.removeEventListener('abort', start)
  }
  return { ends: end.signal, stop }
}

const deleteAll = async (created: readonly Created[], options: CleanUp): Promise<readonly Created[]> => {
  const { ends, stop } = endOf(options.interruption)
  const journal = toleratingFullDisk(openJournal(options.evidence))
  const { profile, baseUrl, rate } = options
  const turn =
    rate === undefined
      ? undefined
      : pThrottle({ limit: 1, interval: 1000 / rate, signal: ends })(async () => undefined)
  const { http, close } = openTargetHttp({
    profile,
    baseUrl,
    allowed: allowedIn(profile, options.plan.effects, options.plan.effectsElsewhere),
    scenario: options.scenario,
    secrets: options.secrets,
    signal: ends,
    journal,
    pause: async (ms) => sleep(ms, undefined, { signal: ends }),
    ...(turn && { turn }),
    ...(options.budget && { budget: options.budget }),
  })
  const deletions = deletionsWith(http, options)
  const result: Created[] = []
  try {
    for (const one of created) result.push(isUntried(one) ? await deleted(one, deletions, ends) : one)
  } finally {
    stop()
    await close()
    journal.close()
  }
  return result
}

/** @throws with the reason if it fails. */
type Delete = (one: Created) => Promise<void>

const deletionsWith = (http: Http, options: CleanUp): Readonly<Record<string, Delete>> => {
  const { profile, baseUrl } = options
  const testHooks = createTestHooks(http, baseUrl, profile)
  const open = createLoans({
    profile,
    baseUrl,
    http,
    driver: openAuthorizationDriver(profile),
    clock: createWallClock(),
    customer: undefined,
  })
  const loans = new Map<ApplicationProfile | undefined, Promise<Loans>>()
  const loansOf = (applicant: ApplicationProfile | undefined): Promise<Loans> => {
    const opened = loans.get(applicant) ?? open(applicant)
    loans.set(applicant, opened)
    return opened
  }
  return {
    async application({ id }) {
      const usual = await loansOf(undefined)
      const others = applicationsIn(profile, 'loans').filter(({ name }) => name !== usual.application.name)
      const refusal = await refusalOf(usual, id)
      if (refusal === undefined) return
      // The evidence does not say which application submitted it: to the others it is unknown.
      let reason = refusal
      for (const other of others) {
        const own = await refusalOf(await loansOf(other), id).catch(() => refusal)
        if (own === undefined) return
        if (reason instanceof Undeletable) reason = own
      }
      throw reason
    },
    async 'webhook settings'(one) {
      const before = settingsFor(one, options)
      if (before === undefined) return
      const { taken, exchange } = await testHooks.configureWebhook(before)
      if (!taken) throw new NotReached(`the target did not take its former settings (${exchange.id})`)
    },
    async consent({ id }) {
      if (testHooksIn(profile).revokeConsent === undefined) await deleteByApplication(http, options, id)
      else await testHooks.revokeConsent(id)
    },
  }
}

/** The evidence does not say which application created it: the others are refused. */
const deleteByApplication = async (http: Http, { profile, baseUrl }: CleanUp, id: string): Promise<void> => {
  if (profile.operations.deleteConsent === undefined)
    throw new Undeletable('the profile binds neither operations.deleteConsent nor test hooks.revokeConsent')
  let refusal: unknown
  for (const application of applicationsIn(profile).filter(({ kind }) => kind === 'TPP')) {
    try {
      return await deleteConsent({ profile, baseUrl, http }, application, id)
    } catch (error) {
      refusal ??= error
    }
  }
  throw refusal
}

/** Codes with which a DELETE is refused, whatever its status (Errors, 5). */
const REFUSALS: ReadonlySet<string> = new Set(['NOT_ALLOWED_OPER', 'APP_NOT_FOUND'])

const refusalOf = async (loans: Loans, id: string): Promise<NotReached | undefined> => {
  const answer = await loans.cancel(id)
  const { status } = responseOf(answer)
  const code = refusalCodeOf(answer, loans.profile)
  const shown = typeof code === 'string' ? code : ''
  const isRefused = REFUSALS.has(shown)
  const isOfBank = kindOfAnswer(answer) === 'bank'
  if (status < 300 && isOfBank && !isRefused) return undefined
  const because = `its DELETE was answered ${status} ${shown} (${answer.id})`.replace('  ', ' ')
  return isRefused && isOfBank ? new Undeletable(because) : new NotReached(because)
}

const deleted = async (
  one: Created,
  deletions: Readonly<Record<string, Delete>>,
  ends: AbortSignal,
): Promise<Created> => {
  try {
    ends.throwIfAborted()
    await deletions[one.kind]?.(one)
    const { kind, id, scenario, exchange } = one
    return { kind, id, scenario, exchange, cleaned: true }
  } catch (error) {
    const because = messageOf(ends.aborted ? ends.reason : error)
    return error instanceof Undeletable ? { ...one, because } : { ...one, because, deletable }
  }
}
