import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { lock } from 'proper-lockfile'
import * as z from 'zod'
import { makeFolder } from '../evidence/make-folder.ts'
import { OUTPUT } from '../evidence/output.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { systemCodeOf } from '../evidence/errors.ts'

export const unwritable = (folder: string, error: unknown): ConfigurationError =>
  new ConfigurationError(
    `--out: ${folder} cannot be written (${(error as Error).message}); name another folder`,
  )

// -- One process at a time

/** The owner of a lock renews it every second. */
const RENEWED_MS = 1_000
/** After this time without a renewal the owner is not running: it has ended, or is paused. */
const STALE_MS = 3_000
/** How long a run waits for a lock: 5 seconds. */
const RETRIES = { retries: 20, factor: 1, minTimeout: 250, maxTimeout: 250 }

interface Owner {
  readonly pid: number
  readonly host: string
}

/**
 * Keeps other processes from writing into a folder.
 * @param onTakeover receives a warning if an expired lock of another machine is taken over.
 * @returns what ends that.
 * @throws ConfigurationError if another process holds the lock, also a paused one of this machine, or nothing can be written.
 */
export const lockFolder = async (
  folder: string,
  onTakeover: (sentence: string) => void = () => undefined,
): Promise<() => Promise<void>> => {
  try {
    makeFolder(folder)
  } catch (error) {
    throw unwritable(folder, error)
  }
  const former = ownerOf(folder)
  if (former === undefined && existsSync(ownerFile(folder)))
    throw new ConfigurationError(
      `--out: ${ownerFile(folder)} was not written by a run of this suite and would be replaced; move it, or name another folder`,
    )
  const state = former === undefined ? 'ended' : stateOf(former, folder)
  if (former !== undefined && state === 'ended') removeLock(folder)
  const release = await take(folder, state === 'running' ? former : undefined)
  if (former !== undefined && state === 'unknown')
    onTakeover(
      `${folder} was locked by process ${former.pid} of ${former.host}, which has not renewed its lock; if that run is only paused, two runs write into this folder`,
    )
  held.add(resolve(folder))
  const unlock = async (): Promise<void> => {
    held.delete(resolve(folder))
    rmSync(ownerFile(folder), { force: true })
    // A lock that has expired cannot be released.
    await release().catch(() => undefined)
  }
  try {
    const owner: Owner = { pid: process.pid, host: hostname() }
    writeWhole(ownerFile(folder), JSON.stringify(owner))
    return unlock
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Whether a run writes into the folder, or may do so. */
export const isLocked = (folder: string): boolean => {
  const owner = ownerOf(folder)
  return owner !== undefined && stateOf(owner, folder) !== 'ended'
}

const held = new Set<string>()

const lockFile = (folder: string): string => join(folder, 'run.lock')
const ownerFile = (folder: string): string => join(folder, 'run.owner')

const ownerOf = (folder: string): Owner | undefined => {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(ownerFile(folder), 'utf8')))
  } catch {
    return undefined
  }
}

const ownerSchema = z.object({ pid: z.int().positive(), host: z.string() })

const removeLock = (folder: string): void => {
  rmSync(lockFile(folder), { recursive: true, force: true })
  rmSync(ownerFile(folder), { force: true })
}

/** Whether the owner is a process of this machine that runs or is paused. */
const stateOf = ({ pid, host }: Owner, folder: string): 'running' | 'ended' | 'unknown' => {
  if (host !== hostname()) return 'unknown'
  // In containers each run has the same process id.
  if (pid === process.pid) return held.has(resolve(folder)) ? 'running' : 'ended'
  try {
    process.kill(pid, 0)
    return 'running'
  } catch (error) {
    return systemCodeOf(error) === 'ESRCH' ? 'ended' : 'running'
  }
}

