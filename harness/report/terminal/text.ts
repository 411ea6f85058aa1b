import Table from 'cli-table3'
import pc from 'picocolors'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/** Colours, durations, paragraphs and tables for a terminal. Widths are columns of the terminal. */

export type Colors = ReturnType<typeof pc.createColors>

/** For pipes, files and tests. */
export const PLAIN: Colors = pc.createColors(false)

/** Colours for a terminal that shows them; never in a pipe, and never if NO_COLOR is set. */
export const colorsFor = (
  { isTTY }: Screen,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Colors =>
  pc.createColors(isTTY === true && (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb')

export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** The columns of a terminal. In a pipe or a file no line is folded. */
export const widthOf = ({ isTTY, columns }: Screen): number =>
  isTTY === true ? Math.max(NARROWEST, columns ?? NARROWEST) : Number.POSITIVE_INFINITY

const NARROWEST = 80

/** What a reader copies or must see whole: a range of ids, a method with its path, a command of the suite with its options. */
const WHOLE = [
  /\S+ … \S+/g,
  /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE) (?=\/|https?:)/g,
  /\b(?:npm (?:test|run [a-z]+)|(?:npx (?:--package \S+ )?)?bank-conformance [a-z]+)(?: --(?= ))?(?: --[a-z][\w-]*(?:[= ][^\s\-;,()][^\s;,()]*)?)*/g,
]
/** Characters that no text contains: a blank at which a line must not end, and a place without a blank where it may. */
const [GLUE, JOINT] = ['\uE000', '\uE001']

const glued = (text: string): string =>
  WHOLE.reduce(
    (whole, pattern) => whole.replaceAll(pattern, (found) => found.replaceAll(' ', GLUE)),
    text.replaceAll(/(?<=[\w"\]}],)(?=")/g, `${JOINT} `),
  )

/** Breaks text between words and between members of JSON. A word that is longer than a line stays whole: it may be a path. */
export const wrap = (text: string, width: number): readonly string[] =>
  wrapAnsi(glued(text), Math.max(1, width), { hard: false })
    .replaceAll(GLUE, ' ')
    .replaceAll(new RegExp(`${JOINT} ?`, 'g'), '')
    .split('\n')

/** Text after a prefix such as an indent, a bullet or a label; further lines are indented by the width of the prefix. */
export const paragraph = (prefix: string, text: string, width: number): readonly string[] => {
  const indent = stringWidth(prefix)
  return wrap(text, width - indent).map((line, at) => (at === 0 ? prefix : ' '.repeat(indent)) + line)
}

/** Each line wrapped: what follows a label is aligned with its text, and any other line is indented below its beginning. */
export const folded = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => {
      const label = /^ *\S+(?: \S+)* {2,}(?=\S)/.exec(line)?.[0]
      if (label !== undefined) return paragraph(label, line.slice(label.length), width)
      const indent = line.length - line.trimStart().length
      const [first = '', ...rest] = wrap(line.trimStart(), width - indent - 2)
      return [' '.repeat(indent) + first, ...rest.map((one) => ' '.repeat(indent + 2) + one)]
    })
    .join('\n')

/** The second text at the right edge; on a line of its own if there is no space for it, and after it if lines have no end. */
export const atRightEdge = (
  text: string,
  right: string,
  width: number,
  indent: number,
): readonly string[] => {
  if (width === Number.POSITIVE_INFINITY) return [`${text}   ${right}`]
  const blanks = width - stringWidth(text) - stringWidth(right)
  return blanks > 1 ? [text + ' '.repeat(blanks) + right] : [text, ' '.repeat(indent) + right]
}

/** Text on one line, cut with an ellipsis; only for lines that are replaced, such as progress. */
export const clip = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text
  const [begin = ''] = wrapAnsi(text, width - 1, { hard: true, wordWrap: false, trim: false }).split('\n')
  return `${begin}…`
}

/** `31 s`, `24 min 3 s`, `2 h 5 min` */
export const durationText = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const BORDERS = ['top', 'bottom'].flatMap((line) => [line, `${line}-left`, `${line}-mid`, `${line}-right`])
const INNER = ['left', 'left-mid', 'right', 'right-mid', 'mid', 'mid-mid']
const NO_BORDERS = Object.fromEntries([...BORDERS, ...INNER].map((border) => [border, '']))

/** A table without lines: the first column to the left, figures to the right. */
export const table = (rows: readonly (readonly string[])[], gap = 3): readonly string[] => {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const lines = new Table({
    chars: { ...NO_BORDERS, middle: ' '.repeat(gap) },
    style: { 'padding-left': 0, 'padding-right': 0, border: [], head: [] },
    rowAligns: rows.map(() => 'bottom' as const),
    colAligns: Array.from({ length: columns }, (_, at) => (at === 0 ? 'left' : 'right')),
  })
  lines.push(...rows.map((row) => [...row]))
  return lines
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
}
