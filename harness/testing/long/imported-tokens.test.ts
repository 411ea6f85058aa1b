import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certify, explain, type Certified } from '../certify.ts'
import { type RunningBank, startBank } from '../../bank/server.ts'
import { aClient, aCustomer, TestClient } from '../bank-clients/test-client.ts'

/** With imported tokens, only reading checks are judged, and no customer authorizes. */

let bank: RunningBank
let folder: string
let run: Certified
const tokens: string[] = []

const profileOf = (kinds: readonly ('FAC' | 'TPP')[]) => ({
  name: 'Reference bank, with tokens of yesterday',
  applications: kinds.map((kind) => ({
    name: kind,
    kind,
    clientId: aClient(kind).clientId,
    clientSecret: `env:${kind}_SECRET`,
    redirectUris: [{ uri: 'https://client.example/callback' }],
  })),
  customers: [{ name: 'Alena', username: 'not-used', password: 'env:NOT_NEEDED' }],
  authorization: {
    kind: 'tokens',
    tokens: kinds.map((kind) => ({
      application: kind,
      customer: 'Alena',
      accessToken: `env:${kind}_TOKEN`,
    })),
  },
  allow: { sandbox: ['read'] },
})

beforeAll(async () => {
  bank = await startBank()
  folder = await mkdtemp(join(tmpdir(), 'imported-tokens-'))
  const credentials: Record<string, string> = { NOT_NEEDED: 'not-needed-at-all' }
  for (const kind of ['FAC', 'TPP'] as const) {
    const client = new TestClient({ fetch, origin: bank.url, client: aClient(kind) })
    const { access_token } = await client.obtainTokens({ customer: aCustomer() })
    tokens.push(access_token)
    credentials[`${kind}_TOKEN`] = access_token
    credentials[`${kind}_SECRET`] = aClient(kind).secret
  }
  const file = join(folder, 'profile.json')
  await writeFile(file, JSON.stringify(profileOf(['FAC', 'TPP'])))
  run = await certify([`--base-url=${bank.url}`, `--profile=${file}`], credentials)
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await bank.close()
})

test('reading checks are judged, and conform', () => {
  const judged = run.report.requirements.filter(
    ({ verdict }) => verdict !== 'not-applicable' && verdict !== 'not-tested',
  )
  expect(judged.filter(({ verdict }) => verdict !== 'pass').map(explain)).toEqual([])
  expect(judged.length).toBeGreaterThan(0)
  expect(run.report.conclusion).toBe('conforms')
})

test('only reading requests are sent, and no customer authorizes', () => {
  expect(new Set(run.evidence.map(({ effect }) => effect))).toEqual(new Set(['read']))
  expect(new Set(run.evidence.map(({ operation }) => operation))).not.toContain('authorize')
})

test('checks that are held back say that a customer or an effect is missing', () => {
  const tokenChecks = run.report.requirements.find(({ id }) => id === 'TOK-01')?.checks ?? []
  expect(tokenChecks.map(({ because }) => because)).toContainEqual(
    expect.stringMatching(/effect "consent" is not allowed|way for the customer to authorize/),
  )
})

test('no imported token is in the evidence', () => {
  expect(tokens.filter((token) => JSON.stringify(run.evidence).includes(token))).toEqual([])
})
