import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { OUTPUT } from '../evidence/output.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { isLatest, openRunFolder } from './run-folder.ts'
import { scratch } from '../testing/samples/reports.ts'

let root: string
beforeEach(() => void (root = scratch()))

const MINUTE_MS = 60_000
const START = Date.parse('2026-01-12T09:30:00.000Z')

/** A run that begins at that minute, and marks its folder. */
const runAt = (minute: number, isOpen: (folder: string) => boolean = () => false): string => {
  const folder = openRunFolder(new Date(START + minute * MINUTE_MS), isOpen, root)
  writeFileSync(join(root, folder, OUTPUT.marker), '')
  return folder
}
const runs = (): readonly string[] => readdirSync(join(root, 'reports/runs')).sort()

test('each run has a folder of its own, and reports/latest leads to the last one', () => {
  expect(runAt(0)).toBe('reports/runs/2026-01-12T09-30-00Z')
  expect(runAt(1)).toBe('reports/runs/2026-01-12T09-31-00Z')
  expect(runs()).toHaveLength(2)
  expect(readlinkSync(join(root, 'reports/latest'))).toBe('runs/2026-01-12T09-31-00Z')
  expect(existsSync(join(root, 'reports/latest', OUTPUT.marker))).toBe(true)
})

test('two runs that begin in the same second have two folders', () => {
  expect([runAt(0), runAt(0)]).toEqual([
    'reports/runs/2026-01-12T09-30-00Z',
    'reports/runs/2026-01-12T09-30-00Z-2',
  ])
})

test('the last ten are kept, and every run that can be resumed', () => {
  for (let minute = 0; minute < 12; minute += 1) runAt(minute, (folder) => folder.endsWith('09-30-00Z'))
  expect(runs()).toHaveLength(11)
  expect(runs()[0]).toBe('2026-01-12T09-30-00Z')
  expect(runs()[1]).toBe('2026-01-12T09-32-00Z')
})

test('a run whose log cannot be read, as that of another version, is not kept', () => {
  for (let minute = 0; minute < 12; minute += 1)
    runAt(minute, () => {
      throw new ConfigurationError('resume.jsonl:1 is damaged')
    })
  expect(runs()).toHaveLength(10)
})

test('only folders of runs are removed', () => {
  const own = join(root, 'reports/runs/2020-01-01T00-00-00Z')
  const other = join(root, 'reports/runs/kept by hand')
  for (const folder of [own, other]) mkdirSync(folder, { recursive: true })
  for (let minute = 0; minute < 12; minute += 1) runAt(minute)
  expect(existsSync(own)).toBe(true)
  expect(existsSync(other)).toBe(true)
})

test('a folder in the place of the link is used as it is', () => {
  mkdirSync(join(root, 'reports/latest'), { recursive: true })
  expect(openRunFolder(new Date(START), () => false, root)).toBe('reports/latest')
  expect(existsSync(join(root, 'reports/runs'))).toBe(false)
})

test('a folder that cannot be made is an error in the options', () => {
  mkdirSync(join(root, 'reports'))
  writeFileSync(join(root, 'reports/runs'), '')
  expect(() => openRunFolder(new Date(START), () => false, root)).toThrow(ConfigurationError)
})

test.each([
  ['reports/latest', true],
  ['./reports//latest', true],
  ['reports/bank', false],
])('%s: %s', (out, expected) => {
  expect(isLatest(out)).toBe(expected)
})
