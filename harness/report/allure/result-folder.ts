import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../json.ts'

/** Where the results of an earlier run wait to be written over. */
export const aside = (folder: string): string => `${folder}.old`

const filesOf = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => join(folder, name))
    : []

/** Whether it could be written over. What has a second name, in a copy by links, belongs to somebody else as well. */
const writeOver = (file: string, text: string): boolean => {
  const descriptor = openSync(file, 'r+')
  try {
    const { nlink, size } = fstatSync(descriptor)
    if (nlink > 1) return false
    const bytes = Buffer.from(text)
    writeFileSync(descriptor, bytes)
    if (size > bytes.length) ftruncateSync(descriptor, bytes.length)
    return true
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Writes into a folder of very many files, each whole or not at all. Files of an earlier run are written over and moved
 * here: where thousands were deleted a moment ago, a file system looks for room for each new one among them, which took
 * as long as a third of a run.
 */
export const openResultFolder = (folder: string): ((name: string, text: string) => void) => {
  mkdirSync(folder, { recursive: true })
  const spare = filesOf(aside(folder))
  return (name, text) => {
    const used = spare.pop()
    if (used !== undefined && writeOver(used, text)) renameSync(used, join(folder, name))
    else writeWhole(join(folder, name), text)
  }
}
