import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { RUN_DEADLINE_MS } from '../certify.ts'
import { startServerProcess, type ServerProcess } from '../server-process.ts'

/** The commands of README.md, in their order, as a new user types them. Takes about 40 s. */

/** The commands that are not run here, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci': 'has installed what runs this test',
  'npm test': 'is run for its output in reference-bank.test.ts',
  'npm run verify': 'runs this test',
  'npm run bank -- --port 8080': 'is the bank of this test, at a free port',
  'npm test -- --profile bank.yaml --skip time': 'is the command before it, with more checks',
  'npm test -- --profile bank.yaml': 'waits for the longest path of a loan',
  'npm run prove': 'is run after the tests',
  'npm run bench': 'measures, and takes minutes',
}

/** With the profile that `npm run init` has written. */
const FIRST_RUN = 'npm test -- --profile bank.yaml --only consent authorization tokens'

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

/** The lines of the blocks that hold commands; a backslash at the end continues one. */
const COMMANDS = [...README.matchAll(/^( *)```\n([^]*?)^\1```$/gm)]
  .flatMap(([, indent = '', block = '']) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.slice(indent.length).replace(/\s+# .*$/, '')),
  )
  .filter((line) => /^(npm|npx|export) /.test(line))

const folder = mkdtempSync(join(tmpdir(), 'readme-'))
let bank: ServerProcess

beforeAll(async () => {
  bank = await startServerProcess('harness/cli/main.ts', ['bank', '--port', '0'])
})

afterAll(async () => {
  await bank.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The command with the address of this bank, and with files of its own. */
const here = (command: string): string => {
  const out = /^npm (test|run show)\b/.test(command) ? ` --out ${join(folder, 'run')}` : ''
  return (
    command.replace('http://127.0.0.1:8080', bank.url).replace('bank.yaml', join(folder, 'bank.yaml')) + out
  )
}

test('every command ends with success', { timeout: RUN_DEADLINE_MS }, async () => {
  const exports: string[] = []
  const run: string[] = []
  for (const command of COMMANDS) {
    if (command in NOT_RUN) continue
    if (command.startsWith('export ')) exports.push(command)
    else {
      const { exitCode, all } = await execa('bash', ['-c', [...exports, here(command)].join('\n')], {
        cwd: ROOT,
        all: true,
        reject: false,
        env: { CI: '', GITHUB_STEP_SUMMARY: '' },
      })
      expect(exitCode, `${command}\n${all}`).toBe(0)
      run.push(command)
      if (command === 'npm run show -- TOK-05') expect(all).toMatch(/^ *curl -i -X POST /m)
      if (command === FIRST_RUN) {
        expect(all).toMatch(/^conforms so far \(partial\): [1-9]\d+ of \d+ judged/m)
        // There is no column of another verdict.
        expect(all).toMatch(/^requirements +pass +tested +applicable$/m)
        expect(all).not.toContain('warning')
      }
    }
  }
  expect(run.length).toBeGreaterThan(6)
  expect(run).toEqual(expect.arrayContaining(['npm run show -- TOK-05', FIRST_RUN]))
})

test('the commands that are not run stand in the README', () => {
  expect(Object.keys(NOT_RUN).filter((command) => !COMMANDS.includes(command))).toEqual([])
})

test('each page has the same number of requirements in a headline', () => {
  const pages = ['docs', '.github/decisions'].flatMap((at) =>
    readdirSync(join(ROOT, at))
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(ROOT, at, name), 'utf8')),
  )
  const counts = [README, ...pages].flatMap((page) =>
    [...page.matchAll(/\d of (\d+) judged/g)].map(([, of]) => of),
  )
  expect(new Set(counts).size).toBe(1)
})

test('the README has fewer than 900 words', () => {
  expect(README.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length).toBeLessThan(900)
})

test('each link of the documentation leads to a file', () => {
  const pages = [
    'README.md',
    ...['README', 'runs', 'ci', 'evidence', 'safety', 'compliance-report', 'faults'].map(
      (name) => `docs/${name}.md`,
    ),
  ]
  const missing = pages.flatMap((page) => {
    const at = join(ROOT, page, '..')
    const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
    return links
      .map(([, link = '']) => link)
      .filter((link) => !existsSync(join(at, link)))
      .map((link) => `${page}: ${link}`)
  })
  expect(missing).toEqual([])
})
