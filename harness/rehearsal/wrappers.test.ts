import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../modules.ts'

/** The wrappers for CI call one command, and pin all that they call. */

const text = (path: string): string => readFileSync(join(ROOT, '.github', path), 'utf8')

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
}

interface Action {
  readonly runs: { readonly steps: readonly Step[] }
}

interface GitLab {
  readonly conformance: { readonly image: string; readonly script: readonly string[] }
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
    const [, image = ''] = /^FROM (\S+)$/m.exec(text('container/Dockerfile')) ?? []
    expect([image, gitlab.conformance.image].filter((name) => !EXACT.test(name))).toEqual([])
  })
})

const workspace = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'of the job'))
  return join(folder, 'of the job')
}

/** The last of what the wrapper runs: the certification. */
const certify = async (script: string, folder: string, env: Readonly<Record<string, string>>) =>
  execa('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env, reject: false })

describe('the action', () => {
  const script = action.runs.steps.find(({ name }) => name === 'Certify')?.run ?? ''
  const environment = (folder: string, options: string) => ({
    GITHUB_ACTION_PATH: join(ROOT, '.github/actions/conformance'),
    GITHUB_WORKSPACE: folder,
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    ...{ BASE_URL: '', PROFILE: '', OUT: 'found', OPTIONS: options },
  })

  test('certifies, and tells its job what it found', async () => {
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

test('the job of GitLab ends as the command ends, and leaves its reports', async () => {
  const folder = workspace()
  const { exitCode } = await certify(gitlab.conformance.script.at(-1) ?? '', folder, {
    CI_PROJECT_DIR: folder,
    CONFORMANCE_SUITE: ROOT,
    CONFORMANCE_OPTIONS: '--only CON-01',
  })
  expect(exitCode).toBe(0)
  expect(existsSync(join(folder, 'conformance', 'junit.xml'))).toBe(true)
})
