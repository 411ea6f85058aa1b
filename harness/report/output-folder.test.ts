import { spawn, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { OUTPUT } from '../evidence/output.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { pace } from '../testing/pace.ts'
import { scratch } from '../testing/samples/reports.ts'
import { lockFolder, prepareOut, writeWhole } from './output-folder.ts'

let folder: string

beforeEach(() => {
  folder = scratch()
})

describe('a folder that a run writes into', () => {
  test('is refused to another one meanwhile, and free afterwards', async () => {
    const unlock = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(`another run (process ${process.pid}) writes into`)
    await unlock()
    await (
      await lockFolder(folder)
    )()
    expect(readdirSync(folder)).toEqual([])
  })

  test('is unlocked at once if its owner was killed on this machine', async () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    mkdirSync(join(folder, 'run.lock'))
    writeFileSync(join(folder, 'run.owner'), JSON.stringify({ pid, host: hostname() }))
    const startedAt = performance.now()
    await (
      await lockFolder(folder)
    )()
    expect(performance.now() - startedAt).toBeLessThan(2_000 * pace)
  })

  test('is refused while a paused process of this machine holds it', async () => {
    const sleeper = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e9)'])
    onTestFinished(() => void sleeper.kill('SIGKILL'))
    sleeper.kill('SIGSTOP')
    mkdirSync(join(folder, 'run.lock'))
    utimesSync(join(folder, 'run.lock'), 0, 0)
    writeFileSync(join(folder, 'run.owner'), JSON.stringify({ pid: sleeper.pid, host: hostname() }))
    await expect(lockFolder(folder)).rejects.toThrow(
      `another run (process ${sleeper.pid}) writes into ${folder}, and is paused`,
    )
  })

  test('is taken over from another machine that does not renew its lock, and this is reported', async () => {
    mkdirSync(join(folder, 'run.lock'))
    utimesSync(join(folder, 'run.lock'), 0, 0)
    writeFileSync(join(folder, 'run.owner'), JSON.stringify({ pid: 1, host: 'elsewhere' }))
    const sentences: string[] = []
    await (
      await lockFolder(folder, (sentence) => sentences.push(sentence))
    )()
    expect(sentences).toEqual([expect.stringContaining('locked by process 1 of elsewhere')])
  })

  test('is made where there is none', async () => {
    const made = join(folder, 'reports', 'latest')
    await (
      await lockFolder(made)
    )()
    expect(readdirSync(made)).toEqual([])
  })

  test('is refused where nothing can be written', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(lockFolder(join(folder, 'file'))).rejects.toThrow(
      /file .*cannot be written .*name another folder/,
    )
  })
})

/** All files below a folder. */
const filesIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !statSync(join(root, name)).isDirectory())
    .sort()

const RESULT = 'allure-results/04065bc0-767b-480c-a186-a1ad23c01cf7-result.json'

const put = (...names: readonly string[]): void => {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), 'before')
  }
}

describe('an output folder', () => {
  test('loses what an earlier run wrote, and nothing else', () => {
    prepareOut(folder)
    put('thesis.md', 'src/report.json', 'report.json', 'report.json.draft', 'evidence.jsonl', RESULT)
    put('browser/LOA-1/page.png', 'allure-report/index.html')
    prepareOut(folder)
    expect(filesIn(folder)).toEqual([OUTPUT.marker, 'src/report.json', 'thesis.md'])
  })

  test('keeps what a resumed run continues', () => {
    prepareOut(folder)
    put('evidence.jsonl', 'junit.xml')
    prepareOut(folder, [OUTPUT.evidence])
    expect(filesIn(folder)).toEqual([OUTPUT.marker, 'evidence.jsonl'])
  })

  test.each(['report.json', 'thesis.md', RESULT])('is refused where it has a %s of somebody else', (name) => {
    put(name)
    expect(() => prepareOut(folder)).toThrow(
      `--out: ${folder} contains ${name.split('/')[0]}, which were not written by a run of this suite`,
    )
    expect(filesIn(folder)).toEqual([name])
  })

  test('may have a file for version control', () => {
    put('.gitkeep')
    prepareOut(folder)
    expect(filesIn(folder)).toEqual(['.gitkeep', OUTPUT.marker])
  })

  test.each([
    'allure-results/history/trend.json',
    'allure-report/notes.txt',
    'browser/notes.txt',
    'report.json/x',
  ])('is refused where somebody has put %s among the reports', (name) => {
    prepareOut(folder)
    put(name, 'junit.xml')
    expect(() => prepareOut(folder)).toThrow(ConfigurationError)
    expect(filesIn(folder)).toEqual([OUTPUT.marker, name, 'junit.xml'].sort())
  })

  test('has its links removed and not followed', () => {
    prepareOut(folder)
    const elsewhere = scratch()
    writeFileSync(join(elsewhere, 'precious.txt'), 'before')
    symlinkSync(elsewhere, join(folder, OUTPUT.allureResults))
    symlinkSync(join(elsewhere, 'precious.txt'), join(folder, `${OUTPUT.report}.draft`))
    prepareOut(folder)
    expect(filesIn(folder)).toEqual([OUTPUT.marker])
    expect(readFileSync(join(elsewhere, 'precious.txt'), 'utf8')).toBe('before')
  })

  test('is marked before anything is removed, so that a killed run leaves a folder that the next one accepts', () => {
    prepareOut(folder)
    const before = statSync(join(folder, OUTPUT.marker))
    put('report.json')
    prepareOut(folder)
    expect(statSync(join(folder, OUTPUT.marker)).ino).toBe(before.ino)
  })

  test('keeps a run.owner of somebody else', async () => {
    put('run.owner')
    await expect(lockFolder(folder)).rejects.toThrow(
      `--out: ${join(folder, 'run.owner')} was not written by a run of this suite`,
    )
    expect(filesIn(folder)).toEqual(['run.owner'])
  })

  test('has a linked draft replaced and not followed', () => {
    const elsewhere = join(scratch(), 'precious.txt')
    writeFileSync(elsewhere, 'before')
    symlinkSync(elsewhere, join(folder, 'run.owner.draft'))
    writeWhole(join(folder, 'run.owner'), 'after')
    expect(readFileSync(elsewhere, 'utf8')).toBe('before')
  })
})

test('a file that cannot be written leaves no draft', () => {
  const taken = join(folder, 'report.json')
  mkdirSync(taken)
  expect(() => writeWhole(taken, 'text')).toThrow()
  expect(readdirSync(folder)).toEqual(['report.json'])
})
