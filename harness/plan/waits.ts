import { minuteOf, span } from '../evidence/signals.ts'
import { plural } from './lists.ts'
import type { PlannedCheck } from './plan.ts'
import type { Reason } from './reason.ts'
import type { Profile } from '../profile/schema.ts'
import type { ScenarioOptions } from '../session/scenario.ts'

/** The waits of a run whose target has a clock that cannot be moved. */

export interface Patience {
  readonly profile: Pick<Profile, 'clock' | 'deadlines'>
  /** Whether the clock can be moved, so that there is no wait. */
  readonly canMoveTime: boolean
  readonly time: 'auto' | 'wall'
}

/** Without a longer limit in the profile, a run waits for so long at most, in ms of wall time. */
const LONGEST_WAIT_MS = 30 * 60_000

/** Whether a run waits so long, in ms of wall time; what takes longer is left to a resumed run. */
export const isWithinRun = (ms: number, { deadlines }: Patience['profile']): boolean =>
  ms <= Math.max(LONGEST_WAIT_MS, deadlines.runMs ?? 0)

/** The wall time of a duration of the target's clock, in ms. */
export const wallMs = (waitsMs: number, { clock }: Patience['profile']): number => waitsMs / clock.speed

/** Holds back a scenario with a long wait, unless --time wall is given. */
export const whyUntimely = (
  { needs = [], waitsMs = 0 }: Pick<ScenarioOptions, 'needs' | 'waitsMs'>,
  { profile, canMoveTime, time }: Patience,
): Reason | undefined => {
  if (!needs.includes('clock') || canMoveTime || time === 'wall') return undefined
  if (isWithinRun(wallMs(waitsMs, profile), profile)) return undefined
  return {
    kind: 'too-long',
    because:
      'it lets more time pass than a run waits for (30 min, or deadlines.runMs), and the clock cannot be moved (testHooks.advanceClock): use --time wall to start it, and --resume to judge it later',
    changes: [{ change: 'option', what: '--time wall' }],
  }
}

/** `--dry-run`: the waits of the run, and the scenarios that a resumed run judges, with the time. */
export const waitLines = (
  scenarios: readonly Pick<PlannedCheck, 'scenario' | 'waitsMs'>[],
  profile: Patience['profile'],
  now: Date,
): readonly string[] => {
  const waits = scenarios.flatMap(({ waitsMs }) => (waitsMs === undefined ? [] : [wallMs(waitsMs, profile)]))
  const within = waits.filter((ms) => isWithinRun(ms, profile))
  const later = waits
    .filter((ms) => !isWithinRun(ms, profile))
    .map((ms) => minuteOf(new Date(now.getTime() + ms)))
    .sort()
  return [
    ...(within.length === 0
      ? []
      : [
          `  waiting          about ${span(Math.max(...within))}: ${plural(within.length, 'scenario')}, all at once`,
        ]),
    ...[...new Set(later)].map((until) => {
      const count = later.filter((one) => one === until).length
      return `  prepared         ${plural(count, 'scenario')}, judged by --resume after ${until}`
    }),
  ]
}
