import { readProfileFile } from '../profile/read-file.ts'
import { printable } from '../report/run-observer.ts'
import { colorsFor, widthOf } from '../report/terminal/text.ts'
import { examine, exitCodeOf, renderCount, renderFinding } from './doctor/examine.ts'
import { parseDoctorOptions } from './doctor/options.ts'
import { EXIT, interruptions } from './exit.ts'
import { resolveTarget } from './run/prepare.ts'
import type { DoctorOptions } from './doctor/options.ts'

/** `npm run doctor -- --profile FILE`: examines a target before a run, and reports problems. */

const run = async ({ target, json }: DoctorOptions, signal: AbortSignal): Promise<number> => {
  const { webhookUrl } = target
  const { profile, baseUrl, secrets, warnings } = await resolveTarget(target, process.env)
  if (baseUrl === undefined || target.profile === undefined) throw new Error('there is no base URL')
  for (const warning of warnings) console.error(`warning: ${printable(warning)}`)
  const written = await readProfileFile(target.profile)
  const colors = colorsFor(process.stdout)
  const width = widthOf(process.stdout)
  const findings = await examine(
    { profile, baseUrl, secrets, written, ...(webhookUrl !== undefined && { webhookUrl }) },
    {
      depth: 'whole',
      signal,
      onFinding: (finding) => {
        if (!json) console.log(renderFinding(finding, colors, width))
      },
    },
  )
  console.log(
    json ? JSON.stringify({ schema: 1, baseUrl, findings }, undefined, 2) : `\n${renderCount(findings)}`,
  )
  return exitCodeOf(findings)
}

export const main = async (argv: readonly string[]): Promise<number> => {
  const invocation = parseDoctorOptions(argv)
  if (invocation.kind === 'help') {
    process.stdout.write(invocation.text)
    return EXIT.ok
  }
  const signal = interruptions()
  return run(invocation, signal).catch((error: unknown) => {
    if (signal.aborted) return EXIT.interrupted
    throw error
  })
}
