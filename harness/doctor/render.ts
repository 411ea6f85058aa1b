import { wrap } from '../report/terminal/layout.ts'
import type { Colors } from '../report/terminal/colors.ts'
import type { Finding, Level } from './finding.ts'

/** Findings as a person reads them, within eighty columns. */

const WIDTH = 80
const INDENT = 4

const SIGNS: Readonly<Record<Level, string>> = { ok: '✓', notice: '·', warning: '!', error: '✗' }

const paint = (level: Level, { green, yellow, red, dim }: Colors): ((text: string) => string) =>
  ({ ok: green, notice: dim, warning: yellow, error: red })[level]

const indented = (text: string, hanging = ''): readonly string[] =>
  wrap(text, WIDTH - INDENT - hanging.length).map(
    (line, at) => `${' '.repeat(INDENT)}${at === 0 ? hanging : ' '.repeat(hanging.length)}${line}`,
  )

export const renderFinding = (finding: Finding, colors: Colors): string => {
  const { code, level, title, cause, next, shows = [] } = finding
  const head = `${paint(level, colors)(`${SIGNS[level]} ${code}`)}  ${title}`
  const lines = [head, ...indented(cause), ...shows.flatMap((line) => indented(line, '- '))]
  // What is well needs no next step.
  return [...lines, ...(level === 'ok' || next === '' ? [] : indented(next, '→ '))].join('\n')
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** The last line: how many there are of what wants doing. */
export const renderCount = (findings: readonly Finding[]): string => {
  const of = (level: Level): number => findings.filter((each) => each.level === level).length
  return `${counted(of('error'), 'error')}, ${counted(of('warning'), 'warning')}, ${counted(of('notice'), 'notice')}, ${of('ok')} ok`
}
