import { examineApplications, examineTokens } from './applications.ts'
import { commonAnswer } from '../../engine/other-servers.ts'
import { examineLogins } from './logins.ts'
import { examineTestHooks } from './test-hooks.ts'
import { announcePersonalData, examineBindings } from './guesses.ts'
import { examineWebhook } from './webhook.ts'
import { messageOf } from '../../evidence/errors.ts'
import { noJournal, type Journal } from '../../evidence/journal.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { HeldBack, Inconclusive, NotReached } from '../../evidence/signals.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { tlsOf } from '../../connection/connections.ts'
import {
  NETWORK,
  timeoutFor,
  type Examination,
  type ExaminedTarget,
  type Network,
} from '../../connection/first-contact/examination.ts'
import { examineBasePaths } from '../../connection/first-contact/base-paths.ts'
import { findingOf, leftOut, type Finding, type Findings } from '../../connection/first-contact/finding.ts'
import { makeFirstContact, type FirstContact } from '../../connection/first-contact/first-contact.ts'
import { examineClientCertificate } from '../../connection/first-contact/tls.ts'
import { openTargetHttp } from '../../connection/target-http.ts'
import type { Code } from '../../connection/first-contact/codes.ts'
import type { Effect, Exchange } from '../../evidence/exchange.ts'
import type { CustomerProfile, Profile } from '../../profile/schema.ts'
import type { Http } from '../../session/http/http.ts'

/** Examines a target before a run, and reports each problem with its cause and the next step. */

export interface ExamineOptions {
  /** `short`: only the first contact. `whole`: every step that needs no customer. */
  readonly depth: 'short' | 'whole'
  readonly signal: AbortSignal
  readonly onFinding?: (finding: Finding) => void
  /** Stores the exchanges; absent if they are not stored. */
  readonly journal?: Journal
  /** The environment with variables such as HTTPS_PROXY; by default that of this process. */
  readonly env?: NodeJS.ProcessEnv
  readonly network?: Network
  /** The customers who are logged in, once each; none by default. */
  readonly logins?: readonly CustomerProfile[]
}

const SCENARIO = 'doctor'

/**
 * Sends requests that read. If the profile allows the effect `consent`, it also creates consents, opens authorization
 * pages and exchanges codes that were never issued. Each step waits ten seconds at most, and less if
 * `deadlines.requestMs` says so.
 * @throws the reason of the signal when it is aborted.
 */
export const examine = async (target: ExaminedTarget, options: ExamineOptions): Promise<Findings> => {
  const { depth, signal, onFinding, journal = noJournal, env = process.env, network = NETWORK } = options
  const { logins = [] } = options
  const collector = createCollector(target, signal, onFinding)
  const unusable = unusableFiles(target)
  if (unusable.length > 0) {
    collector.add([...unusable, leftOut('All requests', unusable)])
    return collector.findings
  }
  const timeout = timeoutFor(target, signal)
  const { profile } = target
  const limited = { ...profile, deadlines: { ...profile.deadlines, requestMs: timeout.ms } }
  const examination = { target: { ...target, profile: limited }, timeout, network, env }
  await collector.step('first contact', async () => {
    const contact = await makeFirstContact(examination, { journal, scenario: `${SCENARIO}:probe` })
    collector.add(contact.findings)
    if (depth === 'whole') await examineTarget(examination, collector, contact, { journal, logins })
    return []
  })
  return collector.findings
}

const unusableFiles = ({ profile }: ExaminedTarget): Findings => {
  try {
    tlsOf(profile.connection)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return [findingOf('CFG-CONN-1', { cause: error.message })]
    throw error
  }
}

const STEPS: Readonly<Record<string, (examination: Examination, http: Http) => Promise<Findings>>> = {
  'base paths': examineBasePaths,
  applications: examineApplications,
  tokens: examineTokens,
  'test hooks': examineTestHooks,
}

/** The effects of an examination, if the profile allows them. It sends no payment, loan application or refresh. */
const EFFECTS: readonly Effect[] = ['read', 'consent']

const examinationEffects = ({ allow }: Profile): Profile['allow'] => ({
  sandbox: allow.sandbox.filter((effect) => EFFECTS.includes(effect)),
  production: allow.production.filter((effect) => EFFECTS.includes(effect)),
})

