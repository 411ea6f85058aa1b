import type { Effect } from '../../evidence/exchange.ts'
import type { ScopeName } from '../../plan/scope.ts'
import type { Environment } from '../../profile/environment.ts'
import type { PageOptions } from '../../report/pages.ts'

export interface TargetOptions {
  /** The path of the file, as given; absent for the reference bank. */
  readonly profile?: string | undefined
  /** Without a trailing slash; absent for the profile's. */
  readonly baseUrl?: string | undefined
  /** Absent for the profile's. */
  readonly environment?: Environment | undefined
  readonly webhookUrl?: string | undefined
}

export interface RunOptions extends TargetOptions, PageOptions {
  readonly kind: 'run'
  /** Selectors: ids, chapters, tags. The plan reports those that match nothing. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** The named scope to judge; absent for the whole interface. */
  readonly scope?: ScopeName | undefined
  /** The folder of own checks, as given; absent without them. */
  readonly catalogue?: string | undefined
  /** Effects beyond those that the profile allows. */
  readonly allow: readonly Effect[]
  readonly strict: boolean
  /** A signed 32-bit integer. */
  readonly seed: number
  readonly runs: number
  /** The maximum of requests per second; absent for no limit. */
  readonly rate?: number | undefined
  /** The maximum of requests in total; absent for the profile's. */
  readonly budget?: number | undefined
  /** The number of concurrent scenarios; absent for the default of the target. */
  readonly concurrency?: number | undefined
  readonly time: 'auto' | 'wall'
  /** A file of declared exceptions. */
  readonly waivers?: string | undefined
  /** Who runs the suite, for the report. */
  readonly operator?: string | undefined
  readonly out: string
  /** The folder of an earlier run with which the compliance report compares this one. */
  readonly compare?: string | undefined
  readonly dryRun: boolean
  /** Run without asking for confirmation. */
  readonly yes: boolean
}
