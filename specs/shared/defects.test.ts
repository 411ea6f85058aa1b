import { expect, test } from 'vitest'
import { meetingFor } from './defects.ts'

test('two that come at the same moment meet at once', async () => {
  const meet = meetingFor(60_000)
  const met = await Promise.all([meet().then(() => 'first'), meet().then(() => 'second')])
  expect(met).toEqual(['first', 'second'])
})

test('whoever comes alone goes on after a while', async () => {
  const meet = meetingFor(1)
  expect(await meet().then(() => 'alone')).toBe('alone')
  expect(await Promise.all([meet().then(() => 'again'), meet().then(() => 'with another')])).toHaveLength(2)
})
