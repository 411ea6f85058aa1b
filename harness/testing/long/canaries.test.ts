import { createPrivateKey } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRawServer } from '../faults/raw-server.ts'
import { relayTo } from '../faults/relay.ts'
import { run, scratchFolders, start, writeProfile, type Ended } from '../faults/run.ts'
import { FIXTURE_CERTIFICATE, FIXTURE_KEY } from '../faults/self-signed-fixture.ts'
import { nestedEncodingsOf } from '../encodings.ts'
import { type Canary, filesIn, leaksIn, leaksInFolder } from '../leaks.ts'
import type { RunningBank } from '../../bank/server.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import { startBankWith } from '../defective-bank.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'

/**
 * The real command with credentials that a scan can find, on a bank that repeats secrets or breaks rules, and in an
 * interrupted run: no file and no terminal output may contain them. Takes about 35 s.
 */

/** Contains characters that every encoding changes, and no text of the interface. */
const canary = (name: string): Canary => ({ name, value: `Kanárik/${name}+"37" & <žltý>~${name.length}` })

const SECRETS = ['ledgerly', 'orchard', 'pocketwise', 'lantern'].map((name) => canary(`client_${name}`))
const PASSWORDS = ['alena', 'boris', 'cyril'].map((name) => canary(`password_${name}`))
/** For headers and addresses, which allow fewer characters. */
const plain = (name: string): Canary => ({ name, value: `kanarik-${name}-8Qz7Lm2` })
const [GATEWAY, TEST_HOOK, USERNAME, SECURITY, PASSPHRASE] = [
  plain('gateway'),
  plain('testHook'),
  plain('username'),
  plain('security'),
  plain('passphrase'),
]
const PROXY = plain('proxy')
const CANARIES = [...SECRETS, ...PASSWORDS, GATEWAY, TEST_HOOK, USERNAME, SECURITY, PASSPHRASE, PROXY]
const ENV = Object.fromEntries(CANARIES.map(({ name, value }) => [`CANARY_${name.toUpperCase()}`, value]))
const env = ({ name }: Canary): string => `env:CANARY_${name.toUpperCase()}`

const folders = scratchFolders()
const undo: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(undo.map((close) => close())))

/** The reference bank, whose applications and customers have the canaries as credentials. */
const bankWith = async (id?: string): Promise<RunningBank> => {
  const bank = await startBankWith(id)
  undo.push(() => bank.close())
  const { seedData } = bank.bank.world
  const clients = seedData.clients.map((client, at) => ({ ...client, secret: SECRETS[at]?.value ?? '' }))
  const customers = seedData.customers.map((customer, at) => ({
    ...customer,
    ...(at === 0 && { username: USERNAME.value }),
    password: PASSWORDS[at]?.value ?? '',
  }))
  Object.assign(bank.bank.world, { seedData: { ...seedData, clients, customers } })
  return bank
}

/** The key of a client certificate, encrypted with the passphrase. */
const connectionIn = (folder: string): ProfileInput['connection'] => {
  const [certificate, key] = [join(folder, 'client.pem'), join(folder, 'client-key.pem')]
  writeFileSync(certificate, FIXTURE_CERTIFICATE)
  const encrypted = {
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: PASSPHRASE.value,
  } as const
  writeFileSync(key, createPrivateKey(FIXTURE_KEY).export(encrypted))
  const proxy = `http://somebody:${PROXY.value}@proxy.invalid:3128`
  return { certificate, key, passphrase: env(PASSPHRASE), proxy }
}

const profileIn = (folder: string, changes: Partial<ProfileInput> = {}): string => {
  const { applications, customers = [], testHooks = {} } = referenceProfile()
  return writeProfile(folder, {
    applications: applications.map((one, at) => ({
      ...one,
      clientSecret: env(SECRETS[at] ?? GATEWAY),
    })),
    customers: customers.map((one, at) => ({
      ...one,
      ...(at === 0 && { username: env(USERNAME) }),
      password: env(PASSWORDS[at] ?? GATEWAY),
    })),
    headers: { 'X-Gateway-Key': env(GATEWAY) },
    testHooks: Object.fromEntries(
      Object.entries(testHooks).map(([name, testHook]) => [
        name,
        { ...testHook, headers: { Authorization: `Bearer ${env(TEST_HOOK)}` } },
      ]),
    ),
    webhooks: { configured: [{ application: 'Lantern', securityHeader: env(SECURITY) }] },
    connection: connectionIn(folder),
    ...changes,
  })
}

