import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../../plan/root.ts'
import { ConfigurationError } from '../../../profile/configuration-error.ts'
import { readOpenApi } from './document.ts'
import { draftFromDocument } from './draft-profile.ts'

const SAMPLE = join(ROOT, 'harness/testing/samples/bank-openapi.yaml')

const draft = (file = SAMPLE) => draftFromDocument(readOpenApi(file), 'sandbox')

describe('a document becomes a part of a profile', () => {
  test('the address and the title', async () => {
    expect(draft()).toMatchObject({ title: 'A bank', baseUrl: 'https://api.bank.example' })
  })

  test('how it refuses, as far as it describes it', async () => {
    const { refusals, questions } = draft()
    expect(refusals).toBe('json')
    expect(questions.join('\n')).toContain('`refusals`: does the bank also refuse with HTML pages')
  })

  test('of the account interface: paths, statuses, the only list, and a header with a format', async () => {
    const { profile } = draft()
    expect(profile.basePaths).toEqual({ sandbox: '/premium/sandbox', production: '/premium/production' })
    expect(profile.operations).toEqual({
      createConsent: { requestIdHeader: 'X-Call-Id', success: [201] },
      listAccounts: { success: [200], accounts: 'result' },
      readAccount: { success: [200] },
      listTransactions: { success: [200], transactions: 'moves' },
      refresh: { success: [202], query: { consentId: '{consentId}' } },
    })
    expect(profile.secondVariant).toBeUndefined()
  })

  test('of payments: the methods, and the flow and scope of the security scheme', async () => {
    const { profile } = draft()
    expect(profile.payments).toEqual({
      basePaths: { sandbox: '/test', production: '/live' },
      oauthBasePaths: { sandbox: '/test', production: '/live' },
      token: { form: { grant_type: 'client_credentials', scope: 'pay' } },
      authorize: { scope: 'pay' },
      initiations: [
        { name: 'ecomm', path: '/payments/ecomm/sba' },
        { name: 'dated-sba', path: '/payments/dated/sba' },
      ],
      submission: { body: { orderId: '{orderId}' } },
    })
  })

  test('of loans: calls, and fields with the words of the interface', async () => {
    const { profile } = draft()
    expect(profile.loans).toEqual({
      basePath: '/paylater/sandbox',
      token: { credentials: 'form' },
      scenario: {
        kind: 'call',
        method: 'POST',
        path: '/v1/applications/{application-id}/path',
        body: { take: '{scenario}' },
      },
      status: { status: 'state', code: 'outcome' },
      errorCode: 'outcome',
    })
  })

  test.each([
    '`operations.token.refreshToken`: where is it? The document has no refresh_token, but access_token, renewal.token, renewal.renewalToken',
    '`operations.token.refreshForm`: which parameter carries the refresh token? The document has grant_type, renewal_token',
    '`operations.listTransactions.paging.next`: where is it? The document has no _links.next.href, but paging.count',
    '`payments.basePaths`: which base path is that of sandbox, and which that of production? The document has /test, /live',
    '`loans.submission.body`: where does {orderNo}, {amount} stand? The document has amount, reference',
    '`loans.scenario.values`: which words select the four scenarios? The document has CANCEL, EXPIRE, NEW_CLIENT, KNOWN_CLIENT',
  ])('what only a name would suggest is a question: %s', async (question) => {
    expect(draft().questions).toContain(question)
  })
})

