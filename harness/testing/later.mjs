/**
 * Preloaded into a process (`node --import …/later.mjs`), it has the program run as many ms later as LATER_MS says: for a run
 * that is resumed months after it was started.
 */
const now = Date.now.bind(Date)
const later = Number(process.env['LATER_MS'] ?? 0)
Date.now = () => now() + later
