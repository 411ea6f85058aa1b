import { join } from 'node:path/posix'
import { parseRunOptions } from '../../cli/run/options.ts'
import { run, STEPS } from '../../engine/run.ts'
import { act } from '../../engine/run/act.ts'
import { prepare } from '../../engine/run/prepare.ts'
import { judgeCheck } from '../../engine/judge.ts'
import { openScenarioRunner } from '../../engine/open-scenario-runner.ts'
import { openRunLimits } from '../../engine/run-limits.ts'
import { readRunFiles, type RunFiles } from './run.ts'
import type { RunChecks } from '../../engine/run-plan.ts'
import type { CataloguedCheck } from '../../plan/catalogue.ts'
import type { RunObserver } from '../../report/run-observer.ts'

/** A run in this process, without the start of the command, vitest and the rendering of the Allure report. */

const runnerOf =
  (checks: readonly CataloguedCheck[]): RunChecks =>
  async (runInput, { onResult, judgeRun }) => {
    const runner = openScenarioRunner(runInput, openRunLimits(runInput))
    const { plan } = runInput
    const judged = plan.checks
      .filter(({ heldBack }) => heldBack === undefined)
      .map(async (planned) => {
        const found = checks.find(({ key }) => key === planned.key)
        if (found === undefined) throw new Error(`no spec file has the check ${planned.key}`)
        const { check } = found
        const result = await judgeCheck(planned, check, runner.runScenario(planned, check.scenario), plan)
        if (planned.judgesRun !== true) onResult(result)
        return result
      })
    try {
      const found = await Promise.all(judged)
      const results = judgeRun?.(found) ?? found
      const atTheEnd = new Set(
        plan.checks.filter(({ judgesRun: isAll }) => isAll === true).map(({ id }) => id),
      )
      for (const result of results) if (atTheEnd.has(result.id)) onResult(result)
      return { results, observations: [] }
    } finally {
      await runner.close()
    }
  }

export interface EndedInProcess extends RunFiles {
  readonly exitCode: number
  readonly ms: number
  /** The warnings that the terminal shows during the run. */
  readonly warnings: readonly string[]
}

/**
 * @param folder where the reports go; `--out` is added to the options.
 * @param args the options of the command.
 */
export const runInProcess = async (
  folder: string,
  args: readonly string[],
  interruption = new AbortController().signal,
): Promise<EndedInProcess> => {
  const out = join(folder, 'out')
  const argv = [...args, '--no-pages', '--out', out]
  const options = parseRunOptions(argv)
  if (options.kind !== 'run') throw new Error(`no run: ${args.join(' ')}`)
  const startedAt = performance.now()
  const prepared = await prepare(options, argv, {})
  const warnings: string[] = []
  const observer: RunObserver = {
    onStart: () => undefined,
    onResult: () => undefined,
    onWarning: (sentence) => void warnings.push(sentence),
  }
  const runChecks = runnerOf(prepared.catalogue.checks)
  const { exitCode } = await run(
    prepared,
    { observer, interruption },
    {
      ...STEPS,
      act: (one, contact, folder, acting) => act(one, contact, folder, acting, runChecks),
    },
  )
  return { exitCode, ms: performance.now() - startedAt, warnings, ...readRunFiles(out) }
}
