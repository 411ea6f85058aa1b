import { beforeEach, describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import { dialects } from './index.ts'
import { hearForm, hearParameters, isMarked, sayPage, sayParameters, withMarks } from './translate.ts'
import { words, type Markup, type Parameters } from './vocabulary.ts'
import { seedData } from '../seed-data.ts'

/** The bank with a dialect. */

const dialectOf = (id: string) => {
  const dialect = dialects.find((one) => one.id === id)
  if (dialect === undefined) throw new Error(`no dialect has the id ${id}`)
  return dialect
}

const [client] = seedData.clients.filter(({ kind }) => kind === 'TPP')

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

  test('an operation is at its own address, and at that of the interface', async () => {
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

  test('the header of the interface is accepted as well, and no other one', async () => {
    const path = '/premium/sandbox/v1/consents'
    expect((await ask(path, posting({ 'X-Request-ID': 'a' }))).status).toBe(200)
    expect((await ask(path, posting({ 'X-Correlation-ID': 'a' }))).status).toBe(422)
  })

  test('an invalid token is answered with 401 and a problem', async () => {
    const answer = await ask('/v1/konten', { headers: { Authorization: 'Bearer none' } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await answer.json()).toMatchObject({ code: 'TOKEN_UNKNOWN' })
  })

  test('a request without a required parameter is refused', async () => {
    const form = 'grant_type=client_credentials&scope=PAY_LATER'
    const path = '/ratenkredit/test/oauth/v2/schluessel'
    expect((await ask(path, posting(FORM, form))).status).toBe(404)
    expect((await ask(path, posting(FORM, `${form}&kanal=handel`))).status).toBe(200)
  })

  test('the test hooks are not translated', async () => {
    expect(await (await ask('/_test-hooks/clock')).json()).toHaveProperty('now')
  })
})

describe('in the nested dialect', () => {
  beforeEach(() => {
    bank = createBank({ dialect: dialectOf('nested') })
  })

  test('success answers are in data, and refusals in errors', async () => {
    const path = '/open/ais-sandbox/v1/consent-requests'
    const granted = await ask(path, posting({ 'X-Correlation-ID': 'a' }))
    expect(await granted.json()).toMatchObject({
      data: { attributes: { consentId: expect.any(String) as unknown } },
    })
    const refused = await ask(path, posting({}))
    expect(await refused.json()).toMatchObject({ errors: [{ code: 'INVALID_REQUEST' }] })
  })

  test('a scope has its own value, and that of the bank is refused', async () => {
    const token = async (scope: string): Promise<number> =>
      (
        await ask(
          '/login-sandbox/connect/v2/token',
          posting(FORM, `grant_type=client_credentials&scope=${encodeURIComponent(scope)}`),
        )
      ).status
    expect([await token('payments:write'), await token('PISP')]).toEqual([200, 400])
  })

  test('an event is in data', async () => {
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

const PARAMETERS: Parameters = {
  cursor: 'page[after]',
  scope: { at: 'scope', as: words({ PISP: 'pay me' }) },
}

const address = new URL('http://bank.example/')

test('parameters are renamed, and the others keep their escapes', () => {
  const heard = hearParameters('pageSize=%31%30&page%5Bafter%5D=%7e&scope=pay+me', PARAMETERS)
  expect(heard).toBe('pageSize=%31%30&cursor=%7e&scope=PISP')
})

test("the bank's name is ignored if the dialect has another", () => {
  expect(hearParameters('cursor=1&pageSize=10', PARAMETERS)).toBe('pageSize=10')
})

test('a translated query is translated back', () => {
  const turn = { here: address, there: address }
  const own = 'pageSize=10&cursor=a%2Fb&scope=PISP'
  const said = sayParameters(own, PARAMETERS, turn)
  expect([...new URLSearchParams(said)]).toEqual([
    ['pageSize', '10'],
    ['page[after]', 'a/b'],
    ['scope', 'pay me'],
  ])
  expect(hearParameters(said, PARAMETERS)).toBe(own)
})

test('required parameters are checked, and added if they are missing', () => {
  const marks = { view: 'all' }
  expect(['view=all&a=1', 'view=some', ''].map((query) => isMarked(query, marks))).toEqual([
    true,
    false,
    false,
  ])
  expect(['', 'a=1', 'view=all'].map((query) => withMarks(query, marks))).toEqual([
    'view=all',
    'a=1&view=all',
    'view=all',
  ])
})

const MARKUP: Markup = {
  fields: { username: 'user', decision: 'verdict' },
  values: { decision: { grant: 'yes', deny: 'no' } },
  rewrites: [[/<output id="code">([^<]*)<\/output>/, '<b class="code">$1</b>']],
}

test('a page has other fields, and its forms keep their addresses', async () => {
  const page = '<form action="next?a=1&amp;b=2"><input name="username"><button name="decision" value="grant">'
  const response = new Response(`${page}<output id="code">x</output>`, {
    status: 403,
    headers: { 'content-type': 'text/html' },
  })
  const said = await sayPage(response, MARKUP, new URL('http://bank.example/auth/visits/1'))
  expect(said.status).toBe(403)
  expect(await said.text()).toBe(
    '<form action="/auth/visits/next?a=1&amp;b=2"><input name="user"><button name="verdict" value="yes"><b class="code">x</b>',
  )
})

test('a form is accepted only with the names of the page', () => {
  expect(hearForm('user=a%26b&verdict=no&csrf=1', MARKUP)).toBe('username=a%26b&decision=deny&csrf=1')
  expect(hearForm('username=a&verdict=grant', MARKUP)).toBe('decision=')
})
