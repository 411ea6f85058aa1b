import { blanks, pad } from '../report/terminal/layout.ts'
import type { CatalogueDocument, Counts } from './schema.ts'

/** What the terminal shows of the catalogue: its counts, within 80 columns. */

const COLUMNS: readonly (readonly [key: keyof Counts, width: number])[] = [
  ['MUST', 5],
  ['SHOULD', 8],
  ['MAY', 5],
  ['checked', 9],
  ['unchecked', 11],
  ['undisclosed', 13],
  ['checks', 8],
  ['defects', 8],
]

const CHAPTER_WIDTH = 13

const right = (text: string, width: number): string => blanks(width - text.length) + text

const line = (name: string, tell: (key: keyof Counts) => string): string =>
  pad(name, CHAPTER_WIDTH) + COLUMNS.map(([key, width]) => right(tell(key), width)).join('')

export const renderSummary = ({ chapters, counts, suite, variations }: CatalogueDocument): string =>
  [
    `Catalogue of ${suite.name} ${suite.version}`,
    '',
    line('', (key) => key),
    ...chapters.map((each) => line(each.chapter, (key) => String(each.counts[key]))),
    line('all', (key) => String(counts[key])),
    '',
    `${variations.length} banks that are different, and right: every check stays silent on them.`,
  ].join('\n')
