import { join } from 'node:path'
import { writeWhole } from '../output-folder.ts'
import { escapeMarkup } from '../run-observer.ts'
import { clockOf, MARGIN, renderSheet, text, WIDTH } from './sheet.ts'
import type { Span, TimeLine } from '../../check/time-line/time-line.ts'

/**
 * The time line of an application as a drawing: a lane for each status, a band for the expected time of the
 * change to it, a mark for the observed time.
 */

const MINUTE_MS = 60_000
const HEAD = 64
const NAMES = 300
const LANE = 46
const AXIS = 40
const LEGEND = 34
const NARROWEST = 4

const betweenOf = ({ from, to }: Span): string =>
  clockOf(from) === clockOf(to) ? clockOf(to) : `${clockOf(from)}–${clockOf(to)}`

interface Paper {
  readonly line: TimeLine
  readonly lanes: readonly string[]
  /** The displayed time, in ms. */
  readonly length: number
}

const paperOf = (line: TimeLine): Paper => {
  const instants = [...line.expected, ...line.observed].map(({ to }) => to)
  const last = Math.max(...instants, ...line.polls.map(({ at }) => at), MINUTE_MS)
  const first = line.observed[0]?.status
  const statuses = [...(first === undefined ? [] : [first]), ...line.expected.map(({ status }) => status)]
  return {
    line,
    lanes: [...new Set([...statuses, ...line.observed.map(({ status }) => status)])],
    length: Math.ceil(last / MINUTE_MS) * MINUTE_MS,
  }
}

const xOf = ({ length }: Paper, ms: number): number =>
  Math.round((MARGIN + NAMES + (ms / length) * (WIDTH - NAMES - 2 * MARGIN)) * 10) / 10

const yOf = ({ lanes }: Paper, status: string): number => HEAD + lanes.indexOf(status) * LANE + LANE / 2

const bottomOf = ({ lanes }: Paper): number => HEAD + lanes.length * LANE

/** The distance of labels in minutes: the smallest that leaves enough space. */
const STEPS_MIN = [1, 2, 5, 10, 30, 60, 240, 1440] as const
const MOST_LABELS = 24

const axis = (paper: Paper): string => {
  const minutes = paper.length / MINUTE_MS
  const step = STEPS_MIN.find((each) => minutes / each <= MOST_LABELS) ?? minutes
  const bottom = bottomOf(paper)
  const ticks = Array.from({ length: Math.floor(minutes / step) + 1 }, (_, at) => at * step)
  return [
    ...ticks.map((minute) => {
      const x = xOf(paper, minute * MINUTE_MS)
      return `<path d="M${x} ${HEAD}V${bottom}" stroke="var(--rule)"/>${text(x, bottom + 16, String(minute), 'small middle')}`
    }),
    text(WIDTH - MARGIN, bottom + 32, 'minutes since the selection of the scenario', 'small end'),
  ].join('')
}

const lane = (paper: Paper, status: string): string => {
  const y = yOf(paper, status)
  return `<path d="M${MARGIN} ${y + LANE / 2}H${WIDTH - MARGIN}" stroke="var(--rule)"/>${text(MARGIN, y + 4, status)}`
}

const band = (paper: Paper, span: Span): string => {
  const [left, right, y] = [xOf(paper, span.from), xOf(paper, span.to), yOf(paper, span.status)]
  return (
    `<rect x="${left}" y="${y - 15}" width="${(right - left).toFixed(1)}" height="30" rx="3" fill="var(--band)" stroke="var(--edge)">` +
    `<title>${escapeMarkup(`${span.status} is expected ${betweenOf(span)} min`)}</title></rect>`
  )
}

type Move = TimeLine['observed'][number]

/** Whether a status change was observed outside its band. */
const isOut = ({ expected }: TimeLine, move: Move, at: number): boolean => {
  if (at === 0) return false
  const span = expected.find(({ status }) => status === move.status)
  return span === undefined || move.to < span.from || move.from > span.to
}

const stay = (paper: Paper, move: Move, next: Move | undefined): string => {
  const y = yOf(paper, move.status)
  const until = next?.from ?? Math.max(move.to, paper.line.polls.at(-1)?.at ?? 0)
  const along = `<path d="M${xOf(paper, move.to)} ${y}H${xOf(paper, until)}" stroke="var(--stay)" stroke-width="3"/>`
  if (next === undefined) return along
  const x = xOf(paper, next.to)
  return `${along}<path d="M${x} ${y}V${yOf(paper, next.status)}" stroke="var(--stay)" stroke-dasharray="2 3"/>`
}

