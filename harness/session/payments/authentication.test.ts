import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../evidence/redaction.ts'
import { NotReached } from '../../evidence/signals.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { type ProfileInput } from '../../profile/schema.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { openAuthorizationDriver } from '../authorization/open-driver.ts'
import { change, type HttpRequest } from '../http/request.ts'
import { createPayments, type Payments } from './payments.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { SecretsOf } from '../http/http.ts'
import { scratch } from '../../testing/samples/reports.ts'

/** How payment operations are authenticated and payments are approved, beyond Bearer tokens and OAuth grants. */

const BANK = 'https://api.bank.example'
const CALLBACK = 'https://client.example/callback'
const PARTY = { name: 'Anna', iban: 'SK2998010000002600001129' }

const LOGIN =
  '<form method="post" action="/approve/7/login"><input name="username"><input name="password"><button type="submit">Log in</button></form>'
const QUESTION =
  '<form method="post" action="/approve/7/decide"><button name="answer" value="grant">Yes</button><button name="answer" value="deny">No</button></form>'

type Answer = Partial<Parameters<typeof sampleExchange>[0]>

/** What the bank answers, by method and path. */
type Answers = Readonly<Record<string, Answer>>

const ORDER: Answers = {
  'POST /sandbox/auth/oauth/v2/token': { body: '{"access_token":"token-1","expires_in":3600}' },
  'POST /sandbox/api/v1/payments/ecomm/sba': {
    status: 201,
    body: '{"orderId":"7","status":"ACTC","next":{"approve":"/approve/7"}}',
  },
  'GET /approve/7': { body: LOGIN },
  'POST /approve/7/login': { body: QUESTION },
}

const sentBack = (query: string): Answers => ({
  'POST /approve/7/decide': { status: 302, headers: [['Location', `${CALLBACK}${query}`]] },
})

const target = (
  payments: Omit<NonNullable<ProfileInput['payments']>, 'debtor' | 'creditor'>,
  answers: Answers = {},
  deadlines: ProfileInput['deadlines'] = {},
) => {
  const profile = parsedProfile({
    deadlines,
    customers: [{ name: 'Anna', username: 'anna', password: 'open sesame' }],
    payments: { ...payments, debtor: PARTY, creditor: PARTY },
  })
  const sent: HttpRequest[] = []
  const secrets: string[] = []
  const send = async (request: HttpRequest, secretsOf?: SecretsOf): Promise<Exchange> => {
    sent.push(request)
    const { pathname } = new URL(request.url)
    const answer = { ...ORDER, ...answers }[`${request.method} ${pathname}`] ?? {}
    const exchange = sampleExchange({ id: `s/${sent.length}`, operation: request.operation, ...answer })
    const { method, url, headers } = request
    const whole = { ...exchange, request: { method, url, headers } }
    secrets.push(...(secretsOf?.(whole) ?? []).map(({ value }) => value))
    return whole
  }
  const open = (): Promise<Payments> =>
    createPayments({
      profile,
      baseUrl: BANK,
      customer: profile.customers[0],
      driver: openAuthorizationDriver(profile),
      http: { origins: [BANK], redactor: createRedactor([]), send },
      clock: { kind: 'virtual', now: () => new Date('2026-01-05T09:00:00Z'), pass: async () => undefined },
    })()
  return { open, sent, secrets }
}

const headerOf = ({ headers }: HttpRequest, name: string): string | undefined =>
  headers.find(([field]) => field.toLowerCase() === name.toLowerCase())?.[1]

const last = (sent: readonly HttpRequest[]): HttpRequest => {
  const request = sent.at(-1)
  if (request === undefined) throw new Error('nothing was sent')
  return request
}

describe('the application', () => {
  test('authenticates with HTTP Basic, and asks for no token', async () => {
    const { open, sent } = target({ authentication: 'basic' })
    const payments = await open()
    await payments.status('7')
    expect(sent.map(({ operation }) => operation)).toEqual(['readPayment'])
    expect(headerOf(last(sent), 'Authorization')).toMatch(/^Basic /)
    expect(() => payments.token).toThrow(NotReached)
    expect(payments.tokens).toEqual([])
  })

  test('sends the headers of the profile, without those whose placeholder has no value', async () => {
    const { open, sent } = target({
      authentication: 'other',
      headers: { 'Api-Version': '3', 'Return-To': '{redirectUri}', Approval: 'value {approval}' },
    })
    const payments = await open()
    await payments.initiate()
    expect(headerOf(last(sent), 'Api-Version')).toBe('3')
    expect(headerOf(last(sent), 'Return-To')).toBe(CALLBACK)
    expect(headerOf(last(sent), 'Approval')).toBeUndefined()
    expect(headerOf(last(sent), 'Authorization')).toBeUndefined()
    await payments.submit({ orderId: '7', approval: 'A1' })
    expect(headerOf(last(sent), 'Approval')).toBe('value A1')
  })
})

