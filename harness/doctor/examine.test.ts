import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startBank } from '../bank/server.ts'
import { openJournal } from '../evidence/journal.ts'
import { makePair } from '../misfortune/authority.ts'
import { startRawServer } from '../misfortune/raw-server.ts'
import { relayTo } from '../misfortune/relay.ts'
import { remainsIn } from '../misfortune/run.ts'
import * as treat from '../misfortune/treatments.ts'
import { found, openWard } from '../misfortune/ward.ts'
import { profileSchema } from '../profile/schema.ts'
import { referenceProfile } from '../target/reference-profile.ts'
import { exitCodeOf } from './conclude.ts'
import { examine } from './examine.ts'
import { find } from './finding.ts'
import { NETWORK } from './network.ts'
import { clientCertificateIn } from './tls.ts'
import type { Ward } from '../misfortune/ward.ts'
import type { Findings } from './patient.ts'

vi.setConfig({ testTimeout: 60_000 })

const ward = (): Ward => {
  const opened = openWard()
  onTestFinished(() => opened.close())
  return opened
}

const codesOf = (findings: Findings): readonly string[] => findings.map(({ code }) => code)
const ofNote = (findings: Findings): Findings =>
  findings.filter(({ level }) => level === 'warning' || level === 'error')

describe('a healthy bank', () => {
  test('gives no cause for a warning, whatever is looked at', async () => {
    const findings = await found(
      await ward().bank(),
      { levers: referenceProfile().levers },
      { depth: 'whole' },
    )
    expect(ofNote(findings)).toEqual([])
    expect(codesOf(findings)).toEqual(
      expect.arrayContaining(['TGT-PATH-1', 'TGT-CRED-1', 'TGT-URI-1', 'TGT-PAGE-1', 'TGT-LEVER-1']),
    )
    expect(codesOf(findings)).not.toContain('OWN-LEFT-1')
  })

  test('gives none behind a certificate of a private authority either', async () => {
    const [bank, authority] = await Promise.all([startBank(), makePair({ name: 'CA', isAuthority: true })])
    const server = await startRawServer(relayTo(bank), await makePair({ issuer: authority }))
    onTestFinished(async () => {
      await Promise.all([bank.close(), server.close()])
    })
    const connection = { ca: ward().file('ca.pem', authority.cert) }
    const findings = await found(server.url, { connection }, { depth: 'whole' })
    expect(ofNote(findings)).toEqual([])
    expect(codesOf(findings)).toEqual(expect.arrayContaining(['NET-TLS-1', 'TGT-PAGE-1']))
  })

  test('is asked for nothing but reads where nothing else is allowed', async () => {
    const folder = ward().file('evidence.jsonl', '')
    const journal = openJournal(folder)
    const allow = { sandbox: ['read' as const], production: [] }
    const bank = await ward().bank()
    const findings = await found(bank, { allow }, { depth: 'whole', journal })
    journal.close()
    const { evidence } = remainsIn(join(folder, '..'))
    expect(evidence.length).toBeGreaterThan(1)
    expect(evidence.filter(({ request, effect }) => request.method !== 'GET' || effect !== 'read')).toEqual(
      [],
    )
    expect(findings).toContainEqual(expect.objectContaining({ code: 'OWN-LEFT-1' }))
    expect(ofNote(findings)).toEqual([])
  })
})

