import { expect, test } from 'vitest'
import { meetingFor } from './overlap.ts'

test('two that come at the same moment meet at once', async () => {
  const meet = meetingFor(60_000)
  const met = await Promise.all([meet().then(() => 'first'), meet().then(() => 'second')])
  expect(met).toEqual(['first', 'second'])
})

test('one that comes alone waits for so many ms', async () => {
  const meet = meetingFor(1)
  expect(await meet().then(() => 'alone')).toBe('alone')
  expect(await Promise.all([meet().then(() => 'again'), meet().then(() => 'with another')])).toHaveLength(2)
})
