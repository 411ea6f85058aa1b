import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './folder.ts'
import { scratch } from './scratch.ts'

test('a folder is made with those above it, and one that is there is left', () => {
  const folder = join(scratch(), 'a', 'b')
  makeFolder(folder)
  makeFolder(folder)
  expect(statSync(folder).isDirectory()).toBe(true)
})

test('what stands in the way is complained of', () => {
  const file = join(scratch(), 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(file)).toThrow(/EEXIST/)
  expect(() => makeFolder(join(file, 'below'))).toThrow(/ENOTDIR|EEXIST/)
})

test.runIf(existsSync('/proc/self'))('a file system that lets nothing be made in it ends the attempt', () => {
  expect(() => makeFolder('/proc/reports/latest')).toThrow(/ENOENT|EACCES|EPERM/)
})
