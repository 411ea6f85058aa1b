import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import pLimit from 'p-limit'
import { randomMoments, randomWays, type Way } from './moments.ts'
import { rehearse, renderRehearsed, requestsOf } from './rehearsal.ts'
import type { ClockKind } from './observed-bank.ts'

/**
 * `npm run interruptions`: kills runs at random moments and resumes them, with both kinds of clock; and ends runs by
 * signals and closed terminals. Takes about 20 minutes.
 */

const CLOCKS = ['testHook', 'wall'] as const

const KILL: Way = 'SIGKILL'

const options = new Command('npm run interruptions --')
  .option('--kills <n>', 'kills with each kind of clock', Number, 20)
  .option('--signals <n>', 'signals and closed terminals', Number, 50)
  .option('--seed <n>', 'seed of the moments', Number, Math.floor(Math.random() * 2 ** 31))
  .option('--concurrency <n>', 'runs at the same time', Number, 2)
  .parse()
  .opts<{ kills: number; signals: number; seed: number; concurrency: number }>()

const root = mkdtempSync(join(tmpdir(), 'interruptions-'))
const folder = (): string => mkdtempSync(join(root, 'run-'))

console.log(`seed ${options.seed}`)
const { kills, signals, seed, concurrency } = options
const requests = new Map<ClockKind, number>()
for (const clock of CLOCKS) requests.set(clock, await requestsOf(folder(), clock))

const ways = randomWays(signals, seed)
const planned = [
  ...CLOCKS.flatMap((clock) =>
    randomMoments(kills, requests.get(clock) ?? 1, seed).map((moment) => ({
      moment,
      clock,
      way: KILL,
    })),
  ),
  ...randomMoments(signals, requests.get('testHook') ?? 1, seed + 1).map((moment, index) => ({
    moment,
    clock: CLOCKS[index % 2] ?? 'testHook',
    way: ways[index] ?? 'SIGTERM',
  })),
]

const limit = pLimit(concurrency)
let wrong = 0
await Promise.all(
  planned.map((one) =>
    limit(async () => {
      const rehearsed = await rehearse(folder(), one)
      if (rehearsed.problems.length > 0) wrong += 1
      console.log(renderRehearsed(rehearsed))
    }),
  ),
)
rmSync(root, { recursive: true, force: true })
console.log(`${planned.length} interruptions, ${wrong} with a problem (seed ${seed})`)
process.exitCode = wrong === 0 ? 0 : 1
