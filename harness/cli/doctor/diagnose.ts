import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../../evidence/errors.ts'
import { readProfileFile } from '../../profile/read-file.ts'
import { printable } from '../../report/run-observer.ts'
import { colorsFor, widthOf, paragraph, type Colors } from '../../report/terminal/text.ts'
import { resolveTarget } from '../../engine/run/target.ts'
import { examine } from './examine.ts'
import type { Level } from '../../connection/first-contact/codes.ts'
import type { Finding, Findings, Area } from '../../connection/first-contact/finding.ts'
import type { Profile } from '../../profile/schema.ts'
import type { TargetOptions } from '../../engine/run/options.ts'

/** Examines the target of a profile, and prints what is found: for the doctor, and for a profile that `init` has written. */

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

interface DiagnoseOptions {
  readonly env: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  readonly print: (text: string) => void
  /** The levels that are printed, besides errors. */
  readonly levels: readonly Level[]
  /** The customers who are logged in; none by default. */
  readonly logins?: (profile: Profile) => Profile['customers']
}

const writeDetails = ({ file, shows = [] }: Finding): void => {
  if (file === undefined) return
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${printable(shows.join('\n'))}\n`)
  } catch (error) {
    console.error(printable(`${file} was not written: ${messageOf(error)}; --json prints it`))
  }
}

/**
 * Findings are printed when they are found, and errors at the end.
 * @throws ConfigurationError if the profile cannot be used, and the reason of the signal when it is aborted.
 */
export const diagnose = async (
  options: TargetOptions & { readonly profile: string },
  { env, signal, print, levels, logins = () => [] }: DiagnoseOptions,
) => {
  const { webhookUrl } = options
  const { profile, baseUrl, secrets, warnings } = await resolveTarget(options, env)
  if (baseUrl === undefined) throw new Error('there is no base URL')
  for (const warning of warnings) console.error(`warning: ${printable(warning)}`)
  const written = await readProfileFile(options.profile)
  const target = { profile, baseUrl, secrets, written, ...(webhookUrl !== undefined && { webhookUrl }) }
  const [colors, width] = [colorsFor(process.stdout), widthOf(process.stdout)]
  const show = (finding: Finding): void => {
    writeDetails(finding)
    print(renderFinding(finding, colors, width))
  }
  const findings = await examine(target, {
    depth: 'whole',
    signal,
    logins: logins(profile),
    onFinding: (finding) => {
      if (finding.level !== 'error' && levels.includes(finding.level)) show(finding)
    },
  })
  findings.filter(({ level }) => level === 'error').forEach(show)
  const count = renderCount(findings)
  return { target, findings, count, exitCode: exitCodeOf(findings) }
}
