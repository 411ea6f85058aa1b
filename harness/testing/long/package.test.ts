import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../plan/root.ts'
import { reportSchema } from '../../report/schema.ts'
import { startBankProcess, type ServerProcess } from '../server-process.ts'
import { credentials, RUN_DEADLINE_MS } from '../certify.ts'
import { userEnvironment } from '../user-environment.ts'

/** The package, packed and installed into an empty folder. Takes about 40 s, most of it for the installation. */

const folder = mkdtempSync(join(tmpdir(), 'package-'))
const OPTIONS = ['--silent', '--prefer-offline', '--no-audit', '--no-fund']

let bank: ServerProcess | undefined
/** The packed file, absolute. */
let packed = ''

const command = (file: string, args: readonly string[], cwd = folder) =>
  execa(file, args, {
    cwd,
    // Without the variables by which npm informs a script about the package that it belongs to.
    env: userEnvironment(credentials),
    extendEnv: false,
    stdin: 'ignore',
    timeout: RUN_DEADLINE_MS,
  })

beforeAll(async () => {
  const { stdout } = await command('npm', ['pack', '--silent', '--pack-destination', folder], ROOT)
  // The build prints too.
  packed = join(folder, stdout.split('\n').at(-1) ?? '')
  await command('npm', ['install', ...OPTIONS, packed])
  bank = await startBankProcess()
}, 2 * RUN_DEADLINE_MS)

afterAll(async () => {
  await bank?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const reportIn = (out: string, cwd = folder) =>
  reportSchema.parse(JSON.parse(readFileSync(join(cwd, out, 'report.json'), 'utf8')))

test(
  'it certifies the embedded bank, with reports in the folder of its reader and commands as they are typed there',
  async () => {
    const { stdout } = await command('npx', ['bank-conformance', 'run', '--only', 'CON-01'])
    expect(stdout).toMatch(/^reports\/runs\/[\dTZ-]+: report\.json junit\.xml evidence\.jsonl$/m)
    const row = reportIn('reports/latest').requirements.find(({ id }) => id === 'CON-01')
    expect(row).toMatchObject({
      verdict: 'pass',
      checks: [
        {
          file: expect.stringMatching(/^specs\/consent\/creation\.spec\.ts:\d+$/) as string,
          reproduce: 'npx bank-conformance run --only CON-01 --seed 42',
        },
      ],
    })
  },
  RUN_DEADLINE_MS,
)

test('no tool that translates TypeScript is installed with it', () => {
  const installed = readdirSync(join(folder, 'node_modules'))
  expect(installed).toContain('bank-interface-conformance')
  expect(installed.filter((name) => ['tsx', 'esbuild'].includes(name))).toEqual([])
})

/** The relative links of a document in Markdown, without their anchors. */
const linksIn = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\]\(([^)#\s]+)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !URL.canParse(link))

test('every link of its documents leads to something in it', () => {
  const root = join(folder, 'node_modules/bank-interface-conformance')
  const documents = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(root, name))
  const links = documents.flatMap((file) => linksIn(file).map((link) => join(file, '..', link)))
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter((link) => !existsSync(link))).toEqual([])
})

test(
  'npx runs it from the packed file, in a folder with nothing in it',
  async () => {
    const empty = mkdtempSync(join(tmpdir(), 'empty-'))
    await command(
      'npx',
      ['--yes', '--prefer-offline', '--package', packed, 'bank-conformance', 'run', '--only', 'CON-01'],
      empty,
    )
    expect(reportIn('reports/latest', empty)).toMatchObject({ conclusion: 'conforms', exitCode: 0 })
    rmSync(empty, { recursive: true })
  },
  RUN_DEADLINE_MS,
)

test(
  'it checks a target',
  async () => {
    const profile = join(ROOT, 'docs/examples/reference-bank.yaml')
    const base = `--base-url=${bank?.url ?? ''}`
    await command('npx', [
      'bank-conformance',
      'run',
      base,
      '--profile',
      profile,
      '--only=CON-01',
      '--out=target',
    ])
    const { conclusion, target } = reportIn('target')
    expect({ conclusion, target: target.baseUrl }).toEqual({ conclusion: 'conforms', target: bank?.url })
  },
  RUN_DEADLINE_MS,
)

test(
  'it judges the checks of a folder of its project, on the embedded bank and on a target',
  async () => {
    cpSync(join(ROOT, 'docs/examples/own-checks'), join(folder, 'our-checks'), { recursive: true })
    // `npm install` has made a package of CommonJS modules.
    const run = ['bank-conformance', 'run', '--catalogue=our-checks', '--only=own', '--out=own']
    const refused = await command('npx', run).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/write \{"type": "module"\} into .*our-checks\/package\.json/) as string,
    })
    writeFileSync(join(folder, 'our-checks/package.json'), '{"type": "module"}')
    const profile = join(ROOT, 'docs/examples/reference-bank.yaml')
    for (const target of [[], [`--base-url=${bank?.url ?? ''}`, `--profile=${profile}`]]) {
      await command('npx', [...run, ...target])
      const { requirements, suite } = reportIn('own')
      expect(requirements.filter(({ chapter }) => chapter === 'own').map(({ verdict }) => verdict)).toEqual([
        'pass',
        'pass',
      ])
      expect(suite.ownChecks).toMatchObject({ folder: 'our-checks', title: 'ACME scheme' })
    }
  },
  3 * RUN_DEADLINE_MS,
)

test('its manifest has no fault that publint knows', async () => {
  const { messages } = await publint({ pkgDir: ROOT })
  expect(messages).toEqual([])
})

test('TypeScript finds the types of each import', async () => {
  const examined = execa('attw', [packed, '--profile', 'esm-only'], { cwd: ROOT, preferLocal: true })
  await expect(examined).resolves.toMatchObject({ exitCode: 0 })
})
