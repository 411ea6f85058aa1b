import { paragraph } from '../../report/terminal/text.ts'
import type { Colors } from '../../report/terminal/text.ts'
import type { Level } from '../../target/first-contact/codes.ts'
import type { Area, Finding, Findings } from '../../target/first-contact/finding.ts'

/** The findings of an examination for a person, within eighty columns, and the exit code for scripts. */

const WIDTH = 80
const INDENT = '    '

const SIGNS: Readonly<Record<Level, string>> = { ok: '✓', notice: '·', warning: '!', error: '✗' }

const colorOf = (level: Level, { green, yellow, red, dim }: Colors): ((text: string) => string) =>
  ({ ok: green, notice: dim, warning: yellow, error: red })[level]

const indented = (text: string, bullet = ''): readonly string[] => paragraph(INDENT + bullet, text, WIDTH)

export const renderFinding = (finding: Finding, colors: Colors): string => {
  const { code, level, title, cause, next, shows = [] } = finding
  return [
    `${colorOf(level, colors)(`${SIGNS[level]} ${code}`)}  ${title}`,
    ...indented(cause),
    ...shows.flatMap((line) => indented(line, '- ')),
    ...(level === 'ok' || next === '' ? [] : indented(next, '→ ')),
  ].join('\n')
}

/** The last line: how many findings there are of each level. */
export const renderCount = (findings: Findings): string => {
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length
  const counted = (level: Level): string => `${count(level)} ${level}${count(level) === 1 ? '' : 's'}`
  return `${counted('error')}, ${counted('warning')}, ${counted('notice')}, ${count('ok')} ok`
}

const EXIT_CODES: Readonly<Record<Area, number>> = { harness: 5, configuration: 3, network: 4, target: 4 }

/** The most important first: after a fault of the suite nothing else is certain, and the profile is corrected first. */
const PRECEDENCE = [5, 3, 4]

/** 0 without errors; else the code of the most important area that has one. */
export const exitCodeOf = (findings: Findings): number => {
  const codes = findings.filter(({ level }) => level === 'error').map(({ area }) => EXIT_CODES[area])
  return PRECEDENCE.find((code) => codes.includes(code)) ?? 0
}
