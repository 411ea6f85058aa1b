import { printable } from '../../report/run-observer.ts'
import { paragraph, type Colors } from '../../report/terminal/text.ts'
import type { Level } from '../../connection/first-contact/codes.ts'
import type { Finding, Findings, Area } from '../../connection/first-contact/finding.ts'

/** Renders findings, and computes the exit code. */

const INDENT = '    '

const SYMBOLS: Readonly<Record<Level, string>> = { ok: '✓', notice: '·', warning: '!', error: '✗' }

const colorOf = (level: Level, { green, yellow, red, dim }: Colors): ((text: string) => string) =>
  ({ ok: green, notice: dim, warning: yellow, error: red })[level]

/** @param width columns of the terminal. */
export const renderFinding = (finding: Finding, colors: Colors, width: number): string => {
  const { code, level, title, cause, next, file } = finding
  const shows = file === undefined ? (finding.shows ?? []) : []
  const indented = (text: string, bullet = ''): readonly string[] =>
    paragraph(INDENT + bullet, printable(text), width)
  return [
    `${colorOf(level, colors)(`${SYMBOLS[level]} ${code}`)}  ${printable(title)}`,
    ...indented(cause),
    ...shows.flatMap((line) => indented(line, '- ')),
    ...(level === 'ok' || next === '' ? [] : indented(next, '→ ')),
  ].join('\n')
}

/** How many findings there are of each level. */
export const renderCount = (findings: Findings): string => {
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length
  const counted = (level: Level): string => `${count(level)} ${level}${count(level) === 1 ? '' : 's'}`
  return `${counted('error')}, ${counted('warning')}, ${counted('notice')}, ${count('ok')} ok`
}

const EXIT_CODES: Readonly<Record<Area, number>> = { harness: 5, configuration: 3, network: 4, target: 3 }

/** Without an answer it is the network; an answer that a run could not use is a matter of the profile, or of the base URL. */
const exitCodeFor = ({ code, area }: Finding): number => (code.startsWith('TGT-HTTP-') ? 4 : EXIT_CODES[area])

/** Exit codes by importance: a fault of the suite makes other findings uncertain, and the profile is corrected next. */
const PRECEDENCE = [5, 3, 4]

/** 0 without errors; otherwise the code of the most important area with an error. */
export const exitCodeOf = (findings: Findings): number => {
  const codes = findings.filter(({ level }) => level === 'error').map(exitCodeFor)
  return PRECEDENCE.find((code) => codes.includes(code)) ?? 0
}
