import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import manifest from 'bank-interface-conformance/package.json' with { type: 'json' }
import { ROOT } from '../../plan/root.ts'

/** The wrappers for CI install the package, call one command, and pin all versions. Takes about 30 s. */

const text = (path: string): string => readFileSync(join(ROOT, '.github', path), 'utf8')

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
}

interface Action {
  readonly inputs: { readonly version: { readonly default: string } }
  readonly runs: { readonly steps: readonly Step[] }
}

interface Job {
  readonly image: string
  readonly variables: Readonly<Record<string, string>>
  readonly script: readonly string[]
}

interface GitLab {
  readonly conformance: Job
}

const action = parse(text('actions/conformance/action.yml')) as Action
const gitlab = parse(text('gitlab/conformance.yml')) as GitLab

const EXACT = /\d+\.\d+\.\d+/

describe('versions are exact', () => {
  test('of the steps of the action', () => {
    const used = action.runs.steps.flatMap(({ uses }) => uses ?? [])
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((name) => !EXACT.test(name))).toEqual([])
  })

  test('of the images', () => {
    const built = [...text('container/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)
    expect(built.length).toBeGreaterThan(0)
    expect([...built, gitlab.conformance.image].filter((name) => !EXACT.test(name))).toEqual([])
  })
})

test('each wrapper installs this version', () => {
  const installed = [action.inputs.version.default, gitlab.conformance.variables['CONFORMANCE_VERSION']]
  expect(new Set(installed)).toEqual(new Set([manifest.version]))
})

/** A folder in which the package seems to be installed: the program is that of the checkout. */
const installation = (folder: string): string => {
  const programs = join(folder, 'node_modules', '.bin')
  if (existsSync(programs)) return folder
  mkdirSync(programs, { recursive: true })
  symlinkSync(join(ROOT, manifest.bin['bank-conformance']), join(programs, 'bank-conformance'))
  return folder
}

const workspace = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'of the job'))
  return join(folder, 'of the job')
}

/** Runs the last command of a wrapper. */
const certify = async (script: string, folder: string, env: Readonly<Record<string, string>>) =>
  execa('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env, reject: false })

const scriptOf = ({ runs }: Action, step: string): string =>
  runs.steps.find(({ name }) => name === step)?.run ?? ''

describe('the action', () => {
  const script = scriptOf(action, 'Certify')
  const environment = (folder: string, options: string) => ({
    RUNNER_TEMP: join(installation(join(folder, '..', 'conformance')), '..'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    BASE_URL: '',
    PROFILE: '',
    OUT: 'found',
    OPTIONS: options,
  })

  test('certifies, and writes the result for its job', async () => {
    const folder = workspace()
    const { exitCode } = await certify(script, folder, environment(folder, '--only CON-01 --seed 7'))
    expect(exitCode).toBe(0)
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toMatch(/^## ✅ conforms/)
    expect(existsSync(join(folder, 'found', 'report.json'))).toBe(true)
  })

  test('ends as the command ends', async () => {
    const folder = workspace()
    const { exitCode, stderr } = await certify(script, folder, environment(folder, '--only NO-SUCH-ROW'))
    expect(exitCode).toBe(3)
    expect(stderr).toContain('NO-SUCH-ROW')
  })
})

test('the job of GitLab ends as the command ends, and keeps its reports', async () => {
  const folder = workspace()
  const { exitCode } = await certify(gitlab.conformance.script.at(-1) ?? '', folder, {
    CONFORMANCE_SUITE: installation(join(folder, '..', 'suite')),
    CONFORMANCE_OPTIONS: '--only CON-01',
  })
  expect(exitCode).toBe(0)
  expect(existsSync(join(folder, 'conformance', 'junit.xml'))).toBe(true)
})
