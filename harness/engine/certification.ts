import type { KnownSecret } from '../evidence/redaction.ts'
import type { GrantStoreKey } from '../session/authorization/grant-store.ts'
import type { Plan } from '../plan/plan.ts'
import type { Profile } from '../profile/schema.ts'
import type { Limits, Spent } from '../session/http/budget.ts'
import type { Pace } from '../target/wall-clock.ts'

/** What a worker needs to carry out its part of a run. Plain data: it crosses threads. */
export interface Certification {
  readonly plan: Plan
  readonly profile: Profile
  /** The address of the target; the embedded reference bank, where absent. */
  readonly baseUrl?: string
  /** What the target is told in the place of the address on which the sink listens. */
  readonly webhookUrl?: string
  readonly evidenceFile: string
  readonly secrets: readonly KnownSecret[]
  readonly concurrency: number
  readonly rate?: number
  /** How much may be sent, and what was sent of it before. */
  readonly budget?: { readonly limits: Limits; readonly spent: Spent }
  readonly time: 'auto' | 'wall'
  /** When the run must be over, in ms since 1970. */
  readonly deadline: number
  /** How the target's time follows from that of this machine, where nobody moves it. */
  readonly pace: Pace
  /** Where a person is asked, if one authorizes. */
  readonly desk?: string
  /** Where grants outlive the run, if they do. */
  readonly keeping?: GrantStoreKey
  /** What the run can be gone on with, where it waits by the wall clock: the log, and its key in base64. */
  readonly log?: { readonly file: string; readonly key: string }
}
