import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { scratch } from '../testing/samples/reports.ts'
import { runTrials, TrialFault } from './pool.ts'

/** A program that gives the id of its task as a result, after the given statements. */
const programThat = (statements: string): string => {
  const file = join(scratch(), 'program.mjs')
  writeFileSync(
    file,
    `export default async ({ id }) => { ${statements}; return { id, alarms: [], reasons: [] } }`,
  )
  return pathToFileURL(file).href
}

const tried = async (ids: readonly string[], statements: string, deadlineMs = 60_000) => {
  const done: number[] = []
  const tasks = ids.map((id) => ({ kind: 'variation' as const, id, only: [], seed: 42, runs: 1 }))
  const onResult = (count: number) => void done.push(count)
  const results = await runTrials(tasks, { onResult, program: programThat(statements), deadlineMs })
  return { done, ids: results.map(({ id }) => id) }
}

test('each bank is tried once, with the results in the order of the tasks', async () => {
  const { done, ids } = await tried(['b', 'c', 'd', 'e'], '')
  expect(done).toEqual([1, 2, 3, 4])
  expect(ids).toEqual(['b', 'c', 'd', 'e'])
})

test.each([
  ['crashes', "if (id === 'c') process.exit(7)", 'the trial of c failed: Worker exited unexpectedly'],
  ['throws', "if (id === 'c') throw new Error('no bank')", 'the trial of c failed: no bank'],
])('a trial that %s is reported with its bank', async (_, statements, message) => {
  const ended = tried(['b', 'c', 'd'], statements)
  await expect(ended).rejects.toThrow(TrialFault)
  await expect(ended).rejects.toThrow(message)
})

test('a trial without an end is reported with its bank', async () => {
  const ended = tried(['c'], 'await new Promise((resolve) => setInterval(resolve, 1e9))', 50)
  await expect(ended).rejects.toThrow('the trial of c failed: it took longer than 0.05 s')
})
