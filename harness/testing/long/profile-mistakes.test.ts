import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBank, type RunningBank } from '../../bank/server.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { scratchFolders, writeProfile } from '../faults/run.ts'
import { runInProcess } from '../faults/run-in-process.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** A mistake in the profile is not a failure of the bank: the run is incomplete, and the report names the key once. */

let bank: RunningBank
beforeAll(async () => void (bank = await startBank()))
afterAll(() => bank.close())

const folders = scratchFolders()
const { applications, customers = [] } = referenceProfile()

const withThird = (change: Partial<ProfileInput['applications'][number]>): Partial<ProfileInput> => ({
  applications: applications.map((each, at) => (at === 2 ? { ...each, ...change } : each)),
})

const SECRET = 'a-secret-of-last-year'
const MOVED = { uri: 'https://pocketwise.example/moved' }
const URIS = applications[2]?.redirectUris?.slice(1) ?? []

/** With a part of the answer of the bank. */
const MISTAKES: readonly (readonly [title: string, key: string, reason: string, Partial<ProfileInput>])[] = [
  [
    'a client secret that the bank has replaced',
    'applications.2.clientSecret',
    'The client is unknown or its secret is wrong.',
    withThird({ clientSecret: SECRET }),
  ],
  [
    'a wrong password',
    'customers.0.password',
    'the login is refused',
    { customers: customers.map((each, at) => (at === 0 ? { ...each, password: SECRET } : each)) },
  ],
  [
    'a redirect URI that is not registered',
    'applications.2.redirectUris.0.uri',
    '400',
    withThird({ redirectUris: [MOVED, ...URIS] }),
  ],
]

test.each(MISTAKES)('%s', async (_, key, reason, changes) => {
  const profile = writeProfile(folders(), changes)
  const only = ['--only', 'consent', 'ACC-01']
  const run = await runInProcess(folders(), [`--base-url=${bank.url}`, `--profile=${profile}`, ...only])
  const verdicts = new Set(run.report?.requirements.map(({ verdict }) => verdict))
  expect(verdicts).not.toContain('fail')
  expect(verdicts).toContain('not-reached')
  expect(run.exitCode).toBe(2)
  const [first, ...others] = run.report?.bindings ?? []
  expect(first?.key).toBe(key)
  expect(others).toEqual([])
  expect(first?.shown).toContain(reason)
  expect(JSON.stringify(run.report)).not.toContain(SECRET)
})