test('what an earlier step rules out is left out, with the reason, and is no error of its own', async () => {
  const findings = await found('https://nowhere.invalid', {}, { depth: 'whole' })
  expect(findings.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual(['NET-DNS-1'])
  const left = findings.filter(({ code }) => code === 'OWN-LEFT-1').map(({ cause }) => cause)
  expect(left).toEqual([
    'TLS: left out, because of NET-DNS-1 (The name of the host cannot be resolved).',
    'base path, clock: left out, because of NET-DNS-1 (The name of the host cannot be resolved).',
    'base paths, applications, tokens, levers, bindings: left out, because of NET-DNS-1 (The name of the host cannot be resolved).',
  ])
})

test('each finding is told as it comes', async () => {
  const told: string[] = []
  const findings = await found(
    await ward().bank(),
    {},
    { depth: 'whole', onFinding: ({ code }) => told.push(code) },
  )
  expect(told).toEqual(codesOf(findings))
})

test('no secret is shown, whoever repeats it', async () => {
  const secret = 'a-secret-that-the-page-repeats'
  const url = await ward().bankBut('/premium/sandbox/auth', treat.answer(400, `<p>${secret}</p>`))
  const findings = await examine(
    {
      profile: profileSchema.parse({ ...referenceProfile(), levers: {} }),
      baseUrl: url,
      secrets: [{ name: 'client_secret', value: secret }],
    },
    { depth: 'whole', env: {}, ends: new AbortController().signal },
  )
  expect(JSON.stringify(findings)).toContain('The page says: [client_secret:1]')
  expect(JSON.stringify(findings)).not.toContain(secret)
})

test('the credentials of a proxy are shown nowhere', async () => {
  const proxy = (await ward().proxy(407)).replace('http://', 'http://user:hidden-word@')
  const findings = await found('http://bank.example', { connection: { proxy } })
  expect(codesOf(findings)).toContain('NET-PROXY-4')
  expect(JSON.stringify(findings)).not.toContain('hidden-word')
})

test('nobody waits for a resolver that does not answer', async () => {
  const network = { ...NETWORK, resolve: () => new Promise<never>(() => undefined) }
  const deadlines = { requestMs: 300 }
  const findings = await found(await ward().bank().then(named), { deadlines }, { network })
  expect(findings).toContainEqual(
    expect.objectContaining({ code: 'NET-DNS-1', cause: expect.stringContaining('took too long') as string }),
  )
})

const named = (url: string): string => url.replace('127.0.0.1', 'localhost')

test('whoever stops it waits no longer', async () => {
  const stop = new AbortController()
  const url = await ward().serve(() => stop.abort(new Error('stopped')))
  await expect(found(url, {}, { ends: stop.signal } as never)).rejects.toThrow('stopped')
})

describe('the exit code', () => {
  const cause = 'a test'
  test.for([
    [[], 0],
    [[find('NET-TLS-6', { cause }), find('TGT-PATH-2', { cause })], 0],
    [[find('CFG-CRED-1', { cause }), find('NET-TCP-1', { cause })], 3],
    [[find('NET-TCP-1', { cause })], 4],
    [[find('TGT-HTTP-1', { cause })], 4],
    [[find('OWN-STEP-1', { cause }), find('CFG-CRED-1', { cause })], 5],
  ] as const)('of %# is %s', ([findings, expected]) => {
    expect(exitCodeOf(findings)).toBe(expected)
  })
})

test('a tunnel through a proxy is looked through', async () => {
  const beds = ward()
  const pair = await makePair({ name: 'bank.example' })
  const target = await beds.serve(treat.unauthorized, pair)
  const { port } = new URL(target)
  const proxy = await beds.tunnel()
  const ca = beds.file('ca.pem', pair.cert)
  const findings = await found(`https://bank.example:${port}`, { connection: { proxy, ca } })
  expect(ofNote(findings)).toEqual([])
  expect(codesOf(findings)).toEqual(expect.arrayContaining(['NET-PROXY-1', 'NET-TLS-1', 'TGT-PATH-1']))
  const other = await found(`https://other.example:${port}`, { connection: { proxy, ca } })
  expect(codesOf(ofNote(other))).toEqual(['NET-TLS-7'])
})

test.for([
  [{}, 'NET-TLS-8'],
  [{ certificate: 'client.pem' }, 'NET-TLS-9'],
] as const)(
  'a server that speaks of client certificates in its answer is understood (%#)',
  ([connection, code]) => {
    const text = '<h1>400 Bad Request</h1>No required SSL certificate was sent'
    const response = { status: 400, headers: [], body: { text, bytes: text.length } }
    expect(codesOf(clientCertificateIn(response, { verify: true, ...connection }))).toEqual([code])
    expect(clientCertificateIn({ ...response, status: 200 }, { verify: true })).toEqual([])
  },
)
