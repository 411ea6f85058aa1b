import { table } from '../terminal/text.ts'
import type { Counts, CatalogueDocument } from './schema.ts'

/** The counts of the catalogue, within 80 columns. */

export const COLUMNS: readonly (readonly [key: keyof Counts, title: string])[] = [
  ['MUST', 'MUST'],
  ['SHOULD', 'SHOULD'],
  ['MAY', 'MAY'],
  ['checked', 'checked'],
  ['unchecked', 'unchecked'],
  ['notShown', 'not shown'],
  ['checks', 'checks'],
  ['defects', 'defects'],
]

const row = (name: string, counts: Counts): readonly string[] => [
  name,
  ...COLUMNS.map(([key]) => String(counts[key])),
]

export const renderSummary = ({ chapters, counts, suite, variations }: CatalogueDocument): string =>
  [
    `Catalogue of ${suite.name} ${suite.version}`,
    '',
    ...table(
      [
        ['', ...COLUMNS.map(([, title]) => title)],
        ...chapters.map((each) => row(each.chapter, each.counts)),
        row('all', counts),
      ],
      2,
    ),
    '',
    `${variations.length} permitted variations of the reference bank: no check fails on them.`,
  ].join('\n')
