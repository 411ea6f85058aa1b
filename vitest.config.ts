import { defineConfig } from 'vitest/config'

/** The project's own tests. The checks of the catalogue are no tests of the project: `npm test` runs those. */
export default defineConfig({
  test: {
    include: ['harness/**/*.test.ts', 'specs/*.test.ts'],
    setupFiles: ['harness/verify/seed.ts'],
    pool: 'forks',
    // Left alone it keeps one core free, which is half of a machine with two.
    maxWorkers: '100%',
    isolate: false,
    // For a machine that is busy with other things: nothing here waits for it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { requireAssertions: true },
  },
})
