/**
 * Preloaded into a process (`node --import …/later.mjs`), it lets the program live as many ms later as LATER_MS says: for a
 * run that is gone on with months after it was started. Whatever starts the program stays in its own time: it would
 * take what it keeps for months old, and throw it away.
 */
const now = Date.now.bind(Date)
const later = Number(process.env['LATER_MS'] ?? 0)
const isStarted = () => process.env['CONFORMANCE_MODULES'] !== undefined
Date.now = () => now() + (isStarted() ? later : 0)
