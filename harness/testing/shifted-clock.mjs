/**
 * Preloaded into a process (`node --import …/shifted-clock.mjs`), it moves the clock of the process: forward by
 * CLOCK_SHIFT_MS, for a run that is resumed months after its start, or to CLOCK_AT, for tests at another hour.
 */
const { CLOCK_AT, CLOCK_SHIFT_MS = 0 } = process.env
const now = Date.now.bind(Date)
const shiftMs = CLOCK_AT === undefined ? Number(CLOCK_SHIFT_MS) : Date.parse(CLOCK_AT) - now()

/** @type {(target: DateConstructor, given: unknown[], newTarget: Function) => object} */
const construct = Reflect.construct
globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    construct(target, given.length === 0 ? [now() + shiftMs] : given, newTarget),
})
Date.now = () => now() + shiftMs
