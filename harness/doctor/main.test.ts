import { join } from 'node:path'
import { execa } from 'execa'
import getPort from 'get-port'
import { afterAll, describe, test, vi } from 'vitest'
import { scratchFolders, writeProfile } from '../misfortune/run.ts'
import { openWard } from '../misfortune/ward.ts'
import { ROOT } from '../modules.ts'
import type { Finding } from './examine.ts'

/** What `npm run doctor` promises to a person, and to other people's scripts. */

vi.setConfig({ testTimeout: 120_000 })

const folders = scratchFolders()

const doctor = (args: readonly string[]) =>
  execa(process.execPath, ['harness/launch.mjs', 'harness/doctor/main.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: 240_000,
  })

const ward = openWard()
afterAll(() => ward.close())

const targeting = (url: string, changes: Parameters<typeof writeProfile>[1] = {}): string[] => [
  `--base-url=${url}`,
  `--profile=${writeProfile(folders(), changes)}`,
]

const columnsOf = (text: string): number =>
  Math.max(...text.split('\n').map((line) => Array.from(line).length))

describe.concurrent('the doctor', () => {
  test('ends with 0 at a healthy bank, within eighty columns and without colour', async ({ expect }) => {
    const { exitCode, stdout } = await doctor(targeting(await ward.bank()))
    expect(exitCode, stdout).toBe(0)
    expect(stdout).toMatch(/^✓ NET-TCP-4 {2}The host takes connections\n/)
    expect(stdout).toMatch(/\n0 errors, 0 warnings, \d+ notices, \d+ ok$/)
    expect(columnsOf(stdout)).toBeLessThanOrEqual(80)
    expect(stdout).not.toContain('\u001b')
  })

  test('ends with 4 where nothing listens, and says what to do', async ({ expect }) => {
    const url = `http://127.0.0.1:${await getPort()}`
    const { exitCode, stdout } = await doctor(targeting(url))
    expect(exitCode).toBe(4)
    expect(stdout).toContain('✗ NET-TCP-1  Nothing listens at the port')
    expect(stdout).toContain('→ Start the target, or correct host and port in `baseUrl`')
  })

  test('prints findings for a machine with --json, and nothing else', async ({ expect }) => {
    const url = await ward.bank()
    const { exitCode, stdout } = await doctor([
      ...targeting(url, { connection: { ca: 'no-such-file.pem' } }),
      '--json',
    ])
    const told = JSON.parse(stdout) as { readonly findings: readonly Finding[] }
    expect(told).toMatchObject({ schema: 1, baseUrl: url })
    expect(told.findings[0]).toMatchObject({ code: 'CFG-CONN-1', area: 'configuration', level: 'error' })
    expect(exitCode).toBe(3)
  })

  test.for([
    ['--profile is missing', ['--json']],
    ["unknown option '--profil'; did you mean '--profile'?", ['--profil', 'bank.yaml']],
    ['--environment: expected one of sandbox, production', ['--profile=x.json', '--environment=test']],
    ['does not exist', ['--profile', join('no', 'such.yaml')]],
  ] as const)('ends with 3 and says: %s', async ([said, args], { expect }) => {
    const { exitCode, stderr, stdout } = await doctor(args)
    expect(stderr).toContain(said)
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
  })

  test('tells its exit codes with --help', async ({ expect }) => {
    const { exitCode, stdout } = await doctor(['--help'])
    expect(exitCode).toBe(0)
    for (const code of ['0 ', '3 ', '4 ', '5 ', '130']) expect(stdout).toContain(`\n  ${code}`)
    expect(columnsOf(stdout)).toBeLessThanOrEqual(80)
  })
})
