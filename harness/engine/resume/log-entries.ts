import type { TaskMeta } from 'vitest'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Intent } from '../../evidence/recorder.ts'
import type { WebhookSettings } from '../../session/clock.ts'
import type { Access } from '../../session/index.ts'

/** The entries of a resume log, in chronological order. */

/** A scenario starts. */
export interface BeginEntry {
  readonly kind: 'begin'
  /** The beginning of the ids of its exchanges: the id of the scenario, with `~2` for the second start and so on. */
  readonly attempt: string
  readonly scenario: string
  /** Whether its inputs are recorded, so that it can be repeated without the network. */
  readonly recorded: boolean
  /** The key of its random values, in base64. */
  readonly key: string
  /** The kind of the application, if there is only one. */
  readonly application?: string
  /** Whether a customer grants in it, which may end earlier grants. */
  readonly grants: boolean
}

/** An input of a scenario, or a request that it is about to send. */
export type InputEntry =
  | { readonly kind: 'intent'; readonly attempt: string; readonly intent: Intent }
  | { readonly kind: 'exchange'; readonly attempt: string; readonly exchange: Exchange }
  /** A reading of the target's clock, in ms since 1970. */
  | { readonly kind: 'reading'; readonly attempt: string; readonly at: number }
  /** The end of a wait, by the target's clock. */
  | { readonly kind: 'due'; readonly attempt: string; readonly at: number }
  | { readonly kind: 'access'; readonly attempt: string; readonly access: Access }

export type Entry =
  | BeginEntry
  | { readonly kind: 'continued'; readonly attempt: string }
  | InputEntry
  /** The result of a check, with what its scenario observed. */
  | { readonly kind: 'result'; readonly check: string; readonly meta: TaskMeta }
  /** A check that can be judged from then on. */
  | { readonly kind: 'waits'; readonly check: string; readonly until: string }
  /** The webhook settings of an application before a scenario changes them. */
  | { readonly kind: 'settings'; readonly settings: WebhookSettings }
  | { readonly kind: 'resumed'; readonly at: string }
