import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { parseRunOptions } from '../cli/run/options.ts'
import { run, STEPS } from './run.ts'
import { watchDiskSpace } from './run/folder.ts'
import { prepare, type PreparedRun } from './run/prepare.ts'
import { judgeCheck, JUDGED_AT_THE_END } from './judge.ts'
import { openScenarioRunner } from './open-scenario-runner.ts'
import { openRunLimits } from './run-limits.ts'
import { buildPlan } from '../plan/build-plan.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { profileSchema } from '../profile/schema.ts'
import { must } from '../check/requirement.ts'
import { assert } from '../check/verdict.ts'
import { sampleExchange } from '../testing/samples/exchange.ts'
import { sampleProfile } from '../testing/samples/profile.ts'
import { found, PLAN, planned, REJECTION, scratch } from '../testing/samples/reports.ts'
import { referenceProfile } from '../connection/reference-bank/reference-profile.ts'
import type { CheckResult } from '../check/result.ts'
import type { RunInput } from './run-input.ts'

afterEach(() => void vi.useRealTimers())

/** A Linux device on which each write fails, since it has no space left. */
const FULL = '/dev/full'

const isThere = existsSync(FULL)

const watched = () => {
  const sentences: string[] = []
  const disk = watchDiskSpace('reports/latest', { onWarning: (sentence) => void sentences.push(sentence) })
  return { disk, sentences }
}

describe('the folder of a run', () => {
  test.runIf(isThere)('ends the run when the disk is full, and reports that once', async () => {
    const { disk, sentences } = watched()
    const write = async (): Promise<void> => appendFileSync(FULL, 'x')
    await disk.write(write)
    await disk.write(write)
    expect(disk.full.aborted).toBe(true)
    expect(sentences).toEqual([
      'reports/latest cannot be written: no space is left on the device (ENOSPC). The run ends and is not a verdict on the target; free disk space, or name another folder (--out).',
    ])
  })

  test('does not hide another error', async () => {
    const { disk, sentences } = watched()
    const broken = Promise.reject(new TypeError('x is undefined'))
    await expect(disk.write(() => broken)).rejects.toThrow('x is undefined')
    expect(disk.full.aborted).toBe(false)
    expect(sentences).toEqual([])
  })
})

test('a clock that is set back by more than the run has lasted does no harm to its report', async () => {
  const out = join(scratch(), 'run')
  const argv = ['--only', 'CON-01', '--no-pages', '--out', out]
  const options = parseRunOptions(argv)
  if (options.kind !== 'run') throw new Error('these are the options of a run')
  const observer = { onStart: () => undefined, onResult: () => undefined, onWarning: () => undefined }
  const setBack = async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
    return { results: [], observations: [], created: [] }
  }
  const interruption = new AbortController().signal
  const prepared = await prepare(options, argv, {})
  const report = await run(prepared, { observer, interruption }, { ...STEPS, act: setBack })
  expect(report.run.finishedAt >= report.run.startedAt).toBe(true)
  expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toMatchObject({ run: report.run })
})

const PARTS = ['CON-01', 'AUT-01']

/** The verdicts of the first check of two requirements, in sequence. */
const judgedInto = async (evidenceFile: string): Promise<readonly CheckResult[]> => {
  const profile = profileSchema.parse(referenceProfile())
  const catalogue = await loadCatalogue()
  const choice = { only: PARTS, skip: [], allow: [], seed: 7, runs: 1, time: 'auto' } as const
  const plan = buildPlan(catalogue, { profile, virtual: true }, choice)
  const given: RunInput = {
    plan,
    profile,
    evidenceFile,
    secrets: [],
    concurrency: 1,
    time: 'auto' as const,
    deadline: Date.now() + 60_000,
    pace: { origin: Date.now(), speed: 1 },
  }
  const runner = openScenarioRunner(given, openRunLimits(given))
  const results: CheckResult[] = []
  for (const id of PARTS) {
    const planned = plan.checks.find(({ requirement }) => requirement === id)
    const check = catalogue.checks.find(({ key }) => key === planned?.key)?.check
    if (planned === undefined || check === undefined) throw new Error(`the plan has no check on ${id}`)
    results.push(await judgeCheck(planned, check, runner.runScenario(planned, check.scenario), plan))
  }
  await runner.close()
  return results
}

describe.runIf(isThere)('evidence that cannot be written', () => {
  test('is not a pass, and no further request is sent', async () => {
    const [first, second] = await judgedInto(FULL)
    expect(first).toMatchObject({
      verdict: 'harness-error',
      because: 'the exchanges could not be written: no space is left on the device (ENOSPC)',
    })
    expect(second).toMatchObject({
      verdict: 'inconclusive',
      exchanges: [],
      because: 'the run was given up before this was done: no space is left on the device (ENOSPC)',
    })
  })

  test('the same checks pass if evidence can be written', async () => {
    const results = await judgedInto('/dev/null')
    expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
  })
})

describe('a resumed run whose target cannot be reached', () => {
  test('has what it had found, judged on the answers of the whole run', async () => {
    const out = scratch()
    const exchange = sampleExchange({ id: 'tokens/a-token/1' })
    writeFileSync(join(out, 'evidence.jsonl'), `${JSON.stringify(exchange)}\n`)
    const checks = ['TOK-03/1', 'TOK-07/1'].map((id) => planned(id, { scenario: 'tokens/a-token', key: id }))
    const over = ['token']
    const judge = () => assert(false, () => ({ ...REJECTION, exchange: exchange.id }))
    const check = { requirement: must('TOK-03', { claim: '-', quote: '-', place: '-' }), over, judge }
    const described = { observations: [{ notShown: 'PAY-U1', value: 'status' }], visits: [], timeLines: [] }
    const prepared = {
      options: { out },
      plan: { ...PLAN, checks },
      catalogue: { checks: [{ key: 'TOK-03/1', check }] },
      subject: { profile: sampleProfile(), baseUrl: 'https://bank.example' },
      earlier: { results: [found('TOK-03/1', 'not-reached', { because: JUDGED_AT_THE_END })], described },
    } as unknown as PreparedRun
    const fault = { kind: 'reset', cause: 'ECONNRESET', message: 'read ECONNRESET' } as const
    const contact = { reached: false, because: 'nobody answers', exchanges: ['probe~2/1'], fault } as const
    const acted = await STEPS.act(prepared, contact, {} as never, {} as never)
    expect(acted.results.map(({ verdict, because }) => because ?? verdict)).toEqual([
      'fail',
      'nobody answers',
    ])
    expect(acted.observations).toEqual(described.observations)
  })
})
