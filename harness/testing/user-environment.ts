import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../plan/root.ts'

/** The variables of a user's command: a test runner's own settings are not passed on, but a shifted clock is. */
export const userEnvironment = (own: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const { PATH, HOME, CLOCK_SHIFT_MS, NODE_OPTIONS } = process.env
  return { PATH, HOME, TMPDIR: tmpdir(), ...(CLOCK_SHIFT_MS && { CLOCK_SHIFT_MS, NODE_OPTIONS }), ...own }
}

const SHIFTED_CLOCK = pathToFileURL(join(ROOT, 'harness/testing/shifted-clock.mjs')).href

/** The variables of a process that starts at this time, with all that it starts. */
export const startingAt = (time: Date): NodeJS.ProcessEnv => ({
  CLOCK_AT: time.toISOString(),
  NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`,
})
