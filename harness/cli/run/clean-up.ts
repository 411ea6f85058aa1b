import { setTimeout as sleep } from 'node:timers/promises'
import pThrottle from 'p-throttle'
import { toleratingFullDisk, openJournal } from '../../evidence/journal.ts'
import { createRedactor, type KnownSecret } from '../../evidence/redaction.ts'
import { NotReached } from '../../evidence/signals.ts'
import { besideScenarios } from '../../plan/shard.ts'
import { readCreated, scenarioIn, UNTRIED } from '../../report/created.ts'
import { fieldOf, jsonOf, responseOf } from '../../evidence/record/answer.ts'
import { createBudget, type Budget } from '../../session/http/budget.ts'
import { deleteConsent } from '../../session/authorization/consent-deletion.ts'
import { createLoans, type Loans } from '../../session/loans/loans.ts'
import { openAuthorizationDriver } from '../../session/authorization/open-driver.ts'
import { openTargetHttp } from '../../target/target-http.ts'
import { createTestHooks } from '../../target/test-hooks.ts'
import { createWallClock } from '../../target/wall-clock.ts'
import { CLEAN_UP_MS } from '../../engine/run-limits.ts'
import { isTimed } from '../../engine/scheduler.ts'
import { allowedIn } from '../../session/http/permissions.ts'
import { budgetOf } from './spending.ts'
import { running } from '../../plan/plan.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Plan } from '../../plan/plan.ts'
import type { ApplicationProfile, Profile } from '../../profile/schema.ts'
import type { Created } from '../../report/created.ts'
import type { Http } from '../../session/http/http.ts'
import type { Preparation } from './prepare.ts'

/**
 * What a run has created at its target goes when nobody looks at it any more: behind the last scenario, so that nobody
 * is disturbed. It is read from the evidence, so that a run that is gone on with cleans up behind the one before it.
 */

interface Mess {
  readonly profile: Profile
  readonly baseUrl: string
  readonly secrets: readonly KnownSecret[]
  readonly plan: Plan
  readonly results: readonly CheckResult[]
  /** Nobody moves the clock, and the run has ended before all was done: it can be gone on with. */
  readonly canGoOn: boolean
  /** The evidence of the run. */
  readonly evidence: string
  /** Begins the ids of the exchanges of the clean-up. */
  readonly scenario: string
  readonly rate?: number | undefined
  readonly interruption: AbortSignal
  /** What is left of what the run may send. */
  readonly budget?: Budget
}

/** How long it may take in all, in ms: nobody waits for a target that has become slow. */
const PATIENCE_MS = 120_000

export interface Circumstances {
  readonly evidence: string
  readonly interruption: AbortSignal
  /** When the run had to be over, in ms since 1970. */
  readonly deadline: number
}

/** Everything that a run at an address has created, with what became of it. */
export const cleanUpAfter = async (
  { options, subject, plan, standing }: Preparation,
  results: readonly CheckResult[],
  { evidence, interruption, deadline }: Circumstances,
): Promise<readonly Created[]> => {
  const { profile, secrets, clock, baseUrl = '' } = subject
  const { budget } = budgetOf({ options, subject }, evidence)
  return cleanUp({
    ...{ profile, baseUrl, secrets, plan, results, evidence, interruption, rate: options.rate },
    canGoOn: clock === 'wall' && (interruption.aborted || Date.now() >= deadline),
    ...(budget && { budget: createBudget(budget.limits, budget.spent) }),
    scenario: besideScenarios('clean-up', plan) + (standing === undefined ? '' : `~${standing.resumed + 2}`),
  })
}

const cleanUp = async (mess: Mess): Promise<readonly Created[]> => {
  const redactor = createRedactor(mess.secrets)
  const applications = mess.profile.applications.map(({ name, clientId }) => ({
    name,
    shownId: redactor.text(clientId),
  }))
  const created = readCreated(mess.evidence, mess.profile, applications)
  const kept = keeper(mess)
  const settled = created.map((one) => {
    if (one.because !== UNTRIED) return one
    if (isOfNextRun(one, mess)) return { ...one, because: KEPT }
    return kept(one) ? { ...one, because: STILL_NEEDED } : one
  })
  if (settled.some(isUntried)) return clearAway(settled, mess)
  return settled
}

const isUntried = ({ because }: Created): boolean => because === UNTRIED

const KEPT = 'its grant is kept for the next run (authorization.keep)'

/** A grant that scenarios share outlives the run where it is kept, and its consent with it. */
const isOfNextRun = ({ kind, exchange }: Created, { profile: { authorization } }: Mess): boolean =>
  kind === 'consent' &&
  authorization.kind !== 'tokens' &&
  authorization.keep !== undefined &&
  isShared(exchange)

const isShared = (exchange: string): boolean => exchange.includes(':grant/')

const STILL_NEEDED = 'a scenario still waits for it: npm test -- --resume'

