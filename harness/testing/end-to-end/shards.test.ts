import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rejudgeFolder } from '../../cli/rejudge/rejudge-folder.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { ROOT } from '../../plan/root.ts'
import { compare } from '../../report/diff.ts'
import { verifyEvidenceOf } from '../../report/evidence-file.ts'
import { reportSchema } from '../../report/schema.ts'
import { RUN_DEADLINE_MS } from '../certify.ts'
import type { Report } from '../../report/schema.ts'
import type { CommandName } from '../../evidence/command-names.ts'

/** A plan in three shards, with the real commands: the merged report is that of one run without shards. Takes about 250 s. */

const PLAN = ['--only', 'consent', 'accounts', 'loans', '--seed', '7', '--runs', '3']
const COUNT = 3

const root = mkdtempSync(join(tmpdir(), 'shards-'))
const folder = (name: string): string => join(root, name)
const shards = [1, 2, 3].map((index) => folder(`shard-${index}`))

const command = (name: CommandName, args: readonly string[]) =>
  execa(process.execPath, ['--import', 'tsx', 'harness/cli/main.ts', name, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: tmpdir() },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: RUN_DEADLINE_MS,
  })

const certify = (out: string, ...args: readonly string[]) => command('run', [...PLAN, ...args, '--out', out])
const merge = (...args: readonly string[]) => command('merge', args)

