import { readProfileFile } from '../profile/read-file.ts'
import { printable } from '../report/run-observer.ts'
import { colorsFor, widthOf } from '../report/terminal/text.ts'
import { renderDay, renderStep, walkDay, type DayStep } from './doctor/day.ts'
import { examine } from './doctor/examine.ts'
import { exitCodeOf, renderCount, renderFinding } from './doctor/render-findings.ts'
import { parseDoctorOptions, type DoctorOptions } from './doctor/options.ts'
import { EXIT, interruptions } from './exit.ts'
import { resolveTarget } from '../engine/run/target.ts'
import type { ExaminedTarget } from '../connection/first-contact/examination.ts'

/** `npm run doctor -- --profile FILE`: examines a target before a run, and reports problems. */

const run = async ({ target, json, day }: DoctorOptions, signal: AbortSignal): Promise<number> => {
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
  const exitCode = exitCodeOf(findings)
  if (!json) console.log(`\n${renderCount(findings)}`)
  const steps = day && exitCode === EXIT.ok ? await tryOut({ profile, baseUrl, secrets }, signal, json) : []
  if (json)
    console.log(JSON.stringify({ schema: 1, baseUrl, findings, ...(day && { day: steps }) }, undefined, 2))
  else if (day && exitCode !== EXIT.ok) console.log('\n--day was left out: correct the errors first')
  return exitCode === EXIT.ok && steps.some(({ result }) => result === 'does not fit')
    ? EXIT.configuration
    : exitCode
}

/** Prints each step of the day when it has ended. */
const tryOut = async (
  target: ExaminedTarget,
  signal: AbortSignal,
  json: boolean,
): Promise<readonly DayStep[]> => {
  const colors = colorsFor(process.stdout)
  const width = widthOf(process.stdout)
  if (!json) console.log("\nA customer's day:")
  const steps = await walkDay(target, {
    signal,
    onStep: (step) => {
      if (!json) console.log(renderStep(step, colors, width))
    },
  })
  if (!json) console.log(renderDay(steps))
  return steps
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
