import { expect, test } from 'vitest'
import { clockArguments } from './test-hooks.ts'
import { testHookChecks } from '../test-hook-checks.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'

const NOW = Date.parse('2026-01-05T09:00:00.250Z')

test('a move is written in every unit, exactly', () => {
  expect(clockArguments(90_500, NOW)).toEqual({
    milliseconds: 90_500,
    seconds: 90.5,
    minutes: 90_500 / 60_000,
    duration: 'PT90.5S',
    instant: '2026-01-05T09:01:30.750Z',
    epochSeconds: Date.parse('2026-01-05T09:01:30.750Z') / 1000,
    epochMilliseconds: Date.parse('2026-01-05T09:01:30.750Z'),
  })
})

const problems = (url: string, body?: Record<string, unknown>): readonly string[] =>
  testHookChecks(
    parsedProfile({
      testHooks: { readClock: { url: '/clock' }, advanceClock: { url, ...(body && { body }) } },
    }),
  ).problems

test('a test hook that says nowhere how far is complained of, and so is a unit that there is not', () => {
  expect(problems('/clock')).toEqual([
    expect.stringMatching(
      /^`testHooks\.advanceClock` says nowhere how far the clock is moved; put one of \{milli/,
    ),
  ])
  expect(problems('/clock', { by: '{second}' })).toEqual([
    '`testHooks.advanceClock.body.by` has the unknown placeholder {second}; did you mean {seconds}?',
  ])
})
