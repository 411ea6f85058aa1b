import * as z from 'zod'
import { program } from '../testing/program.ts'
import { startServer, timed } from './processes.ts'

/** A walk over all pages of one account, 100 transactions a page, in a process of its own. */
export interface WalkFigures {
  readonly transactions: number
  readonly ms: number
  /** The most memory that its process had, in MB. */
  readonly residentMb: number
}

const SIZES = [10_000, 100_000] as const

const outputSchema = z.object({ found: z.int(), ms: z.number(), residentMb: z.number() })

const measureWalk = async (baseUrl: string, transactions: number, folder: string): Promise<WalkFigures> => {
  const walk = program('harness/bench/walk-process.ts', baseUrl, String(transactions), folder)
  const { stdout } = await timed([process.execPath, ...walk])
  const { found, ms, residentMb } = outputSchema.parse(JSON.parse(stdout))
  if (found !== transactions) throw new Error(`the walk found ${found} of ${transactions} transactions`)
  return { transactions, ms, residentMb }
}

export const measureWalks = async (folder: string): Promise<readonly WalkFigures[]> => {
  const server = await startServer('harness/bench/long-account-process.ts')
  try {
    const figures: WalkFigures[] = []
    for (const transactions of SIZES) figures.push(await measureWalk(server.url, transactions, folder))
    return figures
  } finally {
    await server.stop()
  }
}
