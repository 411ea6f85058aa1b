/**
 * Preloaded into a process (`node --import …/shifted-clock.mjs`), it moves the clock of the process forward by
 * CLOCK_SHIFT_MS: for a run that is resumed months after its start.
 */
const now = Date.now.bind(Date)
const shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? 0)
Date.now = () => now() + shiftMs
