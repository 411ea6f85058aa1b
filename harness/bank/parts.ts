/** What one bank is made of. The routes are shared by all banks; these are not. */
import type { VirtualClock } from './clock.ts'
import type { Rules } from './rules.ts'
import type { EnvironmentName, World } from './world.ts'

export interface BankParts {
  readonly clock: VirtualClock
  readonly world: World
  /** A defect may hold in one environment alone. */
  readonly rules: Readonly<Record<EnvironmentName, Rules>>
  /** Whether the levers are there. */
  readonly levers: boolean
}
