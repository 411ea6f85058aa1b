import * as z from 'zod'
import { linesOf, readEvidence } from '../evidence-file.ts'
import { table } from '../html/frame.ts'
import { totalsOf } from './coverage.ts'
import { instantText } from './summary.ts'
import type { Report } from '../schema.ts'

/** The results of earlier runs: Allure keeps them in the file of `--history`, the conclusion of each with these labels. */

const COLUMNS = ['passed', 'failed', 'accepted', 'not judged', 'revision'] as const

export type History = Readonly<Record<(typeof COLUMNS)[number], string>>

export const historyOf = (report: Report): History => {
  const { all } = totalsOf(report)
  return {
    passed: String(all.passed),
    failed: String(all.failed),
    accepted: String(all.accepted),
    'not judged': String(all.unjudged),
    revision: report.run.revision,
  }
}

export interface PastRun {
  /** ISO 8601. */
  readonly at: string
  readonly history: Partial<History>
}

const lineSchema = z.object({
  timestamp: z.number(),
  testResults: z.record(
    z.string(),
    z.object({
      fullName: z.string(),
      labels: z.array(z.object({ name: z.string(), value: z.string() })),
    }),
  ),
})

const MOST_RUNS = 20

/** The last runs in the file, the earliest first; a line of another program is left out. */
export const readHistory = (file: string): readonly PastRun[] =>
  [...linesOf(readEvidence(file))].slice(-MOST_RUNS).flatMap((line) => {
    try {
      const { timestamp, testResults } = lineSchema.parse(JSON.parse(line.toString('utf8')))
      const conclusion = Object.values(testResults).find(({ fullName }) => fullName === 'conclusion')
      const labels = (conclusion?.labels ?? []).map(({ name, value }) => [name, value] as const)
      return [{ at: new Date(timestamp).toISOString(), history: Object.fromEntries(labels) }]
    } catch {
      return []
    }
  })

export const history = ({ report, past }: { readonly report: Report; readonly past: readonly PastRun[] }) =>
  past.length === 0
    ? ''
    : table(
        {
          caption: 'Requirements by result, the last run first',
          head: ['Run', ...COLUMNS.map((title) => (title === 'revision' ? title : { number: title }))],
          isNamed: true,
        },
        [...past, { at: report.run.startedAt, history: historyOf(report) }]
          .toReversed()
          .map(({ at, history: own }: PastRun) => [
            instantText(at),
            ...COLUMNS.map((column) => own[column] ?? '?'),
          ]),
      )
