import { join } from 'node:path'
import { onOneLine } from '../printable.ts'
import { OUTPUT } from '../output.ts'
import { PLAIN } from './colors.ts'
import { renderExchange } from './exchange-line.ts'
import { blanks, lengthOf, wrap } from './layout.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Verdict } from '../../check/verdict.ts'
import type { CheckReport, RequirementReport } from '../schema.ts'
import type { Colors } from './colors.ts'

/** What a check found, as a block of lines: the same form on the terminal and in every report. */

/** Finds a recorded exchange by its id. */
export type EvidenceLookup = (id: string) => Exchange | undefined

export type Heading = Pick<RequirementReport, 'id' | 'claim' | 'quote' | 'place' | 'source'>

export interface BlockStyle {
  readonly width?: number
  readonly colors?: Colors
}

export const SYMBOLS = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  waived: '~',
  inconclusive: '?',
  'not-reached': '?',
  'not-applicable': '-',
  'harness-error': '‼',
} as const satisfies Record<Verdict, string>

const INDENT = 4
const GAP = 3
/** A label longer than this has its text right behind it, so that it does not push the others away. */
const LONGEST_LABEL = 20
const DEFAULT_WIDTH = 110

interface Line {
  readonly label: string
  readonly text: string
  /** Stands behind the text, and is never broken. */
  readonly tail?: string
  /** Stands where the file of the first line stands. */
  readonly right?: string
  /** A command stays on one line, whatever its length: so it can be copied. */
  readonly whole?: boolean
}

const paint = (verdict: Verdict, { red, yellow, green, dim }: Colors): ((text: string) => string) => {
  if (verdict === 'fail' || verdict === 'harness-error') return red
  if (verdict === 'pass') return green
  return verdict === 'not-applicable' ? dim : yellow
}

const findings = (check: CheckReport): readonly Line[] => {
  const { violation, because, verdict } = check
  if (violation === undefined)
    return verdict === 'pass' ? [] : [{ label: verdict, text: because ?? 'no reason was recorded' }]
  const { subject, expected, received, counterexample } = violation
  return [
    { label: subject, text: `expected ${expected}; received ${received}` },
    ...(counterexample === undefined
      ? []
      : [
          ...exampleLines(counterexample.value),
          { label: 'shrunk', text: `seed ${counterexample.seed}, path ${counterexample.path}` },
        ]),
  ]
}

/** An example that is told in lines keeps them. */
const exampleLines = (value: string): readonly Line[] =>
  value.split('\n').map((text, index) => ({ label: index === 0 ? 'example' : '', text }))

const exchangeLine = (check: CheckReport, evidence: EvidenceLookup, out: string): readonly Line[] => {
  const id = check.violation?.exchange ?? check.exchanges.at(-1)
  if (id === undefined) return []
  const exchange = evidence(id)
  const text = exchange === undefined ? 'not in the evidence' : renderExchange(exchange)
  return [{ label: `exchange ${id}`, text, right: join(out, OUTPUT.evidence) }]
}

const linesOf = (
  heading: Heading,
  check: CheckReport,
  evidence: EvidenceLookup,
  out: string,
): readonly Line[] =>
  [
    { label: heading.source, text: `"${heading.quote}"`, tail: onOneLine(heading.place) },
    ...findings(check),
    ...exchangeLine(check, evidence, out),
    { label: 'again', text: check.reproduce, whole: true },
  ].map((line) => ({ ...line, label: onOneLine(line.label), text: onOneLine(line.text) }))

const renderLine = (line: Line, column: number, width: number, rightColumn: number): readonly string[] => {
  const start = INDENT + lengthOf(line.label)
  const gap = start + GAP <= column ? column - start : 2
  const room = Math.max(20, width - start - gap)
  const text = line.whole === true ? [line.text] : wrap(line.text, room)
  const [first = '', ...rest] = withTail(text, line.tail, room)
  const head = `${blanks(INDENT)}${line.label}${blanks(gap)}${first}`
  return [
    ...beside(head, line.right, rightColumn, width),
    ...rest.map((more) => `${blanks(start + gap)}${more}`),
  ]
}

const withTail = (lines: readonly string[], tail: string | undefined, width: number): readonly string[] => {
  if (tail === undefined) return lines
  const last = `${lines.at(-1) ?? ''}${blanks(GAP)}${tail}`
  return lengthOf(last) <= width ? [...lines.slice(0, -1), last] : [...lines, ...wrap(tail, width)]
}

/** Below the file of the first line, or as far left as it must; on a line of its own where there is no room. */
const beside = (head: string, text: string | undefined, column: number, width: number): readonly string[] => {
  if (text === undefined) return [head]
  const start = Math.max(0, Math.min(column, width - lengthOf(text)))
  if (lengthOf(head) + GAP <= start) return [head + blanks(start - lengthOf(head)) + text]
  const isTight = lengthOf(head) + GAP + lengthOf(text) > width
  return isTight ? [head, blanks(start) + text] : [head + blanks(GAP) + text]
}

const renderHead = (
  heading: Heading,
  check: CheckReport,
  width: number,
  colors: Colors,
): readonly string[] => {
  const title = `${SYMBOLS[check.verdict]} ${heading.id}`
  const start = lengthOf(title) + 2
  const room = width - start - GAP - lengthOf(check.file)
  const [first = '', ...rest] = wrap(onOneLine(heading.claim), Math.max(room, 20))
  const file = blanks(width - start - lengthOf(first) - lengthOf(check.file))
  const head = `${paint(check.verdict, colors)(title)}  ${colors.bold(first)}`
  return [
    `${head}${file === '' ? blanks(GAP) : file}${colors.dim(check.file)}`,
    ...rest.map((line) => `${blanks(start)}${colors.bold(line)}`),
  ]
}

/** The block of a check that failed or warned; of any other, with its reason in the violation's place. */
export const renderFailure = (
  heading: Heading,
  check: CheckReport,
  evidence: EvidenceLookup,
  out: string,
  { width = DEFAULT_WIDTH, colors = PLAIN }: BlockStyle = {},
): string => {
  const lines = linesOf(heading, check, evidence, out)
  const labels = lines.map(({ label }) => lengthOf(label)).filter((length) => length <= LONGEST_LABEL)
  const column = INDENT + Math.max(...labels) + GAP
  const rightColumn = width - lengthOf(check.file)
  return [
    ...renderHead(heading, check, width, colors),
    ...lines.flatMap((line) => renderLine(line, column, width, rightColumn)),
  ].join('\n')
}
