import { expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import { basesOf, generatedDialect, generatedNames, pathsOf } from './generated.ts'
import { seedData } from '../seed-data.ts'

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