const mark = (paper: Paper, move: Move, at: number): string => {
  const isBad = isOut(paper.line, move, at)
  const [left, right, y] = [xOf(paper, move.from), xOf(paper, move.to), yOf(paper, move.status)]
  const width = Math.max(NARROWEST, right - left)
  const color = isBad ? 'var(--bad)' : 'var(--mark)'
  const seen = `${move.status} ${betweenOf(move)} min${move.exchange === undefined ? '' : `, ${move.exchange}`}`
  const span = paper.line.expected.find(({ status }) => status === move.status)
  const beside = Math.min(left, right - width, span === undefined ? left : xOf(paper, span.from)) - 6
  const label = text(beside, y + 4, `${isBad ? '✗ ' : ''}${betweenOf(move)}`, 'small end')
  return (
    `<rect x="${(right - width).toFixed(1)}" y="${y - 11}" width="${width.toFixed(1)}" height="22" rx="1.5" fill="${color}">` +
    `<title>${escapeMarkup(seen)}</title></rect>${label}`
  )
}

const polls = (paper: Paper): string =>
  paper.line.polls
    .filter(({ status }) => status !== undefined && paper.lanes.includes(status))
    .map(
      ({ at, status = '' }) =>
        `<circle cx="${xOf(paper, at)}" cy="${yOf(paper, status) + 18}" r="1.6" fill="var(--soft)"/>`,
    )
    .join('')

const legend = (paper: Paper): string => {
  const y = bottomOf(paper) + AXIS + 12
  const items = [
    [
      `<rect x="0" y="-10" width="26" height="14" rx="3" fill="var(--band)" stroke="var(--edge)"/>`,
      'expected time',
    ],
    [`<rect x="11" y="-11" width="4" height="16" fill="var(--mark)"/>`, 'reached between two polls'],
    [`<path d="M0 -3H26" stroke="var(--stay)" stroke-width="3"/>`, 'time in the status'],
    [`<circle cx="13" cy="-3" r="1.6" fill="var(--soft)"/>`, 'a poll'],
  ] as const
  const each = (WIDTH - 2 * MARGIN) / items.length
  return items
    .map(
      ([sign, meaning], at) =>
        `<g transform="translate(${MARGIN + at * each} ${y})">${sign}${text(34, 1, meaning, 'small')}</g>`,
    )
    .join('')
}

/** `Loan path client: LOAN_DISBURSED after 9:00 min, as expected`. */
export const titleOf = (line: TimeLine): string => {
  const last = line.observed.at(-1)
  const isPermitted = line.observed.every((move, at) => !isOut(line, move, at))
  const isWhole = last !== undefined && last.status === (line.expected.at(-1)?.status ?? last.status)
  const end = last === undefined ? 'no status was observed' : `${last.status} after ${clockOf(last.to)} min`
  return `Loan path ${line.path}: ${end}${isPermitted && isWhole ? ', as expected' : ', not as expected'}`
}

export const renderTimeLine = (line: TimeLine): string => {
  const paper = paperOf(line)
  return renderSheet(
    {
      height: bottomOf(paper) + AXIS + LEGEND,
      title: titleOf(line),
      summary: `${line.polls.length} polls`,
      light: '--band:#cfe3f8;--edge:#7fb0e0;--stay:#52606d;--mark:#0b5cad;--bad:#c62828',
      dark: '--band:#1d3b59;--edge:#3f75a8;--stay:#9fb0c0;--mark:#6db7ff;--bad:#ff8a80',
    },
    [
      axis(paper),
      ...paper.lanes.map((status) => lane(paper, status)),
      ...line.expected.map((span) => band(paper, span)),
      ...line.observed.map((move, at) => stay(paper, move, line.observed[at + 1])),
      ...line.observed.map((move, at) => mark(paper, move, at)),
      polls(paper),
      legend(paper),
    ],
  )
}

/** The file of a loan path's time line: `loan-path-client.svg`. */
export const drawingOfTimeLine = (path: string): string => `loan-path-${path}.svg`

export const writeTimeLines = (lines: readonly TimeLine[], outDir: string): void => {
  for (const line of lines) writeWhole(join(outDir, drawingOfTimeLine(line.path)), renderTimeLine(line))
}
