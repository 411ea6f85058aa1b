import { load } from 'cheerio'
import { expect, test } from 'vitest'
import { scriptedPages } from './authorization-variations.ts'
import { variations } from './index.ts'

/** `npm run prove` shows that the variations are permitted. */

test('every variation has a unique id', () => {
  expect(new Set(variations.map(({ id }) => id)).size).toBe(variations.length)
})

/** An answer of the bank after the wire of scripted pages. */
const ask = (
  answer: Response,
  headers: Record<string, string> = {},
  path = '/sandbox/auth/oauth/v2/login-sessions/1',
) => {
  const [{ wire } = {}] = scriptedPages
  if (wire === undefined) throw new Error('the variation is a wire')
  return wire(async () => answer)(new Request(`http://bank.example${path}`, { headers }))
}

const html = (body: string, status = 200): Response =>
  new Response(body, { status, headers: { 'content-type': 'text/html; charset=UTF-8' } })

const FORM = '<form method="post" action="/x"><button>Grant</button></form>'

test('a scripted page has no form before its script has run, and permits no other script', async () => {
  const answer = await ask(html(FORM, 400))
  const $ = load(await answer.text())
  expect([answer.status, $('form, button').length]).toEqual([400, 0])
  expect($('script[src]').attr('src')).toBe('/sandbox/auth/pages.js')
  expect(JSON.parse($('#page').text())).toBe(FORM)
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
})

test('the script gets pages and redirects as data', async () => {
  const asking = { 'x-pages': 'json' }
  const page = await ask(html(FORM, 403), asking)
  expect([page.status, await page.json()]).toEqual([403, { html: FORM }])
  const location = 'https://client.example/callback?code=c'
  const redirect = await ask(new Response(null, { status: 302, headers: { location } }), asking)
  expect([redirect.status, await redirect.json()]).toEqual([200, { location }])
  expect(redirect.headers.has('location')).toBe(false)
})

test('the script is served, and other answers are not changed', async () => {
  const script = await ask(html(''), {}, '/sandbox/auth/pages.js')
  expect(script.headers.get('content-type')).toContain('javascript')
  expect(await (await ask(html(FORM), {}, '/sandbox/application')).text()).toBe(FORM)
  expect((await ask(new Response(null, { status: 302, headers: { location: '/x' } }))).status).toBe(302)
})