describe('a file', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const fileOf = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, text)
    return file
  }

  test.each([
    ['that does not exist', 'none.yaml', undefined, 'it does not exist'],
    ['that is no YAML', 'broken.yaml', 'a: [', 'it is not valid JSON or YAML'],
    ['of Swagger 2.0', 'old.json', '{"swagger":"2.0"}', 'convert it to OpenAPI 3 first'],
    ['that is something else', 'other.yaml', 'name: A bank', 'it is no OpenAPI 3 document'],
  ])('%s is reported', async (_, name, text, message) => {
    const file = text === undefined ? join(folder, name) : await fileOf(name, text)
    const read = () => readOpenApi(file)
    expect(read).toThrow(ConfigurationError)
    expect(read).toThrow(message)
  })

  test('that has nothing of the interface leaves the defaults, with a question', async () => {
    const file = await fileOf('empty.yaml', "openapi: 3.0.3\ninfo: { title: E, version: '1' }\npaths: {}\n")
    expect(draft(file)).toEqual({
      title: 'E',
      profile: {},
      questions: [
        '`basePaths`: where is the account interface? The document has no POST …/v1/consents and no GET …/v1/accounts',
      ],
    })
  })

  test('whose value does not fit a profile leaves the default, with a question', async () => {
    const text = (await readFile(SAMPLE, 'utf8')).replace('name: X-Call-Id', "name: 'X Call Id'")
    const { profile, questions } = draft(await fileOf('header.yaml', text))
    expect(profile.operations?.createConsent).not.toHaveProperty('requestIdHeader')
    expect(questions.join('\n')).toContain('`operations.createConsent.requestIdHeader`: which value is it?')
  })

  /** A document in which GET /v1/accounts has these members. */
  const documentWith = (operation: unknown, others: object = {}): string =>
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'E', version: '1' },
      paths: { '/v1/accounts': { get: operation } },
      ...others,
    })

  const answering = (schema: unknown) => ({
    responses: { 200: { content: { 'application/json': { schema } } } },
  })

  const REF = { $ref: '#/components/schemas/S' }

  test('whose schema contains itself ends there', async () => {
    const S = { type: 'object', properties: { accounts: { type: 'array', items: REF }, a: REF, b: REF } }
    const file = await fileOf('self.json', documentWith(answering(REF), { components: { schemas: { S } } }))
    expect(draft(file).profile.operations).toEqual({ listAccounts: { success: [200] } })
  })

  const among = Array.from({ length: 12 }, (_, at) => `S${at}`)
  const references = Object.fromEntries(among.map((name) => [name, { $ref: `#/components/schemas/${name}` }]))
  const variables = Object.fromEntries(among.map((name) => [name, { default: 'a', enum: ['a', 'b', 'c'] }]))

  test.each([
    [
      'whose schemas contain each other in all orders',
      documentWith(answering(references['S0']), {
        components: {
          schemas: Object.fromEntries(among.map((name) => [name, { properties: references }])),
        },
      }),
      'one schema has more than 5000 parts; shorten it, at GET /v1/accounts',
    ],
    [
      'whose schema is nested too deep',
      documentWith(answering(JSON.parse(`${'{"items":'.repeat(60)}{}${'}'.repeat(60)}`))),
      'a schema is nested more than 50 deep, at GET /v1/accounts',
    ],
    [
      'whose servers have many variables',
      documentWith({}, { servers: [{ url: among.map((name) => `/{${name}}`).join(''), variables }] }),
      'a path has more than 100 addresses; leave out servers or values of variables, at GET /v1/accounts',
    ],
    [
      'whose server is not percent-encoded',
      documentWith({}, { servers: [{ url: 'https://bank.example/%E0%A4%A' }] }),
      'a reference that is not percent-encoded UTF-8: "/%E0%A4%A", at GET /v1/accounts',
    ],
    [
      'whose reference is not percent-encoded',
      documentWith(answering({ $ref: '#/%E0%A4%A' })),
      'a reference that is not percent-encoded UTF-8: "%E0%A4%A", at GET /v1/accounts',
    ],
  ])('%s is refused, with the place', async (_, text, message) => {
    const file = await fileOf('bounded.json', text)
    const read = () => readOpenApi(file)
    expect(read).toThrow(ConfigurationError)
    expect(read).toThrow(message)
  })

  test.each([
    ['lists that begin at once', '- '.repeat(500_000), 'it is nested too deep'],
    ['many keys', Array.from({ length: 200_000 }, (_, at) => `k${at}:`).join('\n'), 'no OpenAPI 3 document'],
  ])('of %s is refused soon', async (_, text, message) => {
    const file = await fileOf('hard.yaml', text)
    expect(() => readOpenApi(file)).toThrow(message)
  })

  test('that is a device is not read', () => {
    expect(() => readOpenApi('/dev/zero')).toThrow(/it is not a regular file$/)
  })

  test('of much YAML is refused before it is parsed', async () => {
    const file = await fileOf('long.yaml', `a: ${'b'.repeat(4 * 1024 * 1024)}`)
    expect(() => readOpenApi(file)).toThrow('at most 2 MiB are read of YAML, and 16 MiB of JSON')
  })
})
