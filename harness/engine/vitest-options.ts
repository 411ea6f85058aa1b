import type { InlineConfig } from 'vitest/node'
import { moduleOf } from '../plan/root.ts'
import type { RunInput } from './run-input.ts'
import type { CheckResult, Description, ScenarioSpan } from '../check/result.ts'

/** How vitest runs spec files: in the project `conformance` of vitest.config.ts, and by the command that certifies. */
export const conformanceOptions = {
  setupFiles: [moduleOf('harness/engine/vitest-setup.ts')],
  pool: 'threads',
  // The files of one thread share the grants on a target, its rate and its budget.
  isolate: false,
  // What is built needs no translation.
  server: { deps: { external: [/\/dist\/(harness|specs)\//] } },
  execArgv: ['--enable-source-maps'],
  // All checks wait for their scenarios; the scheduler limits the number of concurrent scenarios.
  maxConcurrency: 10_000,
  // The deadlines of a run are those of its profile.
  testTimeout: 0,
  hookTimeout: 0,
} satisfies InlineConfig

/** Vite sets BASE_URL to this value by default. */
const VITE_DEFAULT = '/'

/** The target that PROFILE and BASE_URL name when vitest runs the spec files itself. */
export const targetOf = ({
  PROFILE: profile,
  BASE_URL: baseUrl,
}: NodeJS.ProcessEnv): { readonly profile?: string; readonly baseUrl?: string } => ({
  ...(profile !== undefined && { profile }),
  ...(baseUrl !== undefined && baseUrl !== VITE_DEFAULT && { baseUrl }),
})

declare module 'vitest' {
  interface ProvidedContext {
    readonly run: RunInput
  }
  interface TaskMeta extends Partial<Description> {
    result?: CheckResult
    spans?: readonly ScenarioSpan[]
  }
}
