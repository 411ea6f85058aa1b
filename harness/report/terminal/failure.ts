import stringWidth from 'string-width'
import { NO_REASON } from '../rows.ts'
import { isLatest } from '../run-folder.ts'
import { onOneLine } from '../run-observer.ts'
import { quoteArgument, typed } from '../../evidence/command-names.ts'
import { renderHandover, type Exchange } from '../../evidence/exchange.ts'
import { atRightEdge, paragraph, PLAIN, wrap, type Colors } from './text.ts'
import { DECIDED_BY } from '../../check/result.ts'
import type { Verdict, Violation } from '../../check/verdict.ts'
import type { CheckReport, RequirementReport } from '../schema.ts'

/** The result of a check as a block of lines, the same on the terminal and in every report. */

export type EvidenceLookup = (id: string) => Exchange | undefined

type Heading = Pick<RequirementReport, 'id' | 'claim' | 'quote' | 'place' | 'source'>

export interface BlockStyle {
  readonly width?: number
  readonly colors?: Colors
}

const SYMBOLS = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  waived: '~',
  inconclusive: '?',
  'not-reached': '?',
  'not-tested': '-',
  'not-applicable': '-',
  'harness-error': '‼',
} as const satisfies Record<Verdict, string>

const INDENT = '    '
const GAP = 3
/** A longer label is followed directly by its text, so that it does not move the text of the other lines. */
const LONGEST_LABEL = 20
export const DEFAULT_WIDTH = 110

interface Line {
  readonly label: string
  readonly text: string
  readonly right?: string
  /** A command stays on one line, whatever its length, so that it can be copied. */
  readonly unbroken?: boolean
}

const LONGEST_SEGMENT = 20

/** `7F…` for an identifier that would make the line too long. */
const shorten = (segment: string): string =>
  segment.length <= LONGEST_SEGMENT ? segment : `${segment.slice(0, 2)}…`

/** The path of a request without the origin, long identifiers and the values of the query. */
export const shortPath = (url: string): string => {
  const [path = '', query] = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/)
  const shortened = path.split('/').map(shorten).join('/')
  return `${shortened === '' ? '/' : shortened}${query === undefined ? '' : '?…'}`
}

/** Its status, or what came in its place. */
export const answerOf = ({ response, fault, handover }: Exchange): string => {
  if (handover !== undefined) return renderHandover(handover)
  return String(response?.status ?? `no answer (${fault?.kind ?? 'unknown'})`)
}

/** `GET /payments/7F…/status → 200` */
export const renderExchange = (exchange: Exchange): string =>
  onOneLine(`${exchange.request.method} ${shortPath(exchange.request.url)} → ${answerOf(exchange)}`)

const paint = (verdict: Verdict, { red, yellow, green, dim }: Colors): ((text: string) => string) => {
  if (verdict === 'fail' || verdict === 'harness-error') return red
  if (verdict === 'pass') return green
  return verdict === 'not-applicable' ? dim : yellow
}

const judgedLines = ({ violation, because, verdict }: CheckReport): readonly Line[] => {
  if (violation === undefined)
    return verdict === 'pass' ? [] : [{ label: verdict, text: because ?? NO_REASON }]
  const { subject, expected, received, counterexample } = violation
  const finding = { label: subject, text: `expected ${expected}; received ${received}` }
  if (counterexample === undefined) return [finding]
  const { value, seed, path } = counterexample
  const example = value.split('\n').map((text, index) => ({ label: index === 0 ? 'example' : '', text }))
  return [finding, ...example, { label: 'shrunk', text: `seed ${seed}, path ${path}` }]
}

export const showCommand = (id: string, out: string): string =>
  typed('show', `${quoteArgument(id)}${isLatest(out) ? '' : ` --out ${quoteArgument(out)}`}`)

