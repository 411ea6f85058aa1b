import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBank, type RunningBank } from '../../bank/server.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { ROOT } from '../../plan/root.ts'
import { certify, credentials, originsOf, RUN_DEADLINE_MS, type Certified } from '../certify.ts'
import { scratchFolders, start } from '../faults/run.ts'
import { filesIn, formsOf, searchFor } from '../leaks.ts'
import { SLOW } from '../slow.ts'

/**
 * The reference bank on a port, judged by the real command: the verdicts are those on the embedded bank, which is new for
 * each scenario and begins in the morning. One bank serves the whole run, as a sandbox does, and begins in the evening,
 * after the cut-off time of payments. No artefact of the run has a secret of the profile, or one that the bank issued; and
 * the run on the embedded bank ends as the README shows it. Takes about 60 s.
 */

const PROFILE = 'docs/examples/reference-bank.yaml'

/** The embedded bank allows these too. Few values of property tests are enough. */
const OPTIONS = ['--environment', 'sandbox', '--allow', 'notify', 'pay', '--runs', '3']

const EVENING = '2026-01-05T21:43:00Z'
const NEARLY_MIDNIGHT = '2026-01-05T23:30:00Z'

const folders = scratchFolders()
const issued: string[] = []

const SECRET_MEMBERS = /"(?:access_token|refresh_token)"\s*:\s*"([^"]+)"/g
const SECRET_PARAMETERS = /[?&]code=([^&]+)/g

const remember = async (response: Response): Promise<void> => {
  const texts = [await response.clone().text(), response.headers.get('location') ?? '']
  for (const text of texts)
    for (const pattern of [SECRET_MEMBERS, SECRET_PARAMETERS])
      for (const [, secret = ''] of text.matchAll(pattern)) issued.push(decodeURIComponent(secret))
}

/** A run with its artefacts, and where they are. */
type WholeRun = Certified & { readonly out: string }

const runWhole = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  pages: readonly '--no-pages'[],
): Promise<WholeRun> => {
  const started = start(folders(), args, env, pages)
  const { report, ...run } = await started.ended()
  if (report === undefined) throw new Error(`the run wrote no report: ${run.stderr}`)
  return { ...run, report, out: started.out }
}

let bank: RunningBank
let separate: WholeRun
let embedded: WholeRun

beforeAll(async () => {
  bank = await startBank({
    startAt: new Date(EVENING),
    speed: 1,
    variation: {
      id: 'recorded',
      title: 'the reference bank, with a record of the secrets that it issues',
      wire: (next) => async (request) => {
        const response = await next(request)
        await remember(response)
        return response
      },
    },
  })
  ;[separate, embedded] = await Promise.all([
    runWhole([`--base-url=${bank.url}`, `--profile=${PROFILE}`, ...OPTIONS], credentials, []),
    runWhole([], {}, ['--no-pages']),
  ])
}, 2 * RUN_DEADLINE_MS)

afterAll(() => bank.close())

const verdictsOf = ({ report }: Certified): readonly unknown[] =>
  report.requirements.map(({ id, verdict, checks }) => ({
    id,
    verdict,
    checks: checks.map((check) => ({
      title: check.title,
      verdict: check.verdict,
      ...(check.verdict !== 'pass' && { because: check.because }),
    })),
  }))

test('the bank on a port gets the verdicts of the embedded one', () => {
  expect(verdictsOf(separate)).toEqual(verdictsOf(embedded))
  expect([separate.exitCode, embedded.exitCode]).toEqual([0, 0])
  expect(separate.report.conclusion).toBe(embedded.report.conclusion)
})

test('its clock is moved by test hooks, and requests are only sent to it', () => {
  const { target, scope } = separate.report
  expect(target).toMatchObject({ clock: 'testHook', baseUrl: bank.url, environment: 'sandbox' })
  expect(embedded.report.target).toMatchObject({ clock: 'virtual', environment: 'sandbox' })
  expect(originsOf(separate)).toEqual([bank.url])
  expect(scope.name).toBe('full')
  expect(scope.coverage).toMatchObject({ judged: scope.coverage.of, partly: 0, declared: 0 })
})

const planted = (): readonly string[] => [
  ...referenceProfile().applications.flatMap(({ clientId, clientSecret }) => [
    clientSecret,
    Buffer.from(`${clientId}:${clientSecret}`).toString('base64'),
  ]),
  ...(referenceProfile().customers ?? []).flatMap(({ password = [] }) => password),
]

test('no artefact and no line of the terminal contains a secret, in any encoding', () => {
  const { out, stdout, stderr } = separate
  for (const name of [OUTPUT.report, OUTPUT.junit, OUTPUT.evidence, OUTPUT.allureReport])
    expect(existsSync(join(out, name)), name).toBe(true)
  expect(new Set(issued).size).toBeGreaterThan(50)
  const secretsIn = searchFor([...planted(), ...issued].flatMap((secret) => [...formsOf(secret).keys()]))
  const texts = [
    ['the terminal', stdout + stderr] as const,
    ...filesIn(out).map((file) => [file, readFileSync(file, 'utf8')] as const),
  ]
  const hits = texts.flatMap(([name, text]) => secretsIn(text).map((secret) => `${name}: ${secret}`))
  expect(hits).toEqual([])
})

test('the good run of the README ends as a run ends', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, shown = ''] = /^A good run ends like this:\n\n```\n([^]*?)\n```$/m.exec(readme) ?? []
  /** What differs between two runs of the same plan. */
  const settled = (output: string): readonly string[] =>
    output
      .replaceAll(/^.+ s · /gm, 'DURATION · ')
      .replaceAll(/reports\/runs\/[\dTZ-]+/g, 'OUT')
      .replaceAll(embedded.out, 'OUT')
      .replaceAll(separate.out, 'OUT')
      .split('\n')
  const expected = settled(shown)
  expect(expected.length).toBeGreaterThan(5)
  // Only the run on the port writes pages.
  const printed = [...settled(embedded.stdout), ...settled(separate.stdout).slice(-2)]
  expect(expected).toEqual(printed.slice(-expected.length))
})

test(
  'a run that begins half an hour before midnight ends like one in the morning',
  { ...SLOW, timeout: RUN_DEADLINE_MS },
  async () => {
    const late = await startBank({ startAt: new Date(NEARLY_MIDNIGHT), speed: 1 })
    try {
      const chapters = ['payments', 'loans']
      const { report, exitCode } = await certify(
        [`--base-url=${late.url}`, `--profile=${PROFILE}`, ...OPTIONS, '--only', ...chapters],
        credentials,
      )
      const verdictsIn = ({ requirements }: Certified['report']) =>
        requirements
          .filter(({ chapter }) => chapters.includes(chapter))
          .map(({ id, verdict }) => `${id} ${verdict}`)
      expect(verdictsIn(report)).toEqual(verdictsIn(embedded.report))
      expect(exitCode).toBe(0)
    } finally {
      await late.close()
    }
  },
)
