import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { lock } from 'proper-lockfile'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { makeFolder } from './folder.ts'

/** One process at a time writes into a folder of reports. */

/** A process that is gone gives its lock back by not renewing it. */
const STALE_MS = 3_000
const RENEWED_MS = 1_000
/** So long is waited for that, and no longer. */
const RETRIES = { retries: 20, factor: 1, minTimeout: 250, maxTimeout: 250 }

/** @throws ConfigurationError where another process is at work there, or nothing can be written. */
export const locked = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  make(folder)
  freeOfTheDead(folder)
  const release = await take(folder)
  const owner = ownerOf(folder)
  try {
    writeFileSync(owner, JSON.stringify({ pid: process.pid, host: hostname() }))
    return await work()
  } finally {
    rmSync(owner, { force: true })
    // Of a lock that was taken away nothing is left to give back.
    await release().catch(() => undefined)
  }
}

const make = (folder: string): void => {
  try {
    makeFolder(folder)
  } catch (error) {
    throw unwritable(folder, error)
  }
}

/** What is said of a folder that cannot be made, or written into. */
export const unwritable = (folder: string, error: unknown): ConfigurationError =>
  new ConfigurationError(
    `--out: nothing can be written into ${folder} (${(error as Error).message}); name another folder`,
  )

const lockOf = (folder: string): string => join(folder, 'run.lock')
const ownerOf = (folder: string): string => join(folder, 'run.owner')

/** Whoever was killed on this machine need not be waited for. */
const freeOfTheDead = (folder: string): void => {
  if (!isDead(ownerOf(folder))) return
  rmSync(lockOf(folder), { recursive: true, force: true })
  rmSync(ownerOf(folder), { force: true })
}

const isDead = (owner: string): boolean => {
  try {
    const { pid, host } = JSON.parse(readFileSync(owner, 'utf8')) as { readonly pid: number; host: string }
    if (host !== hostname()) return false
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

const take = async (folder: string): Promise<() => Promise<void>> => {
  try {
    return await lock(folder, {
      lockfilePath: lockOf(folder),
      stale: STALE_MS,
      update: RENEWED_MS,
      retries: RETRIES,
      // A machine that was asleep has not renewed it; what is written stays in order all the same, line by line.
      onCompromised: () => undefined,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw unwritable(folder, error)
    throw new ConfigurationError(
      `another run writes into ${folder}; wait until it has ended, or name another folder with --out`,
    )
  }
}
