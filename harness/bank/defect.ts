/** Defects, variations and dialects of a bank. Only types, since the defects of each chapter import this file. */
import type { Bases, EnvironmentName, HeaderCase } from './base-paths.ts'
import type { Rules } from './rules.ts'

/**
 * Replacements of rules, or a function that returns them. The function is called once for each bank, so that its
 * variables are the state of that bank. `conforming` are the replaced rules, for all cases that do not change:
 *
 * ```ts
 * rules: (conforming) => {
 *   let exchanges = 0
 *   return { redeemsCode: (facts) => ++exchanges > 1 || conforming.redeemsCode(facts) }
 * }
 * ```
 */
export type RuleChange = Partial<Rules> | ((conforming: Rules) => Partial<Rules>)

/** A bank, or a part of it, as seen from the wire. */
export type Exchange = (request: Request) => Promise<Response>

/**
 * Decorates the bank as a whole, pages included and test hooks not. Called once for each bank. A request's body can be
 * read once: read `request.clone()` if `next` is to read it too.
 * @param now the time of the bank; only the wire of a defect knows it.
 */
export type Wire = (next: Exchange, now?: () => Date) => Exchange

/** A named fault of the bank. */
export interface Defect {
  readonly id: string
  /** The behaviour of the bank, in one sentence. */
  readonly title: string
  /** The requirements that it violates: only their checks fail. */
  readonly breaks: readonly { readonly id: string }[]
  readonly rules?: RuleChange
  readonly wire?: Wire
  /** The only environment with the defect; default: both. */
  readonly environment?: EnvironmentName
  /** The environment that the proof judges; default: the one with the defect, or the sandbox. */
  readonly triedIn?: EnvironmentName
}

/** Differences of the HTTP server that a Response object cannot express. */
export interface ServerHabits {
  /** Whether a connection is kept for the next request; default: true. */
  readonly keepAlive?: boolean
  /** The spelling of header names; default: lower case. */
  readonly headerCase?: HeaderCase
}

/** A named permitted difference of the bank. */
export interface Variation {
  readonly id: string
  readonly title: string
  /**
   * Requirements on behaviour that does not occur at this bank: their checks may be not reached. It cannot be computed: the
   * bank answers, in another permitted way, and so a check that cannot read its answers would be excused as well.
   */
  readonly neverOccurs?: readonly string[]
  readonly rules?: RuleChange
  readonly wire?: Wire
  readonly server?: ServerHabits
}

/**
 * Another wire format: other names, paths and statuses wherever the interface leaves them open. It is translated at the
 * edge of the bank, so that defects and variations appear in the dialect.
 */
export interface Dialect extends Pick<Variation, 'id' | 'title' | 'rules'> {
  readonly bases: Bases
  readonly wire: Wire
  /** Decorates the bank's own calls to applications. */
  readonly calls: Wire
}
