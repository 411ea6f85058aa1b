import { expect, test } from 'vitest'
import { createBreaker, openRunLimits, withGracePeriod } from './run-limits.ts'
import { Inconclusive } from '../evidence/signals.ts'
import { profileSchema } from '../profile/schema.ts'
import { referenceProfile } from '../connection/reference-bank/reference-profile.ts'
import { sampleExchange, TIMED_OUT } from '../testing/samples/exchange.ts'
import type { Fault } from '../evidence/exchange.ts'

const answered = [sampleExchange()]
const silent = [sampleExchange({ fault: TIMED_OUT }), sampleExchange({ fault: TIMED_OUT })]
const faulty = (kind: Fault['kind']) => [sampleExchange({ fault: { kind, cause: 'X', message: 'so' } })]

const breakerAfter = (...scenarios: readonly (typeof answered)[]) => {
  const breaker = createBreaker(3)
  for (const exchanges of scenarios) breaker.record(exchanges)
  return breaker
}

test('after three scenarios without an answer the run ends, with the cause', () => {
  expect(() => breakerAfter(silent, silent).admit()).not.toThrow()
  expect(() => breakerAfter(silent, silent, silent).admit()).toThrow(
    new Inconclusive(
      'not started: 3 scenarios in a row had no answer from the target, the last one because no whole answer came (DEADLINE)',
    ),
  )
})

test('one answer in between resets the count', () => {
  expect(() => breakerAfter(silent, silent, answered, silent, silent).admit()).not.toThrow()
  expect(() => breakerAfter(silent, [...silent, ...answered], silent).admit()).not.toThrow()
})

test('test hooks that answer do not show that the bank does', () => {
  const hook = { ...sampleExchange(), sender: 'testHook' } as const
  const mixed = [hook, ...silent, hook]
  expect(() => breakerAfter(mixed, [hook], mixed, mixed).admit()).toThrow(Inconclusive)
})

test('a scenario that sent nothing is not counted', () => {
  expect(() => breakerAfter(silent, [], silent, [], silent).admit()).toThrow(Inconclusive)
  expect(() => breakerAfter([], [], [], []).admit()).not.toThrow()
})

test.each(['unresolved', 'refused', 'tls', 'timeout', 'reset'] as const)('%s counts as no answer', (kind) => {
  expect(() => breakerAfter(faulty(kind), faulty(kind), faulty(kind)).admit()).toThrow(Inconclusive)
})

test.each(['protocol', 'too-large'] as const)('%s counts as an answer', (kind) => {
  expect(() => breakerAfter(faulty(kind), faulty(kind), faulty(kind)).admit()).not.toThrow()
})

test('the deadline of the run names the pauses that the target has asked for', async () => {
  const profile = profileSchema.parse({ ...referenceProfile(), deadlines: { runMs: 400 } })
  const now = Date.now()
  const pace = { origin: now, speed: 1 }
  const limits = openRunLimits({ profile, baseUrl: 'http://127.0.0.1:1', deadline: now + 400, pace })
  await limits.pause?.(0, 429)
  await expect(limits.pause?.(60_000, 429)).rejects.toThrow(
    new Inconclusive(
      'the deadline of the run (1 s) passed before this was done; the target asked 2 times for a pause (429), 60 s in all: see --rate',
    ),
  )
})

const never = new Promise<never>(() => undefined)

test('work that ends is awaited, interrupted or not', async () => {
  expect(await withGracePeriod(Promise.resolve(1), new AbortController().signal, 0)).toEqual({ done: 1 })
  expect(await withGracePeriod(Promise.resolve(1), AbortSignal.abort(), 60_000)).toEqual({ done: 1 })
})

test('work that does not end is given up at the end of the grace period', async () => {
  const stop = new AbortController()
  const waiting = withGracePeriod(never, stop.signal, 10)
  stop.abort()
  expect(await waiting).toBe('given up')
  expect(await withGracePeriod(never, AbortSignal.abort(), 10)).toBe('given up')
})

test('an error of the work is rethrown', async () => {
  await expect(withGracePeriod(Promise.reject(new Error('no')), AbortSignal.abort(), 60_000)).rejects.toThrow(
    'no',
  )
})
