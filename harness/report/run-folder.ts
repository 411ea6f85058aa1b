import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { quoteArgument } from '../evidence/command-names.ts'
import { OUTPUT } from '../evidence/output.ts'
import { makeFolder } from '../evidence/make-folder.ts'
import { isLocked, unwritable } from './output-folder.ts'
import { systemCodeOf } from '../evidence/errors.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'

/** Each run without `--out` has a folder of its own; `reports/latest` is a link to that of the last one. */

/** Leads to the folder of the last run without `--out`. */
export const LATEST = 'reports/latest'
const RUNS = join(dirname(LATEST), 'runs')
const KEPT = 10

/** Whether the path is that of a run without `--out`. */
export const isLatest = (out: string): boolean => normalize(out) === normalize(LATEST)

/** A time as the name of a folder, in UTC: 2026-01-12T09-30-00Z. */
const nameOf = (time: Date): string => `${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(-\d+)?$/

/**
 * Makes the folder for a new run, and links `reports/latest` to it. A folder in the place of the link is used as it is.
 * @param isOpen whether the run in a folder can be resumed: such a folder is kept, however old it is.
 * @param root the folder that these names are relative to: the working directory.
 * @returns the folder, relative to it.
 * @throws ConfigurationError if it cannot be made.
 */
export const openRunFolder = (time: Date, isOpen: (folder: string) => boolean, root = ''): string => {
  const link = join(root, LATEST)
  const runs = join(root, RUNS)
  const latest = lstatSync(link, { throwIfNoEntry: false })
  if (latest !== undefined && !latest.isSymbolicLink()) return LATEST
  try {
    makeFolder(runs)
    const name = makeNew(runs, nameOf(time))
    // Another run may do the same at this moment, so that the link is renamed into its place. Windows permits junctions.
    const draft = `${link}.${name}`
    symlinkSync(join(basename(RUNS), name), draft, 'junction')
    rmSync(link, { force: true })
    renameSync(draft, link)
    removeOld(runs, isOpen)
    return join(RUNS, name)
  } catch (error) {
    throw unwritable(runs, error)
  }
}

/** Two runs may begin in the same second. */
const makeNew = (folder: string, name: string, count = 1): string => {
  const counted = count === 1 ? name : `${name}-${count}`
  try {
    mkdirSync(join(folder, counted))
    return counted
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
    return makeNew(folder, name, count + 1)
  }
}

const removeOld = (runs: string, isOpen: (folder: string) => boolean): void => {
  const folders = readdirSync(runs)
    .filter((name) => NAME.test(name))
    .sort()
    .map((name) => join(runs, name))
  const isOfRun = (folder: string): boolean => existsSync(join(folder, OUTPUT.marker))
  const isResumable = (folder: string): boolean => {
    try {
      return isOpen(folder)
    } catch (error) {
      // Its log cannot be read, as that of another version.
      if (error instanceof ConfigurationError) return false
      throw error
    }
  }
  for (const folder of folders.slice(0, -KEPT))
    if (isOfRun(folder) && !isLocked(folder) && !isResumable(folder))
      rmSync(folder, { recursive: true, force: true })
}

/** The folder that a path leads to, relative to the working directory; the path itself if there is none. */
export const linkedFolder = (out: string): string => {
  try {
    return lstatSync(out).isSymbolicLink() ? relative('', realpathSync(out)) : out
  } catch {
    return out
  }
}

/** The shorter name of the folder of a run. */
export const shownFolder = (out: string): string => (linkedFolder(LATEST) === normalize(out) ? LATEST : out)

/** The command that continues a run, or deletes what it left: what decides where requests go is typed again. */
export const resumeCommand = (command: string, out: string): string =>
  `${command} --resume${/ --out[ =]/.test(command) ? '' : ` --out ${quoteArgument(out)}`}`
