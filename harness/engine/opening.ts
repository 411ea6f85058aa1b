import type { Effect } from '../evidence/effect.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Journal } from '../evidence/journal.ts'
import type { KnownSecret, Redactor } from '../evidence/redaction.ts'
import type { AuthorizationDriver } from '../session/authorization/driver.ts'
import type { TokenStore } from '../session/authorization/token-store.ts'
import type { Sink } from '../session/webhooks/sink/sink.ts'
import type { Target, Visit } from '../target/target.ts'
import type { Announce } from './channels.ts'
import type { Course } from './course.ts'
import type { Place } from './places.ts'
import type { Act, RunLog } from './resume/run-log.ts'

/** What a session is opened with. */

export interface PerformerOptions {
  readonly target: Target
  readonly journal: Journal
  readonly secrets: readonly KnownSecret[]
  readonly allowed: readonly Effect[]
  /** In the environment that is not judged; nothing, if it is left out. */
  readonly allowedElsewhere?: readonly Effect[]
  /** Scenarios under way at once. */
  readonly concurrency: number
  /** `wall` leaves the target's clock alone. */
  readonly time: 'auto' | 'wall'
  /** How customers authorize; as the profile says, if it is left out. */
  readonly driver?: AuthorizationDriver
  /** Where webhook calls arrive; opened for the first scenario that waits for one. */
  readonly sink?: () => Promise<Sink>
  /** What bounds the run; a run that nothing bounds has none. */
  readonly course?: Course
  /** What the run can be gone on with; nothing, if it is left out. */
  readonly log?: RunLog
  /** Tells until when a scenario waits. */
  readonly announce?: Announce
  /** Who is at the target, until the target is as it was found. */
  readonly visitors?: Set<Promise<unknown>>
}

/** What is kept of one act. */
export interface Recording {
  /** Begins the id of each of its exchanges. */
  readonly id: string
  readonly redactor: Redactor
  readonly exchanges: Exchange[]
  /** Those of the grants that it shares with others, where it was the one to ask for them. */
  readonly granted?: Exchange[]
}

export interface Opening {
  readonly visit: Visit
  readonly kind: 'FAC' | 'TPP' | 'any'
  readonly readsOnly: boolean
  readonly tokenStore: TokenStore
  readonly recording: Recording
  /** The act that the session is for; none for a grant that scenarios share. */
  readonly act?: Pick<Act, 'random' | 'tape' | 'back'>
  /** Is given away while the act waits. */
  readonly place?: Place
  /** The sink, where the scenario waits for webhook calls. */
  readonly sink?: Sink
  /** Is told what to do when the scenario has ended. */
  readonly onEnd?: (end: Ending) => void
}

/** Leaves the target as it was found. */
export type Ending = () => Promise<void>

/** What a session is opened with, whoever acts. */
export type Backstage = Omit<PerformerOptions, 'concurrency'>