describe('a module that signs', () => {
  const moduleOf = async (name: string, text: string): Promise<string> => {
    const file = join(scratch(), `${name}.mjs`)
    await writeFile(file, text)
    return file
  }

  test('sees each request as it is sent, and what it makes is hidden', async () => {
    const signature = await moduleOf(
      'signs',
      'export default ({ method, url, body, headers, application }) => ({ Signature: [method, new URL(url).pathname, body.length, headers.changed, application.name].join("|") })',
    )
    const { open, sent, secrets } = target({ authentication: 'basic', signature })
    const payments = await open()
    await payments.status('7', change.header('Changed', 'yes'))
    const made = 'GET|/sandbox/api/v1/payments/7/status|0|yes|shop'
    expect(headerOf(last(sent), 'Signature')).toBe(made)
    expect(secrets).toContain(made)
  })

  test('is not asked where a request is to be without credentials', async () => {
    const signature = await moduleOf('always', 'export default () => ({ Signature: "s-1" })')
    const { open, sent } = target({ authentication: 'basic', signature })
    const payments = await open()
    await payments.status('7', (request) => ({ ...request, headers: [] }))
    expect(last(sent).headers).toEqual([])
  })

  test.each([
    ['throws', 'export default () => { throw new TypeError("the key is k-123") }', 'threw TypeError'],
    ['never answers', 'export default () => new Promise(() => {})', 'did not end in 0.05 s'],
    [
      'answers no headers',
      'export default () => ({ Signature: 7 })',
      'answered an object; expected an object of headers',
    ],
  ])('that %s is not the fault of the bank', async (name, text, message) => {
    const signature = await moduleOf(name.replaceAll(' ', '-'), text)
    const payments = await target({ authentication: 'basic', signature }, {}, { requestMs: 50 }).open()
    const asked = payments.status('7')
    await expect(asked).rejects.toThrow(NotReached)
    await expect(asked).rejects.toThrow(message)
    await expect(asked).rejects.not.toThrow('k-123')
  })
})

describe('an approval at an address in the answer', () => {
  const approval = { link: 'next.approve', parameter: 'approval' }

  test('gives the value of the redirect, which is hidden and sent with the submission', async () => {
    const { open, sent, secrets } = target(
      { approval, submission: { body: { orderId: '{orderId}', reported: '{approval}' } } },
      sentBack('?approval=A1'),
    )
    const payments = await open()
    const { orderId } = await payments.initiateValid()
    expect(payments.canAuthorize(orderId)).toBe(true)
    const authorization = await payments.authorize(orderId)
    expect(authorization).toMatchObject({ approval: 'A1', isComplete: true })
    expect(secrets).toContain('A1')
    await payments.submit(authorization)
    expect(JSON.parse(last(sent).text ?? '')).toEqual({ orderId: '7', reported: 'A1' })
    expect(headerOf(last(sent), 'Authorization')).toBe('Bearer token-1')
  })

  test('gives the value that a page shows', async () => {
    const { open } = target(
      { approval: { link: 'next.approve', shown: 'p.done', pattern: 'shop: (\\S+)\\.' } },
      { 'POST /approve/7/decide': { body: '<p class="done">Tell the shop: K7-9.</p>' } },
    )
    const payments = await open()
    await payments.initiate()
    expect(await payments.authorize('7')).toMatchObject({ approval: 'K7-9', isComplete: true })
  })

  test('without a value is complete once the customer has agreed and is sent back', async () => {
    const { open } = target({ approval: { link: 'next.approve' } }, sentBack(''))
    const payments = await open()
    await payments.initiate()
    expect(await payments.authorize('7')).toMatchObject({ isComplete: true })
  })

  test('that the customer denies is not complete', async () => {
    const { open } = target({ approval }, sentBack('?approval_error=rejected'))
    const payments = await open()
    await payments.initiate()
    const denied = await payments.authorize('7', 'deny')
    expect(denied).toMatchObject({ isComplete: false, redirectResult: { decision: 'denied' } })
  })

  test.each([
    [
      'the value under another name',
      { approval },
      sentBack('?permit=A1'),
      'the parameters permit; it has no parameter approval (payments.approval.parameter)',
    ],
    [
      'no page with the element',
      { approval: { link: 'next.approve', shown: '#value' } },
      { 'POST /approve/7/decide': { body: '<p>Thank you</p>' } },
      'a page: Thank you; it has no element #value (payments.approval.shown)',
    ],
    ['no address', { approval: { link: 'next.accept' } }, {}, 'without an address (next.accept)'],
    [
      'an address elsewhere',
      { approval },
      {
        'POST /sandbox/api/v1/payments/ecomm/sba': {
          body: '{"orderId":"7","next":{"approve":"https://x.example/"}}',
        },
      },
      'leads to https://x.example',
    ],
  ] satisfies readonly (readonly [string, Parameters<typeof target>[0], Answers, string])[])(
    'that ends on %s is not the fault of the bank',
    async (_, profile, answers, message) => {
      const payments = await target(profile, answers).open()
      await payments.initiate()
      const asked = payments.authorize('7')
      await expect(asked).rejects.toThrow(NotReached)
      await expect(asked).rejects.toThrow(message)
    },
  )
})
