import { groupBy, plural } from '../../plan/lists.ts'
import { join } from 'node:path'
import { OUTPUT } from '../../evidence/output.ts'
import { writeWhole } from '../output-folder.ts'
import { escapeMarkup } from '../run-observer.ts'
import { clockOf, MARGIN, renderSheet, text, WIDTH } from './sheet.ts'
import type { ScenarioSpan } from '../../check/result.ts'

/** A run as a drawing: each scenario is a bar on the time axis, dark while it acts and light while it waits. */

const HEAD = 66
const NAMES = 330
const FOOT = 64
/** The height of a row: rows of the tallest kind fit into the room. */
const [TALLEST, FLATTEST, ROOM] = [18, 3, 900]
/** The distance that names need. */
const LETTERING = 13
const MOST_LETTERS = 52
const NARROWEST = 1.5

interface Row {
  readonly scenario: string
  /** One for each value of a property, the earliest first. */
  readonly spans: readonly ScenarioSpan[]
  readonly from: number
  readonly to: number
}

interface Paper {
  readonly rows: readonly Row[]
  readonly begin: number
  /** The displayed time, in ms. */
  readonly length: number
  readonly rowHeight: number
}

const rowsOf = (spans: readonly ScenarioSpan[]): readonly Row[] =>
  [...groupBy(spans, ({ scenario }) => scenario)]
    .map(([scenario, own]) => ({
      scenario,
      spans: own,
      from: Math.min(...own.map(({ from }) => from)),
      to: Math.max(...own.map(({ to }) => to)),
    }))
    .sort((one, other) => one.from - other.from || one.to - other.to)

const paperOf = (rows: readonly Row[]): Paper => {
  const begin = Math.min(...rows.map(({ from }) => from))
  const end = Math.max(...rows.map(({ to }) => to))
  return {
    rows,
    begin,
    length: Math.max(1_000, end - begin),
    rowHeight: Math.min(TALLEST, Math.max(FLATTEST, Math.floor(ROOM / rows.length))),
  }
}

const xOf = ({ begin, length }: Paper, at: number): number =>
  MARGIN + NAMES + ((at - begin) / length) * (WIDTH - NAMES - 2 * MARGIN)

const bottomOf = ({ rows, rowHeight }: Paper): number => HEAD + rows.length * rowHeight

/** The distance of labels in seconds: the smallest that leaves enough space. */
const STEPS_S = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400] as const
const MOST_LABELS = 12

const axis = (paper: Paper): string => {
  const seconds = paper.length / 1_000
  const step = STEPS_S.find((each) => seconds / each <= MOST_LABELS) ?? seconds
  const bottom = bottomOf(paper)
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => at * step * 1_000)
    .map((ms) => {
      const x = xOf(paper, paper.begin + ms).toFixed(1)
      return `<path d="M${x} ${HEAD}V${bottom}" stroke="var(--rule)"/>${text(Number(x), bottom + 16, clockOf(ms), 'small middle')}`
    })
    .join('')
}

/** Where rows are flat, the longest scenarios have names, as many as there is space for. */
const named = ({ rows, rowHeight }: Paper): ReadonlySet<number> => {
  const chosen: number[] = []
  const longest = rows.map((_, at) => at).sort((one, other) => lengthOf(rows[other]) - lengthOf(rows[one]))
  for (const at of longest)
    if (chosen.every((other) => Math.abs(other - at) * rowHeight >= LETTERING)) chosen.push(at)
  return new Set(chosen)
}

const lengthOf = (row: Row | undefined): number => (row === undefined ? 0 : row.to - row.from)

const shortened = (scenario: string): string =>
  scenario.length > MOST_LETTERS ? `${scenario.slice(0, MOST_LETTERS - 1)}…` : scenario

