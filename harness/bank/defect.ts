/** Defects, variations and dialects of a bank. Only types, since the defects of each chapter import this file. */
import type { Bases, EnvironmentName, HeaderCase } from './base-paths.ts'
import type { Rules } from './rules.ts'

/**
 * Replacements of rules, or a function that makes them. The function is called once for each bank, so that its
 * variables are that bank's state; `lawful` are the replaced rules, to be called for all cases that do not change:
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

/** A named fault of the bank. */
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

/** Differences of the HTTP server that a Response object cannot express. */
export interface ServerHabits {
  /** Whether a connection is kept for the next request; it is, unless this says no. */
  readonly keepAlive?: boolean
  /** How header names are spelled; lower case unless this says otherwise. */
  readonly headerCase?: HeaderCase
}

/** A named lawful difference of the bank. */
export interface Variation {
  readonly id: string
  readonly story: string
  /** Requirements about what such a bank never does: their checks may be not reached. */
  readonly neverOccurs?: readonly string[]
  readonly rules?: RuleChange
  readonly wire?: Wire
  readonly server?: ServerHabits
}

/**
 * Another wire format: other names, paths and statuses wherever the interface leaves them open. It is translated at the
 * edge of the bank, so that defects and variations show in the words of the dialect.
 */
export interface Dialect extends Pick<Variation, 'id' | 'story' | 'rules'> {
  readonly bases: Bases
  readonly wire: Wire
  /** Decorates the bank's own calls to applications. */
  readonly calls: Wire
}
