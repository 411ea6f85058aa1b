import type { KnownSecret } from '../evidence/redaction.ts'
import type { GrantStoreKey } from '../session/authorization/grant-store.ts'
import type { Plan } from '../plan/plan.ts'
import type { Profile } from '../profile/schema.ts'
import type { Limits, Spent } from '../session/http/permissions.ts'
import type { Pace } from '../connection/wall-clock.ts'

/** What a thread needs for its part of a run. Plain data: it crosses threads. */
export interface RunInput {
  readonly plan: Plan
  /** The keys of all checks of the catalogue, if vitest may load spec files that have changed since the plan was made. */
  readonly catalogued?: readonly string[]
  /** The command that reproduces a failure, without the checks, if vitest runs spec files itself and shows failures. */
  readonly reproduceBase?: string
  readonly ownChecks?: string
  readonly profile: Profile
  /** The address of the target; none for the embedded reference bank. */
  readonly baseUrl?: string
  /** The public address of the webhook sink, if it differs from the one on which it listens. */
  readonly webhookUrl?: string
  readonly evidenceFile: string
  readonly secrets: readonly KnownSecret[]
  readonly concurrency: number
  readonly rate?: number
  /** How much may be sent, and what was sent before. */
  readonly budget?: { readonly limits: Limits; readonly spent: Spent }
  readonly time: 'auto' | 'wall'
  /** When the run must end, in ms since 1970. */
  readonly deadline: number
  /** The relation of the target's time to that of this machine, if no test hook moves it. */
  readonly pace: Pace
  /** The channel of the prompt, if a person authorizes. */
  readonly promptChannel?: string
  /** Where grants are stored for later runs. */
  readonly keeping?: GrantStoreKey
  /** The resume log of a run that waits by the wall clock, and its key in base64. */
  readonly log?: { readonly file: string; readonly key: string }
}
