import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import pLimit from 'p-limit'
import { format } from 'prettier'
import { ROOT } from '../../plan/root.ts'
import { onOneLine } from '../../report/run-observer.ts'
import { renderTable, settled, type Row } from './fault-table.ts'
import { LISTED_FAULTS, type ListedFault } from './listed-faults.ts'
import { reasonsIn, run, writeProfile, type Ended } from './run.ts'

/** `npm run faults`: runs the command on each fault of the list, and writes the table docs/faults.md. */

const TABLE = join(ROOT, 'docs/faults.md')
/** Below one unpacked gzip bomb, and above what any fault may cost. */
const MEMORY_LIMIT_MIB = 900

const { only, concurrency } = new Command('npm run faults --')
  .option('--only <text>', 'only faults whose group or title contains this text; the table is not written')
  .option('--concurrency <n>', 'runs at the same time', Number, 1)
  .parse()
  .opts<{ only?: string; concurrency: number }>()

const problemsIn = (fault: ListedFault, ended: Ended, seconds: number): readonly string[] => {
  const { report, exitCode } = ended
  if (report === undefined) return [exitCode === undefined ? 'it hung' : 'it wrote no report']
  const failed = report.requirements.filter(({ verdict }) => /fail|harness-error/.test(verdict))
  const isNamed = reasonsIn(ended).some((text) => fault.cause?.test(text))
  const isUntouched = report.conclusion === 'conforms' || report.conclusion === 'nonconforming'
  return [
    ...(fault.ends.includes(report.conclusion) ? [] : [`expected ${fault.ends.join(' or ')}`]),
    ...failed
      .filter(({ verdict }) => verdict === 'harness-error' || fault.isOfBank === undefined)
      .map(({ id, verdict }) => `${verdict}: ${id}`),
    ...(fault.cause === undefined || isUntouched || isNamed ? [] : ['another cause']),
    ...(ended.memoryMib < MEMORY_LIMIT_MIB ? [] : ['too much memory']),
    ...(seconds <= (fault.mostSeconds ?? Infinity) ? [] : [`it took more than ${fault.mostSeconds} s`]),
  ]
}

/** The reason that most checks have, or the violation; a dash if all passed. */
const causeIn = ({ report }: Ended): string => {
  const counts = new Map<string, number>()
  for (const { checks } of report?.requirements ?? [])
    for (const { because, verdict, violation } of checks) {
      const cause = violation === undefined ? because : violation.subject
      if (cause !== undefined && verdict !== 'pass' && verdict !== 'not-applicable')
        counts.set(cause, (counts.get(cause) ?? 0) + 1)
    }
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
  return most?.[0] ?? '–'
}

const inspect = async (fault: ListedFault, folder: string): Promise<Row> => {
  const target = await fault.start()
  const startedAt = performance.now()
  try {
    const profile = writeProfile(folder, { ...fault.profile, ...target.profile })
    const ended = await run(folder, [
      `--base-url=${target.url}`,
      `--profile=${profile}`,
      '--only',
      ...fault.only,
    ])
    const seconds = (performance.now() - startedAt) / 1000
    return {
      fault,
      exitCode: String(ended.exitCode ?? 'none'),
      conclusion: ended.report?.conclusion ?? 'no report',
      cause: settled(causeIn(ended)),
      seconds,
      memoryMib: ended.memoryMib,
      problems: problemsIn(fault, ended, seconds),
    }
  } finally {
    await target.close()
  }
}

const root = mkdtempSync(join(tmpdir(), 'fault-list-'))
const chosen = LISTED_FAULTS.filter(
  ({ group, title }) => only === undefined || `${group}: ${title}`.includes(only),
)
const limit = pLimit(concurrency)
const finished: Row[] = []

/** After each fault, so that a list that was interrupted has left a table. */
const writeTable = async (): Promise<void> =>
  writeFileSync(TABLE, await format(renderTable(finished), { parser: 'markdown', printWidth: 160 }))

const rows = await Promise.all(
  chosen.map((fault) =>
    limit(async () => {
      const row = await inspect(fault, mkdtempSync(join(root, 'run-')))
      const mark = row.problems.length === 0 ? '✓' : '✗'
      console.log(
        `${mark} ${fault.group}: ${fault.title}  exit ${row.exitCode}  ${row.conclusion}  ${row.seconds.toFixed(0)} s  ${row.memoryMib.toFixed(0)} MiB  ${onOneLine(row.cause)}  ${row.problems.join('; ')}`,
      )
      finished.push(row)
      if (only === undefined) await writeTable()
      return row
    }),
  ),
)
rmSync(root, { recursive: true, force: true })
const wrong = rows.filter(({ problems }) => problems.length > 0)
console.log(`${rows.length} faults, ${wrong.length} with a problem${only === undefined ? `; ${TABLE}` : ''}`)
process.exitCode = wrong.length === 0 ? 0 : 1
