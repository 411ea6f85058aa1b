import { expect, test } from 'vitest'
import { CallDelay } from './call-delay.ts'

test('a target has the time that the profile says, and once more where a call is missing', () => {
  const pace = new CallDelay(50)
  expect(pace.settleMs).toBe(50)
  expect(pace.lastMs).toBe(10_000)
})

test('calls that come later than the profile says are given twice that time from then on', () => {
  const pace = new CallDelay(50)
  pace.came(40)
  expect(pace.settleMs).toBe(50)
  pace.came(2_100)
  expect(pace.settleMs).toBe(4_200)
  pace.came(9_000)
  expect(pace.settleMs).toBe(10_000)
})

test('what the profile says is never cut short', () => {
  const pace = new CallDelay(30_000)
  pace.came(40_000)
  expect(pace.settleMs).toBe(30_000)
  expect(pace.lastMs).toBe(30_000)
})

test('a target that makes no calls is soon given no more than the profile says', () => {
  const pace = new CallDelay(50)
  pace.missed()
  expect(pace.lastMs).toBe(10_000)
  pace.missed()
  expect(pace.lastMs).toBe(50)
})

test('what is due to nobody is waited for a moment, and as long as calls have shown to take', () => {
  const pace = new CallDelay(2_000)
  expect(pace.lagMs).toBe(250)
  pace.came(600)
  expect(pace.lagMs).toBe(1_200)
  pace.came(100)
  expect(pace.lagMs).toBe(1_200)
  expect(pace.settleMs).toBe(2_000)
  expect(new CallDelay(50).lagMs).toBe(50)
})
