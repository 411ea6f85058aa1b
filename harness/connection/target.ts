import type { Dispatcher } from 'undici'
import type { Profile } from '../profile/schema.ts'
import type { TargetClock } from '../session/clock.ts'

export interface Connection {
  readonly baseUrl: string
  /** Includes the recorder. */
  readonly dispatcher: Dispatcher
  /** The clock of the target, if it is not read by a test hook. */
  readonly clock?: TargetClock
}

export interface Target {
  readonly profile: Profile
  /** Whether each scenario has a new target: then scenarios cannot affect one another. */
  readonly fresh: boolean
  /** Whether scenarios that only read share one connection and one grant. */
  readonly shared: boolean
  /** @param scenario the id of the scenario; its later connections find the state that the earlier ones left. */
  open(scenario: string): Promise<Connection>
  close(): Promise<void>
}
