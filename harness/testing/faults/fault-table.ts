import { printable } from '../../report/run-observer.ts'
import { LISTED_FAULTS, type ListedFault } from './listed-faults.ts'

/** The page docs/faults.md, from what the command said of each fault. */

export interface Row {
  readonly fault: ListedFault
  readonly exitCode: string
  readonly conclusion: string
  readonly cause: string
  readonly seconds: number
  readonly memoryMib: number
  /** What is wrong; empty if the outcome is right. */
  readonly problems: readonly string[]
}

/** Ports and ids differ between runs. */
export const settled = (cause: string): string =>
  cause.replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')

/** A target may send control characters, some of which are white space. */
const cell = (text: string): string => printable(text.replaceAll(/\s+/g, ' ')).replaceAll('|', String.raw`\|`)

export const renderTable = (unsorted: readonly Row[]): string => {
  const rows = LISTED_FAULTS.flatMap((fault) => unsorted.filter((row) => row.fault === fault))
  const wrong = rows.filter(({ problems }) => problems.length > 0)
  const groups = [...new Set(rows.map(({ fault }) => fault.group))]
  return [
    '# Faults of a target, and what the command says',
    '',
    `\`npm run faults\` has written this page. It ran the command on ${rows.length} of ${LISTED_FAULTS.length} faulty targets. ${wrong.length === 0 ? 'No run hung or crashed, none reported a failure of the bank that has another cause, and each named the cause.' : `${wrong.length === 1 ? '1 row has' : `${wrong.length} rows have`} a problem, in bold.`}`,
    'The time and the memory are those of the whole process, on a machine with two cores that was used by others at the same time. The cause is the reason of most checks that did not pass.',
    ...groups.flatMap((group) => [
      '',
      `## ${group[0]?.toUpperCase() ?? ''}${group.slice(1)}`,
      '',
      '| Fault | Exit code | Conclusion | Cause | Time, s | Memory, MiB |',
      '| --- | --- | --- | --- | --- | --- |',
      ...rows
        .filter(({ fault }) => fault.group === group)
        .map(({ fault, exitCode, conclusion, cause, seconds, memoryMib, problems }) =>
          [
            '',
            cell(fault.title),
            exitCode,
            conclusion,
            `${cell(cause)}${problems.length === 0 ? '' : ` **${cell(problems.join('; '))}**`}`,
            seconds.toFixed(0),
            memoryMib.toFixed(0),
            '',
          ]
            .join(' | ')
            .trim(),
        ),
    ]),
    '',
  ].join('\n')
}
