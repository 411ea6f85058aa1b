import { expect, test } from 'vitest'
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
