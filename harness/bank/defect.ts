/** How a bank can be made wrong, or different and right. Types alone: a chapter's `defects.ts` imports this file. */
import type { Bases, EnvironmentName, HeaderCase } from './base-paths.ts'
import type { Rules } from './rules.ts'

/**
 * Rules to put in the place of others. Either the replacements themselves, or a function that makes them, called
 * once for each bank: what it closes over is that bank's own state, and `lawful` are the rules that it replaces,
 * to be called for every case but the one that is to be wrong:
 *
 * ```ts
 * rules: (lawful) => {
 *   let exchanges = 0
 *   return { redeemsCode: (facts) => ++exchanges > 1 || lawful.redeemsCode(facts) }
 * }
 * ```
 */
export type RuleChange = Partial<Rules> | ((lawful: Rules) => Partial<Rules>)

/** A bank, or a part of it, as seen from the wire. */
export type Exchange = (request: Request) => Promise<Response>

/**
 * Decorates the bank as a whole, pages included and test hooks not. Called once for each bank. A request's body can be
 * read once: read `request.clone()` if `next` is to read it too.
 */
export type Wire = (next: Exchange) => Exchange

/** One named way for the bank to be wrong. */
export interface Defect {
  readonly id: string
  /** What a bank of this kind does, in a sentence. */
  readonly story: string
  /** The requirements that it breaks: the checks of these, and no others, turn red. */
  readonly breaks: readonly { readonly id: string }[]
  readonly rules?: RuleChange
  readonly wire?: Wire
  /** The only environment in which the bank is wrong; both, if it is left out. */
  readonly environment?: EnvironmentName
  /** The environment that is judged when it is tried; the one in which it is wrong, if it is left out, or the sandbox. */
  readonly triedIn?: EnvironmentName
}

/** Habits of the HTTP server that no response object can express. */
export interface ServerHabits {
  /** Whether a connection is kept for the next request; it is, unless this says no. */
  readonly keepAlive?: boolean
  /** How header names are spelled; lower case unless this says otherwise. */
  readonly headerCase?: HeaderCase
}

/** One named way for the bank to be different, and right. */
export interface Variation {
  readonly id: string
  readonly story: string
  readonly rules?: RuleChange
  readonly wire?: Wire
  readonly server?: ServerHabits
}

/**
 * A bank that says everything in its own way that the interface leaves open. It is spoken at the edge: what is wrong
 * with a bank, or different, is so behind it, and is told in the words of the dialect.
 */
export interface Dialect extends Pick<Variation, 'id' | 'story' | 'rules'> {
  readonly bases: Bases
  readonly wire: Wire
  /** Decorates the bank's own calls to applications. */
  readonly calls: Wire
}
