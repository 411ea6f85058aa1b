import { beforeAll, describe, expect, test, vi } from 'vitest'
import { scratchFolders } from '../faults/run.ts'
import { randomMoments, randomWays } from './moments.ts'
import { rehearse, renderRehearsed, requestsOf } from './rehearsal.ts'

/**
 * A sample of `npm run interruptions`: whenever a run is killed or ended, its report lists all that it created, and what
 * can be deleted is deleted. `SEED=7 npx vitest run` tries other moments. Takes about 60 s.
 */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const folders = scratchFolders()
const seed = Number(process.env['SEED'] ?? 42)

let requests = 0
beforeAll(async () => {
  console.log(`interruptions: seed ${seed}`)
  requests = await requestsOf(folders(), 'testHook')
})

/** Moments between requests: those of files are left to the command. */
const moments = (count: number, of: number) =>
  randomMoments(20, of, seed)
    .filter(({ on }) => on === 'request')
    .slice(0, count)

describe.concurrent('nothing is lost', () => {
  test.each(['testHook', 'wall'] as const)('if a run is killed and resumed, clock: %s', async (clock) => {
    for (const moment of moments(1, requests)) {
      const rehearsed = await rehearse(folders(), { moment, clock, way: 'SIGKILL' })
      expect(rehearsed.problems, renderRehearsed(rehearsed)).toEqual([])
    }
  })

  test('if a run is ended by signals, or its terminal is closed', async () => {
    const [way = 'SIGTERM'] = randomWays(1, seed)
    for (const moment of moments(2, requests).slice(1)) {
      const rehearsed = await rehearse(folders(), { moment, clock: 'testHook', way })
      expect(rehearsed.problems, renderRehearsed(rehearsed)).toEqual([])
    }
  })
})
