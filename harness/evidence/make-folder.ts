import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and its parents one by one: the recursive option of Node never returns in file systems such as `/proc`,
 * in which no folder can be made.
 * @param mode of each folder that is made.
 * @throws the error of the system if a folder cannot be made, or a path is not a folder.
 */
export const makeFolder = (folder: string, mode = 0o777): void => {
  const path = resolve(folder)
  if (isFolder(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
