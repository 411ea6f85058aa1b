import { CHAPTERS, type Chapter } from '../check/requirement.ts'

/**
 * Named scopes: what a run can be asked to judge completely. A scope is a fixed list of chapters, with the facets in which
 * their requirements must be judged as well. If one of its lists changes, its version does too.
 */

/** The kinds of applications, account variants, deliveries of the result and environments. */
export const FACETS = [
  'FAC',
  'TPP',
  'second variant',
  'redirect',
  'result screen',
  'sandbox',
  'production',
] as const

export interface Scope {
  readonly version: number
  readonly chapters: readonly Chapter[]
  readonly facets: readonly (typeof FACETS)[number][]
}

const SCOPES = {
  full: { version: 1, chapters: CHAPTERS, facets: FACETS },
  'account-information': {
    version: 1,
    chapters: ['consent', 'authorization', 'tokens', 'accounts', 'transactions', 'refresh', 'webhooks'],
    facets: ['FAC', 'TPP', 'second variant', 'redirect', 'result screen'],
  },
  payments: { version: 1, chapters: ['payments'], facets: [] },
  loans: { version: 1, chapters: ['loans'], facets: [] },
  'authorization-server': {
    version: 1,
    chapters: ['authorization', 'tokens'],
    facets: ['FAC', 'TPP', 'redirect', 'result screen'],
  },
} as const satisfies Readonly<Record<string, Scope>>

export type ScopeName = keyof typeof SCOPES

export const SCOPE_NAMES = Object.keys(SCOPES) as readonly ScopeName[] as readonly [ScopeName, ...ScopeName[]]

/** What is asked for without `--scope`. */
export const DEFAULT_SCOPE: ScopeName = 'full'

export const scopeOf = (name: ScopeName): Scope => SCOPES[name]

/** `FAC, sandbox and production` is judged as a FAC, in the sandbox and in production. */
export const partsOf = (facet: string): readonly string[] => facet.split(/, | and /)

/** Whether a facet, such as `FAC, sandbox and production`, must be judged in a scope. */
export const isFacetOf = ({ facets }: Scope, facet: string): boolean =>
  partsOf(facet).every((part) => facets.some((one) => one === part))
