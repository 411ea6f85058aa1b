import { load } from 'cheerio'
import { describe, expect, test } from 'vitest'
import { aClient, basic, TestClient } from '../../testing/bank-clients/test-client.ts'
import { BankWithSink, SINK } from '../../testing/bank-clients/test-sink.ts'

interface Sent extends RequestInit {
  readonly headers?: Record<string, string>
}

const tpp = aClient('TPP')

describe('the test hook', () => {
  test('sets and shows the settings', async () => {
    const world = new BankWithSink()
    expect(await (await world.pull('GET', `webhooks/${tpp.clientId}`)).json()).toMatchObject({
      enabled: false,
    })
    const response = await world.configure(tpp, { securityHeader: 'abc' })
    expect(response.status).toBe(200)
    const settings = { enabled: true, url: SINK, securityHeader: 'abc', active: false }
    expect(await response.json()).toEqual({ ...settings, activeFrom: '2026-01-05T10:00:00.000Z' })
    expect(await (await world.pull('GET', `webhooks/${tpp.clientId}`)).json()).toMatchObject(settings)
  })

  test.each([
    [{ url: `${SINK}?a=b` }, 422, 'url'],
    [{ url: '' }, 422, 'url'],
    [{ securityHeader: 'a:b' }, 422, 'securityHeader'],
    [{ enabled: 'yes' as unknown as boolean }, 400, undefined],
  ])('stores nothing of %j', async (change, status, problem) => {
    const world = new BankWithSink()
    await world.configure(tpp)
    const before = await (await world.pull('GET', `webhooks/${tpp.clientId}`)).json()
    const response = await world.configure(tpp, change)
    expect(response.status).toBe(status)
    const { problems = {} } = (await response.json()) as { problems?: object }
    expect(Object.keys(problems)).toEqual(problem === undefined ? [] : [problem])
    expect(await (await world.pull('GET', `webhooks/${tpp.clientId}`)).json()).toEqual(before)
  })

  test('needs no URL while webhooks are disabled', async () => {
    expect((await new BankWithSink().configure(tpp, { enabled: false, url: '' })).status).toBe(200)
  })

  test('sets only the environment that is named', async () => {
    const world = new BankWithSink()
    const body = { enabled: true, url: SINK, securityHeader: '' }
    const path = `webhooks/${tpp.clientId}?environment`
    expect((await world.pull('PUT', `${path}=production`, body)).status).toBe(200)
    expect(await (await world.pull('GET', `${path}=sandbox`)).json()).toMatchObject({ enabled: false })
    expect((await world.pull('PUT', `${path}=staging`, body)).status).toBe(400)
    expect((await world.pull('PUT', 'webhooks/nobody', body)).status).toBe(404)
  })
})

describe('the settings page', () => {
  const send = (world: BankWithSink, path: string, init: Sent = {}): Promise<Response> =>
    new TestClient({ fetch: world.bank.fetch, client: tpp }).send(`application${path}`, {
      ...init,
      headers: { authorization: basic(tpp), ...init.headers },
    })

  const save = (world: BankWithSink, fields: Record<string, string>, headers = {}): Promise<Response> =>
    send(world, '/usage', { method: 'POST', body: new URLSearchParams(fields), headers })

  test('needs the client id and the secret', async () => {
    const world = new BankWithSink()
    const response = await send(world, '', { headers: { authorization: basic({ ...tpp, secret: 'x' }) } })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic/)
  })

  test('has two tabs', async () => {
    const world = new BankWithSink()
    const $ = load(await (await send(world, '')).text())
    expect($('[aria-current=page]').text()).toBe('Application')
    expect($('dd').text()).toContain(tpp.clientId)
    const usage = $('nav a').not('[aria-current]').attr('href')
    expect(usage).toBe('/premium/sandbox/application/usage')
    expect(load(await (await send(world, '/usage')).text())('label').length).toBe(3)
  })

  test('stores valid settings', async () => {
    const world = new BankWithSink()
    const saved = await save(world, { enabled: 'yes', url: SINK, securityHeader: 'a b' })
    expect(saved.status).toBe(303)
    const $ = load(await (await send(world, '/usage')).text())
    expect($('option[selected]').attr('value')).toBe('yes')
    expect($('#url').attr('value')).toBe(SINK)
    expect($('#state').text()).toContain('become active at Mon, 05 Jan 2026 10:00:00 GMT')
  })

  test('shows the problems, with the submitted values', async () => {
    const world = new BankWithSink()
    const response = await save(world, { enabled: 'yes', url: `${SINK}?"a`, securityHeader: '<b>' })
    expect(response.status).toBe(422)
    const $ = load(await response.text())
    expect($('#url-problem').length + $('#securityHeader-problem').length).toBe(2)
    expect($('#url').attr('value')).toBe(`${SINK}?"a`)
    expect($('#securityHeader').attr('value')).toBe('<b>')
    expect($('#state').text()).toBe('Notifications are off.')
  })

  test('refuses a form of another site', async () => {
    const world = new BankWithSink()
    const fields = { enabled: 'yes', url: SINK, securityHeader: '' }
    expect((await save(world, fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await save(world, fields, { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
  })
})
