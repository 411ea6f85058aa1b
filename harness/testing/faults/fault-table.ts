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

/** The class with its number of faults, and the ends of all: "2, 4" for exit codes. */
const lineOf = (group: string, rows: readonly Row[]): string => {
  const each = (valueOf: (row: Row) => string): string => [...new Set(rows.map(valueOf))].sort().join(', ')
  const most = (valueOf: (row: Row) => number): string => Math.max(...rows.map(valueOf)).toFixed(0)
  const wrong = rows.filter(({ problems }) => problems.length > 0)
  const [example] = rows
  const cells = [
    group,
    String(rows.length),
    each(({ exitCode }) => exitCode),
    each(({ conclusion }) => conclusion),
    cell(`${example?.fault.title ?? ''}: ${example?.cause ?? ''}`) +
      wrong.map(({ fault, problems }) => ` **${cell(`${fault.title}: ${problems.join('; ')}`)}**`).join(''),
    most(({ seconds }) => seconds),
    most(({ memoryMib }) => memoryMib),
  ]
  return `| ${cells.join(' | ')} |`
}

export const renderTable = (unsorted: readonly Row[]): string => {
  const rows = LISTED_FAULTS.flatMap((fault) => unsorted.filter((row) => row.fault === fault))
  const wrong = rows.filter(({ problems }) => problems.length > 0)
  const groups = [...new Set(rows.map(({ fault }) => fault.group))]
  return [
    '# Faults of a target, and what the command says',
    '',
    `\`npm run faults\` has written this page. It ran the command on ${rows.length} of ${LISTED_FAULTS.length} faulty targets. ${wrong.length === 0 ? 'No run hung or crashed, none reported a failure of the bank that has another cause, and each named the cause.' : `${wrong.length === 1 ? '1 fault has' : `${wrong.length} faults have`} a problem, in bold.`}`,
    'A line is a class of faults, with the cause that most checks of its first fault have. The time and the memory are the most of one run, of the whole process, on a machine with two cores that was used by others at the same time.',
    '',
    '| Class | Faults | Exit codes | Conclusions | For example | Time, s | Memory, MiB |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...groups.map((group) =>
      lineOf(
        group,
        rows.filter(({ fault }) => fault.group === group),
      ),
    ),
    '',
  ].join('\n')
}
