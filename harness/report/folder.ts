import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder, and those above it, one by one: asked for all at once, Node tries for ever where a file system is there
 * and lets nothing be made in it, as `/proc`.
 * @throws the error of the system for what cannot be made, or is no folder.
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
    // Somebody else may have made it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
