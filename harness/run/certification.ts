import type { KnownSecret } from '../evidence/redaction.ts'
import type { Plan } from '../plan/plan.ts'
import type { Profile } from '../profile/schema.ts'

/** What a worker needs to carry out its part of a run. Plain data: it crosses processes. */
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
  readonly time: 'auto' | 'wall'
  /** When the run must be over, in ms since 1970. */
  readonly deadline: number
}

declare module 'vitest' {
  export interface ProvidedContext {
    certification: Certification
  }
}
