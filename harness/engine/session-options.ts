import type { Effect } from '../evidence/effect.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Journal } from '../evidence/journal.ts'
import type { KnownSecret, Redactor } from '../evidence/redaction.ts'
import type { AuthorizationDriver } from '../session/authorization/driver.ts'
import type { TokenStore } from '../session/authorization/token-store.ts'
import type { Sink } from '../session/webhooks/sink/sink.ts'
import type { Target, Visit } from '../target/target.ts'
import type { Announce } from './channels.ts'
import type { RunLimits } from './run-limits.ts'
import type { Slot } from './scheduler.ts'
import type { Act, RunLog } from './resume/run-log.ts'

/** What scenarios are run with, and what the session of one scenario is opened with. */

export interface ScenarioRunnerOptions {
  readonly target: Target
  readonly journal: Journal
  readonly secrets: readonly KnownSecret[]
  readonly allowed: readonly Effect[]
  /** Effects that are allowed in the environment that is not judged; none, if it is left out. */
  readonly allowedElsewhere?: readonly Effect[]
  /** Scenarios at the same time. */
  readonly concurrency: number
  /** `wall` never moves the target's clock. */
  readonly time: 'auto' | 'wall'
  /** How customers authorize; as the profile says, if it is left out. */
  readonly driver?: AuthorizationDriver
  /** Where webhook calls arrive; opened for the first scenario that waits for one. */
  readonly sink?: () => Promise<Sink>
  /** Deadline, rate and budget of the run; none, if it is left out. */
  readonly limits?: RunLimits
  /** The resume log; none, if it is left out. */
  readonly log?: RunLog
  /** Reports until when a scenario waits. */
  readonly announce?: Announce
  /** Scenarios that have not restored the target yet. */
  readonly pending?: Set<Promise<unknown>>
}

/** Where the exchanges of one scenario are collected. */
export interface ScenarioRecording {
  /** The beginning of the id of each exchange. */
  readonly id: string
  readonly redactor: Redactor
  readonly exchanges: Exchange[]
  /** Exchanges of shared grants that this scenario was the first to ask for. */
  readonly granted?: Exchange[]
}

export interface SessionOptions {
  readonly visit: Visit
  readonly kind: 'FAC' | 'TPP' | 'any'
  readonly readsOnly: boolean
  readonly tokenStore: TokenStore
  readonly recording: ScenarioRecording
  /** The entry of the resume log; none for a grant that scenarios share. */
  readonly act?: Pick<Act, 'random' | 'tape' | 'back'>
  /** Is released while the scenario waits. */
  readonly slot?: Slot
  /** The sink, where the scenario waits for webhook calls. */
  readonly sink?: Sink
  /** Registers what restores the target after the scenario. */
  readonly onEnd?: (cleanUp: CleanUp) => void
}

/** Restores what a scenario has changed at the target. */
export type CleanUp = () => Promise<void>

/** What the sessions of all scenarios have in common. */
export type SessionContext = Omit<ScenarioRunnerOptions, 'concurrency'>
