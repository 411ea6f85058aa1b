import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { locked, makeFolder } from './output-folder.ts'
import { scratch } from '../testing/samples/scratch.ts'

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

let folder: string

beforeEach(() => {
  folder = scratch()
})

describe('a folder that a run writes into', () => {
  test('is left to it, and free again after it', async () => {
    const order: string[] = []
    await locked(folder, async () => {
      order.push('first')
    })
    await locked(folder, async () => {
      order.push('second')
      expect(existsSync(join(folder, 'run.lock'))).toBe(true)
    })
    expect(order).toEqual(['first', 'second'])
    expect(existsSync(join(folder, 'run.lock'))).toBe(false)
  })

  test('is free again after a failure', async () => {
    const failing = locked(folder, async () => {
      throw new Error('the run fails')
    })
    await expect(failing).rejects.toThrow('the run fails')
    await locked(folder, async () => writeFileSync(join(folder, 'x'), ''))
    expect(existsSync(join(folder, 'x'))).toBe(true)
  })

  test('is refused to another one meanwhile', async () => {
    await locked(folder, async () => {
      await expect(locked(folder, async () => undefined)).rejects.toThrow('another run writes into')
    })
  })

  test('is free at once where whoever wrote there was killed on this machine', async () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    mkdirSync(join(folder, 'run.lock'))
    writeFileSync(join(folder, 'run.owner'), JSON.stringify({ pid, host: hostname() }))
    const startedAt = performance.now()
    await locked(folder, async () => undefined)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  test('is made where there is none', async () => {
    const made = join(folder, 'reports', 'latest')
    await locked(made, async () => writeFileSync(join(made, 'x'), ''))
    expect(readdirSync(made)).toEqual(['x'])
  })

  test('is refused where nothing can be written', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(locked(join(folder, 'file'), async () => undefined)).rejects.toThrow(
      /nothing can be written into .*file .*name another folder/,
    )
  })
})
