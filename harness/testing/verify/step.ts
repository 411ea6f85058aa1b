import { execa } from 'execa'

/** One step of `npm run verify`: a command of ours, and what it came to. */

export interface Step {
  readonly title: string
  readonly command: readonly string[]
  /** Counts what the step tried, from what it wrote; a step without it is no test. */
  readonly count?: () => Count
}

export interface Count {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export interface Outcome {
  readonly step: Step
  readonly ok: boolean
  readonly seconds: number
  readonly output: string
  readonly count: Count
}

export const NONE: Count = { passed: 0, failed: 0, skipped: 0 }

export const add = (a: Count, b: Count): Count => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

/** A command that fails without a failed test still has failed: it counts as one. */
const counted = ({ count }: Step, ok: boolean): Count => {
  const found = count?.() ?? NONE
  return ok || found.failed > 0 ? found : add(found, { ...NONE, failed: 1 })
}

export const runStep = async (step: Step, cwd: string): Promise<Outcome> => {
  const startedAt = performance.now()
  const [file = '', ...args] = step.command
  const { exitCode, all } = await execa(file, args, {
    cwd,
    preferLocal: true,
    reject: false,
    all: true,
    env: { FORCE_COLOR: '0', NODE_ENV: 'test' },
  })
  const ok = exitCode === 0
  const seconds = (performance.now() - startedAt) / 1000
  return { step, ok, seconds, output: all, count: counted(step, ok) }
}
