import { createServer } from 'node:http'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startBank } from '../../bank/server.ts'
import { noJournal } from '../../evidence/journal.ts'
import { createRedactor } from '../../evidence/redaction.ts'
import { NotReached } from '../../evidence/signals.ts'
import { run, scratchFolders, writeProfile } from '../faults/run.ts'
import { resolveProfile } from '../../profile/load.ts'
import { profileSchema } from '../../profile/schema.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'
import { navigatePages } from '../../session/authorization/page-navigation.ts'
import { allowedIn, permitsFor } from '../../session/http/permissions.ts'
import { createHttp } from '../../session/http/http.ts'
import { createPayments } from '../../session/payments/payments.ts'
import { openAuthorizationDriver } from '../../session/authorization/open-driver.ts'
import { openConnections } from '../../connection/connections.ts'
import { createWallClock } from '../../connection/wall-clock.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import type { AddressInfo } from 'node:net'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { RunningBank } from '../../bank/server.ts'
import type { Profile, ProfileInput } from '../../profile/schema.ts'
import type { Http } from '../../session/http/http.ts'
import type { Operation } from '../../evidence/exchange.ts'

/** A run in the sandbox sends nothing to production, whatever the profile or the links of the bank contain. Takes about 13 s. */

const folders = scratchFolders()

const PRODUCTION = ['/premium/production', '/api/v1', '/auth/oauth/v2/authorize', '/auth/oauth/v2/token']

/** Reads a path as a lenient server does: decodes repeatedly, and removes everything optional. Uses no code of the project. */
const readLeniently = (path: string): string => {
  let decoded = path.replace(/\?.*$/s, '')
  for (let before = ''; before !== decoded;) {
    before = decoded
    decoded = decoded.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
  const bare = decoded
    .replaceAll('\\', '/')
    .replaceAll(/;[^/]*/g, '')
    .replaceAll(/\/{2,}/g, '/')
  return new URL(bare, 'http://bank.example').pathname.toLowerCase()
}

/** A server that answers every request with the answer of the test, and records requests to production. */
interface Listener {
  readonly url: string
  readonly inProduction: string[]
  readonly calls: string[]
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

let server: Server
let connections: ReturnType<typeof openConnections>
let listener: Listener
let bank: RunningBank

beforeAll(async () => {
  server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`
    listener.calls.push(line)
    if (PRODUCTION.some((path) => readLeniently(request.url ?? '').startsWith(path)))
      listener.inProduction.push(line)
    request.resume().on('end', () => listener.answer(request, response))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  listener = { url: `http://127.0.0.1:${port}`, inProduction: [], calls: [], answer: granting }
  connections = openConnections(profileOf({}))
  bank = await startBank()
})
afterAll(async () => {
  await Promise.all([connections.close(), bank.close()])
  server.close()
})
beforeEach(() => {
  listener.inProduction.length = 0
  listener.calls.length = 0
  listener.answer = granting
})

const granting = (_: IncomingMessage, response: ServerResponse): void =>
  void response.writeHead(201, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      access_token: 't',
      token_type: 'Bearer',
      expires_in: 60,
      orderId: '17',
      status: 'ACTC',
    }),
  )

const profileOf = (changes: Partial<ProfileInput>): Profile =>
  resolveProfile({ ...referenceProfile(), ...changes }, {}, 'the test').profile

const EVERYTHING = ['read', 'consent', 'notify', 'apply', 'pay'] as const

const httpFor = (profile: Profile): Http =>
  createHttp({
    scenario: 'a scenario',
    headers: profile.headers,
    requestMs: 10_000,
    journal: noJournal,
    dispatcher: connections.dispatcher,
    origins: [listener.url, ...profile.origins].map((url) => new URL(url).origin),
    permits: permitsFor(profile, listener.url, allowedIn(profile, EVERYTHING, ['read', 'consent'])),
    now: () => new Date(),
    redactor: createRedactor([]),
    onExchange: () => undefined,
  })

