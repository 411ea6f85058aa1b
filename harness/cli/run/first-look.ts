import { running } from '../../plan/plan.ts'
import { openJournal } from '../../evidence/journal.ts'
import { besideScenarios } from '../../plan/shard.ts'
import { evidenceOf } from './prepare.ts'
import { budgetOf, isLeft } from './spending.ts'
import type { CheckResult } from '../../check/result.ts'
import type { Findings } from '../../engine/run-plan.ts'
import type { Contact } from '../../target/first-contact/first-contact.ts'
import type { Preparation } from './prepare.ts'

/** Whether the target answers at all, before anything is asked of it. */

/** A run that is gone on with may have nothing left to send. */
const mayProbe = (preparation: Preparation): boolean =>
  isLeft(budgetOf(preparation, evidenceOf(preparation)), 'probe')

/** The embedded bank is there; where nothing runs, nothing is sent. */
export const tryOnce = async (preparation: Preparation, interruption: AbortSignal): Promise<Contact> => {
  const { profile, baseUrl, secrets } = preparation.subject
  const { standing } = preparation
  const known = new Set(standing?.results.map(({ id }) => id))
  const left = running(preparation.plan).filter(({ id }) => !known.has(id))
  if (baseUrl === undefined || left.length === 0 || !mayProbe(preparation))
    return { reached: true, warnings: [] }
  const journal = openJournal(evidenceOf(preparation))
  try {
    // The reference bank needs no client before its workers have theirs.
    const { contactTarget } = await import('../../target/first-contact/first-contact.ts')
    const part = besideScenarios('probe', preparation.plan)
    const scenario = standing === undefined ? part : `${part}~${standing.resumed + 2}`
    return await contactTarget({ profile, baseUrl, secrets }, { scenario, journal, signal: interruption })
  } catch (error) {
    if (interruption.aborted) return { reached: true, warnings: [] }
    throw error
  } finally {
    journal.close()
  }
}

export const unreached = (
  { plan, subject, standing }: Preparation,
  { because, exchanges }: Extract<Contact, { reached: false }>,
): { readonly findings: Findings; readonly unreachable: string } => {
  const unreachable = `${subject.baseUrl ?? ''} cannot be reached: ${because}`
  const known = new Map((standing?.results ?? []).map((result) => [result.id, result]))
  const results = running(plan).map(
    ({ id, requirement, title }): CheckResult =>
      known.get(id) ?? {
        ...{ id, requirement, title, verdict: 'not-reached', because: unreachable },
        durationMs: 0,
        exchanges,
      },
  )
  return { findings: { results, observations: [] }, unreachable }
}
