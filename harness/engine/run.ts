import { openGrantStore } from '../session/authorization/grant-store.ts'
import { act, type Acting } from './run/act.ts'
import { contact } from './run/contact.ts'
import { openFolder } from './run/folder.ts'
import { judge } from './run/judge.ts'
import { prepare, type PreparedRun } from './run/prepare.ts'
import { report, type Reporting } from './run/report.ts'
import type { Report } from '../report/schema.ts'

/**
 * A run is five steps, each in a file of `run/`. What `prepare` has planned can be shown and confirmed before the others
 * are taken.
 *
 * - `prepare`: the profile, the catalogue, the plan
 * - `contact`: whether somebody answers at the target
 * - `act`: the scenarios with their checks, in vitest; then what they created is deleted
 * - `judge`: unanswered operations, accepted exceptions, the conclusion
 * - `report`: report.json and all that follows from it
 */
export const STEPS = { prepare, contact, act, judge, report }

/** Who watches and ends a run, and what it is given besides its plan. */
export type Surroundings = Omit<Acting, 'grants'> & Reporting

/**
 * Takes all steps after `prepare`.
 * @throws ConfigurationError if the reports cannot be written; then nothing has been sent.
 */
export const run = async (
  prepared: PreparedRun,
  around: Surroundings,
  steps: typeof STEPS = STEPS,
): Promise<Report> => {
  const { options, subject, plan, duration, earlier } = prepared
  const { profile, baseUrl } = subject
  const { observer, interruption } = around
  const grants = baseUrl === undefined ? undefined : await openGrantStore(profile, baseUrl, process.env)
  const folder = await openFolder(prepared, observer, interruption)
  try {
    // How much of its waits a resumed run has behind it is not known.
    const isTimeKnown = duration.waitMs > 0 && earlier === undefined
    observer.onStart(plan, isTimeKnown ? duration.expectedMs : undefined)
    const reached = await steps.contact(prepared, folder, observer)
    const acted = await steps.act(prepared, reached, folder, { ...around, grants })
    const judged = steps.judge({ ...prepared, evidence: folder.evidence }, acted.results, {
      strict: options.strict,
      interrupted: interruption.aborted,
      unreachable: !reached.reached,
      unkept: folder.full.aborted,
    })
    return await steps.report(prepared, reached, acted, judged, folder, around)
  } finally {
    await folder.close()
  }
}