const examineTarget = async (
  examination: Examination,
  collector: Collector,
  contact: FirstContact,
  { journal, logins }: Required<Pick<ExamineOptions, 'journal' | 'logins'>>,
): Promise<void> => {
  const { target, timeout, env } = examination
  const { profile } = target
  const webhook = collector.step('webhook', () => examineWebhook(examination))
  if (!contact.reach.reached) {
    collector.add([leftOut([...Object.keys(STEPS), 'bindings'].join(', '), contact.findings)])
    return webhook
  }
  const exchanges: Exchange[] = contact.reach.exchange === undefined ? [] : [contact.reach.exchange]
  const requests = Object.entries(STEPS).map(([name, examineStep]) =>
    collector.step(name, async () => {
      const { http, close } = openTargetHttp({
        ...target,
        env,
        journal,
        onExchange: (exchange) => exchanges.push(exchange),
        scenario: `${SCENARIO}:${name.replaceAll(' ', '-')}`,
        allowed: examinationEffects(profile),
        signal: timeout.signal,
      })
      try {
        return await examineStep(examination, http)
      } finally {
        await close()
      }
    }),
  )
  await Promise.all([
    webhook,
    collector.step('client certificate', () => clientCertificate(examination, contact)),
    ...requests,
  ])
  const same = commonAnswer(exchanges)
  // An address where nothing is, or that is redirected, is named as such.
  const isNamed = collector.findings.some(
    ({ code, level }) => level === 'error' && code.startsWith('TGT-PATH-'),
  )
  if (same !== undefined && !isNamed) collector.replace(CAUSED_BY_OTHERS, findingOf('TGT-SAME-1', same))
  await collector.step('logins', () =>
    examineLogins(target, logins, { earlier: collector.findings, signal: timeout.signal }),
  )
  // The findings about the target come first: a wrong target makes the guesses irrelevant.
  await collector.step('bindings', async () => [
    ...announcePersonalData(profile),
    ...examineBindings(examination),
  ])
}

/** What the same answer to each request says nothing about. */
const CAUSED_BY_OTHERS: ReadonlySet<Code> = new Set(['CFG-URI-1', 'CFG-CRED-1'])

const clientCertificate = async (
  examination: Examination,
  { open, findings }: FirstContact,
): Promise<Findings> => {
  const isRefused = findings.some(({ code }) => code === 'NET-TLS-9')
  const isTls = examination.target.baseUrl.startsWith('https:')
  return open === undefined || isRefused || !isTls ? [] : examineClientCertificate(examination, open)
}

type Collector = ReturnType<typeof createCollector>

/** Collects the findings of an examination, with the target's secrets redacted. */
const createCollector = (
  { secrets }: ExaminedTarget,
  signal: AbortSignal,
  onFinding: (finding: Finding) => void = () => undefined,
) => {
  const redactor = createRedactor(secrets)
  const findings: Finding[] = []
  const redacted = (finding: Finding): Finding => ({
    ...finding,
    cause: redactor.sentence(finding.cause),
    next: redactor.sentence(finding.next),
    ...(finding.shows && { shows: finding.shows.map((line) => redactor.text(line)) }),
  })
  const add = (found: Findings): void => {
    for (const finding of found.map(redacted)) {
      // Several steps may find the same.
      if (findings.some(({ code, cause }) => code === finding.code && cause === finding.cause)) continue
      findings.push(finding)
      onFinding(finding)
    }
  }
  return {
    findings: findings as Findings,
    add,
    /** Adds a finding, and removes those with these codes. */
    replace(codes: ReadonlySet<Code>, finding: Finding): void {
      findings.splice(0, Infinity, ...findings.filter(({ code }) => !codes.has(code)))
      add([finding])
    },
    /**
     * Adds what a step finds. A step that is impossible is a notice; a step that fails is an error of the suite.
     * @throws the reason of the signal when it is aborted.
     */
    async step(name: string, examineStep: () => Promise<Findings>): Promise<void> {
      try {
        add(await examineStep())
      } catch (error) {
        signal.throwIfAborted()
        const code = isImpossible(error) ? 'OWN-LEFT-1' : 'OWN-STEP-1'
        add([findingOf(code, { cause: `${name}: ${messageOf(error)}` })])
      }
    },
  }
}

const isImpossible = (error: unknown): boolean =>
  error instanceof HeldBack || error instanceof NotReached || error instanceof Inconclusive
