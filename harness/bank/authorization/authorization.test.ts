import { describe, expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import { RESULT_SCREEN } from '../seed-data.ts'
import { aClient, aCustomer, TestClient } from '../../testing/bank-clients/test-client.ts'
import { stepPage } from './authorization-pages.ts'

const setup = (kind: 'FAC' | 'TPP' = 'FAC'): TestClient =>
  new TestClient({ fetch: createBank().fetch, client: aClient(kind) })

const plain = aClient('FAC').redirectUris[0] ?? ''
const withQuery = aClient('FAC').redirectUris[1] ?? ''

describe('an authorization', () => {
  test('that is granted returns a code and the state', async () => {
    const { location, response, parameters } = await setup().authorize({ state: 'a b&c=ď' })
    expect(response.status).toBe(302)
    expect(location).toMatch(plain)
    expect(Object.keys(parameters)).toEqual(['code', 'state'])
    expect(parameters['code']).toMatch(/^[\w-]{43}$/)
    expect(parameters['state']).toBe('a b&c=ď')
  })

  test('that is denied returns access_denied and the state', async () => {
    const { parameters } = await setup().authorize({}, { decision: 'deny' })
    expect(parameters).toMatchObject({ error: 'access_denied', state: 'state-1' })
    expect(parameters).not.toHaveProperty('code')
  })

  test('without a state returns none', async () => {
    expect((await setup().authorize({ state: undefined })).parameters).not.toHaveProperty('state')
  })

  test('keeps the query of the redirect URI', async () => {
    const { location } = await setup().authorize({ redirect_uri: withQuery })
    expect(location?.startsWith(`${withQuery}&code=`)).toBe(true)
  })

  test('to the result screen shows the code there', async () => {
    const { response, location, parameters } = await setup().authorize({ redirect_uri: RESULT_SCREEN })
    expect(response.status).toBe(200)
    expect(location).toBeUndefined()
    expect(parameters['code']).toMatch(/^[\w-]{43}$/)
    expect(parameters['state']).toBe('state-1')
  })

  test('of a TPP names its consent', async () => {
    const client = setup('TPP')
    await client.createConsent()
    expect((await client.authorize()).parameters).toHaveProperty('code')
  })

  test('creates a new code each time', async () => {
    const client = setup()
    const codes = [await client.authorize(), await client.authorize()].map(
      ({ parameters }) => parameters['code'],
    )
    expect(new Set(codes).size).toBe(2)
  })
})

describe('an unverified destination', () => {
  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['a redirect_uri of another site', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer path', { redirect_uri: `${plain}/more` }],
    ['an added query', { redirect_uri: `${plain}?x=1` }],
    ['another letter case', { redirect_uri: plain.replace('ledgerly', 'Ledgerly') }],
    ['a shorter query', { redirect_uri: withQuery.replace('&lang=sk', '') }],
    ['a fragment', { redirect_uri: `${plain}#x` }],
  ])('(%s) is answered with a page, not with a redirect', async (_, changes) => {
    const { response, location, shown } = await setup().authorize(changes)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toMatch('text/html')
    expect(location).toBeUndefined()
    expect(shown).toContain('Nothing was granted')
  })

  test('that is repeated is answered with a page', async () => {
    const client = setup()
    const path = `${client.authorizePath()}&redirect_uri=${encodeURIComponent(plain)}`
    expect((await client.send(path)).status).toBe(400)
  })
})

describe('an incomplete request', () => {
  test.each([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no code_challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a challenge of another length', { code_challenge: 'short' }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['another scope', { scope: 'PAY_LATER' }, 'invalid_scope'],
    ['a consent for a FAC', { scope: 'PREMIUM_AIS:c1' }, 'invalid_scope'],
  ])('(%s) returns an error and the state', async (_, changes, error) => {
    const { response, parameters } = await setup().authorize(changes)
    expect(response.status).toBe(302)
    expect(parameters).toMatchObject({ error, state: 'state-1' })
  })

  test('of a TPP has no usable consent of this TPP', async () => {
    const { fetch } = createBank()
    const client = new TestClient({ fetch, client: aClient('TPP') })
    const otherClient = new TestClient({ fetch, client: aClient('TPP', 1) })
    await otherClient.createConsent()
    for (const scope of ['PREMIUM_AIS', 'PREMIUM_AIS:', 'PREMIUM_AIS:unknown', otherClient.scope]) {
      expect((await client.authorize({ scope })).parameters).toMatchObject({ error: 'invalid_scope' })
    }
  })

  test('with a repeated parameter returns invalid_request', async () => {
    const client = setup()
    const response = await client.send(`${client.authorizePath()}&scope=PREMIUM_AIS`)
    expect(response.headers.get('location')).toMatch('error=invalid_request')
  })
})

describe('the pages', () => {
  test('refuse a wrong password', async () => {
    const { response, shown } = await setup().authorize({}, { password: 'wrong' })
    expect(response.status).toBe(403)
    expect(shown).toContain('The user name or the password is wrong.')
  })

  test.each(['welcome', 'login', 'decision', 'login-and-decision'] as const)(
    '(%s) escape values',
    async (step) => {
      const hostile = `"><script>alert('1')</script>`
      const client = { ...aClient('TPP'), name: hostile }
      const content = { step, client, action: hostile, csrf: hostile, customer: hostile, consentId: hostile }
      const accounts = aCustomer().accounts.map((account) => ({
        account: { ...account, name: hostile },
        isTicked: true,
      }))
      expect(await stepPage({ ...content, accounts, problem: hostile })).not.toContain('<script')
    },
  )

  test('are not stored or framed, and load only the style sheet of this bank', async () => {
    const client = setup()
    const response = await client.send(client.authorizePath())
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-security-policy')).toMatch("frame-ancestors 'none'")
    expect(response.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
    expect((await response.text()).match(/(?:src|href)="[^"]*"|url\(/g)).toEqual(['href="/pages.css"'])
    const sheet = await client.send('/pages.css')
    expect(sheet.headers.get('content-type')).toMatch('text/css')
    expect(await sheet.text()).not.toMatch(/url\(|@import/)
  })

  test('accept only the form and the cookie of their own browser', async () => {
    const client = setup()
    const response = await client.send(client.authorizePath())
    const markup = await response.text()
    const action = /action="([^"]+)"/.exec(markup)?.[1] ?? ''
    const csrf = /name="csrf" value="([^"]+)"/.exec(markup)?.[1] ?? ''
    const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const login = { username: 'alena', password: aCustomer().password }
    const post = (fields: Record<string, string>, headers: Record<string, string>): Promise<Response> =>
      client.send(action, { method: 'POST', headers, body: new URLSearchParams(fields) })
    expect((await post({ ...login, csrf }, {})).status).toBe(400)
    expect((await post({ ...login, csrf: 'guessed' }, { cookie })).status).toBe(400)
    expect((await post({ ...login, csrf }, { cookie })).status).toBe(200)
    expect((await post({ csrf }, { cookie })).status).toBe(400)
    const grant = { csrf, decision: 'grant', account: aCustomer().accounts[0]?.accountId ?? '' }
    expect((await post({ csrf, decision: 'grant' }, { cookie })).status).toBe(400)
    expect((await post(grant, { cookie })).status).toBe(302)
    expect((await post(grant, { cookie })).status).toBe(400)
  })

  test('of two visits in one browser are independent', async () => {
    const client = setup()
    await client.authorize({ state: 'one' }, { password: 'wrong' })
    expect((await client.authorize({ state: 'two' })).parameters).toMatchObject({ state: 'two' })
  })
})