const exchangeLines = (check: CheckReport, evidence: EvidenceLookup, out: string): readonly Line[] => {
  const id = check.violation?.exchange ?? check.exchanges.at(-1)
  if (id === undefined) return []
  const exchange = evidence(id)
  const text = exchange === undefined ? 'not in the evidence' : renderExchange(exchange)
  const shown = check.violation && exchange && excerptOf(exchange, check.violation)
  return [
    { label: 'exchange', text, right: showCommand(id, out) },
    ...(shown ? [{ label: exchange.sender === 'target' ? 'call' : 'answer', text: shown }] : []),
  ]
}

const LONGEST_EXCERPT = 200

/** The part of a message of the target that was judged: a header, or the body around the received value. */
const excerptOf = (
  { sender, request, response }: Exchange,
  { subject, received }: Pick<Violation, 'subject' | 'received'>,
): string | undefined => {
  const judged = sender === 'target' ? request : response
  if (judged === undefined) return undefined
  const name = /^header (.+)$/.exec(subject)?.[1]?.toLowerCase()
  if (name !== undefined)
    return judged.headers
      .filter(([field]) => field.toLowerCase() === name)
      .map(([field, value]) => `${field}: ${value}`)
      .join(', ')
  const body = judged.body?.text.replaceAll(/\s+/g, ' ').trim() ?? ''
  if (body.length <= LONGEST_EXCERPT) return body
  // The beginning of a page says nothing.
  if (body.startsWith('<') && !body.includes(received)) return undefined
  const start = Math.max(0, body.indexOf(received) - LONGEST_EXCERPT / 2)
  const end = start + LONGEST_EXCERPT
  return `${start > 0 ? '…' : ''}${body.slice(start, end)}${end < body.length ? '…' : ''}`
}

const renderLine = (line: Line, column: number, width: number): readonly string[] => {
  const label = onOneLine(line.label)
  const start = INDENT.length + column
  const prefix = `${INDENT}${label}${' '.repeat(Math.max(2, column - stringWidth(label)))}`
  const text = onOneLine(line.text)
  if (line.unbroken === true) return [prefix + text]
  const lines = paragraph(prefix, text, Math.max(width, start + 20))
  const last = lines.at(-1) ?? ''
  return line.right === undefined
    ? lines
    : [...lines.slice(0, -1), ...atRightEdge(last, line.right, width, start)]
}

const renderHead = (
  { id, claim }: Heading,
  { verdict, file }: CheckReport,
  width: number,
  colors: Colors,
): readonly string[] => {
  const title = `${SYMBOLS[verdict]} ${id}`
  const start = stringWidth(title) + 2
  const lines = wrap(onOneLine(claim), Math.max(20, width - start - GAP - stringWidth(file)))
  const [first = '', ...rest] = lines.map((line) => colors.bold(line))
  return [
    ...atRightEdge(`${paint(verdict, colors)(title)}  ${first}`, colors.dim(file), width, start),
    ...rest.map((line) => ' '.repeat(start) + line),
  ]
}

/** The block of a check that failed or warned; of any other check, with its reason in place of the violation. */
export const renderFailure = (
  heading: Heading,
  check: CheckReport,
  evidence: EvidenceLookup,
  out: string,
  { width = DEFAULT_WIDTH, colors = PLAIN }: BlockStyle = {},
): string => {
  const lines: readonly Line[] = [
    { label: heading.source, text: `"${heading.quote}"   ${heading.place}` },
    ...judgedLines(check),
    ...(check.decidedBy === undefined
      ? []
      : [{ label: 'decided', text: `after the judge: ${DECIDED_BY[check.decidedBy]}` }]),
    ...exchangeLines(check, evidence, out),
    { label: 'reproduce', text: check.reproduce, unbroken: true },
  ]
  const widths = lines.map(({ label }) => stringWidth(label)).filter((one) => one <= LONGEST_LABEL)
  const column = Math.max(...widths) + GAP
  return [
    ...renderHead(heading, check, width, colors),
    ...lines.flatMap((line) => renderLine(line, column, width)),
  ].join('\n')
}
