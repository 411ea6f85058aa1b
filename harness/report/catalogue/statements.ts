import type { CatalogueDocument, Row, NotShownRow } from './schema.ts'

/** The statements of the interface, and which requirements judge each of them. */

interface Span {
  readonly from: number
  readonly to: number
}

export const spans = (line: string, quotes: readonly string[]): readonly Span[] =>
  quotes.flatMap((quote) => {
    const from = line.indexOf(quote)
    return from < 0 ? [] : [{ from, to: from + quote.length }]
  })

const isTableRule = (line = ''): boolean => /^\|[-|]+\|$/.test(line)

/** A table row is one statement, and each sentence in its cells is another one. */
const spansOfRow = (row: string): readonly Span[] => {
  const sentences = [...row.matchAll(/[^|. ](?:[^|.]|\.(?! ))*\.(?= )/g)]
  return [
    { from: 0, to: row.length },
    ...sentences.map(({ index, 0: sentence }) => ({ from: index, to: index + sentence.length })),
  ]
}

/** In any other line each sentence is a statement. */
const spansOfLine = (line: string, next?: string): readonly Span[] => {
  if (line === '' || line.startsWith('#') || isTableRule(line) || isTableRule(next)) return []
  if (line.startsWith('|')) return spansOfRow(line)
  const start = /^ *(\d+\.|[-*]) /.exec(line)?.[0].length ?? 0
  const ends = [...line.matchAll(/[.:](?= [A-Z])|.$/g)]
    .map(({ index }) => index + 1)
    .filter((to) => to > start)
  return ends.map((to, at) => ({ from: ends[at - 1] ?? start, to }))
}

/** The statements of a text in the form of interface.md, with their lines, from 1, and their positions in these. */
const statementsOf = (text: string) => {
  const lines = text.split('\n')
  return lines.flatMap((wholeLine, at) =>
    spansOfLine(wholeLine, lines[at + 1]).map((span) => ({
      line: at + 1,
      text: wholeLine.slice(span.from, span.to).trim(),
      span,
      wholeLine,
    })),
  )
}

/** One sentence, table row or sentence of a table cell of the interface. */
type Statement = ReturnType<typeof statementsOf>[number]

/** The text that a quote shares with a statement; undefined if there is none. */
const sharedWords = ({ wholeLine, span }: Statement, quote: string): string | undefined => {
  const [found] = spans(wholeLine, [quote]).filter(({ from, to }) => from < span.to && span.from < to)
  return found && wholeLine.slice(Math.max(found.from, span.from), Math.min(found.to, span.to)).trim()
}

const isQuoted = (statement: Statement, quote: string): boolean => sharedWords(statement, quote) !== undefined

const countWords = (text: string): number => text.match(/\w+/g)?.length ?? 0

/** The parts of a statement that no quote covers. A single word between two quotes does not count. */
const unquotedParts = (statement: Statement, quotes: readonly string[]): readonly string[] => {
  const { wholeLine, span, text } = statement
  const quoted = [...spans(wholeLine, quotes)].sort((one, other) => one.from - other.from)
  const parts: string[] = []
  let from = span.from
  for (const quote of [...quoted, { from: span.to, to: span.to }]) {
    parts.push(wholeLine.slice(from, Math.min(quote.from, span.to)).trim())
    from = Math.max(from, quote.to)
  }
  return parts.filter((part) => part !== '' && (part === text || countWords(part) > 1))
}

/** A requirement that judges a statement, and the words of the statement that it judges. */
interface Judging {
  readonly row: Row
  readonly words: string
}

export interface TracedStatement {
  /** The line in interface.md, from 1. */
  readonly line: number
  readonly text: string
  readonly judged: readonly Judging[]
  /** The requirements on it that no check judges, each with its reason. */
  readonly unchecked: readonly Row[]
  readonly notShown: readonly NotShownRow[]
  /** Why it, or a part of it, is not a requirement on a bank, or is judged by a requirement that quotes other text. */
  readonly because: readonly string[]
  /** The parts that are neither judged, other than by comparison with the profile, nor explained. */
  readonly gaps: readonly string[]
}

/** @param text of interface.md. */
export const traceStatements = (
  text: string,
  { chapters, descriptive }: Pick<CatalogueDocument, 'chapters' | 'descriptive'>,
): readonly TracedStatement[] => {
  const rows = chapters.flatMap(({ rows: own }) => own).filter(({ source }) => source === 'interface')
  const notShownRows = chapters.flatMap(({ notShown }) => notShown)
  return statementsOf(text).map((statement) => {
    const quoting = rows.filter(({ quote }) => isQuoted(statement, quote))
    const judged = quoting
      .filter(({ checks }) => checks.length > 0)
      .map((row) => ({ row, words: sharedWords(statement, row.quote) ?? '' }))
    const unchecked = quoting.filter(({ checks }) => checks.length === 0)
    const notShown = notShownRows.filter(({ quote }) => isQuoted(statement, quote))
    const reasons = descriptive.filter(({ quote }) => isQuoted(statement, quote))
    // A value that the profile gives does not show that the bank keeps the statement: that needs a written reason.
    const explained = [
      ...judged.map(({ row }) => row).filter(({ fromProfile }) => fromProfile === undefined),
      ...unchecked.filter((row) => row.because !== undefined),
      ...notShown,
      ...reasons,
    ]
    return {
      line: statement.line,
      text: statement.text,
      judged,
      unchecked,
      notShown,
      because: reasons.map(({ quote, because }) =>
        sharedWords(statement, quote) === statement.text ? because : `"${quote}": ${because}`,
      ),
      gaps: unquotedParts(
        statement,
        explained.map(({ quote }) => quote),
      ),
    }
  })
}

const reasonsOf = ({ unchecked, notShown, because }: TracedStatement): readonly string[] => [
  ...unchecked.map((row) => `${row.id} is not judged: ${row.because ?? 'no reason is written'}`),
  ...notShown.map(({ id, subject }) => `${id} observes it without a verdict: ${subject}`),
  ...because,
]

/** A requirement, with its words of the statement where it judges a part of it only, and with what it compares. */
const judgingOf = ({ text }: TracedStatement, { row: { claim, fromProfile }, words }: Judging): string =>
  [
    claim,
    ...(words === text ? [] : [`("${words}")`]),
    ...(fromProfile === undefined ? [] : [`[compared with ${fromProfile} of the profile]`]),
  ].join(' ')

export const countStatements = (traced: readonly TracedStatement[]): string => {
  const judged = traced.filter((one) => one.judged.length > 0).length
  const byTheProfile = traced.filter(
    ({ judged: all }) => all.length > 0 && all.every(({ row }) => row.fromProfile !== undefined),
  ).length
  const gaps = traced.filter((one) => one.gaps.length > 0).length
  return `${traced.length} statements: ${judged} judged (${byTheProfile} of them only by comparison with the profile), ${traced.length - judged} not judged; ${gaps} have words that nothing judges and no written reason explains`
}

/** One statement after the other, for a terminal or a pipe. Nothing is cut. */
export const renderStatements = (traced: readonly TracedStatement[]): string =>
  [
    ...traced.flatMap((one) => [
      `interface.md:${one.line}  ${one.text}`,
      ...one.judged.map(
        (judging) => `    ${judging.row.id} ${judging.row.level.padEnd(6)} ${judgingOf(one, judging)}`,
      ),
      ...reasonsOf(one).map((reason) => `    ${reason}`),
      ...one.gaps.map((words) => `    GAP: nothing judges "${words}", and no reason is written`),
    ]),
    countStatements(traced),
  ].join('\n')
