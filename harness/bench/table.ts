import type { Figure } from './statistics.ts'

/** Tables for people: what is measured on the left, figures on the right under one another. */

export type Cells = readonly string[]

const widthsOf = (lines: readonly Cells[]): readonly number[] => {
  const columns = Math.max(0, ...lines.map((cells) => cells.length))
  return Array.from({ length: columns }, (_, at) =>
    Math.max(...lines.map((cells) => (cells[at] ?? '').length)),
  )
}

export const renderTable = (heading: Cells, rows: readonly Cells[]): string => {
  const widths = widthsOf([heading, ...rows])
  const line = (cells: Cells): string =>
    widths
      .map((width, at) => (at === 0 ? (cells[at] ?? '').padEnd(width) : (cells[at] ?? '').padStart(width)))
      .join('   ')
      .trimEnd()
  return [heading, ...rows].map((cells) => `  ${line(cells)}`).join('\n')
}

/** Three digits that count, and no more: the fourth would be noise. */
export const number = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return String(Math.round(value))
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

export const spread = ({ lowest, highest }: Figure): string => `${number(lowest)} … ${number(highest)}`

export const ratio = (figure: Figure): string => `× ${number(figure.median)}`
