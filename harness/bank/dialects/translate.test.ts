import { expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import { basesOf, generatedDialect, generatedNames, pathsOf } from './generated.ts'
import { hearForm, hearParameters, isMarked, sayPage, sayParameters, withMarks } from './forms.ts'
import { words } from './conversions.ts'
import { seedData } from '../seed-data.ts'
import type { Markup, Parameters } from './vocabulary.ts'

/** The bank with a dialect. */

const names = generatedNames(1)
const paths = pathsOf(names)
const bases = basesOf(names)

const [client] = seedData.clients.filter(({ kind }) => kind === 'TPP')

const basic = `Basic ${Buffer.from(`${client?.clientId ?? ''}:${client?.secret ?? ''}`).toString('base64')}`

const bank = createBank({ dialect: generatedDialect(1) })

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  bank.fetch(new Request(`http://bank.example${path}`, init))

const posting = (headers: Readonly<Record<string, string>>, body?: string): RequestInit => ({
  method: 'POST',
  headers: { Authorization: basic, ...headers },
  ...(body !== undefined && { body }),
})

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

test('an operation is at its own address, and at that of the interface', async () => {
  for (const base of [bases.accounts.sandbox, '/premium/sandbox']) {
    const answer = await ask(`${base ?? ''}/v1/consents`, posting({ [names.requestId]: 'a' }))
    expect([base, answer.status]).toEqual([base, 200])
    expect(answer.headers.get(names.requestId)).toBe('a')
  }
})

test.each(['/sandbox/api/v1/accounts', `${bases.accounts.sandbox ?? ''}/v1`])(
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
  const answer = await ask('/premium/sandbox/v1/accounts', { headers: { Authorization: 'Bearer none' } })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(JSON.stringify(await answer.json())).toContain(`"${names.code}":"TOKEN_UNKNOWN"`)
})

test('a request without a required parameter is refused', async () => {
  const form = 'grant_type=client_credentials&scope=PAY_LATER'
  const path = `${bases.loans.sandbox ?? ''}/auth/oauth/v2/token`
  expect((await ask(path, posting(FORM, form))).status).toBe(404)
  expect((await ask(path, posting(FORM, `${form}&${names.mark}=${names.mark}`))).status).toBe(200)
})

test('a scope has its own value, and that of the bank is refused', async () => {
  const token = async (scope: string): Promise<number> => {
    const path = (bases.oauth.sandbox ?? '') + paths.paymentToken
    return (await ask(path, posting(FORM, `grant_type=client_credentials&scope=${scope}`))).status
  }
  expect([await token(names.scope), await token('PISP')]).toEqual([200, 400])
})

test('the test hooks are not translated', async () => {
  expect(await (await ask('/_test-hooks/clock')).json()).toHaveProperty('now')
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
