import { expect, test } from 'vitest'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { parseOptions } from './options.ts'

const problemsOf = (...argv: readonly string[]): readonly string[] => {
  try {
    parseOptions(argv)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  return []
}

test('a part of a plan is named by its place and their number', () => {
  expect(parseOptions(['--shard', '2/3'])).toMatchObject({ shard: { index: 2, count: 3 } })
  expect(parseOptions(['--shard=1/1'])).toMatchObject({ shard: { index: 1, count: 1 } })
  expect(parseOptions([])).not.toHaveProperty('shard')
})

test.each(['4/3', '0/3', '1/0', 'x', '1', '1/3/3', '-1/3', '1.5/3', '01/3', ' 1/3', '1/1001'])(
  'no part is named by %s',
  (typed) => {
    expect(problemsOf('--shard', typed)).toEqual([
      `--shard: expected i/n, the part and the number of parts, as 1/3, 2/3 and 3/3 (n at most 1000); received '${typed}'`,
    ])
  },
)

test('an empty part is a slip of the shell', () => {
  expect(problemsOf('--shard=')).toEqual(['--shard is empty; give it a part of the plan, or leave it out'])
})

test('a shard that is gone on with stays the shard that it was', () => {
  expect(problemsOf('--resume', '--shard', '1/3')).toEqual([
    expect.stringContaining('the log of the run: --shard cannot stand beside it'),
  ])
})
