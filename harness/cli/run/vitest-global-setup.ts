import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../plan/root.ts'
import { runInputOf } from './run-and-report.ts'
import { parseRunOptions } from './options.ts'
import { evidenceOf, prepareRun } from './prepare.ts'
import type { TestProject } from 'vitest/node'

/** The folder of the evidence when vitest runs the spec files itself; there are no reports. */
const OUT = join(ROOT, 'reports', 'vitest')

/** Vite sets BASE_URL to this value by default. */
const VITE_DEFAULT = '/'

/**
 * Plans all checks when vitest runs the spec files itself, from an editor or with `npx vitest --project conformance`:
 * against the embedded bank, or against the target of PROFILE and BASE_URL.
 * @throws ConfigurationError if the profile or the base URL is wrong.
 */
export default async (project: TestProject): Promise<void> => {
  const { PROFILE, BASE_URL = VITE_DEFAULT } = process.env
  const argv = [
    ...(PROFILE === undefined ? [] : ['--profile', PROFILE]),
    ...(BASE_URL === VITE_DEFAULT ? [] : ['--base-url', BASE_URL]),
    ...['--out', OUT],
  ]
  const options = parseRunOptions(argv)
  if (options.kind !== 'run') throw new Error('these options always mean a run')
  const prepared = await prepareRun(options, argv, process.env)
  mkdirSync(OUT, { recursive: true })
  rmSync(evidenceOf(prepared), { force: true })
  project.provide('run', runInputOf(prepared))
}
