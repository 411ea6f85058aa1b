import * as z from 'zod'
import { LAUNCH, timed } from './child.ts'
import { startServerProcess } from './server-process.ts'
import { figureOf } from './statistics.ts'
import type { LongWalk } from './figures.ts'

/** Walks of long accounts, each in a process of its own, so that what it holds is known. */

const SIZES = [10_000, 100_000] as const

const walked = z.object({ found: z.int(), ms: z.number(), residentMb: z.number() })

const walkOnce = async (baseUrl: string, transactions: number, scratch: string) => {
  const args = [baseUrl, String(transactions), scratch]
  const { stdout, stderr, exitCode } = await timed([...LAUNCH, 'harness/bench/walker.ts', ...args])
  if (exitCode !== 0) throw new Error(`the walk ended with ${exitCode}\n${stderr}`)
  const { found, ...figures } = walked.parse(JSON.parse(stdout))
  if (found !== transactions) throw new Error(`the walk found ${found} of ${transactions} transactions`)
  return figures
}

export const measureLongWalks = async (scratch: string, rounds: number): Promise<readonly LongWalk[]> => {
  const server = await startServerProcess('harness/bench/long-account.ts')
  try {
    const walks: LongWalk[] = []
    for (const transactions of SIZES) {
      const found = []
      for (let round = 0; round < rounds; round += 1)
        found.push(await walkOnce(server.url, transactions, scratch))
      walks.push({
        transactions,
        ms: figureOf(found.map(({ ms }) => ms)),
        residentMb: figureOf(found.map(({ residentMb }) => residentMb)),
      })
    }
    return walks
  } finally {
    await server.stop()
  }
}
