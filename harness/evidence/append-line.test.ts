import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync, appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { appendLine, diskFullReason } from './append-line.ts'

const opened = (): { readonly file: string; readonly handle: number } => {
  const folder = mkdtempSync(join(tmpdir(), 'append-line-'))
  const file = join(folder, 'lines')
  const handle = openSync(file, 'a')
  onTestFinished(() => {
    closeSync(handle)
    rmSync(folder, { recursive: true })
  })
  return { file, handle }
}

/** A disk that takes so many bytes at once, and so many in all. */
const diskOf = (atOnce: number, room: number) => {
  let left = room
  return (handle: number, bytes: Buffer, from: number): number => {
    if (left === 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    const written = writeSync(handle, bytes.subarray(from, from + Math.min(atOnce, left)))
    left -= written
    return written
  }
}

test('a line that is taken in parts is written whole', () => {
  const { file, handle } = opened()
  appendLine(handle, 'pôžička', diskOf(3, 100))
  appendLine(handle, 'splátka')
  expect(readFileSync(file, 'utf8')).toBe('pôžička\nsplátka\n')
})

test.each([0, 1, 6])('of a line for which there is room for %i bytes nothing stays', (room) => {
  const { file, handle } = opened()
  appendLine(handle, 'first')
  expect(() => appendLine(handle, 'second', diskOf(4, room))).toThrow('ENOSPC')
  appendLine(handle, 'third')
  expect(readFileSync(file, 'utf8')).toBe('first\nthird\n')
})

const thrownBy = (act: () => void): unknown => {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}

test('a device without space is told in words, with the code of the system', () => {
  expect(diskFullReason(thrownBy(() => appendFileSync('/dev/full', 'x')))).toBe(
    'no space is left on the device (ENOSPC)',
  )
})

test.each([
  thrownBy(() => appendFileSync('/no/such/folder', 'x')),
  new Error('ENOSPC: no space left on device, write'),
  'ENOSPC',
  undefined,
  null,
])('nothing is said of %s', (error) => {
  expect(diskFullReason(error)).toBeUndefined()
})
