import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { targetOf } from '../../engine/vitest-options.ts'
import { ROOT } from '../../plan/root.ts'
import { runInputOf } from './run-and-report.ts'
import { parseRunOptions } from './options.ts'
import { evidenceOf, prepareRun } from './prepare.ts'
import type { TestProject } from 'vitest/node'

/** The folder of the evidence when vitest runs the spec files itself; there are no reports. */
const OUT = join(ROOT, 'reports', 'vitest')

/**
 * Plans all checks when vitest runs the spec files itself, from an editor or with `npx vitest --project conformance`:
 * against the embedded bank, or against the target of PROFILE and BASE_URL.
 * @throws ConfigurationError if the profile or the base URL is wrong.
 */
export default async (project: TestProject): Promise<void> => {
  const { profile, baseUrl } = targetOf(process.env)
  const argv = [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(baseUrl === undefined ? [] : ['--base-url', baseUrl]),
    ...['--out', OUT],
  ]
  const options = parseRunOptions(argv)
  if (options.kind !== 'run') throw new Error('these options always mean a run')
  const prepared = await prepareRun(options, argv, process.env)
  mkdirSync(OUT, { recursive: true })
  rmSync(evidenceOf(prepared), { force: true })
  const catalogued = prepared.catalogue.checks.map(({ key }) => key)
  project.provide('run', { ...runInputOf(prepared), catalogued })
}
