import { expect, test } from 'vitest'
import { sinceFullHour } from './clock.ts'

test.each([
  ['UTC', 10],
  ['Europe/Bratislava', 10],
  ['Asia/Kolkata', 40],
  ['Asia/Kathmandu', 55],
])('in %s a full hour was %s minutes ago', (zone, minutes) => {
  expect(sinceFullHour(new Date('2026-01-05T09:10:00Z'), zone)).toBe(minutes * 60_000)
})
