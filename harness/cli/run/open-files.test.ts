import { expect, test } from 'vitest'
import { refuseFewFiles } from './open-files.ts'

const reportOf = (soft: unknown) => ({ userLimits: { open_files: { soft } } })

test('too few open files are refused with the command that allows more', () => {
  expect(() => refuseFewFiles(reportOf(128))).toThrow(
    'lets a process open 128 files, and a run needs 256; set `ulimit -n 1024` first',
  )
})

test.each([256, 'unlimited', undefined])('a limit of %s is enough', (soft) => {
  expect(() => refuseFewFiles(reportOf(soft))).not.toThrow()
})
