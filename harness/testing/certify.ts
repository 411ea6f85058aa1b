import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedData } from '../bank/seed-data.ts'
import { run, type Ended } from './faults/run.ts'
import type { Report, RequirementReport } from '../report/schema.ts'

export { RUN_DEADLINE_MS } from './faults/run.ts'

/** The result of one run of the real command that wrote a report. */
export type Certified = Ended & { readonly report: Report }

/**
 * Runs the suite as a user does, into a folder that is removed afterwards.
 * @param args the options; `--out` is added.
 * @param credentials the variables that the profile reads with `env:NAME`.
 */
export const certify = async (
  args: readonly string[],
  credentials: NodeJS.ProcessEnv = {},
): Promise<Certified> => {
  const folder = await mkdtemp(join(tmpdir(), 'certify-'))
  try {
    const { report, ...ended } = await run(folder, args, credentials)
    if (report !== undefined) return { ...ended, report }
    throw new Error(`the run wrote no report (exit code ${ended.exitCode}): ${ended.stderr}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The origins that a run has sent requests to. Requests from the target to the run do not count. */
export const originsOf = ({ evidence }: Certified): readonly string[] => [
  ...new Set(
    evidence.filter(({ sender }) => sender !== 'target').map(({ request }) => new URL(request.url).origin),
  ),
]

/** A verdict with its claim, its reason and its violations. */
export const explain = ({ id, level, claim, verdict, because, checks }: RequirementReport): string =>
  [
    `${id} ${level} ${verdict}: ${claim}${because === undefined ? '' : ` (${because})`}`,
    ...checks
      .filter((check) => check.verdict === verdict)
      .map(({ title, because: reason, violation }) => {
        const seen =
          violation === undefined
            ? (reason ?? '')
            : `${violation.subject}: expected ${violation.expected}; received ${violation.received} (${violation.exchange})`
        return `  ${title}: ${seen}`
      }),
  ].join('\n')

/** The variables that the profile of the reference bank reads with `env:NAME`. */

const secretOf = (id: string): string | undefined =>
  seedData.clients.find(({ clientId }) => clientId === id)?.secret
const passwordOf = (name: string): string | undefined =>
  seedData.customers.find(({ username }) => username === name)?.password

export const credentials = {
  LEDGERLY_SECRET: secretOf('fac-ledgerly'),
  ORCHARD_SECRET: secretOf('fac-orchard'),
  POCKETWISE_ID: 'tpp-pocketwise',
  POCKETWISE_SECRET: secretOf('tpp-pocketwise'),
  LANTERN_SECRET: secretOf('tpp-lantern'),
  ALENA_PASSWORD: passwordOf('alena'),
  BORIS_PASSWORD: passwordOf('boris'),
  CYRIL_USERNAME: 'cyril',
  CYRIL_PASSWORD: passwordOf('cyril'),
}
