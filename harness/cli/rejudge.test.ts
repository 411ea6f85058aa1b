import { expect, test } from 'vitest'
import { progressOf } from './rejudge.ts'

test('a line of progress is printed every five seconds', () => {
  const times = [0, 1_000, 5_000, 5_000, 9_999, 10_000, 10_000]
  const lines: string[] = []
  const onJudged = progressOf(
    (line) => lines.push(line),
    () => times.shift() ?? 0,
  )
  for (const done of [1, 2, 3, 4]) onJudged(done, 900)
  expect(lines).toEqual(['judged 2 of 900 checks', 'judged 4 of 900 checks'])
})
