import { interruptions } from '../interruptions.ts'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { readProfileFile } from '../profile/read-file.ts'
import { colorsFor } from '../report/terminal/colors.ts'
import { settleSubject } from '../run/subject.ts'
import { EXIT, exitCodeOf } from './conclude.ts'
import { examine } from './examine.ts'
import { parseDoctorOptions } from './options.ts'
import { renderCount, renderFinding } from './render.ts'
import type { DoctorOptions } from './options.ts'

/** `npm run doctor -- --profile FILE`: looks at a target before a run, and says what would go wrong. */

const EXIT_INTERRUPTED = 130

const run = async ({ target, json }: DoctorOptions, ends: AbortSignal): Promise<number> => {
  const { profile, baseUrl, secrets, warnings } = await settleSubject(target, process.env)
  if (baseUrl === undefined || target.profile === undefined) throw new Error('a profile names a target')
  for (const warning of warnings) console.error(`warning: ${warning}`)
  const colors = colorsFor(process.stdout)
  const patient = {
    ...{ profile, baseUrl, secrets, written: await readProfileFile(target.profile) },
    ...(target.webhookUrl !== undefined && { webhookUrl: target.webhookUrl }),
  }
  const findings = await examine(patient, {
    depth: 'whole',
    ends,
    ...(!json && { onFinding: (finding) => console.log(renderFinding(finding, colors)) }),
  })
  console.log(
    json ? JSON.stringify({ schema: 1, baseUrl, findings }, undefined, 2) : `\n${renderCount(findings)}`,
  )
  return exitCodeOf(findings)
}

const main = async (argv: readonly string[]): Promise<number> => {
  const invocation = parseDoctorOptions(argv)
  if (invocation.kind === 'examine') {
    const ends = interruptions()
    return run(invocation, ends).catch((error: unknown) => {
      if (ends.aborted) return EXIT_INTERRUPTED
      throw error
    })
  }
  process.stdout.write(invocation.text)
  return 0
}

const failed = (error: unknown): number => {
  if (error instanceof ConfigurationError) {
    console.error(error.message)
    return EXIT.configuration
  }
  console.error('The harness failed; this is no verdict on the target.')
  console.error(error)
  return EXIT.harness
}

process.exit(await main(process.argv.slice(2)).catch(failed))
