import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { conformanceOptions, targetOf } from './harness/engine/vitest-options.ts'
import { ROOT } from './harness/plan/root.ts'
import type { VitestPluginContext } from 'vitest/node'
import type * as GlobalSetup from './harness/cli/run/vitest-global-setup.ts'

const isOnTarget = Object.keys(targetOf(process.env)).length > 0

/** For the checks of docs/examples, which import this package by its name. */
const ownSources = {
  'bank-interface-conformance/check': join(ROOT, 'harness/check/index.ts'),
  'bank-interface-conformance/session': join(ROOT, 'harness/session/index.ts'),
  'bank-interface-conformance/defects': join(ROOT, 'specs/shared/changes.ts'),
}

const GLOBAL_SETUP = './harness/cli/run/vitest-global-setup.ts'

/** Adds to the reporters, which an editor or `--reporter` replaces. */
const allureResults = {
  name: 'allure-results',
  async configureVitest({ project, vitest }: VitestPluginContext) {
    const setup = await project.import<typeof GlobalSetup>(GLOBAL_SETUP)
    vitest.config.reporters.push(...setup.createReporters())
  },
}

/**
 * `unit`: the project's own tests. `conformance`: the checks of the catalogue, each a test, against the embedded bank or
 * the target that BASE_URL and PROFILE name. `npm test` runs the same spec files, and writes the reports.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: ownSources },
        test: {
          name: 'unit',
          include: ['harness/**/*.test.ts', 'specs/**/*.test.ts'],
          globalSetup: ['harness/testing/build-first.ts'],
          setupFiles: ['harness/testing/property-seed.ts'],
          pool: 'forks',
          isolate: false,
          // For a machine that is busy with other things: nothing here waits for it.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { requireAssertions: true },
        },
      },
      {
        plugins: [allureResults],
        test: {
          ...conformanceOptions,
          name: 'conformance',
          include: ['specs/**/*.spec.ts'],
          globalSetup: [GLOBAL_SETUP],
          // The files share the target, its grants, rate and budget, and write one file of evidence: one after the other.
          ...(isOnTarget && { maxWorkers: 1 }),
          // Projects with different numbers of workers need different groups.
          sequence: { groupOrder: 1 },
        },
      },
    ],
    // Left alone it keeps one core free, which is half of a machine with two.
    maxWorkers: '100%',
  },
})
