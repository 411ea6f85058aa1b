import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { createGrantStore, openGrantStore } from './grant-store.ts'
import { type StoredGrant } from './grants-file.ts'
import type { Profile, ProfileInput } from '../../profile/schema.ts'
import { scratch } from '../../testing/samples/reports.ts'

/** Grants that are stored after a run. */

const KEY = 'a-key-of-sixteen-characters-or-more'
const BASE = 'https://api.bank.example'
const GRANT: StoredGrant = {
  access: { accessToken: 'token-of-yesterday', scope: 'PREMIUM_AIS:c', consentId: 'c' },
  refreshToken: 'refresh-of-yesterday',
}

let folder: string
let file: string
beforeEach(() => {
  folder = scratch()
  file = join(folder, 'deep', 'grants.json')
})

const profileWith = (key: string, changes: Partial<ProfileInput> = {}): Profile =>
  parsedProfile({ authorization: { kind: 'pages', keep: { key, file } }, ...changes })

const open = async (profile: Profile = profileWith(KEY), baseUrl = BASE) => {
  const opened = await openGrantStore(profile, baseUrl, {})
  if (opened === undefined) throw new Error('the profile keeps grants')
  const [application] = profile.applications
  const [customer] = profile.customers
  if (application === undefined) throw new Error('the profile has an application')
  const grantStore = createGrantStore(opened.keeping, profile, baseUrl)
  return { ...opened, grantStore, parties: { application, customer, variant: 'first' as const } }
}

const keepOne = async (): Promise<void> => {
  const { grantStore, parties } = await open()
  grantStore.keep(parties, GRANT)
}

test('a grant is found by the next run, which knows its secrets from the start', async () => {
  await keepOne()
  const { grantStore, parties, secrets } = await open()
  expect(grantStore.find(parties)).toEqual(GRANT)
  expect(secrets.map(({ value }) => value)).toEqual(['token-of-yesterday', 'refresh-of-yesterday'])
})

test('the file is readable only for its owner, and encrypted', async () => {
  await keepOne()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const text = await readFile(file, 'utf8')
  for (const secret of ['token-of-yesterday', 'refresh-of-yesterday', 'anna', 'shop', KEY])
    expect(text).not.toContain(secret)
})

test('a removed grant is deleted, and the others stay', async () => {
  await keepOne()
  const { grantStore, parties } = await open()
  grantStore.keep({ ...parties, customer: undefined }, GRANT)
  grantStore.drop(parties)
  expect(grantStore.find(parties)).toBeUndefined()
  expect(grantStore.find({ ...parties, customer: undefined })).toEqual(GRANT)
})

test('a grant of each variant is stored if the variants have separate grants', async () => {
  const profile = profileWith(KEY, { secondVariant: { oauth: { scope: 'AIS_2' } } })
  const { grantStore, parties } = await open(profile)
  const second = { ...parties, variant: 'second' as const }
  grantStore.keep(second, GRANT)
  expect(grantStore.find(parties)).toBeUndefined()
  const next = await open(profile)
  expect(next.grantStore.find(second)).toEqual(GRANT)
  expect(next.secrets.map(({ value }) => value)).toEqual(['token-of-yesterday', 'refresh-of-yesterday'])
})

const OTHERS: readonly (readonly [what: string, changes: Partial<ProfileInput>, baseUrl: string])[] = [
  ['another target', {}, 'https://other.bank.example'],
  ['another environment', { environment: 'production' }, BASE],
  ['another scope', { scopes: { accounts: 'OTHER_AIS' } }, BASE],
  [
    'another choice of accounts',
    {
      customers: [
        {
          name: 'first customer',
          username: 'anna',
          password: 'p',
          accounts: [{ iban: 'SK2998010000002600001129' }],
        },
      ],
    },
    BASE,
  ],
]

test.each(OTHERS)('a grant for %s is not used', async (_, changes, baseUrl) => {
  await keepOne()
  const { grantStore, parties } = await open(profileWith(KEY, changes), baseUrl)
  expect(grantStore.find(parties)).toBeUndefined()
})

test('another key is distinguished from a damaged file', async () => {
  await keepOne()
  const opening = open(profileWith('another-key-of-sixteen-characters'))
  await expect(opening).rejects.toThrow(`${file} was sealed with another key`)
  await expect(open(profileWith('another-key-of-sixteen-characters'))).rejects.toThrow(
    'remove the file to begin afresh',
  )
})

test('a grant that was changed, moved or cut is not used', async () => {
  await keepOne()
  const whole = JSON.parse(await readFile(file, 'utf8')) as { grants: Record<string, string> }
  const [of = '', sealed = ''] = Object.entries(whole.grants)[0] ?? []
  const touched = sealed.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
  await writeFile(file, JSON.stringify({ ...whole, grants: { [of]: touched } }))
  await expect(open()).rejects.toThrow(`${file} is damaged`)
  await writeFile(file, '{"format": 1')
  await expect(open()).rejects.toThrow('it is not a file of stored grants')
})

test('a file that cannot be written is reported before anything is sent', async () => {
  await writeFile(join(folder, 'deep'), 'no folder')
  await expect(open()).rejects.toThrow('authorization.keep.file')
})

test('nothing is stored unless the profile requests it', async () => {
  expect(await openGrantStore(parsedProfile(), BASE, {})).toBeUndefined()
})

test.runIf(existsSync('/proc/self'))(
  'a file in a folder that cannot be made is an error of the profile',
  async () => {
    file = '/proc/reports/latest/grants.json'
    await expect(open()).rejects.toThrow(
      /authorization\.keep: .* cannot be written .*authorization\.keep\.file/,
    )
  },
)
