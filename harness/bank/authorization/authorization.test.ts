import { describe, expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import { RESULT_SCREEN } from '../seed-data.ts'
import { aClient, aCustomer, TestClient } from '../../testing/bank-clients/test-client.ts'
import { stepPage } from './authorization-pages.ts'

const setup = (kind: 'FAC' | 'TPP' = 'FAC'): TestClient =>
  new TestClient({ fetch: createBank().fetch, client: aClient(kind) })
const withQuery = aClient('FAC').redirectUris[1] ?? ''

describe('an authorization', () => {
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

  test('of two login sessions in one browser are independent', async () => {
    const client = setup()
    await client.authorize({ state: 'one' }, { password: 'wrong' })
    expect((await client.authorize({ state: 'two' })).parameters).toMatchObject({ state: 'two' })
  })
})
