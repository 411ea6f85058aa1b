import { expect, test } from 'vitest'
import { createRedactor } from '../evidence/redaction.ts'
import { walkPages } from './customer.ts'
import type { PageRecipe } from '../profile/schema.ts'
import type { Decision } from './customer.ts'
import type { Http } from './http.ts'
import type { HttpRequest } from './request.ts'

/** A page on which accounts are chosen, and an answer is ticked and sent with one button for both answers. */
const CONSENT = `<form method="post"><input name="tan">
  <input type="checkbox" name="account" value="1"><input type="checkbox" name="account" value="2">
  <input type="radio" name="answer" value="yes"><input type="radio" name="answer" value="no">
  <button>Send</button></form>`

const PAGE: PageRecipe['pages'][number] = {
  when: '[name=answer]',
  fill: { '[name=tan]': '{tan} {nobody}' },
  tick: ['[value="2"]', '[value=yes]'],
  tickToRefuse: ['[value=no]'],
  press: 'button',
}

/** What the customer sends, and where the walk ends. */
const walk = async (page: PageRecipe['pages'][number], decision: Decision, body = CONSENT) => {
  const sent: HttpRequest[] = []
  const http: Http = {
    origins: ['https://bank.example'],
    redactor: createRedactor([]),
    async send(request) {
      sent.push(request)
      const isFirst = sent.length === 1
      return {
        ...{ kind: 'exchange', id: `walk/${sent.length}`, sender: 'customer', operation: 'authorize' },
        effect: 'consent',
        request: { method: request.method, url: request.url, headers: request.headers },
        response: {
          status: isFirst ? 200 : 302,
          headers: isFirst ? [] : [['Location', 'https://client.example/callback?code=c']],
          body: { text: isFirst ? body : '', bytes: 1 },
        },
        ...{ sentAt: '2026-01-05T09:00:00.000Z', durationMs: 1 },
      }
    },
  }
  const landing = await walkPages(
    {
      ...{ http, decision, redirectUri: 'https://client.example/callback' },
      recipe: { pages: [page], code: '#code', limit: 5 },
      customer: { name: 'Anna', username: 'anna', password: 'p', fields: { tan: '4711' }, accounts: [] },
    },
    {
      ...{ operation: 'authorize', sender: 'customer', method: 'GET', headers: [] },
      url: 'https://bank.example/authorize',
    },
  )
  return { landing, form: sent[1]?.form }
}

test('a customer who agrees ticks accounts and the answer, and types a code of their own', async () => {
  const { landing, form } = await walk(PAGE, 'grant')
  expect(landing.decision).toBe('granted')
  expect(form).toEqual([
    ['tan', '4711 {nobody}'],
    ['account', '2'],
    ['answer', 'yes'],
  ])
})

test('a customer who refuses ticks the refusal and nothing else, and presses the same button', async () => {
  const { landing, form } = await walk(PAGE, 'deny')
  expect(landing.decision).toBe('denied')
  expect(form).toEqual([
    ['tan', '4711 {nobody}'],
    ['answer', 'no'],
  ])
})

test('a page with boxes and a button that refuses: nothing is ticked for a refusal', async () => {
  const body = CONSENT.replace('</form>', '<button name="answer" value="never">No</button></form>')
  const page = { ...PAGE, tick: ['[value="1"]'], tickToRefuse: undefined, refuse: '[value=never]' }
  expect((await walk(page, 'deny', body)).form).toEqual([
    ['tan', '4711 {nobody}'],
    ['answer', 'never'],
  ])
})

test('a page that is passed either way is ticked either way', async () => {
  const { landing, form } = await walk({ ...PAGE, tickToRefuse: undefined }, 'deny')
  expect(landing.decision).toBe('unasked')
  expect(form).toContainEqual(['account', '2'])
})
