import { join } from 'node:path'
import { parseOptions } from '../plan/options.ts'
import { conduct } from '../run/conduct.ts'
import { prepare } from '../run/prepare.ts'
import { openCourse } from '../run/course.ts'
import { judgeCheck } from '../run/judge.ts'
import { openStage } from '../run/stage.ts'
import { remainsIn } from './run.ts'
import type { CataloguedCheck } from '../plan/catalogue.ts'
import type { Audience } from '../report/audience.ts'
import type { Means } from '../run/conduct.ts'
import type { Remains } from './run.ts'

/** A run in this process: all of the command but its start, vitest and the rendering of the Allure report. */

const meansWith = (checks: readonly CataloguedCheck[]): Means => ({
  generator: { read: () => undefined, generate: async () => undefined, stop: () => undefined },
  async carryOut(certification, { onResult }) {
    const stage = openStage(certification, openCourse(certification))
    const { plan } = certification
    const judged = plan.checks
      .filter(({ heldBack }) => heldBack === undefined)
      .map(async (planned) => {
        const found = checks.find(({ key }) => key === planned.key)
        if (found === undefined) throw new Error(`nobody states ${planned.key}`)
        const { check } = found
        const result = await judgeCheck(planned, check, stage.perform(planned, check.scenario), plan)
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
  const options = parseOptions(argv)
  if (options.kind !== 'run') throw new Error(`no run: ${args.join(' ')}`)
  const startedAt = performance.now()
  const preparation = await prepare(options, argv, {})
  const means = meansWith(preparation.catalogue.checks)
  const warnings: string[] = []
  const audience: Audience = {
    begins: () => undefined,
    hears: () => undefined,
    warns: (sentence) => void warnings.push(sentence),
  }
  const { exitCode } = await conduct(preparation, audience, interruption, means)
  return { exitCode, ms: performance.now() - startedAt, warnings, ...remainsIn(out) }
}
