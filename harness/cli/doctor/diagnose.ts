import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../../evidence/errors.ts'
import { readProfileFile } from '../../profile/read-file.ts'
import { printable } from '../../report/run-observer.ts'
import { colorsFor, widthOf } from '../../report/terminal/text.ts'
import { resolveTarget } from '../../engine/run/target.ts'
import { examine } from './examine.ts'
import { exitCodeOf, renderCount, renderFinding } from './render-findings.ts'
import type { Level } from '../../connection/first-contact/codes.ts'
import type { Finding } from '../../connection/first-contact/finding.ts'
import type { Profile } from '../../profile/schema.ts'
import type { TargetOptions } from '../../engine/run/options.ts'

/** Examines the target of a profile, and prints what is found: for the doctor, and for a profile that `init` has written. */

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
  /** How many findings there are of each level. */
  const count = renderCount(findings)
  return { target, findings, count, exitCode: exitCodeOf(findings) }
}
