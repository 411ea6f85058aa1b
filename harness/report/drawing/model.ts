import { join } from 'node:path'
import { writeWhole } from '../output-folder.ts'
import { GROUNDS, type Ground, type ModelState, type ModelMove } from '../../check/model.ts'
import { escapeMarkup } from '../run-observer.ts'
import { groupBy } from '../../plan/lists.ts'
import type { Visits } from '../../check/result.ts'
import type { Report } from '../schema.ts'

/** A model as a drawing: its states as boxes, its moves as arrows, both with how often a run visited them. */

export interface Tally {
  readonly name: string
  readonly states: readonly (ModelState & { readonly visits: number })[]
  readonly moves: readonly (ModelMove & { readonly visits: number })[]
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** The visits of a state are the moves into it; of the first state, the moves out of it. */
const tallyOne = (all: readonly [Visits, ...Visits[]]): Tally => {
  const { name, states, moves } = all[0].model
  const counted = moves.map((move) => ({
    ...move,
    visits: sum(all.map(({ counts }) => counts[move.id] ?? 0)),
  }))
  const visitsOf = (id: string): number => {
    const into = counted.filter(({ to }) => to === id)
    const meant = into.length > 0 ? into : counted.filter(({ from }) => from === id)
    return sum(meant.map(({ visits }) => visits))
  }
  return { name, states: states.map((state) => ({ ...state, visits: visitsOf(state.id) })), moves: counted }
}

/** Each model once, with the sum of its visits. */
export const tallyVisits = (visits: readonly Visits[]): readonly Tally[] =>
  [...groupBy(visits, ({ model }) => model.name).values()].map(tallyOne)

export const SVG = 'image/svg+xml'

type State = Tally['states'][number]
type Move = Tally['moves'][number]

interface Point {
  readonly x: number
  readonly y: number
}

/** A page shows a drawing of four columns at five sixths of its size: letters of 13.5 px are above 11 px there. */
const [COLUMN, ROW] = [301, 170]
const [WIDTH, HEIGHT] = [156, 82]
const MARGIN = 10
const LEGEND = 92
const LINE = 17

const INK = { visited: 'var(--ink)', unvisited: 'var(--soft)' } as const
const FILL = { visited: 'var(--box)', unvisited: 'var(--empty)' } as const

const STYLE = [
  'text{font-family:system-ui,sans-serif;font-size:13.5px;text-anchor:middle}',
  '.id{font-size:16px;font-weight:600}',
  '.left{text-anchor:start}',
  '.right{text-anchor:end;font-weight:600}',
  'svg{--paper:#fff;--ink:#1f2933;--soft:#66727f;--box:#e3f0ff;--empty:#f5f7fa;--open:#0b69a3;--bad:#a61b34}',
  '@media (prefers-color-scheme:dark){svg{--paper:#14181d;--ink:#e8edf2;--soft:#97a4b1;--box:#1d3b59;--empty:#1c2127;--open:#6db7ff;--bad:#ff8095}}',
].join('')

const times = (visits: number): string => (visits === 0 ? 'never' : `${visits} ×`)

const centreOf = ({ column, row }: State): Point => ({
  x: MARGIN + WIDTH / 2 + column * COLUMN,
  y: MARGIN + HEIGHT / 2 + row * ROW,
})

const text = ({ x, y }: Point, content: string, attributes: string): string =>
  `<text x="${Math.round(x)}" y="${Math.round(y)}" ${attributes}>${escapeMarkup(content)}</text>`

/** What fits into a box. */
const LABEL_LINES = /.{1,19}(\s|$)/g

const box = (state: State): string => {
  const { x, y } = centreOf(state)
  const style = state.visits > 0 ? 'visited' : 'unvisited'
  const dashes = state.visits > 0 ? '' : ' stroke-dasharray="6 4"'
  const frame = `<rect x="${x - WIDTH / 2}" y="${y - HEIGHT / 2}" width="${WIDTH}" height="${HEIGHT}" rx="8" fill="${FILL[style]}" stroke="${INK[style]}"${dashes}/>`
  return [
    frame,
    text({ x, y: y - 18 }, state.id, `class="id" fill="${INK[style]}"`),
    ...(state.label?.match(LABEL_LINES) ?? []).map((line, at) =>
      text({ x, y: y + 1 + at * 15 }, line.trim(), `fill="${INK[style]}"`),
    ),
    text({ x, y: y + 34 }, times(state.visits), `fill="${INK[style]}"`),
  ].join('')
}

/** Where a line from the centre of a box crosses its edge, plus a gap. */
const rim = (centre: Point, towards: Point, gap: number): Point => {
  const [dx, dy] = [towards.x - centre.x, towards.y - centre.y]
  const part = Math.min(
    (WIDTH / 2 + gap) / Math.max(Math.abs(dx), 1e-9),
    (HEIGHT / 2 + gap) / Math.max(Math.abs(dy), 1e-9),
  )
  return { x: centre.x + dx * part, y: centre.y + dy * part }
}

const isBetter = (one: Ground, other: Ground): boolean =>
  Object.keys(GROUNDS).indexOf(one) < Object.keys(GROUNDS).indexOf(other)

/** The stroke shows the source of a move; a move that was not visited is thin and grey. */
const STROKES = { stated: 1.8, 'not-shown': 1.8, unnamed: 0.9 } as const satisfies Record<Ground, number>
const COLORS = { stated: INK.visited, 'not-shown': 'var(--open)', unnamed: INK.visited } as const

const strokeOf = (ground: Ground, isVisited: boolean): string =>
  isVisited
    ? `stroke="${COLORS[ground]}" stroke-width="${STROKES[ground]}"`
    : `stroke="${INK.unvisited}" stroke-width="0.7" stroke-dasharray="6 4"`

const markerOf = (ground: Ground, isVisited: boolean): string =>
  isVisited ? (ground === 'not-shown' ? 'not-shown' : 'visited') : 'unvisited'

const LETTER = 7

/** The lines of a label, on a ground of their own that hides the arrow. */
const labelAt = ({ x, y }: Point, lines: readonly (readonly [words: string, color: string])[]): string => {
  const width = Math.max(...lines.map(([words]) => words.length)) * LETTER + 8
  const [left, top, height] = [x - width / 2, y - (lines.length * LINE) / 2 - 2, lines.length * LINE + 4]
  return [
    `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${width}" height="${height}" rx="4" fill="var(--empty)"/>`,
    ...lines.map(([words, color], at) => text({ x, y: top + 15 + at * LINE }, words, `fill="${color}"`)),
  ].join('')
}

/** The position of a label on its arrow: near its start, where arrows to the same state are apart. */
const LABEL_AT = 0.42

/** All moves between the same two states are one arrow, with a line for each. */
const arrow = (
  from: State,
  to: State,
  moves: readonly Move[],
): { readonly line: string; readonly label: string } => {
  const [start, end] = [rim(centreOf(from), centreOf(to), 2), rim(centreOf(to), centreOf(from), 5)]
  const isVisited = moves.some(({ visits }) => visits > 0)
  const ground = moves
    .filter(({ visits }) => visits > 0 || !isVisited)
    .map((move) => move.ground)
    .reduce((best, each) => (isBetter(each, best) ? each : best))
  const at = { x: start.x + (end.x - start.x) * LABEL_AT, y: start.y + (end.y - start.y) * LABEL_AT }
  return {
    line: `<line x1="${start.x.toFixed(1)}" y1="${start.y.toFixed(1)}" x2="${end.x.toFixed(1)}" y2="${end.y.toFixed(1)}" ${strokeOf(ground, isVisited)} marker-end="url(#${markerOf(ground, isVisited)})"/>`,
    label: labelAt(
      at,
      moves.map(({ by, visits }) => [`${by}: ${times(visits)}`, visits > 0 ? INK.visited : INK.unvisited]),
    ),
  }
}

const arrows = ({ states, moves }: Tally) =>
  states.flatMap((from) =>
    states.flatMap((to) => {
      const between = moves.filter((move) => move.from === from.id && move.to === to.id)
      return between.length === 0 ? [] : [arrow(from, to, between)]
    }),
  )

const marker = (id: string, color: string): string =>
  `<marker id="${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L10 5L0 10z" fill="${color}"/></marker>`

const legend = (y: number): string =>
  [
    ...(Object.keys(GROUNDS) as Ground[]).map((ground) => [strokeOf(ground, true), GROUNDS[ground]] as const),
    [strokeOf('stated', false), 'never visited'] as const,
  ]
    .map(([stroke, meaning], index) => {
      const at = y + index * 20
      return `<line x1="${MARGIN}" y1="${at}" x2="${MARGIN + 44}" y2="${at}" ${stroke}/>${text({ x: MARGIN + 56, y: at + 4 }, meaning, `class="left" fill="${INK.visited}"`)}`
    })
    .join('')

type Visited = readonly { readonly visits: number }[]

interface Coverage {
  readonly name: string
  readonly states: Visited
  readonly moves: Visited
}

/** How much of the model a run has visited: `payment model: 5 of 6 states, 7 of 12 moves visited`. */
export const coverageOf = ({ name, states, moves }: Coverage): string => {
  const visited = (all: Visited): string =>
    `${all.filter(({ visits }) => visits > 0).length} of ${all.length}`
  return `${name} model: ${visited(states)} states, ${visited(moves)} moves visited`
}

const MOST_BROKEN = 8

/** A drawing has permitted moves only: what is not permitted is in the findings. */
const brokenText = (broken: readonly string[]): string => {
  const rest = broken.length - MOST_BROKEN
  return `Permitted moves only. Broken in this chapter: ${broken.slice(0, MOST_BROKEN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** @param broken the requirements of its chapter that are broken in this run. */
export const renderModel = (tally: Tally, broken: readonly string[] = []): string => {
  const { states } = tally
  const right = Math.max(...states.map((state) => centreOf(state).x)) + WIDTH / 2 + MARGIN
  const bottom = Math.max(...states.map((state) => centreOf(state).y)) + HEIGHT / 2 + MARGIN
  const drawn = arrows(tally)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${right}" height="${bottom + LEGEND}" viewBox="0 0 ${right} ${bottom + LEGEND}" role="img">`,
    `<title>${escapeMarkup(coverageOf(tally))}</title><style>${STYLE}</style>`,
    `<defs>${marker('visited', INK.visited)}${marker('not-shown', COLORS['not-shown'])}${marker('unvisited', INK.unvisited)}</defs>`,
    '<rect width="100%" height="100%" fill="var(--paper)"/>',
    ...drawn.map(({ line }) => line),
    ...drawn.map(({ label }) => label),
    ...states.map(box),
    legend(bottom + 8),
    ...(broken.length === 0
      ? []
      : [
          text(
            { x: right - MARGIN, y: bottom + 12 + 3 * 20 },
            brokenText(broken),
            'class="right" fill="var(--bad)"',
          ),
        ]),
    '</svg>\n',
  ].join('\n')
}

/** The file of a model's drawing: `payment-model.svg`. */
export const drawingOf = (model: string): string => `${model}-model.svg`

/** Draws each model that a run has visited. @param models what its report says of them. */
export const writeDrawings = (
  visits: readonly Visits[],
  { models = [] }: Pick<Report, 'models'>,
  outDir: string,
): void => {
  for (const tally of tallyVisits(visits)) {
    const broken = models.find(({ name }) => name === tally.name)?.broken
    writeWhole(join(outDir, drawingOf(tally.name)), renderModel(tally, broken))
  }
}
