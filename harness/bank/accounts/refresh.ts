/** PUT /refresh: the accounts at other banks under a consent are updated in the background, bank by bank. */
import { openedBy, stillOpen, unknownConsent } from '../authorization/consents.ts'
import { authenticateBearer } from '../authorization/authentication.ts'
import {
  contextOf,
  factsAt,
  factsOf,
  findRecord,
  objectIn,
  Refusal,
  type BankContext,
  type Call,
} from '../call.ts'
import { json } from '../responses.ts'
import { notifyStage } from '../webhooks/events.ts'
import { bookingsOf, takeOver } from '../bookings.ts'
import type { BearerFacts } from '../rules/facts.ts'
import type { BankShare, Stage } from '../rules/refresh-rules.ts'
import type { Account } from '../seed-data.ts'
import type { Consent, RefreshTask } from '../state.ts'

interface Step {
  readonly consent: Consent
  readonly share: BankShare
  readonly stage: Stage
}

const after = (start: Date, ms: number): Date => new Date(start.getTime() + ms)

const stepsOfConsent = (context: BankContext, consent: Consent): readonly Step[] => {
  const facts = { ...factsAt(context), consent }
  const { grants, accounts } = openedBy(context, consent) ?? { grants: [], accounts: [] }
  return context.rules
    .bankShares({ ...facts, grants, accounts })
    .flatMap((share, place) =>
      context.rules.refreshStages({ ...facts, share, place }).map((stage) => ({ consent, share, stage })),
    )
}

const stepsOf = (context: BankContext, consent: Consent): readonly Step[] => {
  const consents = [...context.ledger.consents.values()]
  return context.rules
    .consentsRefreshed({ ...factsAt(context), consent, consents })
    .flatMap((refreshed) => stepsOfConsent(context, refreshed))
}

const underWay = ({ ledger }: BankContext, consent: Consent, now: Date): readonly RefreshTask[] =>
  [...ledger.tasks.values()].filter(
    ({ consentId, endsAt }) => consentId === consent.consentId && now < endsAt,
  )

/** Starts a refresh, or joins one that is running. @returns the id of the task. */
export const startTask = (
  call: Call,
  facts: BearerFacts & { readonly consentId: string },
  consent: Consent,
): string => {
  // The task runs in the environment of the consent, which may be the other one.
  const context = contextOf(call.parts, consent.environment)
  const joined = call.rules.taskJoined({ ...facts, underWay: underWay(context, consent, call.now) })
  if (joined) return joined.taskId
  const steps = stepsOf(context, consent)
  const task: RefreshTask = {
    environment: context.environment,
    taskId: call.rules.newTaskId(facts),
    consentId: consent.consentId,
    clientId: consent.clientId,
    startedAt: call.now,
    endsAt: after(call.now, Math.max(0, ...steps.map(({ stage }) => stage.delay))),
  }
  context.ledger.tasks.set(task.taskId, task)
  for (const step of steps) {
    context.clock.schedule(after(task.startedAt, step.stage.delay), () => reach(context, task, step))
  }
  return task.taskId
}

const reach = async (
  context: BankContext,
  task: RefreshTask,
  { consent, share, stage }: Step,
): Promise<void> => {
  const open = stillOpen(context, consent.consentId)
  // A consent that was revoked is not refreshed any more.
  if (!open) return
  const changed = stage.updates ? share.accounts.filter((account) => hasNews(context, account)) : []
  if (stage.updates) {
    const facts = { ...factsAt(context), task, consent: open.consent, share }
    for (const account of context.rules.accountsUpdated(facts)) takeOver(context.ledger, account)
  }
  if (stage.status === undefined) return
  await notifyStage(context, { task, open, share, status: stage.status, changed })
}

const hasNews = ({ ledger }: BankContext, account: Account): boolean => {
  const { booked, known } = bookingsOf(ledger, account)
  return booked.length !== known.length
}

export const refreshConsent = async (call: Call): Promise<Response> => {
  const { endpoint, variant, rules } = call
  const facts = { ...factsOf(call), endpoint, variant, ...authenticateBearer(call) }
  if (!rules.mayRefresh(facts)) {
    throw new Refusal('not_entitled', 'A refresh is of a consent, and this token was granted without one.')
  }
  const address = call.request.headers.get('psu-ip-address') ?? undefined
  if (!rules.customerAddressIsAccepted({ ...facts, address })) {
    throw new Refusal('invalid_request', 'The header PSU-IP-Address is missing.')
  }
  const consentId = await readConsentId(call, facts)
  const consent = findRecord(call, 'consents', consentId)
  const named = { ...facts, consentId }
  if (!consent || !rules.mayRefreshConsent(named)) throw unknownConsent()
  const taskId = startTask(call, named, consent)
  return json(rules.refreshStatus(named), rules.refreshBody({ ...named, taskId }), {
    'cache-control': 'no-store',
  })
}

const readConsentId = async (call: Call, facts: BearerFacts): Promise<string> => {
  const consentId = call.rules.consentToRefresh({ ...facts, named: namedIn(await call.request.text()) })
  if (consentId === undefined) throw unknownConsent()
  return consentId
}

/** The consent that a body names; undefined if there is no body, or it names none. */
const namedIn = (text: string): string | undefined => {
  if (text.trim() === '') return undefined
  const body = objectIn(text)
  if (!body) throw new Refusal('invalid_request', 'The body, if there is one, must be a JSON object.')
  const { consentId } = body
  if (consentId === undefined || typeof consentId === 'string') return consentId
  throw new Refusal('invalid_request', 'The consentId must be a string.')
}
