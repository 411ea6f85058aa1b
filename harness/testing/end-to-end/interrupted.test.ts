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
import { userEnvironment } from '../user-environment.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { ServerProcess } from '../server-process.ts'

/**
 * After Ctrl-C, running scenarios end, no new one starts, and the report covers all requests that were sent. Takes
 * about 13 s.
 */

const root = mkdtempSync(join(tmpdir(), 'interrupted-'))

let bank: ServerProcess | undefined

beforeAll(async () => {
  bank = await startServerProcess('harness/cli/main.ts', ['bank', '--port', '0'])
}, RUN_DEADLINE_MS)

afterAll(async () => {
  await bank?.stop()
  rmSync(root, { recursive: true, force: true })
})

const UNFINISHED: readonly Verdict[] = ['inconclusive', 'not-reached']
const ENDED = /the run (?:was interrupted|ended)/

const linesIn = (out: string): number => [...linesOf(readEvidence(join(out, 'evidence.jsonl')))].length

const shared = (): readonly string[] => [
  `--base-url=${bank?.url ?? ''}`,
  '--profile=docs/examples/reference-bank.yaml',
]

test.each([
  ['one bank per scenario', () => []],
  ['a bank that all scenarios share', shared],
])(
  'on %s',
  async (name, args) => {
    const out = join(root, name)
    const run = execa(
      process.execPath,
      ['--import', 'tsx', 'harness/cli/main.ts', 'run', ...args(), '--no-pages', '--out', out],
      {
        cwd: ROOT,
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
        timeout: RUN_DEADLINE_MS,
        env: userEnvironment(credentials),
      },
    )
    // By then many checks have ended, and many are running.
    await vi.waitFor(() => expect(linesIn(out)).toBeGreaterThan(150), { timeout: RUN_DEADLINE_MS })
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(130)

    const report = reportSchema.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')))
    expect(report.conclusion).toBe('interrupted')
    expect(linesIn(out)).toBe(report.evidence.exchanges)
    // Checks that had not started count as unfinished too.
    const unfinished = report.requirements.filter(({ verdict }) => UNFINISHED.includes(verdict))
    expect(unfinished.length).toBeGreaterThan(0)
    for (const { because } of unfinished) expect(because).toMatch(ENDED)
  },
  2 * RUN_DEADLINE_MS,
)
