import { expect, test } from 'vitest'
import { createRedactor } from '../evidence/redaction.ts'
import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { sampleProfile } from '../profile/sample.ts'
import { profileSchema } from '../profile/schema.ts'
import { createLeverClock, createLevers } from './levers.ts'
import type { Exchange, Fault } from '../evidence/exchange.ts'
import type { Http } from '../session/http.ts'
import type { HttpRequest } from '../session/request.ts'
import type { ProfileInput } from '../profile/schema.ts'

const BASE = 'https://bank.example/api'

type Ending = { readonly status: number; readonly body?: string } | { readonly fault: Fault }

/** A target whose levers all answer alike. */
const targetWith = (levers: ProfileInput['levers'], ending: Ending = { status: 200 }) => {
  const sent: HttpRequest[] = []
  const http: Http = {
    origins: ['https://bank.example'],
    redactor: createRedactor([]),
    async send(request) {
      sent.push(request)
      const text = ('body' in ending && ending.body) || ''
      const exchange: Exchange = {
        ...{
          kind: 'exchange',
          id: `lever/${sent.length}`,
          sender: 'lever',
          operation: 'lever',
          effect: 'read',
        },
        request: { method: request.method, url: request.url, headers: request.headers },
        ...('fault' in ending
          ? { fault: ending.fault }
          : { response: { status: ending.status, headers: [], body: { text, bytes: text.length } } }),
        ...{ sentAt: '2026-01-05T09:00:00.000Z', durationMs: 1 },
      }
      return exchange
    },
  }
  const profile = profileSchema.parse({ ...sampleProfile(), levers })
  return { sent, http, profile, levers: createLevers(http, BASE, profile) }
}

test('the argument of a lever stands in its URL, its headers and its body', async () => {
  const { sent, levers } = targetWith({
    revokeToken: {
      url: '/tokens/{token}/revoke?of={token}',
      headers: { 'X-Token': 'of {token}' },
      body: { token: '{token}', note: 'the token {token}' },
    },
  })
  await levers.revokeToken('a/b+c=')
  expect(sent).toMatchObject([
    {
      method: 'POST',
      url: 'https://bank.example/tokens/a%2Fb%2Bc%3D/revoke?of=a%2Fb%2Bc%3D',
      headers: [
        ['X-Token', 'of a/b+c='],
        ['Content-Type', 'application/json'],
      ],
      text: '{"token":"a/b+c=","note":"the token a/b+c="}',
    },
  ])
})

test.each([302, 404, 500])('a lever that answers %i has done nothing', async (status) => {
  const { levers } = targetWith({ revokeToken: { url: '/revoke' } }, { status })
  await expect(levers.revokeToken('t')).rejects.toThrow(
    new NotReached(`the lever at /revoke answered ${status} (lever/1)`),
  )
})

test('a lever that does not answer leaves it open', async () => {
  const fault: Fault = { kind: 'reset', cause: 'ECONNRESET', message: 'the connection was closed' }
  const { levers } = targetWith({ revokeToken: { url: '/revoke' } }, { fault })
  await expect(levers.revokeToken('t')).rejects.toThrow(Inconclusive)
})

test('a lever that the profile does not bind is not pulled', async () => {
  const { levers, sent } = targetWith({})
  await expect(levers.revokeToken('t')).rejects.toThrow(NotReached)
  expect(sent).toEqual([])
})

test.each(['', 'no JSON', '{"now":"soon"}', '{"time":"2026-01-05T09:00:00Z"}'])(
  'a clock that answers %j tells no time',
  async (body) => {
    const { http, profile } = targetWith(
      { readClock: { method: 'GET', url: '/clock', result: 'now' }, advanceClock: { url: '/clock' } },
      { status: 200, body },
    )
    await expect(createLeverClock(http, BASE, profile)).rejects.toThrow(NotReached)
  },
)

test('a consent is revoked, and a transaction booked, with the arguments of their levers', async () => {
  const { sent, levers } = targetWith({
    revokeConsent: { url: '/consents/{consentId}/revoke' },
    bookTransaction: { url: '/bookings', body: { iban: '{iban}', amount: '{amount}' } },
  })
  await levers.revokeConsent('c/1')
  const exchange = await levers.bookTransaction({ iban: 'SK01', amount: -17.31 })
  expect(exchange.id).toBe('lever/2')
  expect(sent).toMatchObject([
    { url: 'https://bank.example/consents/c%2F1/revoke', operation: 'lever' },
    { text: '{"iban":"SK01","amount":-17.31}' },
  ])
})

const CONFIGURE: ProfileInput['levers'] = {
  configureWebhook: {
    method: 'PUT',
    url: '/webhooks/{clientId}',
    body: { on: '{enabled}', to: '{url}', header: '{securityHeader}' },
  },
}
const SETTINGS = { clientId: 'shop', enabled: false, url: 'https://me.example/a', securityHeader: '' }

test.each([
  [200, true],
  [204, true],
  [400, false],
  [422, false],
])('webhook settings that are answered with %s are taken: %s', async (status, isTaken) => {
  const { sent, levers } = targetWith(CONFIGURE, { status })
  expect(await levers.configureWebhook(SETTINGS)).toMatchObject({ taken: isTaken })
  expect(sent).toMatchObject([
    {
      operation: 'configureWebhook',
      url: 'https://bank.example/webhooks/shop',
      text: '{"on":false,"to":"https://me.example/a","header":""}',
    },
  ])
})

test.each([302, 500, 503])('webhook settings that are answered with %s are not decided', async (status) => {
  const { levers } = targetWith(CONFIGURE, { status })
  await expect(levers.configureWebhook(SETTINGS)).rejects.toThrow(NotReached)
})

test.each(['revokeConsent', 'bookTransaction', 'configureWebhook'] as const)(
  'a lever that the profile does not bind is not pulled (%s)',
  async (name) => {
    const { sent, levers } = targetWith({})
    const pulled = {
      revokeConsent: () => levers.revokeConsent('c1'),
      bookTransaction: () => levers.bookTransaction({ iban: 'SK01', amount: 1 }),
      configureWebhook: () => levers.configureWebhook(SETTINGS),
    }[name]
    await expect(pulled()).rejects.toThrow(`levers.${name}`)
    expect(sent).toEqual([])
  },
)
