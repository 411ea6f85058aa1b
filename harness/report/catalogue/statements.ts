import { html, raw } from 'hono/html'
import { STYLE } from './style.ts'
import type { CatalogueDocument, Row, UndisclosedRow } from './schema.ts'

/** The statements of the interface, and which requirements judge each of them. */

interface Span {
  readonly from: number
  readonly to: number
}

/** One sentence, table row or sentence of a table cell of the interface. */
export interface Statement {
  /** The line in interface.md, from 1. */
  readonly line: number
  readonly text: string
  /** Where it stands in its line. */
  readonly span: Span
  readonly wholeLine: string
}

/** Where the quotes stand in the line. */
export const spans = (line: string, quotes: readonly string[]): readonly Span[] =>
  quotes.flatMap((quote) => {
    const from = line.indexOf(quote)
    return from < 0 ? [] : [{ from, to: from + quote.length }]
  })

const isTableRule = (line = ''): boolean => /^\|[-|]+\|$/.test(line)

/** A table row is a statement as a whole, and each sentence in its cells is one more. */
const spansOfRow = (row: string): readonly Span[] => {
  const sentences = [...row.matchAll(/[^|. ](?:[^|.]|\.(?! ))*\.(?= )/g)]
  return [
    { from: 0, to: row.length },
    ...sentences.map(({ index, 0: sentence }) => ({ from: index, to: index + sentence.length })),
  ]
}

/** Any other line, numbered or with a bullet, is as many statements as it has sentences. */
const spansOfLine = (line: string, next?: string): readonly Span[] => {
  if (line === '' || line.startsWith('#') || isTableRule(line) || isTableRule(next)) return []
  if (line.startsWith('|')) return spansOfRow(line)
  const start = /^ *(\d+\.|[-*]) /.exec(line)?.[0].length ?? 0
  const ends = [...line.matchAll(/[.:](?= [A-Z])|.$/g)]
    .map(({ index }) => index + 1)
    .filter((to) => to > start)
  return ends.map((to, at) => ({ from: ends[at - 1] ?? start, to }))
}

/** The statements of a text in the form of interface.md. */
export const statementsOf = (text: string): readonly Statement[] => {
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

/** Whether one of the quotes stands in the statement, or the statement in it. */
export const isQuoted = ({ wholeLine, span }: Statement, quotes: readonly string[]): boolean =>
  spans(wholeLine, quotes).some(({ from, to }) => from < span.to && span.from < to)

/**
 * What is known of a statement: the rows whose quotes share words with it. A quote of a part counts for the whole statement, so
 * that this shows what nothing judges, and not how strongly the rest is judged.
 */
export interface TracedStatement {
  readonly line: number
  readonly text: string
  /** The requirements that judge it by checks. */
  readonly judged: readonly Row[]
  /** The requirements on it that no check judges, each with its reason. */
  readonly unchecked: readonly Row[]
  /** What it says is not shown. */
  readonly undisclosed: readonly UndisclosedRow[]
  /** Why it is no requirement on a bank. */
  readonly because?: string
  /** Neither judged nor explained. */
  readonly isGap: boolean
}

/** @param text of interface.md. */
export const traceStatements = (
  text: string,
  { chapters, descriptive }: Pick<CatalogueDocument, 'chapters' | 'descriptive'>,
): readonly TracedStatement[] => {
  const rows = chapters.flatMap(({ rows: own }) => own).filter(({ source }) => source === 'interface')
  const open = chapters.flatMap(({ undisclosed }) => undisclosed)
  return statementsOf(text).map((statement) => {
    const quoting = rows.filter(({ quote }) => isQuoted(statement, [quote]))
    const judged = quoting.filter(({ checks }) => checks.length > 0)
    const unchecked = quoting.filter(({ checks }) => checks.length === 0)
    const undisclosed = open.filter(({ quote }) => isQuoted(statement, [quote]))
    const because = descriptive.find(({ quote }) => isQuoted(statement, [quote]))?.because
    return {
      line: statement.line,
      text: statement.text,
      judged,
      unchecked,
      undisclosed,
      ...(because !== undefined && { because }),
      isGap:
        judged.length === 0 &&
        undisclosed.length === 0 &&
        because === undefined &&
        !unchecked.some((row) => row.because !== undefined),
    }
  })
}

const reasonsOf = ({ judged, unchecked, undisclosed, because }: TracedStatement): readonly string[] => [
  ...unchecked.map((row) => `${row.id} is not judged: ${row.because ?? 'no reason is written'}`),
  ...undisclosed.map(({ id, subject }) => `${id} observes it without a verdict: ${subject}`),
  ...(judged.length === 0 && because !== undefined ? [because] : []),
]

/** How many statements there are of each kind. */
export const countStatements = (traced: readonly TracedStatement[]): string => {
  const judged = traced.filter((one) => one.judged.length > 0).length
  const gaps = traced.filter(({ isGap }) => isGap).length
  return `${traced.length} statements: ${judged} judged, ${traced.length - judged - gaps} not judged for a written reason, ${gaps} without either`
}

/** One statement after the other, for a terminal or a pipe. Nothing is cut. */
export const renderStatements = (traced: readonly TracedStatement[]): string =>
  [
    ...traced.flatMap((one) => [
      `interface.md:${one.line}  ${one.text}`,
      ...one.judged.map(({ id, level, claim }) => `    ${id} ${level.padEnd(6)} ${claim}`),
      ...reasonsOf(one).map((reason) => `    ${reason}`),
      ...(one.isGap ? ['    GAP: no requirement judges it, and no reason is written'] : []),
    ]),
    countStatements(traced),
  ].join('\n')

const statementRow = (one: TracedStatement) =>
  html`<tr>
    <td>${one.line}</td>
    <td>${one.text}</td>
    <td>
      <ul>
        ${one.judged.map(
          ({ id, level, claim }) => html`<li><a href="index.html#${id}">${id}</a> ${level}: ${claim}</li>`,
        )}
        ${reasonsOf(one).map((reason) => html`<li>${reason}</li>`)}
        ${one.isGap ? html`<li><strong>gap</strong>: neither judged nor explained</li>` : ''}
      </ul>
    </td>
  </tr>`

/** One column with a wide table, where the catalogue has a column of chapters. */
const WIDE_TABLE = `
body { display: block; }
main { max-width: 75rem; }
th, td { text-align: start; vertical-align: top; }
td ul { margin: 0; padding-inline-start: 1.1rem; }
`

/** The page of all statements. It links to the page of the catalogue in the same folder. */
export const renderStatementsPage = async (traced: readonly TracedStatement[]): Promise<string> =>
  String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>Statements of the interface</title>
          <style>
            ${raw(STYLE + WIDE_TABLE)}
          </style>
        </head>
        <body>
          <main>
            <h1>Statements of the interface</h1>
            <p>
              ${countStatements(traced)}. <a href="index.html">The catalogue</a> says more of each
              requirement.
            </p>
            <div class="scroll">
              <table>
                <thead>
                  <tr>
                    <th>Line</th>
                    <th>Statement</th>
                    <th>Judged by</th>
                  </tr>
                </thead>
                <tbody>
                  ${traced.map(statementRow)}
                </tbody>
              </table>
            </div>
          </main>
        </body>
      </html>`,
  )
