import { exitCodeOf } from '../doctor/conclude.ts'
import { examine } from '../doctor/examine.ts'
import { renderCount, renderFinding } from '../doctor/render.ts'
import { parseOptions } from '../plan/options.ts'
import { readProfileFile } from '../profile/read-file.ts'
import { colorsFor } from '../report/terminal/colors.ts'
import { settleSubject } from '../run/subject.ts'
import type { Patient } from '../doctor/examine.ts'

/** A look at the target by the profile that was written, as `npm run doctor` takes it. */

export interface Look {
  readonly file: string
  readonly webhookUrl?: string
  readonly env: NodeJS.ProcessEnv
  readonly say: (line: string) => void
  readonly ends: AbortSignal
}

/** Tells what does not fit. @returns the exit code: 0, 3 or 4. */
export const examineProfile = async ({ file, webhookUrl, env, say, ends }: Look): Promise<number> => {
  const colors = colorsFor(process.stdout)
  const findings = await examine(await patientOf(file, webhookUrl, env), {
    depth: 'whole',
    ends,
    onFinding: (finding) => {
      // What is well, or guessed like everything else in a new profile, is for `npm run doctor` to tell.
      if (finding.level === 'error' || finding.level === 'warning') say(renderFinding(finding, colors))
    },
  })
  say(`${renderCount(findings)} (npm run doctor tells them all)\n`)
  return exitCodeOf(findings)
}

const patientOf = async (
  file: string,
  webhookUrl: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<Patient> => {
  const options = parseOptions(['--profile', file])
  if (options.kind !== 'run') throw new Error('a profile alone asks for a run')
  const { profile, baseUrl, secrets } = await settleSubject(options, env)
  if (baseUrl === undefined) throw new Error('a profile names a target')
  const written = await readProfileFile(file)
  return { profile, baseUrl, secrets, written, ...(webhookUrl !== undefined && { webhookUrl }) }
}
