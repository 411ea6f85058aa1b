const USUAL_STEPS = 5_000_000
/** On an idle machine. */
const USUAL_MS = 80
const MOST = 10

const measuredPace = (): number => {
  const startedAt = performance.now()
  let sum = 0
  for (let at = 0; at < USUAL_STEPS; at += 1) sum = (sum + at * at) % 1_000_003
  const ms = performance.now() - startedAt
  return Math.min(MOST, Math.max(1, ms / USUAL_MS))
}

/** How many times slower than an idle machine this one is, at least 1. Deadlines of tests are multiplied by it. */
export const pace = measuredPace()

/** How long a test waits, with `vi.waitFor`, for what happens at once on an idle machine. */
export const SOON = { timeout: Math.round(30_000 * pace), interval: 50 }
