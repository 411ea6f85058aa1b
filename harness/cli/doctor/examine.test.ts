import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { combine } from '../../bank/composition/combine.ts'
import { conflictOf, withoutConflicts } from '../../bank/composition/conflicts.ts'
import { transportVariations } from '../../bank/variations/body-variations.ts'
import { openJournal } from '../../evidence/journal.ts'
import { profileSchema } from '../../profile/schema.ts'
import { NETWORK } from '../../connection/first-contact/examination.ts'
import { clientCertificateIn } from '../../connection/first-contact/tls.ts'
import { loadVariations } from '../../proof/selection.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { startBankOfToday } from '../../testing/defective-bank.ts'
import { makePair } from '../../testing/faults/authority.ts'
import { startRawServer } from '../../testing/faults/raw-server.ts'
import { relayTo } from '../../testing/faults/relay.ts'
import { readRunFiles } from '../../testing/faults/run.ts'
import * as responses from '../../testing/faults/fault-responses.ts'
import { found, openFaultTargets } from '../../testing/faults/fault-targets.ts'
import { examine } from './examine.ts'
import type { Variation } from '../../bank/defect.ts'
import type { Findings } from '../../connection/first-contact/finding.ts'
import type { FaultTargets } from '../../testing/faults/fault-targets.ts'

const targets = (): FaultTargets => {
  const opened = openFaultTargets()
  onTestFinished(() => opened.close())
  return opened
}

const codesOf = (findings: Findings): readonly string[] => findings.map(({ code }) => code)
const problemsIn = (findings: Findings): Findings =>
  findings.filter(({ level }) => level === 'warning' || level === 'error')

describe('a bank without faults', () => {
  test('has no warning in any step', async () => {
    const findings = await found(
      await targets().bank(),
      { testHooks: referenceProfile().testHooks },
      { depth: 'whole' },
    )
    expect(problemsIn(findings)).toEqual([])
    expect(codesOf(findings)).toEqual(
      expect.arrayContaining(['TGT-PATH-1', 'TGT-CRED-1', 'TGT-URI-1', 'TGT-PAGE-1', 'TGT-TEST-HOOK-1']),
    )
    expect(codesOf(findings)).not.toContain('OWN-LEFT-1')
  })

  test('has no warning with a certificate of a private authority', async () => {
    const [bank, authority] = await Promise.all([
      startBankOfToday(),
      makePair({ name: 'CA', isAuthority: true }),
    ])
    const server = await startRawServer(relayTo(bank), await makePair({ issuer: authority }))
    onTestFinished(async () => {
      await Promise.all([bank.close(), server.close()])
    })
    const connection = { ca: targets().file('ca.pem', authority.cert) }
    const findings = await found(server.url, { connection }, { depth: 'whole' })
    expect(problemsIn(findings)).toEqual([])
    expect(codesOf(findings)).toEqual(expect.arrayContaining(['NET-TLS-1', 'TGT-PAGE-1']))
  })

  test('receives only requests that read if no other effect is allowed', async () => {
    const folder = targets().file('evidence.jsonl', '')
    const journal = openJournal(folder)
    const allow = { sandbox: ['read' as const], production: [] }
    const bank = await targets().bank()
    const findings = await found(bank, { allow }, { depth: 'whole', journal })
    journal.close()
    const { evidence } = readRunFiles(join(folder, '..'))
    expect(evidence.length).toBeGreaterThan(1)
    expect(evidence.filter(({ request, effect }) => request.method !== 'GET' || effect !== 'read')).toEqual(
      [],
    )
    expect(findings).toContainEqual(expect.objectContaining({ code: 'OWN-LEFT-1' }))
    expect(problemsIn(findings)).toEqual([])
  })
})