const rowOf = (paper: Paper, row: Row, at: number, isNamed: boolean): string => {
  const y = HEAD + at * paper.rowHeight
  const height = Math.max(2, paper.rowHeight - Math.ceil(paper.rowHeight / 6))
  const part = (from: number, to: number, color: string): string => {
    const x = xOf(paper, from)
    const width = Math.max(NARROWEST, xOf(paper, to) - x)
    return `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${height}" fill="var(--${color})"/>`
  }
  const bars = row.spans.flatMap(({ from, to, waits }) => [
    part(from, to, 'act'),
    ...waits.map((wait) => part(wait.from, wait.to, 'wait')),
  ])
  const name = isNamed
    ? text(MARGIN + NAMES - 8, y + paper.rowHeight / 2 + 4, shortened(row.scenario), 'small end')
    : ''
  return `<g><title>${escapeMarkup(`${row.scenario}: ${timesOf(paper, row)}`)}</title>${bars.join('')}</g>${name}`
}

const waitedIn = (spans: readonly ScenarioSpan[]): number =>
  spans.reduce((sum, { waits }) => sum + waits.reduce((own, { from, to }) => own + to - from, 0), 0)

const timesOf = ({ begin }: Paper, { from, to, spans }: Row): string => {
  const waited = waitedIn(spans)
  return `${clockOf(from - begin)}–${clockOf(to - begin)}${waited === 0 ? '' : `, of which it waited ${clockOf(waited)}`}`
}

const mostAtOnce = (spans: readonly { readonly from: number; readonly to: number }[]): number => {
  const changes = spans.flatMap(({ from, to }) => [[from, 1] as const, [to, -1] as const])
  let [now, most] = [0, 0]
  for (const [, change] of changes.sort(([one, up], [other, down]) => one - other || up - down)) {
    now += change
    most = Math.max(most, now)
  }
  return most
}

/** In words what the drawing shows: how many, how long, how many at the same time, and which was the last to end. */
const summaryOf = ({ rows, length, begin }: Paper): string => {
  const spans = rows.flatMap((row) => row.spans)
  const waiting = rows.filter((row) => waitedIn(row.spans) > 0).length
  const last = rows.reduce((one, other) => (other.to > one.to ? other : one))
  return [
    `up to ${mostAtOnce(spans)} at the same time`,
    ...(waiting === 0
      ? []
      : [
          `${plural(waiting, 'scenario')} waited, up to ${mostAtOnce(spans.flatMap(({ waits }) => waits))} at the same time`,
        ]),
    `the last to end, after ${clockOf(Math.min(length, last.to - begin))}, was ${last.scenario}`,
  ].join('; ')
}

const legend = (paper: Paper): string => {
  const y = bottomOf(paper) + 46
  const sign = (x: number, color: string, meaning: string): string =>
    `<rect x="${x}" y="${y - 10}" width="26" height="12" fill="var(--${color})"/>${text(x + 34, y, meaning, 'small')}`
  return (
    sign(MARGIN + NAMES, 'act', 'acts') +
    sign(MARGIN + NAMES + 110, 'wait', 'waits, and others act') +
    text(
      WIDTH - MARGIN,
      bottomOf(paper) + 32,
      'minutes and seconds since the first scenario began',
      'small end',
    )
  )
}

/** @param spans at least one. */
export const renderSchedule = (spans: readonly ScenarioSpan[]): string => {
  const paper = paperOf(rowsOf(spans))
  const names = named(paper)
  return renderSheet(
    {
      height: bottomOf(paper) + FOOT,
      title: `${plural(paper.rows.length, 'scenario')} in ${clockOf(paper.length)} min`,
      summary: summaryOf(paper),
      light: '--act:#0b5cad;--wait:#b9d5f0',
      dark: '--act:#6db7ff;--wait:#27496b',
    },
    [axis(paper), ...paper.rows.map((row, at) => rowOf(paper, row, at, names.has(at))), legend(paper)],
  )
}

/** Draws when the scenarios of a run acted, if any did. */
export const writeSchedule = (spans: readonly ScenarioSpan[], outDir: string): void => {
  if (spans.length > 0) writeWhole(join(outDir, OUTPUT.schedule), renderSchedule(spans))
}
