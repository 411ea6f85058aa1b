import type { Dispatcher } from 'undici'
import type { Profile } from '../profile/schema.ts'
import type { TargetClock } from '../session/clock.ts'

/** One stay at a target, for one scenario. */
export interface Visit {
  readonly baseUrl: string
  /** Composed with the recorder. */
  readonly dispatcher: Dispatcher
  /** A clock of its own, where the target is not asked for the time by a test hook. */
  readonly clock?: TargetClock
}

/** Whom a run judges. */
export interface Target {
  readonly profile: Profile
  /** Each visit finds the target as new: scenarios cannot disturb one another. */
  readonly fresh: boolean
  /** Whether scenarios that only read visit it together: one place, and one grant, for all of them. */
  readonly shared: boolean
  /** @param scenario the id of the scenario that visits; each of its visits finds what the one before has left. */
  open(scenario: string): Promise<Visit>
  /** Ends all visits. */
  close(): Promise<void>
}
