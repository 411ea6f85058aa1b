/**
 * Preloaded into a process (`node --import …/shifted-clock.mjs`), it moves the clock of the process, and of all that it
 * starts, to CLOCK_AT: for a run that is resumed months after its start, and for tests at another hour. The processes that
 * it starts receive CLOCK_SHIFT_MS. Files and TLS have the time of the machine.
 */
const { env } = process
if (env['CLOCK_AT'] !== undefined) env['CLOCK_SHIFT_MS'] = String(Date.parse(env['CLOCK_AT']) - Date.now())
// Otherwise each process that it starts would begin at this time.
delete env['CLOCK_AT']

const now = Date.now.bind(Date)
const shiftMs = Number(env['CLOCK_SHIFT_MS'] ?? 0)

/** @type {(target: DateConstructor, given: unknown[], newTarget: Function) => object} */
const construct = Reflect.construct
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    construct(target, given.length === 0 ? [now() + shiftMs] : given, newTarget),
})
Date.now = () => now() + shiftMs
Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + shiftMs })
