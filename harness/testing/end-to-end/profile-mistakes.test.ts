import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBank, type RunningBank } from '../../bank/server.ts'
import { certify, credentials, RUN_DEADLINE_MS } from '../certify.ts'

/**
 * A mistake in the profile is not a failure of the bank: the run is incomplete, and the report names the key once.
 * Takes about 15 s.
 */

let bank: RunningBank
let folder: string

beforeAll(async () => {
  bank = await startBank()
  folder = await mkdtemp(join(tmpdir(), 'profile-mistakes-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await bank.close()
})

const PROFILE = 'docs/examples/reference-bank.yaml'

interface Mistake {
  readonly title: string
  readonly key: string
  /** Part of the bank's answer. */
  readonly reason: string
  readonly edit: (profile: string) => string
  readonly env: NodeJS.ProcessEnv
}

const MISTAKES: readonly Mistake[] = [
  {
    title: 'a client secret that the bank has replaced',
    key: 'applications.2.clientSecret',
    reason: 'The client is unknown or its secret is wrong.',
    edit: (profile) => profile,
    env: { POCKETWISE_SECRET: 'a-secret-of-last-year' },
  },
  {
    title: 'a wrong password',
    key: 'customers.0.password',
    reason: 'the login is refused',
    edit: (profile) => profile,
    env: { ALENA_PASSWORD: 'a-password-of-last-year' },
  },
  {
    title: 'a redirect URI that is not registered',
    key: 'applications.2.redirectUris.0.uri',
    reason: '400',
    edit: (profile) =>
      profile.replace('https://pocketwise.example/callback', 'https://pocketwise.example/moved'),
    env: {},
  },
]

test.each(MISTAKES)(
  '$title',
  async ({ key, reason, edit, env }) => {
    const file = join(folder, `${key}.yaml`)
    await writeFile(file, edit(await readFile(PROFILE, 'utf8')))
    const run = await certify(
      [`--base-url=${bank.url}`, `--profile=${file}`, '--only=consent', '--only=ACC-01'],
      { ...credentials, ...env },
    )
    const verdicts = new Set(run.report.requirements.map(({ verdict }) => verdict))
    expect(verdicts).not.toContain('fail')
    expect(verdicts).toContain('not-reached')
    expect(run.exitCode).toBe(2)
    const [first, ...others] = run.report.bindings ?? []
    expect(first?.key).toBe(key)
    expect(others).toEqual([])
    expect(first?.shown).toContain(reason)
    for (const secret of Object.values(env)) expect(JSON.stringify(run.report)).not.toContain(secret)
  },
  RUN_DEADLINE_MS,
)
