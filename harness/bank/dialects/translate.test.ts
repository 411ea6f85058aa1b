import { beforeEach, describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import { dialects } from './index.ts'
import { residents } from '../seed-data.ts'

/** The bank, as a caller meets it in a dialect. */

const dialectOf = (id: string) => {
  const dialect = dialects.find((one) => one.id === id)
  if (dialect === undefined) throw new Error(`no dialect has the id ${id}`)
  return dialect
}

const [client] = residents.clients.filter(({ kind }) => kind === 'TPP')

const basic = `Basic ${Buffer.from(`${client?.clientId ?? ''}:${client?.secret ?? ''}`).toString('base64')}`

let bank: Bank

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  bank.fetch(new Request(`http://bank.example${path}`, init))

const posting = (headers: Readonly<Record<string, string>>, body?: string): RequestInit => ({
  method: 'POST',
  headers: { Authorization: basic, ...headers },
  ...(body !== undefined && { body }),
})

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

describe('in the compact dialect', () => {
  beforeEach(() => {
    bank = createBank({ dialect: dialectOf('compact') })
  })

  test('an operation stands at its place, and at the one that the interface gives', async () => {
    for (const path of ['/kontoinformation/test/v1/zustimmungen', '/premium/sandbox/v1/consents']) {
      const answer = await ask(path, posting({ 'X-Vorgang': 'a' }))
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.headers.get('x-vorgang')).toBe('a')
      expect(await answer.json()).toHaveProperty('consentId')
    }
  })

  test.each(['/sandbox/api/v1/accounts', '/kunde/test/api/v2/accounts', '/kontoinformation/test/v1'])(
    'nothing stands at %s',
    async (path) => {
      expect((await ask(path)).status).toBe(404)
    },
  )

  test('the header that the interface gives is heard as well, and no other one', async () => {
    const path = '/premium/sandbox/v1/consents'
    expect((await ask(path, posting({ 'X-Request-ID': 'a' }))).status).toBe(200)
    expect((await ask(path, posting({ 'X-Correlation-ID': 'a' }))).status).toBe(422)
  })

  test('a dead token is answered with 401, and a problem', async () => {
    const answer = await ask('/v1/konten', { headers: { Authorization: 'Bearer none' } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toMatchObject({ code: 'TOKEN_UNKNOWN' })
  })

  test('a request without its mark is not understood', async () => {
    const form = 'grant_type=client_credentials&scope=PAY_LATER'
    const path = '/ratenkredit/test/oauth/v2/schluessel'
    expect((await ask(path, posting(FORM, form))).status).toBe(404)
    expect((await ask(path, posting(FORM, `${form}&kanal=handel`))).status).toBe(200)
  })

  test('the test hooks are no part of it', async () => {
    expect(await (await ask('/_test-hooks/clock')).json()).toHaveProperty('now')
  })
})

describe('in the nested dialect', () => {
  beforeEach(() => {
    bank = createBank({ dialect: dialectOf('nested') })
  })

  test('what is granted lies in data, and what is refused in errors', async () => {
    const path = '/open/ais-sandbox/v1/consent-requests'
    const granted = await ask(path, posting({ 'X-Correlation-ID': 'a' }))
    expect(await granted.json()).toMatchObject({
      data: { attributes: { consentId: expect.any(String) as unknown } },
    })
    const refused = await ask(path, posting({}))
    expect(await refused.json()).toMatchObject({ errors: [{ code: 'INVALID_REQUEST' }] })
  })

  test('a scope has its own word, and the bank’s is none', async () => {
    const token = async (scope: string): Promise<number> =>
      (
        await ask(
          '/login-sandbox/connect/v2/token',
          posting(FORM, `grant_type=client_credentials&scope=${encodeURIComponent(scope)}`),
        )
      ).status
    expect([await token('payments:write'), await token('PISP')]).toEqual([200, 400])
  })

  test('an event lies in data', async () => {
    const heard: string[] = []
    const calls = dialectOf('nested').calls(async (request) => {
      heard.push(await request.text())
      return new Response()
    })
    const body = JSON.stringify({ consentId: 'c', eventType: 'NEW', accounts: [] })
    await calls(new Request('http://sink.example/', { method: 'POST', body }))
    await calls(new Request('http://sink.example/', { method: 'POST', body: 'no JSON' }))
    expect(heard.map((text) => text.slice(0, 8))).toEqual(['{"data":', 'no JSON'])
    expect(JSON.parse(heard[0] ?? '')).toEqual({ data: { attributes: JSON.parse(body) as unknown } })
  })
})
