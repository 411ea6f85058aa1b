import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { pace } from './harness/testing/pace.ts'
import { conformanceOptions, targetOf } from './harness/engine/vitest-options.ts'
import { ROOT } from './harness/plan/root.ts'
import type { VitestPluginContext } from 'vitest/node'
import type * as GlobalSetup from './harness/cli/run/vitest-global-setup.ts'

const DEADLINE_MS = Math.round(600_000 * pace)

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

/** Tests that start the real command, servers or browsers, in the ways that most users go. */
const END_TO_END = [
  'harness/testing/end-to-end/*.test.ts',
  'harness/cli/{bank,diff,doctor,exit,report,run}.test.ts',
]

/** What `npm run verify` leaves to `--full`: special banks and profiles, faults, interruptions, browsers, the package. */
const LONG = ['harness/testing/long/*.test.ts', 'harness/testing/faults/{budget,command,faults}.test.ts']

/** Banks whose clock runs many times faster than real time: beside other tests, a code expires before it is sent. */
const TIMED = ['harness/testing/timed/*.test.ts']

/** Such a test waits for its processes most of the time. */
const WAITING_WORKERS = 4

const own = {
  globalSetup: ['harness/testing/build-first.ts'],
  setupFiles: ['harness/testing/property-seed.ts'],
  pool: 'forks' as const,
  isolate: false,
  // Only a test that never ends reaches it.
  testTimeout: DEADLINE_MS,
  hookTimeout: DEADLINE_MS,
  expect: { requireAssertions: true },
  tags: [
    {
      name: 'slow',
      description:
        'Takes more than some seconds, or opens a browser: `npm run verify` leaves it to `--full`.',
    },
  ],
}

/**
 * `unit`, `end-to-end`, `long` and `timed`: the project's own tests. `conformance`: the checks of the catalogue, each a test,
 * against the embedded bank or the target that BASE_URL and PROFILE name. `npm test` runs the same spec files, and writes
 * the reports.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: ownSources },
        test: {
          ...own,
          name: 'unit',
          include: ['harness/**/*.test.ts', 'specs/**/*.test.ts'],
          exclude: [...END_TO_END, ...LONG, ...TIMED],
        },
      },
      {
        resolve: { alias: ownSources },
        test: {
          ...own,
          name: 'end-to-end',
          include: END_TO_END,
          maxWorkers: WAITING_WORKERS,
          sequence: { groupOrder: 2 },
        },
      },
      {
        resolve: { alias: ownSources },
        test: {
          ...own,
          name: 'long',
          include: LONG,
          maxWorkers: WAITING_WORKERS,
          sequence: { groupOrder: 3 },
        },
      },
      {
        resolve: { alias: ownSources },
        test: {
          ...own,
          name: 'timed',
          include: TIMED,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
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
