import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { linesOf, readEvidence } from '../../report/evidence-file.ts'
import { reportSchema } from '../../report/schema.ts'
import { credentials, RUN_DEADLINE_MS } from '../certify.ts'
import { startServerProcess } from '../server-process.ts'
import type { Report } from '../../report/schema.ts'
import type { ServerProcess } from '../server-process.ts'
import type { CommandName } from '../../evidence/command-names.ts'

/** Shards of a target without a clock test hook: one is interrupted, merged, resumed, and merged again. Takes about 100 s. */

const root = mkdtempSync(join(tmpdir(), 'shard-resumed-'))
const [ONE, TWO, EARLY, LATE] = ['one', 'two', 'early', 'late'].map((name) => join(root, name)) as [
  string,
  string,
  string,
  string,
]

let bank: ServerProcess | undefined

const command = (name: CommandName, args: readonly string[]) =>
  execa(process.execPath, ['--import', 'tsx', 'harness/cli/main.ts', name, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...credentials },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: RUN_DEADLINE_MS,
  })

const certify = (shard: string, out: string, ...args: readonly string[]) =>
  command('run', [
    `--base-url=${bank?.url ?? ''}`,
    '--profile=docs/examples/reference-bank.yaml',
    '--only=consent',
    '--skip=time',
    '--runs=3',
    '--time=wall',
    `--shard=${shard}`,
    `--out=${out}`,
    ...args,
  ])
const merge = (out: string) => command('merge', [ONE, TWO, '--out', out])

const linesIn = (out: string): number => [...linesOf(readEvidence(join(out, 'evidence.jsonl')))].length

const reportIn = (out: string): Report =>
  reportSchema.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')))

let interrupted: Report

beforeAll(async () => {
  bank = await startServerProcess('harness/cli/main.ts', ['bank', '--port', '0'])
  // The rate is so low that the run can be interrupted.
  const slow = certify('1/2', ONE, '--rate', '10')
  await vi.waitFor(() => expect(linesIn(ONE)).toBeGreaterThan(5), { timeout: RUN_DEADLINE_MS })
  slow.kill('SIGINT')
  await slow
  interrupted = reportIn(ONE)
}, 2 * RUN_DEADLINE_MS)

afterAll(async () => {
  await bank?.stop()
  rmSync(root, { recursive: true, force: true })
})

test(
  'the merged report is interrupted until the interrupted shard is resumed',
  async () => {
    expect(interrupted).toMatchObject({ conclusion: 'interrupted', shard: { index: 1, count: 2 } })
    const second = await certify('2/2', TWO)
    expect(second.exitCode).toBe(0)
    expect(second.stderr).toContain('run them one after another')
    expect((await merge(EARLY)).exitCode).toBe(130)
    expect(reportIn(EARLY).conclusion).toBe('interrupted')

    const resumed = await command('run', ['--resume', '--out', ONE])
    expect([resumed.exitCode, resumed.stdout]).toEqual([0, expect.stringContaining('shard 1 of 2: conforms')])
    expect(reportIn(ONE)).toMatchObject({ run: { resumed: 1 }, shard: interrupted.shard })
    expect((await merge(LATE)).exitCode).toBe(0)
    const { conclusion, counts, merged } = reportIn(LATE)
    expect([conclusion, counts.requirements['not-reached'], merged?.missing]).toEqual(['conforms', 0, []])
  },
  4 * RUN_DEADLINE_MS,
)