const SELECTORS = ['CON-01', 'CON-15', 'CON-22', 'AUT-01', 'TOK-01', 'ACC-01', 'WEB-01', 'LOA-20']

const optionsFor = (url: string, folder: string, changes?: Partial<ProfileInput>): string[] => [
  `--base-url=${url}`,
  `--profile=${profileIn(folder, changes)}`,
]

/** Expects some output, and no canary in it. */
const expectNoLeak = ({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>, folder?: string): void => {
  expect(stdout.length + stderr.length).toBeGreaterThan(0)
  expect(leaksIn('stdout', Buffer.from(stdout), CANARIES)).toEqual([])
  expect(leaksIn('stderr', Buffer.from(stderr), CANARIES)).toEqual([])
  if (folder !== undefined) expect(leaksInFolder(join(folder, 'out'), CANARIES)).toEqual([])
}

describe('a run on a bank that repeats the secret that it refuses', () => {
  let folder: string
  let ended: Ended
  beforeAll(async () => {
    const bank = await bankWith('a-refused-consent-request-is-answered-with-its-credentials')
    folder = folders()
    ended = await start(folder, [...optionsFor(bank.url, folder), '--only', ...SELECTORS], ENV, []).ended()
  })

  test('judges, reports the defect, and writes every report', () => {
    expect(ended.exitCode, ended.stderr).toBeLessThan(3)
    expect(ended.report?.counts.requirements.pass).toBeGreaterThan(3)
    expect(ended.report?.requirements.filter(({ verdict }) => verdict === 'warn').length).toBeGreaterThan(0)
    for (const name of [
      'report.json',
      'evidence.jsonl',
      'junit.xml',
      'summary.md',
      'allure-report/index.html',
    ])
      expect(existsSync(join(folder, 'out', name)), name).toBe(true)
    // The bank accepted the secrets, so they were sent.
    expect(ended.evidence.filter(({ operation }) => operation === 'testHook').length).toBeGreaterThan(0)
    expect(JSON.stringify(ended.evidence)).toContain('X-Gateway-Key')
  })

  test('leaks nothing', () => {
    expectNoLeak(ended, folder)
  })

  test('has its files scanned: a planted secret is found', () => {
    const [one] = SECRETS
    writeFileSync(join(folder, 'out', 'planted.txt'), Buffer.from(`x:${one?.value ?? ''}`).toString('base64'))
    expect(leaksInFolder(join(folder, 'out'), CANARIES).map(({ place }) => place)).toContain('planted.txt')
  })
})

/** The secret of a Basic header, and the token of a Bearer header. */
const secretIn = (authorization: string): string => {
  const [scheme, credentials = ''] = authorization.split(' ')
  if (scheme !== 'Basic') return credentials
  const pair = Buffer.from(credentials, 'base64').toString()
  return pair.slice(pair.indexOf(':') + 1)
}

/** The media types in which an error lists what was sent. */
const LISTS: readonly (readonly [media: string, write: (texts: readonly string[]) => string])[] = [
  ['application/json', (texts) => JSON.stringify({ error: 'invalid_request', said: texts })],
  ['text/plain', (texts) => texts.join('\n')],
  ['text/html', (texts) => `<!doctype html><p>${texts.join('</p>\n<p>')}</p>`],
]

describe('a run on a bank that repeats the credentials of a refused request in every two encodings', () => {
  let folder: string
  let temporary: string
  let ended: Ended
  const repeated = new Set<string>()
  beforeAll(async () => {
    const bank = await bankWith()
    let refused = 0
    const server = await startRawServer(
      relayTo({
        bank: {
          ...bank.bank,
          fetch: async (request) => {
            const response = await bank.bank.fetch(request)
            const secret = secretIn(request.headers.get('authorization') ?? '')
            if (response.status < 400 || secret === '') return response
            repeated.add(secret)
            const [media, write] = LISTS[(refused += 1) % LISTS.length] ?? ['', String]
            const body = write([...nestedEncodingsOf(secret).values()])
            return new Response(body, { status: response.status, headers: { 'content-type': media } })
          },
        },
      }),
    )
    undo.push(() => server.close())
    folder = folders()
    temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    const selected = ['--only', 'CON-01', 'CON-15', 'CON-22', 'TOK-35']
    ended = await run(folder, [...optionsFor(server.url, folder), ...selected], { ...ENV, TMPDIR: temporary })
  })

  test('judges, and keeps what was repeated', () => {
    expect(ended.exitCode, ended.stderr).toBeLessThan(3)
    const [secret] = SECRETS.filter(({ value }) => repeated.has(value))
    expect(secret).toBeDefined()
    expect(JSON.stringify(ended.evidence)).toContain('no such value: [client_secret:')
  })

  test('leaks nothing into a file, the terminal or a file that was left behind', () => {
    expectNoLeak(ended, folder)
    expect(leaksInFolder(temporary, CANARIES)).toEqual([])
    const texts = [...filesIn(join(folder, 'out')), ...filesIn(temporary)].map((file) =>
      readFileSync(file, 'latin1'),
    )
    const all = [...texts, ended.stdout, ended.stderr].join('\n')
    const leaks = SECRETS.filter(({ value }) => repeated.has(value)).flatMap(({ value }) =>
      [...nestedEncodingsOf(value)].filter(([, text]) => all.includes(Buffer.from(text).toString('latin1'))),
    )
    expect(leaks.map(([name]) => name)).toEqual([])
  })
})

test('a run that is interrupted leaks nothing', async () => {
  const bank = await bankWith()
  const server = await startRawServer((socket, call) => {
    relayTo(bank)(socket, call)
    if (call.number === 25) started.interrupt()
  })
  undo.push(() => server.close())
  const folder = folders()
  const started = start(folder, [...optionsFor(server.url, folder), '--only', 'consent', 'loans'], ENV)
  const ended = await started.ended()
  expect(ended.exitCode).toBe(130)
  expectNoLeak(ended, folder)
})

test('a run that waits leaks nothing into its resume log', async () => {
  const bank = await bankWith()
  const folder = folders()
  const options = [...optionsFor(bank.url, folder), '--only', 'CON-01', 'ACC-12', '--time', 'wall']
  const ended = await run(folder, options, ENV)
  expect(existsSync(join(folder, 'out', 'resume.jsonl')), ended.stderr).toBe(true)
  expectNoLeak(ended, folder)
})

test('a plan leaks nothing', async () => {
  const folder = folders()
  const ended = await run(folder, [...optionsFor('http://127.0.0.1:9', folder), '--dry-run'], ENV)
  expect(ended.exitCode).toBe(0)
  expectNoLeak(ended)
})

const invalidProfiles = (value: string): readonly (readonly [title: string, changes: unknown])[] => [
  ['a secret in a base URL', { baseUrl: `http://user:${value}@bank.example` }],
  ['a proxy of an unsupported kind', { connection: { proxy: `socks5://user:${value}@proxy.example` } }],
  ['a number as a password', { customers: [{ name: 'anna', username: value, password: 37 }] }],
  ['a secret after env:', { headers: { 'X-Gateway-Key': `env:${value}` } }],
  [
    'a wrong kind next to a secret',
    { applications: [{ name: 'a', kind: 'XXX', clientId: 'a', clientSecret: value }] },
  ],
]

describe('an invalid profile leaks nothing:', () => {
  test.each(invalidProfiles(GATEWAY.value))('%s', async (_, changes) => {
    const folder = folders()
    const ended = await run(
      folder,
      [`--profile=${profileIn(folder, changes as Partial<ProfileInput>)}`, '--base-url=http://127.0.0.1:9'],
      ENV,
    )
    expect(ended.exitCode, ended.stderr).toBe(3)
    expectNoLeak(ended)
  })
})
