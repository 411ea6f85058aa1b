import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

test.runIf(existsSync('/proc/self'))('a file system that lets nothing be made in it ends the attempt', () => {
  expect(() => makeFolder('/proc/reports/latest')).toThrow(/ENOENT|EACCES|EPERM/)
})