const reportIn = (out: string): Report =>
  reportSchema.parse(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')))

const namesIn = (out: string): readonly string[] =>
  readdirSync(out)
    .filter((name) => name !== 'shard.json')
    .sort()

let endings: readonly Awaited<ReturnType<typeof command>>[]
let whole: Report
let merged: Report

beforeAll(
  async () => {
    await certify(folder('whole'))
    endings = []
    for (const [at, out] of shards.entries())
      endings = [...endings, await certify(out, '--shard', `${at + 1}/${COUNT}`)]
    await merge(...shards, '--out', folder('merged'))
    ;[whole, merged] = [reportIn(folder('whole')), reportIn(folder('merged'))]
  },
  (COUNT + 2) * RUN_DEADLINE_MS,
)

afterAll(() => rmSync(root, { recursive: true, force: true }))

test('each shard has its own conclusion, and none for the whole plan', () => {
  expect(endings.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
  for (const [at, { stdout }] of endings.entries()) {
    expect(stdout).toContain(`\nshard ${at + 1} of ${COUNT}: conforms so far (partial): `)
    expect(stdout).not.toMatch(/^conforms$/m)
  }
  const parts = shards.map((out) => reportIn(out).shard)
  expect(parts.map((part) => part?.index)).toEqual([1, 2, 3])
  expect(new Set(parts.map((part) => part?.plan)).size).toBe(1)
  expect(parts.reduce((sum, part) => sum + (part?.scenarios ?? 0), 0)).toBe(parts[0]?.of)
})

test('a shard names the shards that judge its other requirements, and those that share its own', () => {
  const [first] = shards
  const rows = reportIn(first ?? '').requirements
  expect(
    rows.filter(({ because = '' }) => /^it is judged in shards? [\d, and]+ of 3$/.test(because)),
  ).not.toEqual([])
  expect(rows.flatMap(({ elsewhere = [] }) => elsewhere)).not.toContain(1)
  expect(rows.flatMap(({ elsewhere = [] }) => elsewhere).length).toBeGreaterThan(0)
})

describe('merged shards', () => {
  const found = ({ requirements }: Report): readonly unknown[] =>
    requirements.map(({ id, verdict, because, checks }) => ({
      id,
      verdict,
      because,
      checks: checks.map((check) => [check.title, check.verdict, check.because, check.reproduce]),
    }))

  test('have the evidence of their report', () => {
    expect(merged.evidence.exchanges).toBe(
      shards.reduce((sum, out) => sum + reportIn(out).evidence.exchanges, 0),
    )
    expect(verifyEvidenceOf(folder('merged'))).toMatchObject({ isUnchanged: true })
  })

  test('can be judged again', async () => {
    const { problems, differences, cannot } = await rejudgeFolder(folder('merged'))
    expect([problems, differences, cannot]).toEqual([[], [], []])
  })

  test('have the verdicts of one run for each requirement and check', () => {
    expect(compare(whole, merged)).toEqual({ changes: [], caveats: [] })
    expect(found(merged)).toEqual(found(whole))
    expect(merged.counts).toEqual(whole.counts)
    expect([merged.conclusion, merged.exitCode]).toEqual([whole.conclusion, whole.exitCode])
  })

  test('have the observations of one run', () => {
    expect(merged.undisclosed).toEqual(whole.undisclosed)
    expect(merged.undisclosed.some(({ observed }) => observed.length > 0)).toBe(true)
    expect(merged.applications?.length).toBe(whole.applications?.length)
    expect(merged.timelines?.map(({ path }) => path).sort()).toEqual(
      whole.timelines?.map(({ path }) => path).sort(),
    )
    expect(merged.models).toEqual(whole.models)
  })

  test('have the files of one run', () => {
    // A merged folder cannot be resumed.
    expect(namesIn(folder('merged'))).toEqual(namesIn(folder('whole')).filter((name) => name !== OUTPUT.log))
    const results = (out: string) => readdirSync(join(folder(out), 'allure-results')).length
    expect(results('merged')).toBe(results('whole'))
    const cases = (out: string) =>
      readFileSync(join(folder(out), 'junit.xml'), 'utf8').match(/<testcase/g)?.length
    expect(cases('merged')).toBe(cases('whole'))
  })

  test('contain the evidence of every verdict', () => {
    const ids = new Set(
      readFileSync(join(folder('merged'), 'evidence.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { readonly id: string }).id),
    )
    const named = merged.requirements.flatMap(({ checks }) => checks.flatMap(({ exchanges }) => exchanges))
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((id) => !ids.has(id))).toEqual([])
  })

  test('npm run diff finds nothing', async () => {
    const { exitCode, stdout } = await command('diff', [folder('whole'), folder('merged')])
    expect([exitCode, stdout]).toEqual([0, 'no difference'])
  })

  test('give the same report if they are merged in steps', async () => {
    const [one = '', two = '', three = ''] = shards
    const half = await merge(three, one, '--out', folder('half'))
    expect(half.exitCode).toBe(2)
    expect(half.stdout).toContain('merged from 2 of 3 shards; missing: 2')
    expect(reportIn(folder('half')).conclusion).toBe('incomplete')
    const { exitCode } = await merge(folder('half'), two, '--out', folder('all'))
    expect(exitCode).toBe(0)
    const { run, evidence, ...rest } = reportIn(folder('all'))
    const { run: before, evidence: lines, ...expected } = merged
    expect(rest).toEqual(expected)
    expect(run).toEqual({ ...before, id: run.id, command: run.command })
    // The evidence has the same chains in another order.
    const chains = ({ exchanges, bytes, heads, records }: Report['evidence']) => ({
      exchanges,
      bytes,
      heads: heads.toSorted(),
      recordLines: records.lines,
      recordHeads: records.heads.toSorted(),
    })
    expect(chains(evidence)).toEqual(chains(lines))
  })
})

describe('merge refuses with exit code 3', () => {
  const refused = async (sentence: string, ...args: readonly string[]): Promise<void> => {
    const { exitCode, stderr } = await merge(...args, '--out', folder('refused'))
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(sentence)])
    expect(readdirSync(root)).not.toContain('refused')
  }

  test('a shard twice', async () => {
    const [one = '', two = ''] = shards
    cpSync(one, folder('copy'), { recursive: true })
    await refused(`shard 1 of 3 is in ${one} and in ${folder('copy')}`, one, two, folder('copy'))
  })

  test('a shard of another plan', async () => {
    const [one = ''] = shards
    await certify(folder('other'), '--skip', 'loans', '--shard', '2/3')
    await refused('the number of checks is', one, folder('other'))
  })

  test('a whole run', () => refused('contains a whole run', folder('whole')))

  test('an unknown option', () => refused("unknown option '--strict'", '--strict', folder('whole')))

  test('the folder of a shard as output', async () => {
    const [one = ''] = shards
    const { exitCode, stderr } = await merge(one, '--out', one)
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining('is the folder of a shard')])
    expect(reportIn(one).shard?.index).toBe(1)
  })
})

test('the plan of a shard counts the scenarios of that shard', async () => {
  const { exitCode, stdout } = await certify(folder('dry'), '--shard', '2/3', '--dry-run')
  const shard = reportIn(shards[1] ?? '').shard
  expect(exitCode).toBe(0)
  expect(stdout).toContain(`Shard 2 of 3, ${shard?.scenarios} of ${shard?.of} scenarios`)
  expect(stdout).toContain(` in ${shard?.scenarios} scenarios`)
  expect(stdout).toContain('it is judged in shard 1 of 3')
})

test('an empty shard reports that, and ends with 0', async () => {
  const { exitCode, stdout } = await certify(folder('empty'), '--shard', '1000/1000')
  expect(exitCode).toBe(0)
  expect(stdout).toContain('shard 1000 of 1000: nothing to do')
})
