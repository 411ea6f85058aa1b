import { openJournal } from '../../evidence/journal.ts'
import { running } from '../../plan/plan.ts'
import { createBudget } from '../../session/http/permissions.ts'
import { budgetOf, type PreparedRun } from './prepare.ts'
import type { Reach } from '../../connection/first-contact/first-contact.ts'
import type { RunObserver } from '../../report/run-observer.ts'
import type { RunFolder } from './folder.ts'

/** The second step of a run: whether somebody answers at the target. */

const REACHED: Reach = { reached: true }

/** A resumed run may have no budget left. */
const mayProbe = (prepared: PreparedRun, evidence: string): boolean => {
  const { budget } = budgetOf(prepared, evidence)
  if (budget === undefined) return true
  try {
    createBudget(budget.limits, budget.spent).spend('probe')
    return true
  } catch {
    return false
  }
}

/** The embedded bank is not probed; if no check is left to run, nothing is sent. */
export const contact = async (
  prepared: PreparedRun,
  { evidence, ends }: Pick<RunFolder, 'evidence' | 'ends'>,
  observer: RunObserver,
): Promise<Reach> => {
  const { plan, subject, earlier } = prepared
  const { profile, baseUrl, secrets } = subject
  const judged = new Set(earlier?.results.map(({ id }) => id))
  const isLeft = running(plan).some(({ id }) => !judged.has(id))
  if (baseUrl === undefined || !isLeft || !mayProbe(prepared, evidence)) return REACHED
  const journal = openJournal(evidence)
  try {
    const { contactTarget } = await import('../../connection/first-contact/first-contact.ts')
    const scenario = earlier === undefined ? 'probe' : `probe~${earlier.resumed + 2}`
    const found = await contactTarget({ profile, baseUrl, secrets }, { scenario, journal, signal: ends })
    if (ends.aborted) return REACHED
    for (const warning of found.warnings) observer.onWarning(warning)
    if (!found.reached) return { ...found, because: `${baseUrl} cannot be reached: ${found.because}` }
    return REACHED
  } catch (error) {
    if (ends.aborted) return REACHED
    throw error
  } finally {
    journal.close()
  }
}
