import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { seedData } from '../bank/seed-data.ts'
import { OUTPUT } from '../evidence/output.ts'
import { ROOT } from '../plan/root.ts'
import { reportSchema, type Report, type RequirementReport } from '../report/schema.ts'
import type { Exchange } from '../evidence/exchange.ts'

/** The result of one run of the real command. */
export interface Certified {
  readonly exitCode: number | undefined
  readonly report: Report
  readonly evidence: readonly Exchange[]
  readonly stderr: string
}

/** The deadline of one run on a busy machine. */
export const RUN_DEADLINE_MS = 280_000

/** The variables that every program needs. The settings of the test runner are not passed on. */
const environment = (credentials: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TMPDIR: tmpdir(),
  ...credentials,
})

/**
 * Runs the suite as a user does, into a folder that is removed afterwards.
 * @param args the options; `--out` is added.
 * @param credentials the variables that the profile reads with `env:NAME`.
 */
export const certify = async (
  args: readonly string[],
  credentials: NodeJS.ProcessEnv = {},
): Promise<Certified> => {
  const out = await mkdtemp(join(tmpdir(), 'certify-'))
  try {
    const { exitCode, stderr } = await execa(
      process.execPath,
      ['--import', 'tsx', 'harness/cli/main.ts', 'run', ...args, '--out', out],
      {
        cwd: ROOT,
        env: environment(credentials),
        extendEnv: false,
        reject: false,
        stdin: 'ignore',
        timeout: RUN_DEADLINE_MS,
      },
    )
    const [report, evidence] = await Promise.all([read(out, OUTPUT.report), read(out, OUTPUT.evidence)])
    if (report === '') throw new Error(`the run wrote no report (exit code ${exitCode}): ${stderr}`)
    return {
      exitCode,
      stderr,
      report: reportSchema.parse(JSON.parse(report)),
      evidence: evidence
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Exchange),
    }
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

const read = (folder: string, name: string): Promise<string> =>
  readFile(join(folder, name), 'utf8').catch(() => '')

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
