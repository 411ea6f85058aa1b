import { existsSync, mkdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { OUTPUT } from '../evidence/output.ts'
import { reportSchema } from '../report/schema.ts'
import { timed } from './child.ts'
import { figureOf } from './statistics.ts'
import type { Report } from '../report/schema.ts'
import type { Phase, WholeRun } from './figures.ts'

/** `npm test` as a user types it, with its reports in a folder of its own. */

export interface Run {
  readonly ms: number
  readonly phases: readonly { readonly name: string; readonly ms: number }[]
  readonly report: Report
  readonly exchanges: number
}

type Moments = Map<string, number>

const FIRST = 'the first exchange'
const LAST = 'the last exchange'

/** The file system tells when the journal was written first and last, at no cost to the run. */
const watchMoments = (out: string): { readonly moments: Moments; stop(): void } => {
  const moments: Moments = new Map()
  const watcher = watch(out, (event, name) => {
    if (name !== OUTPUT.evidence || event !== 'change') return
    const now = Date.now()
    if (!moments.has(FIRST)) moments.set(FIRST, now)
    moments.set(LAST, now)
  })
  return { moments, stop: () => watcher.close() }
}

const phasesOf = (startedAt: number, moments: Moments, { run }: Report, endedAt: number): Run['phases'] => {
  const finishedAt = Date.parse(run.finishedAt)
  const marks = [
    { name: 'npm, translation, options, catalogue, plan', at: Date.parse(run.startedAt) },
    { name: 'vitest, workers, spec files, to the first exchange', at: moments.get(FIRST) ?? finishedAt },
    { name: 'exchanges and verdicts, to the last exchange', at: moments.get(LAST) ?? finishedAt },
    { name: 'last verdicts, end of vitest', at: finishedAt },
    { name: 'report.json, junit.xml, Allure page, exit', at: endedAt },
  ]
  return marks.map(({ name, at }, index) => ({ name, ms: at - (marks[index - 1]?.at ?? startedAt) }))
}

const lines = (file: string): number =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).length : 0

const run = async (command: readonly string[], out: string): Promise<Run> => {
  mkdirSync(out, { recursive: true })
  const watching = watchMoments(out)
  const startedAt = Date.now()
  const { ms, stderr, exitCode } = await timed([...command, '--out', out])
  watching.stop()
  const file = join(out, OUTPUT.report)
  if (!existsSync(file))
    throw new Error(`${command.join(' ')} ended with ${exitCode} and no report\n${stderr}`)
  const report = reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  return {
    ms,
    phases: phasesOf(startedAt, watching.moments, report, startedAt + ms),
    report,
    exchanges: lines(join(out, OUTPUT.evidence)),
  }
}

/** With npm, since that is what is typed. */
export const runCommand = (scratch: string, options: readonly string[] = []): Promise<Run> =>
  run(['npm', 'test', '--silent', '--', ...options], join(scratch, 'run'))

/** Without npm, to be held against other programs that are started without it. */
export const runProgram = (scratch: string): Promise<Run> =>
  run([process.execPath, '--import', 'tsx', 'harness/cli/run.ts'], join(scratch, 'run'))

/** How many checks rest on something that was exchanged. */
export const checksOf = ({ report }: Run): number =>
  report.requirements.reduce((sum, { checks }) => sum + checks.filter(ran).length, 0)

export const summarizeRuns = (commands: readonly Run[], programs: readonly Run[]): WholeRun => {
  const last = commands.at(-1)
  if (last === undefined) throw new Error('npm test was not run')
  const phases = last.phases.map(({ name }, at): Phase => ({
    name,
    ms: figureOf(commands.flatMap(({ phases }) => phases[at]?.ms ?? [])),
  }))
  return {
    conclusion: last.report.conclusion,
    exitCode: last.report.exitCode,
    checks: checksOf(last),
    exchanges: last.exchanges,
    command: { ms: figureOf(commands.map(({ ms }) => ms)), phases },
    program: { ms: figureOf(programs.map(({ ms }) => ms)) },
  }
}

const ran = ({ exchanges }: { readonly exchanges: readonly string[] }): boolean => exchanges.length > 0