test('a step that an earlier error makes impossible is left out with the reason, without another error', async () => {
  const findings = await found('https://nowhere.invalid', {}, { depth: 'whole' })
  expect(findings.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual(['NET-DNS-1'])
  const left = findings.filter(({ code }) => code === 'OWN-LEFT-1').map(({ cause }) => cause)
  expect(left).toEqual([
    'TLS: left out, because of NET-DNS-1 (The name of the host cannot be resolved).',
    'base path, clock: left out, because of NET-DNS-1 (The name of the host cannot be resolved).',
    'base paths, applications, tokens, test hooks, bindings: left out, because of NET-DNS-1 (The name of the host cannot be resolved).',
  ])
})

test('imported tokens that are all refused are an error', async () => {
  const token = { application: 'Ledgerly Bookkeeping', customer: 'alena', accessToken: 'of-yesterday' }
  const authorization = { kind: 'tokens' as const, tokens: [token] }
  const findings = await found(await targets().bank(), { authorization }, { depth: 'whole' })
  expect(findings.find(({ code }) => code === 'TGT-TOKEN-2')?.level).toBe('error')
})

test('no secret is shown, even if the target repeats it', async () => {
  const secret = 'a-secret-that-the-page-repeats'
  const url = await targets().bankExcept('/premium/sandbox/auth', responses.answer(400, `<p>${secret}</p>`))
  const findings = await examine(
    {
      profile: profileSchema.parse({ ...referenceProfile(), testHooks: {} }),
      baseUrl: url,
      secrets: [{ name: 'client_secret', value: secret }],
    },
    { depth: 'whole', env: {}, signal: new AbortController().signal },
  )
  expect(JSON.stringify(findings)).toContain('The page says: [client_secret:1]')
  expect(JSON.stringify(findings)).not.toContain(secret)
})

test('the credentials of a proxy are never shown', async () => {
  const proxy = (await targets().proxy(407)).replace('http://', 'http://user:hidden-word@')
  const findings = await found('http://bank.example', { connection: { proxy } })
  expect(codesOf(findings)).toContain('NET-PROXY-4')
  expect(JSON.stringify(findings)).not.toContain('hidden-word')
})

test('a resolver that does not answer has a deadline', async () => {
  const network = { ...NETWORK, resolve: () => new Promise<never>(() => undefined) }
  const deadlines = { requestMs: 300 }
  const findings = await found(await targets().bank().then(named), { deadlines }, { network })
  expect(findings).toContainEqual(
    expect.objectContaining({ code: 'NET-DNS-1', cause: expect.stringContaining('took too long') as string }),
  )
})

const named = (url: string): string => url.replace('127.0.0.1', 'localhost')

test('an examination that is stopped ends at once', async () => {
  const stop = new AbortController()
  const url = await targets().serve(() => stop.abort(new Error('stopped')))
  await expect(found(url, {}, { signal: stop.signal })).rejects.toThrow('stopped')
})

test('TLS is examined through the tunnel of a proxy', async () => {
  const beds = targets()
  const pair = await makePair({ name: 'bank.example' })
  const target = await beds.serve(responses.unauthorized, pair)
  const { port } = new URL(target)
  const proxy = await beds.tunnel()
  const ca = beds.file('ca.pem', pair.cert)
  const findings = await found(`https://bank.example:${port}`, { connection: { proxy, ca } })
  expect(problemsIn(findings)).toEqual([])
  expect(codesOf(findings)).toEqual(expect.arrayContaining(['NET-PROXY-1', 'NET-TLS-1', 'TGT-PATH-1']))
  const other = await found(`https://other.example:${port}`, { connection: { proxy, ca } })
  expect(codesOf(problemsIn(other))).toEqual(['NET-TLS-7'])
})

test.for([
  [{}, 'NET-TLS-8'],
  [{ certificate: 'client.pem' }, 'NET-TLS-9'],
] as const)(
  'a server that mentions client certificates in its answer is understood (%#)',
  ([connection, code]) => {
    const text = '<h1>400 Bad Request</h1>No required SSL certificate was sent'
    const response = { status: 400, headers: [], body: { text, bytes: text.length } }
    expect(codesOf(clientCertificateIn(response, { verify: true, ...connection }))).toEqual([code])
    expect(clientCertificateIn({ ...response, status: 200 }, { verify: true })).toEqual([])
  },
)

/** One application of each kind is enough: the others would have the same findings. */
const applications = (['FAC', 'TPP'] as const).flatMap((wanted) =>
  referenceProfile()
    .applications.filter(({ kind }) => kind === wanted)
    .slice(0, 1)
    .map((each) => ({ ...each, redirectUris: each.redirectUris?.slice(0, 1) })),
)

/** What changes bytes on the wire, or needs another profile once its pages have absolute addresses. */
const ALONE = ['addresses-have-the-origin-of-a-gateway', ...transportVariations.map(({ id }) => id)]

const isConflict = (one: Variation, other: Variation): boolean =>
  conflictOf(one, other) !== undefined || [one, other].some(({ id }) => ALONE.includes(id))

test('no permitted variation has a warning, whatever it is combined with', async () => {
  const alarms: string[] = []
  // One profile for all: the key of its pseudonyms, which is slow to derive on purpose, is derived once.
  const profile = profileSchema.parse({ ...referenceProfile(), testHooks: {}, applications })
  const options = { depth: 'whole', env: {}, signal: new AbortController().signal } as const
  for (let left = loadVariations(); left.length > 0;) {
    const together = withoutConflicts(left, isConflict)
    left = left.filter((each) => !together.includes(each))
    const variation = combine('combined', together)
    const { url, close } = await startBankOfToday(variation)
    try {
      for (const { code, level, cause } of await examine({ profile, baseUrl: url, secrets: [] }, options))
        if (level === 'warning' || level === 'error')
          alarms.push(`${together.map(({ id }) => id).join()}: ${code} ${cause}`)
    } finally {
      await close()
    }
  }
  expect(alarms).toEqual([])
})
