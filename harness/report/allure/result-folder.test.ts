import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { scratch } from '../scratch.ts'
import { aside, openResultFolder } from './result-folder.ts'

describe('a folder of results', () => {
  let folder: string
  const kept = (name: string): string => join(aside(folder), name)
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

  beforeEach(() => {
    folder = join(scratch(), 'allure-results')
    mkdirSync(aside(folder))
  })

  test('is written where no earlier run was', () => {
    openResultFolder(folder)('1-result.json', 'ä')
    expect(readdirSync(folder)).toEqual(['1-result.json'])
    expect(read('1-result.json')).toBe('ä')
  })

  test('has a file of the earlier run written over, of which nothing is left', () => {
    writeFileSync(kept('7-result.json'), 'a long result of an earlier run')
    const { ino } = statSync(kept('7-result.json'))
    openResultFolder(folder)('1-result.json', 'ä')
    expect(readdirSync(aside(folder))).toEqual([])
    expect(readdirSync(folder)).toEqual(['1-result.json'])
    expect(read('1-result.json')).toBe('ä')
    expect(statSync(join(folder, '1-result.json')).ino).toBe(ino)
  })

  test('takes new files when those of the earlier run are used up', () => {
    writeFileSync(kept('7-result.json'), '7')
    const write = openResultFolder(folder)
    write('1-result.json', 'one')
    write('2-result.json', 'two')
    expect([read('1-result.json'), read('2-result.json')]).toEqual(['one', 'two'])
  })

  test('leaves alone what somebody has linked elsewhere', () => {
    const copy = join(scratch(), 'copy.json')
    const other = join(scratch(), 'other.json')
    writeFileSync(kept('7-result.json'), 'an archived result')
    linkSync(kept('7-result.json'), copy)
    writeFileSync(other, 'another result')
    symlinkSync(other, kept('8-result.json'))
    openResultFolder(folder)('1-result.json', 'one')
    expect(readFileSync(copy, 'utf8')).toBe('an archived result')
    expect(readFileSync(other, 'utf8')).toBe('another result')
    expect(read('1-result.json')).toBe('one')
  })
})
