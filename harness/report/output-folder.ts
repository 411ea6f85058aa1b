import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { lock } from 'proper-lockfile'
import { ConfigurationError } from '../profile/configuration-error.ts'

/**
 * Makes a folder and its parents one by one: the recursive option of Node never returns in file systems such as `/proc`,
 * in which no folder can be made.
 * @throws the error of the system if a folder cannot be made, or a path is not a folder.
 */
export const makeFolder = (folder: string): void => {
  const path = resolve(folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  makeUnlessThere(path)
}

const makeUnlessThere = (path: string): void => {
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have made it in the meantime.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}

/** One process at a time writes into a folder of reports. */

/** A lock that its process does not renew expires. */
const STALE_MS = 3_000
const RENEWED_MS = 1_000
/** How long a run waits for a lock: 5 seconds. */
const RETRIES = { retries: 20, factor: 1, minTimeout: 250, maxTimeout: 250 }

/** @throws ConfigurationError if another process holds the lock, or nothing can be written. */
export const locked = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  make(folder)
  removeStaleLock(folder)
  const release = await take(folder)
  const owner = ownerOf(folder)
  try {
    writeFileSync(owner, JSON.stringify({ pid: process.pid, host: hostname() }))
    return await work()
  } finally {
    rmSync(owner, { force: true })
    // A lock that has expired cannot be released.
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

/** The error for a folder that cannot be made or written into. */
export const unwritable = (folder: string, error: unknown): ConfigurationError =>
  new ConfigurationError(
    `--out: nothing can be written into ${folder} (${(error as Error).message}); name another folder`,
  )

const lockOf = (folder: string): string => join(folder, 'run.lock')
const ownerOf = (folder: string): string => join(folder, 'run.owner')

/** Removes the lock of a process of this machine that no longer exists. */
const removeStaleLock = (folder: string): void => {
  if (!hasEnded(ownerOf(folder))) return
  rmSync(lockOf(folder), { recursive: true, force: true })
  rmSync(ownerOf(folder), { force: true })
}

const hasEnded = (owner: string): boolean => {
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
      // The lock expires while the machine sleeps; files are still written line by line.
      onCompromised: () => undefined,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw unwritable(folder, error)
    throw new ConfigurationError(
      `another run writes into ${folder}; wait until it has ended, or name another folder with --out`,
    )
  }
}

/** Writes a file completely or not at all: a killed run leaves the former file. */
export const writeWhole = (file: string, ...pieces: readonly (string | Buffer)[]): void => {
  const draft = `${file}.draft`
  const handle = openSync(draft, 'w')
  try {
    for (const piece of pieces) writeFileSync(handle, piece)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
}
