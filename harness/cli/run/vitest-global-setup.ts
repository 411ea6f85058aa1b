import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../plan/root.ts'
import { runInputOf } from './run-and-report.ts'
import { parseRunOptions } from './options.ts'
import { evidenceOf, prepareRun } from './prepare.ts'
import type { TestProject } from 'vitest/node'

/** Where the evidence of spec files goes that vitest runs by itself; there are no reports. */
const OUT = join(ROOT, 'reports', 'vitest')

/** Vite has a variable of this name, too; this is its value where nobody sets it. */
const VITES_OWN = '/'

/**
 * Plans what vitest runs by itself, from an editor or `npx vitest --project conformance`: everything, on the embedded bank
 * or on the target that PROFILE and BASE_URL name.
 * @throws ConfigurationError for a profile or an address that names no target.
 */
export default async (project: TestProject): Promise<void> => {
  const { PROFILE, BASE_URL = VITES_OWN } = process.env
  const argv = [
    ...(PROFILE === undefined ? [] : ['--profile', PROFILE]),
    ...(BASE_URL === VITES_OWN ? [] : ['--base-url', BASE_URL]),
    ...['--out', OUT],
  ]
  const options = parseRunOptions(argv)
  if (options.kind !== 'run') throw new Error('these options always ask for a run')
  const prepared = await prepareRun(options, argv, process.env)
  mkdirSync(OUT, { recursive: true })
  rmSync(evidenceOf(prepared), { force: true })
  project.provide('run', runInputOf(prepared))
}
