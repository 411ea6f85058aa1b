import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OUTPUT } from '../evidence/output.ts'
import { prepare } from './run/prepare.ts'
import { parseRunOptions } from '../cli/run/options.ts'
import { judgeRun } from './judge-run.ts'
import { inputOf, runToJudge } from './run/act.ts'
import { buildPlan } from '../plan/build-plan.ts'
import { scratch } from '../testing/samples/reports.ts'
import { runPlan } from './run-plan.ts'
import type { TestCase } from 'vitest/node'

const SPEC_FILE = 'specs/tokens/issuing.spec.ts'

/** What vitest finds in watch mode: a spec file with one more check than the plan knows. */
test('a check that was inserted after the plan was made fails, and the others keep their names', async () => {
  const argv = ['--out', scratch()]
  const options = parseRunOptions(argv)
  if (options.kind !== 'run') throw new Error('these options always mean a run')
  const prepared = await prepare(options, argv, {})
  const [inserted, ...others] = prepared.catalogue.checks.filter(({ key }) => key.startsWith(`${SPEC_FILE}#`))
  if (inserted === undefined) throw new Error(`${SPEC_FILE} has no check`)
  const catalogue = { ...prepared.catalogue, checks: others }
  const plan = buildPlan(catalogue, { profile: prepared.subject.profile, virtual: true }, options)
  const tests: TestCase[] = []
  const { results } = await runPlan(
    {
      ...inputOf({ ...prepared, catalogue, plan }, join(options.out, OUTPUT.evidence)),
      catalogued: others.map(({ key }) => key),
    },
    {
      judgeRun: (found) => judgeRun(found, runToJudge({ ...prepared, catalogue, plan })),
      onResult: () => undefined,
      onFault: (sentence) => expect.unreachable(sentence),
      onDiskFull: (because) => expect.unreachable(because),
      interruption: new AbortController().signal,
    },
    [{ onTestCaseResult: (one) => void tests.push(one) }],
  )
  const named = (one: { readonly id: string; readonly title: string }): string => `${one.id} ${one.title}`
  expect(results.map(named).sort()).toEqual(plan.checks.map(named).sort())
  expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['pass']))
  const { requirement, scenario } = inserted.check
  const failed = tests.filter((one) => one.result().state === 'failed')
  expect(failed.map(({ name }) => name)).toEqual([
    `${requirement.id} ${requirement.claim}: ${scenario.title}`,
  ])
  expect(failed[0]?.result().errors?.[0]?.message).toMatch(/^restart vitest: this check is new/)
})