/** A path of production, plain or obfuscated. */
const hostilePath = fc
  .tuple(
    fc.constantFrom('/premium/production', '/api/v1', '/premium/production/x', '/api/v1/payments'),
    fc.constantFrom<(path: string) => string>(
      (path) => path,
      (path) => path.toUpperCase(),
      (path) => `/.${path}`,
      (path) => `/x/..${path}`,
      (path) => `/x/%2e%2e${path}`,
      (path) => `/x/..;a=b${path}`,
      (path) => `/x/..%2f${path.slice(1)}`,
      (path) => `/premium/sandbox/%252e%252e/%252e%252e${path}`,
      (path) => path.replaceAll(/(?<=.)\//g, '//'),
      (path) => path.replaceAll(/(?<=.)\//g, '\\'),
      (path) => path.replaceAll(/(?<=.)\//g, '%5C'),
      (path) => path.replace('p', '%70'),
      (path) => path.replace('p', '%2570'),
      (path) => path.replaceAll(/(?<=.)\//g, ';v=1/'),
    ),
  )
  .map(([path, obfuscate]) => obfuscate(path))

const { payments: paymentsInput } = referenceProfile()
if (paymentsInput === undefined) throw new Error('the reference bank has payments')

const hostileProfile: fc.Arbitrary<Partial<ProfileInput>> = fc
  .tuple(
    fc.constantFrom('payments', 'oauth', 'both', 'accounts', 'second', 'loans', 'test hook'),
    hostilePath,
  )
  .map(([part, sandbox]) => {
    const basePaths = { sandbox }
    switch (part) {
      case 'payments':
        return { payments: { ...paymentsInput, basePaths } }
      case 'oauth':
        return { payments: { ...paymentsInput, oauthBasePaths: { sandbox: '/' } } }
      case 'both':
        return { payments: { ...paymentsInput, basePaths, oauthBasePaths: { sandbox: '/' } } }
      case 'accounts':
        return { basePaths }
      case 'second':
        return { secondVariant: { basePaths } }
      case 'loans':
        return { loans: { basePath: sandbox } }
      default:
        return { testHooks: { revokeToken: { url: `${sandbox}/revoke`, body: { token: '{token}' } } } }
    }
  })

/** Pays as a run would with this profile. */
const payWith = async (profile: Profile): Promise<void> => {
  const [customer] = profile.customers
  const http = httpFor(profile)
  const driver = openAuthorizationDriver(profile)
  const open = createPayments({
    profile,
    baseUrl: listener.url,
    http,
    driver,
    clock: createWallClock(),
    customer,
  })
  const payments = await open()
  await payments.initiate()
  await payments.status('17')
}

test('200 hostile profiles are refused, and the HTTP layer sends none of their requests', async () => {
  await fc.assert(
    fc.asyncProperty(hostileProfile, async (changes) => {
      expect(() => profileOf({ baseUrl: listener.url, ...changes })).toThrow(ConfigurationError)
      // The HTTP layer checks each request, even if the profile was not checked.
      const unchecked = profileSchema.parse({ ...referenceProfile(), ...changes })
      await payWith(unchecked).catch((error: unknown) => expect(error).toBeInstanceOf(NotReached))
      expect(listener.inProduction).toEqual([])
    }),
    { numRuns: 200 },
  )
})

test('the same payment reaches the sandbox with a correct profile', async () => {
  await payWith(profileOf({}))
  expect(listener.calls.map((line) => line.replace(/\?.*/, ''))).toEqual([
    'POST /sandbox/auth/oauth/v2/token',
    'POST /sandbox/api/v1/payments/ecomm/sba',
    'GET /sandbox/api/v1/payments/17/status',
  ])
})

/** An address of production that an answer of the bank may contain. */
const hostileLink = fc
  .tuple(hostilePath, fc.constantFrom('path', 'absolute', 'port', 'userinfo', 'case', 'relative'))
  .map(([path, how]) => ({ path: `${path}/payments`, how }))

const linkTo = ({ path, how }: { readonly path: string; readonly how: string }): string => {
  const { host, port } = new URL(listener.url)
  switch (how) {
    case 'absolute':
      return listener.url + path
    case 'port':
      return `http://localhost:${port}${path}`
    case 'userinfo':
      return `http://127.0.0.1:80@${host}${path}`
    case 'case':
      return `HTTP://${host}${path}`
    case 'relative':
      return `../../../../../../..${path}`
    default:
      return path
  }
}

const FOLLOWED: readonly Operation[] = [
  'listTransactions',
  'selectLoanScenario',
  'testHook',
  'configureWebhook',
  'readPayment',
  'submitPayment',
  'authorizePayment',
]

describe('200 links of the bank', () => {
  const profile = (): Profile => profileOf({ baseUrl: listener.url, origins: [] })

  const walkFrom = async (operation: 'authorize' | 'authorizePayment'): Promise<void> => {
    const { authorization, customers } = profile()
    const [customer] = customers
    if (authorization.kind !== 'pages' || customer === undefined) throw new Error('there are pages')
    const redirectUri = 'https://client.example/callback'
    const http = httpFor(profile())
    await navigatePages(
      {
        http: { ...http, send: (request, ...rest) => http.send({ ...request, operation }, ...rest) },
        recipe: authorization,
        customer,
        decision: 'grant',
        redirectUri,
      },
      {
        operation,
        sender: 'customer',
        method: 'GET',
        headers: [],
        url: `${listener.url}/premium/sandbox/auth/oauth/v2/authorize`,
      },
    )
  }

  test('as redirects', async () => {
    await fc.assert(
      fc.asyncProperty(
        hostileLink,
        fc.constantFrom('authorize', 'authorizePayment'),
        fc.constantFrom(302, 303, 307, 308),
        async (link, operation, status) => {
          listener.answer = (_, response) => void response.writeHead(status, { location: linkTo(link) }).end()
          await walkFrom(operation).catch((error: unknown) => expect(error).toBeInstanceOf(NotReached))
          expect(listener.inProduction).toEqual([])
        },
      ),
      { numRuns: 200 },
    )
  })

  test('as the actions of forms', async () => {
    await fc.assert(
      fc.asyncProperty(hostileLink, fc.constantFrom('GET', 'POST'), async (link, method) => {
        const form = `<form method="${method}" action="${linkTo(link)}"><button value="grant">x</button></form>`
        listener.answer = (_, response) =>
          void response.writeHead(200, { 'content-type': 'text/html' }).end(form)
        await walkFrom('authorizePayment').catch((error: unknown) => expect(error).toBeInstanceOf(NotReached))
        expect(listener.inProduction).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('as addresses in its answers', async () => {
    await fc.assert(
      fc.asyncProperty(hostileLink, fc.constantFrom(...FOLLOWED), async (link, operation) => {
        const { href } = new URL(linkTo(link), `${listener.url}/premium/sandbox/v1/accounts/1/transactions`)
        await expect(
          httpFor(profile()).send({ operation, sender: 'scenario', method: 'POST', url: href, headers: [] }),
        ).rejects.toThrow()
        expect(listener.calls).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe.concurrent('the command ends with 3, and sends nothing', () => {
  const basePaths = { sandbox: '/api/v1' }

  test.each<[string, Partial<NonNullable<ProfileInput['payments']>>]>([
    ["production's values for the sandbox of payments", { basePaths, oauthBasePaths: { sandbox: '/' } }],
    ['the accounts of production', { basePaths: { sandbox: '/premium/production' } }],
  ])('for %s', async (_, payments) => {
    const folder = folders()
    const file = writeProfile(folder, { payments: { ...paymentsInput, ...payments } })
    const ended = await run(folder, [`--base-url=${bank.url}`, `--profile=${file}`, '--only', 'payments'])
    expect(ended).toMatchObject({ exitCode: 3, report: undefined, evidence: [] })
    expect(ended.stderr).toContain('`payments.basePaths.sandbox`: the sandbox address ')
    expect(ended.stderr).toContain('give the sandbox an address of its own')
  })
})

test('without a terminal, what is sent in production is printed before', async () => {
  const folder = folders()
  const file = writeProfile(folder)
  const { stderr, exitCode } = await run(folder, [
    `--base-url=${bank.url}`,
    `--profile=${file}`,
    ...['--environment', 'production', '--allow', 'pay', '--only', 'PAY-01'],
  ])
  expect(exitCode).toBe(0)
  expect(stderr).toContain('this run does more in production than reading and consents')
  expect(stderr).toContain('Addresses of writes')
})
