/** The course of a refresh: each bank is updated on its own, and its stages are notified. */
import { bookingsOf, takeOver } from './bookings.ts'
import type { Call } from './call.ts'
import { notifyStage } from './events.ts'
import { openedBy, stillOpen } from './open-consents.ts'
import { branchOf, factsAt, type Branch } from './parts.ts'
import type { BearerFacts } from './rules/facts.ts'
import type { BankShare, Stage } from './rules/refresh-rules.ts'
import type { Account, Consent, RefreshTask } from './world.ts'

interface Step {
  readonly consent: Consent
  readonly share: BankShare
  readonly stage: Stage
}

const after = (start: Date, ms: number): Date => new Date(start.getTime() + ms)

const stepsOfConsent = (branch: Branch, consent: Consent): readonly Step[] => {
  const facts = { ...factsAt(branch), consent }
  const { grants, accounts } = openedBy(branch, consent) ?? { grants: [], accounts: [] }
  return branch.rules
    .bankShares({ ...facts, grants, accounts })
    .flatMap((share, place) =>
      branch.rules.refreshStages({ ...facts, share, place }).map((stage) => ({ consent, share, stage })),
    )
}

const stepsOf = (branch: Branch, consent: Consent): readonly Step[] => {
  const consents = [...branch.ledger.consents.values()]
  return branch.rules
    .consentsRefreshed({ ...factsAt(branch), consent, consents })
    .flatMap((refreshed) => stepsOfConsent(branch, refreshed))
}

const underWay = ({ ledger }: Branch, consent: Consent, now: Date): readonly RefreshTask[] =>
  [...ledger.tasks.values()].filter(
    ({ consentId, endsAt }) => consentId === consent.consentId && now < endsAt,
  )

/** Starts a refresh, or joins one that is under way; the id of either. */
export const startTask = (
  call: Call,
  facts: BearerFacts & { readonly consentId: string },
  consent: Consent,
): string => {
  // The consent may have been found in the other environment: its task runs where it was granted.
  const branch = branchOf(call.parts, consent.environment)
  const joined = call.rules.taskJoined({ ...facts, underWay: underWay(branch, consent, call.now) })
  if (joined) return joined.taskId
  const steps = stepsOf(branch, consent)
  const task: RefreshTask = {
    environment: branch.environment,
    taskId: call.rules.newTaskId(facts),
    consentId: consent.consentId,
    clientId: consent.clientId,
    startedAt: call.now,
    endsAt: after(call.now, Math.max(0, ...steps.map(({ stage }) => stage.delay))),
  }
  branch.ledger.tasks.set(task.taskId, task)
  for (const step of steps) {
    branch.clock.schedule(after(task.startedAt, step.stage.delay), () => reach(branch, task, step))
  }
  return task.taskId
}

const reach = async (branch: Branch, task: RefreshTask, { consent, share, stage }: Step): Promise<void> => {
  const open = stillOpen(branch, consent.consentId)
  // A customer who has withdrawn the consent is not looked up at other banks any more.
  if (!open) return
  const changed = share.accounts.filter((account) => hasNews(branch, account))
  if (stage.updates) {
    const facts = { ...factsAt(branch), task, consent: open.consent, share }
    for (const account of branch.rules.accountsUpdated(facts)) takeOver(branch.ledger, account)
  }
  if (stage.status === undefined) return
  await notifyStage(branch, { task, open, share, status: stage.status, changed })
}

const hasNews = ({ ledger }: Branch, account: Account): boolean => {
  const { booked, known } = bookingsOf(ledger, account)
  return booked.length !== known.length
}
