import { afterAll, expect, test } from 'vitest'
import { startBank } from '../../bank/server.ts'
import { startRawServer, type RawServer } from './raw-server.ts'
import { judgedIn, reasonsIn, run, scratchFolders, verdictsIn, writeProfile } from './run.ts'
import { runInProcess } from './run-in-process.ts'
import { relayTo } from './relay.ts'

/** A target receives no more requests than the budget allows, the probe and the clean-up included. */

const folders = scratchFolders()
const undo: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(undo.map((close) => close())))

const counted = async (): Promise<RawServer> => {
  const bank = await startBank()
  const server = await startRawServer(relayTo(bank))
  undo.push(
    () => bank.close(),
    () => server.close(),
  )
  return server
}

const targeting = (url: string, changes: Parameters<typeof writeProfile>[1] = {}): string[] => [
  `--base-url=${url}`,
  `--profile=${writeProfile(folders(), changes)}`,
]

test('requests above the budget are not sent, and their checks are not reached', async () => {
  const { url, calls } = await counted()
  const ended = await runInProcess(folders(), [
    ...targeting(url),
    '--only',
    'consent',
    'loans',
    '--budget=25',
    '--concurrency=4',
  ])
  expect(calls.length).toBe(25)
  expect(ended.exitCode).toBe(2)
  expect(verdictsIn(ended)).toEqual(['not-reached', 'pass'])
  expect(reasonsIn(ended)).toContainEqual(
    expect.stringContaining('the budget of 25 requests is used up (--budget'),
  )
  const leftOver = ended.report?.created?.filter(({ kind }) => kind === 'application') ?? []
  for (const { because } of leftOver) expect(because).toContain('the budget of 25 requests is used up')
})

test('the profile can give one operation its own budget', async () => {
  const { url, calls } = await counted()
  const budget = { perOperation: { createConsent: 3 } }
  const ended = await runInProcess(folders(), [...targeting(url, { budget }), '--only', 'consent'])
  const creations = calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/v1/consents'))
  expect(creations.length).toBe(3)
  expect(judgedIn(ended).map(({ verdict }) => verdict)).not.toContain('fail')
  expect(reasonsIn(ended)).toContainEqual(
    expect.stringContaining('of the operation createConsent is used up'),
  )
})

test('the plan says whether the expected number of requests fits the budget', async () => {
  const { url, calls } = await counted()
  const planned = (...args: readonly string[]) => run(folders(), [...targeting(url), '--dry-run', ...args])
  const [tight, wide] = await Promise.all([planned('--budget', '5'), planned('--budget', '1000000')])
  expect(tight.stdout).toMatch(/^ {2}budget +5 requests, about \d+ are expected and do not fit/m)
  expect(wide.stdout).toMatch(/^ {2}budget +1000000 requests, about \d+ are expected$/m)
  expect(calls).toEqual([])
})
