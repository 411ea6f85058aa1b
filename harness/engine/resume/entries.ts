import type { TaskMeta } from 'vitest'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Access } from '../../session/authorization/grants-file.ts'

/** What the log of a run is made of, in the order in which it came about. */

/** An act on the target begins. */
export interface Begun {
  readonly kind: 'begin'
  /** The id that begins those of its exchanges: that of its scenario, with `~2` for the second try and so on. */
  readonly act: string
  /** The same without the try. */
  readonly of: string
  /** Whether all that it gets is kept, so that it can be done again without the network. */
  readonly taped: boolean
  /** What its randomness comes from, in base64. */
  readonly key: string
  /** Which kind of application acts, where it is one. */
  readonly application?: string
  /** Whether a customer grants in it, which may end what was granted before. */
  readonly grants: boolean
}

/** Something that an act got from the world, or is about to do to it. */
export type Taken =
  | { readonly kind: 'intent'; readonly act: string; readonly id: string }
  | { readonly kind: 'exchange'; readonly act: string; readonly exchange: Exchange }
  /** A reading of the target's clock, in ms since 1970. */
  | { readonly kind: 'reading'; readonly act: string; readonly at: number }
  /** The end of a wait, by the target's clock. */
  | { readonly kind: 'due'; readonly act: string; readonly at: number }
  | { readonly kind: 'access'; readonly act: string; readonly access: Access }

export type Entry =
  | Begun
  /** An act goes on after it has waited. */
  | { readonly kind: 'back'; readonly act: string }
  | Taken
  /** All that a check found. */
  | { readonly kind: 'result'; readonly check: string; readonly meta: TaskMeta }
  /** A check that can be judged from then on. */
  | { readonly kind: 'waits'; readonly check: string; readonly until: string }
  /** Somebody goes on with the run. */
  | { readonly kind: 'resumed'; readonly at: string }
