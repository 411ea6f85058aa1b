import { tmpdir } from 'node:os'

/** The variables of a user's command: a test runner's own settings are not passed on, but a shifted clock is. */
export const userEnvironment = (own: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const { PATH, HOME, CLOCK_SHIFT_MS, NODE_OPTIONS } = process.env
  return { PATH, HOME, TMPDIR: tmpdir(), ...(CLOCK_SHIFT_MS && { CLOCK_SHIFT_MS, NODE_OPTIONS }), ...own }
}
