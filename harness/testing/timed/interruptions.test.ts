import { beforeAll, describe, expect, test, vi } from 'vitest'
import { scratchFolders } from '../faults/run.ts'
import { pace } from '../pace.ts'
import { randomMoments, randomWays, type Way } from './moments.ts'
import { rehearse, renderRehearsed, requestsOf } from './rehearsal.ts'
import type { ClockKind } from './observed-bank.ts'

/**
 * Whenever a run is killed or ended, its report lists all that it created, and what can be deleted is deleted. Takes
 * about 60 s. `INTERRUPTIONS=20` interrupts each kind of run 20 times, with all kinds of moments; `SEED=7` tries others.
 */

const folders = scratchFolders()
const { SEED = '42', INTERRUPTIONS } = process.env
const seed = Number(SEED)
const count = Number(INTERRUPTIONS ?? 1)
vi.setConfig({ testTimeout: count * 300_000 * pace, hookTimeout: 600_000 * pace })

const requests = new Map<ClockKind, number>()
beforeAll(async () => {
  console.log(`interruptions: seed ${seed}`)
  for (const clock of ['testHook', 'wall'] as const) requests.set(clock, await requestsOf(folders, clock))
})

/** A small sample has moments between requests only. */
const momentsFor = (clock: ClockKind, first: number) =>
  randomMoments(20 + 10 * count, requests.get(clock) ?? 1, seed)
    .filter(({ on }) => INTERRUPTIONS !== undefined || on === 'request')
    .slice(first, first + count)

const CASES: readonly (readonly [title: string, clock: ClockKind, ways: readonly Way[]])[] = [
  ['is killed and resumed', 'testHook', ['SIGKILL']],
  ['is killed and resumed, by the wall clock,', 'wall', ['SIGKILL']],
  ['is ended by signals, or its terminal is closed,', 'testHook', randomWays(count, seed)],
]

describe.concurrent('a run loses nothing if it', () => {
  test.each(CASES)('%s', async (_, clock, ways) => {
    const first = ways[0] === 'SIGKILL' ? 0 : count
    for (const [at, moment] of momentsFor(clock, first).entries()) {
      const way = ways[at % ways.length] ?? 'SIGTERM'
      const rehearsed = await rehearse(folders(), { moment, clock, way })
      expect(rehearsed.problems, renderRehearsed(rehearsed)).toEqual([])
    }
  })
})
