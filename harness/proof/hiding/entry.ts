import type { EnvironmentName } from '../../bank/base-paths.ts'

/** Variations that a composed bank must not have, so that some defects of it can be observed. */
export interface Hiding {
  /** Ids of variations or dialects; with `*` at the end, the beginning of ids. */
  readonly variations: readonly [string, ...string[]]
  /** Ids of defects, or of requirements that a defect breaks; with `*` at the end, the beginning of ids. */
  readonly defects: readonly [string, ...string[]]
  /** Only where the proof judges this environment. */
  readonly judgedIn?: EnvironmentName
  readonly reason: string
}