/** What belongs to a scenario that can be gone on with stays; a consent that scenarios share, as long as one of them waits. */
const keeper = ({ plan, results, canGoOn }: Mess): ((one: Created) => boolean) => {
  const known = new Map(results.map((result) => [result.id, result]))
  const isOpen = (id: string): boolean => {
    const result = known.get(id)
    if (result?.until !== undefined) return true
    return canGoOn && (result === undefined || result.verdict === 'inconclusive')
  }
  const waiting = new Set(
    running(plan)
      .filter((planned) => isTimed(planned) && isOpen(planned.id))
      .map(({ scenario }) => scenario),
  )
  return (one) => waiting.has(scenarioIn(one.exchange)) || (waiting.size > 0 && isShared(one.exchange))
}

/** Until the clean-up has taken too long, or the run is interrupted and somebody waits for its end. */
const endOf = (interruption: AbortSignal): { readonly ends: AbortSignal; readonly stop: () => void } => {
  const end = new AbortController()
  const because = (why: string) => () => end.abort(new NotReached(why))
  const patience = setTimeout(because('the clean-up took too long'), PATIENCE_MS)
  let hurry: NodeJS.Timeout | undefined
  const start = (): void => {
    hurry = setTimeout(because('the run was interrupted'), CLEAN_UP_MS)
  }
  if (interruption.aborted) start()
  else interruption.addEventListener('abort', start, { once: true })
  const stop = (): void => {
    clearTimeout(patience)
    clearTimeout(hurry)
    interruption.removeEventListener('abort', start)
  }
  return { ends: end.signal, stop }
}

const clearAway = async (created: readonly Created[], mess: Mess): Promise<readonly Created[]> => {
  const { ends, stop } = endOf(mess.interruption)
  const journal = toleratingFullDisk(openJournal(mess.evidence))
  const { profile, baseUrl, rate } = mess
  const turn =
    rate === undefined
      ? undefined
      : pThrottle({ limit: 1, interval: 1000 / rate, signal: ends })(async () => undefined)
  const { http, close } = openTargetHttp({
    profile,
    baseUrl,
    allowed: allowedIn(profile, mess.plan.effects, mess.plan.effectsElsewhere),
    scenario: mess.scenario,
    secrets: mess.secrets,
    signal: ends,
    journal,
    pause: async (ms) => sleep(ms, undefined, { signal: ends }),
    ...(turn && { turn }),
    ...(mess.budget && { budget: mess.budget }),
  })
  const removals = removalsWith(http, mess)
  const result: Created[] = []
  try {
    for (const one of created) result.push(isUntried(one) ? await removed(one, removals, ends) : one)
  } finally {
    stop()
    await close()
    journal.close()
  }
  return result
}

/** Throws where it does not succeed, with the reason. */
type Remove = (one: Created) => Promise<void>

const removalsWith = (http: Http, mess: Mess): Readonly<Record<string, Remove>> => {
  const { profile, baseUrl } = mess
  const testHooks = createTestHooks(http, baseUrl, profile)
  const open = createLoans({
    ...{ profile, baseUrl, http, driver: openAuthorizationDriver(profile) },
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
      const others = profile.applications.filter(({ name }) => name !== usual.application.name)
      const refusal = await refusalOf(usual, id)
      if (refusal === undefined) return
      // Who has submitted it is not written down: to anybody else it is unknown.
      for (const other of others)
        if ((await refusalOf(await loansOf(other), id).catch(() => refusal)) === undefined) return
      throw refusal
    },
    consent: ({ id }) =>
      profile.testHooks.revokeConsent === undefined
        ? deleteByApplication(http, mess, id)
        : testHooks.revokeConsent(id),
  }
}

/** Which of the applications has created it is not written down: the others are refused. */
const deleteByApplication = async (http: Http, { profile, baseUrl }: Mess, id: string): Promise<void> => {
  if (profile.operations.deleteConsent === undefined)
    throw new NotReached('the profile binds neither operations.deleteConsent nor test hooks.revokeConsent')
  let refusal: unknown
  for (const application of profile.applications.filter(({ kind }) => kind === 'TPP')) {
    try {
      return await deleteConsent({ profile, baseUrl, http }, application, id)
    } catch (error) {
      refusal ??= error
    }
  }
  throw refusal
}

const refusalOf = async (loans: Loans, id: string): Promise<NotReached | undefined> => {
  const answer = await loans.cancel(id)
  const { status } = responseOf(answer)
  const code = fieldOf(jsonOf(answer), loans.profile.errorCode)
  const told = typeof code === 'string' ? code : ''
  if (status < 300 && told === '') return undefined
  return new NotReached(`its DELETE was answered ${status} ${told} (${answer.id})`.replace('  ', ' '))
}

const removed = async (
  one: Created,
  removals: Readonly<Record<string, Remove>>,
  ends: AbortSignal,
): Promise<Created> => {
  try {
    ends.throwIfAborted()
    await removals[one.kind]?.(one)
    const { kind, id, scenario, exchange } = one
    return { kind, id, scenario, exchange, cleaned: true }
  } catch (error) {
    const reason = ends.aborted ? (ends.reason as Error) : (error as Error)
    return { ...one, because: reason.message }
  }
}
