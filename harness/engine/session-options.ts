import type { Target, Connection } from '../connection/target.ts'
import type { Effect, Exchange } from '../evidence/exchange.ts'
import type { ReadableJournal } from '../evidence/journal.ts'
import type { ReplayLog } from '../evidence/recorder.ts'
import type { KnownSecret, Redactor } from '../evidence/redaction.ts'
import type { RecordFile } from '../evidence/stored/record-file.ts'
import type { Rotation } from '../profile/rotation.ts'
import type { Place } from '../profile/schema/places.ts'
import type { AuthorizationDriver } from '../session/authorization/driver.ts'
import type { TokenStore } from '../session/authorization/token-store.ts'
import type { Random } from '../session/random.ts'
import type { Sink } from '../session/webhooks/sink/sink.ts'
import type { Announce } from './channels.ts'
import type { RunLog, ScenarioAttempt } from './resume/run-log.ts'
import type { RunLimits } from './run-limits.ts'
import type { Slot } from './scheduler.ts'

/** The options of a scenario runner, and of the session of one scenario. */

export interface ScenarioRunnerOptions {
  readonly target: Target
  readonly journal: ReadableJournal
  /** The file where outcomes are stored; none by default. */
  readonly records?: RecordFile
  readonly secrets: readonly KnownSecret[]
  readonly allowed: readonly Effect[]
  /** Effects that are allowed in the environment that is not judged; none by default. */
  readonly allowedInOtherEnvironment?: readonly Effect[]
  readonly concurrency: number
  /** `wall` never moves the target's clock. */
  readonly time: 'auto' | 'wall'
  /** How customers authorize; by default as the profile says. */
  readonly driver?: AuthorizationDriver
  /** Where webhook calls arrive; opened for the first scenario that waits for one. */
  readonly sink?: () => Promise<Sink>
  /** Deadline, rate and budget of the run; no limit by default. */
  readonly limits?: RunLimits
  /** The resume log; none by default. */
  readonly log?: RunLog
  /** The random values of shared grants, if they are to be repeatable. */
  readonly grantRandom?: Random
  /** Reports until when a scenario waits. */
  readonly announce?: Announce
  /** Running scenarios, which have not restored the target yet. */
  readonly pending?: Set<Promise<unknown>>
}

/** Collects the exchanges of one scenario. */
interface ScenarioRecording {
  /** The beginning of the id of each exchange. */
  readonly id: string
  readonly redactor: Redactor
  readonly exchanges: Exchange[]
  /** Exchanges of shared grants that this scenario was the first to ask for. */
  readonly granted?: Exchange[]
}

export interface SessionOptions {
  readonly connection: Connection
  readonly kind: 'FAC' | 'TPP' | 'any'
  /** Which application, customer and redirect URI are used; by default the first ones of the profile. */
  readonly rotation?: Rotation
  /** Whose clock passes; by default that of the environment that is judged. */
  readonly place?: Place
  readonly readsOnly: boolean
  readonly tokenStore: TokenStore
  readonly recording: ScenarioRecording
  /** The attempt in the resume log; absent for a grant that scenarios share. */
  readonly attempt?: Pick<
    ScenarioAttempt,
    'random' | 'replayLog' | 'requestLog' | 'storeSettings' | 'continueAfterWait'
  >
  /** For a grant that scenarios share: logs its requests. */
  readonly requestLog?: ReplayLog
  /** Is released while the scenario waits. */
  readonly slot?: Slot
  /** The sink, if the scenario waits for webhook calls. */
  readonly sink?: Sink
  /** Registers what restores the target after the scenario. */
  readonly onEnd?: (cleanUp: CleanUp) => void
}

/** Restores what a scenario has changed at the target. */
export type CleanUp = () => Promise<void>

/** What the sessions of all scenarios have in common. */
export type SessionContext = Omit<ScenarioRunnerOptions, 'concurrency'>