/** @param running the owner, if it is a process of this machine that has not ended: then its lock never expires. */
const take = async (folder: string, running: Owner | undefined): Promise<() => Promise<void>> => {
  try {
    return await lock(folder, {
      lockfilePath: lockFile(folder),
      stale: running === undefined ? STALE_MS : Infinity,
      update: RENEWED_MS,
      retries: RETRIES,
      // The lock expires while the machine sleeps; files are still written line by line.
      onCompromised: () => undefined,
    })
  } catch (error) {
    if (systemCodeOf(error) !== 'ELOCKED') throw unwritable(folder, error)
    const who = running === undefined ? 'another run' : `another run (process ${running.pid})`
    const paused = running !== undefined && !isRenewed(folder) ? ', and is paused' : ''
    throw new ConfigurationError(
      `${who} writes into ${folder}${paused}; wait until it has ended, or name another folder with --out`,
    )
  }
}

const isRenewed = (folder: string): boolean => {
  const { mtimeMs = 0 } = statSync(lockFile(folder), { throwIfNoEntry: false }) ?? {}
  return Date.now() - mtimeMs < STALE_MS
}

// -- Only files of earlier runs are replaced

const MARKER_TEXT = `The conformance suite writes its reports into this folder. The next run with the same --out replaces them:
${Object.values(OUTPUT).join(', ')}.
`

/** The files that a run writes into its folders, also incomplete ones of an interrupted write. */
const IN_FOLDERS: Readonly<Record<string, RegExp>> = {
  [OUTPUT.allureResults]:
    /^(\.allure-write-[\w-]+\.tmp|([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}.*|categories\.json|environment\.properties)(\.draft)?)$/,
  [OUTPUT.allureReport]: /^index\.html(\.draft)?$/,
  [OUTPUT.browser]: /^[\w.-]+\/(page\.html\.txt|page\.png|steps\.jsonl)$/,
}

/**
 * Prepares the output folder for a run: removes the files of earlier runs. Links are removed, never followed.
 * @param kept files that a resumed run continues.
 * @throws ConfigurationError if the folder has files that no run has written, and is not marked as one of this suite, or
 * has them in place of reports; then nothing is removed.
 */
export const prepareOut = (outDir: string, kept: readonly string[] = []): void => {
  makeFolder(outDir)
  const names = Object.values(OUTPUT)
    .flatMap((name) => [name, `${name}.draft`])
    .filter((name) => lstatSync(join(outDir, name), { throwIfNoEntry: false }) !== undefined)
  refuseForeign(outDir, names)
  // Written before anything is removed, and never removed: a run that is killed here leaves a folder that is still marked.
  if (!names.includes(OUTPUT.marker)) writeWhole(join(outDir, OUTPUT.marker), MARKER_TEXT)
  for (const name of names)
    if (name !== OUTPUT.marker && !kept.includes(name))
      rmSync(join(outDir, name), { recursive: true, force: true })
}

/** What a folder without reports may have: the lock of this run, a file for version control, and what a file system has. */
const OF_NO_REPORT = /^(run\.(lock|owner)|\.git\w+|lost\+found)$/

const refuseForeign = (outDir: string, names: readonly string[]): void => {
  const foreign = names.includes(OUTPUT.marker)
    ? names.flatMap((name) => foreignIn(outDir, name))
    : readdirSync(outDir).filter((name) => !OF_NO_REPORT.test(name))
  if (foreign.length === 0) return
  const shown = [...foreign.slice(0, 3), ...(foreign.length > 3 ? [`${foreign.length - 3} more`] : [])]
  throw new ConfigurationError(
    `--out: ${outDir} contains ${shown.join(', ')}, which were not written by a run of this suite; move them, or name another folder`,
  )
}

const foreignIn = (outDir: string, name: string): readonly string[] => {
  const own = IN_FOLDERS[name]
  const folder = join(outDir, name)
  if (own === undefined) return lstatSync(folder).isDirectory() ? [`${name}/`] : []
  if (!lstatSync(folder).isDirectory()) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((file) => !own.test(file))
    .map((file) => `${name}/${file}`)
}

/** Writes a file completely or not at all: a killed run leaves the former file. */
export const writeWhole = (file: string, ...pieces: readonly (string | Buffer)[]): void => {
  const draft = `${file}.draft`
  // What a killed run has left, or a link that the suite has not made.
  rmSync(draft, { force: true })
  try {
    const handle = openSync(draft, 'wx')
    try {
      for (const piece of pieces) writeFileSync(handle, piece)
    } finally {
      closeSync(handle)
    }
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
