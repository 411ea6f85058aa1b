import { load } from 'cheerio'
import { expect, test } from 'vitest'
import { scriptedPages } from './scripted-pages.ts'

/** The wire alone, in front of a bank that answers with this. */
const ask = (
  answer: Response,
  headers: Record<string, string> = {},
  path = '/sandbox/auth/oauth/v2/visits/1',
) => {
  const { wire } = scriptedPages
  if (wire === undefined) throw new Error('the variation is a wire')
  return wire(async () => answer)(new Request(`http://bank.example${path}`, { headers }))
}

const html = (body: string, status = 200): Response =>
  new Response(body, { status, headers: { 'content-type': 'text/html; charset=UTF-8' } })

const FORM = '<form method="post" action="/x"><button>Grant</button></form>'

test('a page has no form before its script has run, and may run no script but that one', async () => {
  const answer = await ask(html(FORM, 400))
  const $ = load(await answer.text())
  expect([answer.status, $('form, button').length]).toEqual([400, 0])
  expect($('script[src]').attr('src')).toBe('/sandbox/auth/pages.js')
  expect(JSON.parse($('#page').text())).toBe(FORM)
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
})

test('what the script asks for is answered as data: a page, or where to go', async () => {
  const asking = { 'x-pages': 'json' }
  const page = await ask(html(FORM, 403), asking)
  expect([page.status, await page.json()]).toEqual([403, { html: FORM }])
  const location = 'https://client.example/callback?code=c'
  const redirect = await ask(new Response(null, { status: 302, headers: { location } }), asking)
  expect([redirect.status, await redirect.json()]).toEqual([200, { location }])
  expect(redirect.headers.has('location')).toBe(false)
})

test('the script is served, and what is no page of an authorization is left alone', async () => {
  const script = await ask(html(''), {}, '/sandbox/auth/pages.js')
  expect(script.headers.get('content-type')).toContain('javascript')
  expect(await (await ask(html(FORM), {}, '/sandbox/application')).text()).toBe(FORM)
  expect((await ask(new Response(null, { status: 302, headers: { location: '/x' } }))).status).toBe(302)
})
