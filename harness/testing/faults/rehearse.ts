import { join } from 'node:path'
import { parseRunOptions } from '../../cli/run/options.ts'
import { conduct, type Means } from '../../cli/run/conduct.ts'
import { prepare } from '../../cli/run/prepare.ts'
import { openRunLimits } from '../../engine/run-limits.ts'
import { judgeCheck } from '../../engine/judge.ts'
import { openScenarioRunner } from '../../engine/open-scenario-runner.ts'
import { remainsIn } from './run.ts'
import type { CataloguedCheck } from '../../plan/catalogue.ts'
import type { RunObserver } from '../../report/run-observer.ts'
import type { Remains } from './run.ts'

/** A run in this process: all of the command but its start, vitest and the rendering of the Allure report. */

const meansWith = (checks: readonly CataloguedCheck[]): Means => ({
  async carryOut(certification, { onResult }) {
    const stage = openScenarioRunner(certification, openRunLimits(certification))
    const { plan } = certification
    const judged = plan.checks
      .filter(({ heldBack }) => heldBack === undefined)
      .map(async (planned) => {
        const found = checks.find(({ key }) => key === planned.key)
        if (found === undefined) throw new Error(`nobody states ${planned.key}`)
        const { check } = found
        const result = await judgeCheck(planned, check, stage.runScenario(planned, check.scenario), plan)
        onResult(result)
        return result
      })
    try {
      return { results: await Promise.all(judged), observations: [] }
    } finally {
      await stage.close()
    }
  },
})

export interface Rehearsed extends Remains {
  readonly exitCode: number
  readonly ms: number
  /** What a person at the terminal is told on the way. */
  readonly warnings: readonly string[]
}

/**
 * @param folder where the reports go; `--out` is added to the options.
 * @param args the options of the command.
 */
export const rehearse = async (
  folder: string,
  args: readonly string[],
  interruption = new AbortController().signal,
): Promise<Rehearsed> => {
  const out = join(folder, 'out')
  const argv = [...args, '--out', out]
  const options = parseRunOptions(argv)
  if (options.kind !== 'run') throw new Error(`no run: ${args.join(' ')}`)
  const startedAt = performance.now()
  const preparation = await prepare(options, argv, {})
  const means = meansWith(preparation.catalogue.checks)
  const warnings: string[] = []
  const observer: RunObserver = {
    onStart: () => undefined,
    onResult: () => undefined,
    onWarning: (sentence) => void warnings.push(sentence),
  }
  const { exitCode } = await conduct(preparation, observer, interruption, means)
  return { exitCode, ms: performance.now() - startedAt, warnings, ...remainsIn(out) }
}
