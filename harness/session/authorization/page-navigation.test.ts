import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../evidence/redaction.ts'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { type AccountProfile } from '../../profile/schema.ts'
import { isUnreadable } from '../../evidence/record/answer.ts'
import type { Decision } from './customer-acts.ts'
import { navigatePages, type Navigation } from './page-navigation.ts'
import { codesIn } from './shown-codes.ts'
import type { Exchange, HeaderFields } from '../../evidence/exchange.ts'
import type { Http } from '../http/http.ts'
import type { HttpRequest } from '../http/request.ts'
import type { PageRecipe } from '../../profile/schema/authorization.ts'

const BANK = 'https://bank.example'
const START: HttpRequest = {
  operation: 'authorize',
  sender: 'customer',
  method: 'GET',
  url: `${BANK}/authorize?state=s`,
  headers: [],
}

const RECIPE = { pages: [], code: '#code', limit: 20 }

interface Page {
  readonly status?: number
  readonly headers?: HeaderFields
  readonly body?: string
}

/** A bank that answers with these pages in turn, and with the last one for ever. */
const walk = async (pages: readonly Page[], changes: Partial<Navigation> = {}) => {
  const sent: HttpRequest[] = []
  const http: Http = {
    origins: [BANK],
    redactor: createRedactor([]),
    async send(request) {
      sent.push(request)
      return exchangeOf(request, `walk/${sent.length}`, pages[sent.length - 1] ?? pages.at(-1) ?? {})
    },
  }
  const { authorization } = parsedProfile()
  if (authorization.kind !== 'pages') throw new Error('the sample profile has pages')
  const redirectResult = navigatePages(
    {
      http,
      recipe: authorization,
      customer: { name: 'Anna', username: 'anna', password: 'p$&$$`w', accounts: [] },
      decision: 'grant',
      redirectUri: 'https://client.example/callback',
      ...changes,
    },
    START,
  )
  return { sent, redirectResult, ended: await redirectResult.catch((error: unknown) => error) }
}

const exchangeOf = ({ method, url, headers }: HttpRequest, id: string, page: Page): Exchange => ({
  ...sampleExchange({ id, operation: 'authorize', body: '', ...page }),
  sender: 'customer',
  request: { method, url, headers },
})

const to = (location: string, status = 302): Page => ({ status, headers: [['Location', location]] })
const login = (attributes: string): Page => ({
  body: `<form ${attributes}><input name="username"><input name="password"><button type="submit">In</button></form>`,
})
const DONE = to('https://client.example/callback?code=c0de&state=s')

test('a walk ends where the browser leaves the bank', async () => {
  const { ended, sent } = await walk([to('/login'), login('method="post" action="login"'), DONE])
  expect(ended).toMatchObject({ outcome: 'redirect', code: 'c0de', acted: [0] })
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET ${START.url}`,
    `GET ${BANK}/login`,
    `POST ${BANK}/login`,
  ])
})

test('what is typed is typed as it is, whatever its characters mean elsewhere', async () => {
  const { sent } = await walk([login('method="post"'), DONE])
  expect(sent[1]?.form).toEqual([
    ['username', 'anna'],
    ['password', 'p$&$$`w'],
  ])
})

test('a field stands where it likes if it names its form, and is sent with that form alone', async () => {
  const { sent } = await walk([
    {
      body: `<input name="username" form="in"><input name="other" form="out" value="1">
        <form id="out"><input name="search"></form>
        <form id="in" method="post"><input name="password"><input name="more" form="out"></form>
        <input name="unowned"><button type="submit" form="in" name="go" value="1">In</button>`,
    },
    DONE,
  ])
  expect(sent[1]?.form).toEqual([
    ['username', 'anna'],
    ['password', 'p$&$$`w'],
    ['go', '1'],
  ])
})

test('a link that is pressed is followed', async () => {
  const { sent } = await walk(
    [{ body: '<input name="username"><a class="button" href="in?a=1&amp;b=2">In</a>' }, DONE],
    { recipe: { ...RECIPE, pages: [{ when: 'input', fill: {}, press: 'a' }] } },
  )
  expect(sent[1]).toMatchObject({ method: 'GET', url: `${BANK}/in?a=1&b=2` })
})

test.each([200, 401])('a bank that asks again for what was typed is left open (%i)', async (status) => {
  const { redirectResult } = await walk([login('method="post"'), { ...login('method="post"'), status }])
  const ended = await redirectResult
  expect(ended).toMatchObject({ outcome: 'page', acted: [0], isAskedAgain: true })
  expect(() => isUnreadable(ended)).toThrow(/asked again for what was typed: .*`username` or `password`/)
})

test('pages that come round are answered once', async () => {
  const welcome = { body: '<form method="post"><button class="go">Go</button></form>' }
  const pages = [
    { when: '.go', fill: {}, press: '.go' },
    { when: 'input[name=username]', fill: {}, press: 'button' },
  ]
  const { redirectResult, sent } = await walk(
    [welcome, login('method="post"'), welcome, login('method="post"')],
    {
      recipe: { ...RECIPE, pages },
    },
  )
  expect(await redirectResult).toMatchObject({ outcome: 'page', acted: [0, 1, 0], isAskedAgain: true })
  expect(sent).toHaveLength(4)
})

test.each([
  ['a page that the recipe does not know', { body: '<h1>Maintenance</h1><form><button>OK</button></form>' }],
  ['no page at all', { body: 'All is well.' }],
  ['nothing', {}],
  ['a redirect to no address', to('http://[no-address')],
  ['a form that leads to no address', login('method="post" action="http://[no-address"')],
  ['a button without a form', { body: '<input name="username"><button type="submit"></button>' }],
  [
    'a form that the page does not have',
    { body: '<input name="username"><button type="submit" form="&quot;]"></button>' },
  ],
])('%s ends a walk, and nothing is sent after it', async (_, page) => {
  const { ended, sent } = await walk([page])
  expect(ended).toMatchObject({ kind: 'redirect-result', outcome: 'page' })
  expect(sent).toHaveLength(1)
})

test('a form that leads to an origin that the profile does not name is not sent, and the profile is reported', async () => {
  const { ended, sent } = await walk([login('method="post" action="https://login.example/"')])
  expect(ended).toEqual(
    new NotReached(
      "the form of walk/1 leads to https://login.example; if it is the bank's, add it to `origins`",
    ),
  )
  expect(sent).toHaveLength(1)
})

const CLIENT = 'https://client.example/callback'
const CONTINUE = `<a id="on" href="${CLIENT}?code=c0de&amp;state=s">Continue</a>`
const REGISTERED = [
  { uri: CLIENT, delivery: 'redirect' },
  { uri: 'https://client.example/second', delivery: 'redirect' },
  { uri: 'https://login.example/result', delivery: 'result-screen' },
] as const

const pressing = (press: string): Partial<Navigation> => ({
  recipe: { ...RECIPE, pages: [{ when: press, fill: {}, press }] },
  registered: REGISTERED,
})

test.each([
  ['a link', CONTINUE, '#on'],
  [
    'a form',
    `<form action="${CLIENT}"><input type=hidden name=code value=c0de><button>On</button></form>`,
    'button',
  ],
  ['a refresh', `<meta http-equiv="Refresh" content="0; URL='${CLIENT}?code=c0de'">`, '#none'],
  [
    'a refresh beside a link',
    `<meta http-equiv=refresh content="3;${CLIENT}?code=c0de">${CONTINUE}`,
    '#none',
  ],
])('%s to the redirect URI ends a walk as a redirect does', async (_, body, press) => {
  const { ended, sent } = await walk([{ body }], pressing(press))
  expect(ended).toMatchObject({ outcome: 'redirect', code: 'c0de' })
  expect((ended as { redirect: string }).redirect.startsWith(`${CLIENT}?code=c0de`)).toBe(true)
  expect(sent).toHaveLength(1)
})

test('a link to another registered redirect URI ends a walk too, and to no address but a redirect URI', async () => {
  const linkTo = (url: string): Page => ({ body: `<a href="${url}">On</a>` })
  const second = await walk([linkTo('https://client.example/second?code=c0de')], pressing('a'))
  expect(second.ended).toMatchObject({
    outcome: 'redirect',
    redirect: 'https://client.example/second?code=c0de',
  })
  const screen = await walk([linkTo('https://login.example/result?code=c0de')], pressing('a'))
  expect(screen.ended).toEqual(
    expect.objectContaining({ message: expect.stringContaining('add it to') as string }),
  )
})

test.each(['5;url=/start', `0;url=${BANK}.example/start`, `0;url=${START.url}`])(
  'a refresh to another address is not followed: %s',
  async (content) => {
    const { ended, sent } = await walk([{ body: `<meta http-equiv=refresh content="${content}">` }])
    expect(ended).toMatchObject({ outcome: 'page' })
    expect(sent).toHaveLength(1)
  },
)

test('a refresh at once to another page of the bank is a redirect', async () => {
  const { ended, sent } = await walk([{ body: `<meta http-equiv=refresh content="0;url='/start'">` }, DONE])
  expect(ended).toMatchObject({ outcome: 'redirect', code: 'c0de' })
  expect(sent.at(-1)).toMatchObject({ method: 'GET', url: `${BANK}/start` })
})

const WAITING: Page = { body: '<meta http-equiv=refresh content=2><p>Confirm in your app</p>' }

test('after a login, a page that reloads itself is reloaded until the customer has approved', async () => {
  const asHeader: Page = { headers: [['Refresh', '2; url=/in']], body: '<p>Confirm</p>' }
  const { ended, sent } = await walk([
    login('method="post" action="/in"'),
    WAITING,
    asHeader,
    ...Array.from({ length: 27 }, () => WAITING),
    DONE,
  ])
  expect(ended).toMatchObject({ outcome: 'redirect', code: 'c0de' })
  expect(sent.at(-1)).toMatchObject({ method: 'GET', url: `${BANK}/in` })
})

test('a page that never stops reloading itself ends a walk at the deadline, and before a login at once', async () => {
  const { ended, sent } = await walk([login('method="post"'), WAITING])
  expect(ended).toMatchObject({ outcome: 'page' })
  expect(sent).toHaveLength(2 + 30)
  expect((await walk([WAITING])).sent).toHaveLength(1)
})

test('a code with a name of its own is a secret in a link, a refresh and a form', () => {
  const body = `<meta http-equiv=refresh content="0;url=${CLIENT}?grant=one"><a href="/x?grant=two">x</a><input name=grant value=three>`
  const exchange = exchangeOf(START, 'walk/1', { body })
  expect(
    codesIn(exchange, { ...RECIPE, parameter: 'grant' })
      .map(({ value }) => value)
      .toSorted(),
  ).toEqual(['one', 'three', 'two'])
})

test('redirects without end are left open', async () => {
  const { ended, sent } = await walk([to('/round')])
  expect(ended).toBeInstanceOf(Inconclusive)
  expect(sent).toHaveLength(20)
})

test.each([
  [302, 'GET', undefined],
  [303, 'GET', undefined],
  [307, 'POST', 'anna'],
  [308, 'POST', 'anna'],
])('after %i a form goes on as %s', async (status, method, username) => {
  const { sent } = await walk([login('method="post"'), to('/elsewhere', status), DONE])
  expect(sent[2]).toMatchObject({ method, url: `${BANK}/elsewhere` })
  expect(sent[2]?.form?.[0]?.[1]).toBe(username)
})

test('cookies that are none do no harm, and the good ones are sent', async () => {
  const cookies = [
    '=',
    ';;;',
    'a=b; Domain=evil.example',
    'x=1; Max-Age=soon; Path=/',
    '\u00ff=\u0080',
    'good=1',
  ]
  const headers = cookies.map((cookie) => ['Set-Cookie', cookie] as const)
  const { sent } = await walk([{ ...to('/next'), headers: [...headers, ['Location', '/next']] }, DONE])
  const cookie = sent[1]?.headers.find(([name]) => name === 'Cookie')?.[1]
  expect(cookie).toContain('good=1')
  expect(cookie).not.toContain('a=b')
})

const BUTTONS =
  '<button name="decision" value="grant">Yes</button><button name="decision" value="deny">No</button>'
const question: Page = { body: `<form method="post">${BUTTONS}</form>` }
const loginWithQuestion: Page = {
  body: `<form method="post"><input name="username"><input name="password"><button type="submit" name="decision" value="grant">Yes</button><button name="decision" value="deny">No</button></form>`,
}

test.each([
  ['granted', [login('method="post"'), question, DONE], 'grant'],
  ['denied', [login('method="post"'), question, DONE], 'deny'],
  ['denied', [loginWithQuestion, DONE], 'deny'],
  ['unasked', [login('method="post"'), DONE], 'deny'],
] as const)('a customer who is %s says so at the last page that asks', async (decision, pages, wish) => {
  const { ended, sent } = await walk(pages, { decision: wish })
  expect(ended).toMatchObject({ decision })
  const pressed = sent.at(-1)?.form?.find(([name]) => name === 'decision')?.[1]
  expect(pressed).toBe({ granted: 'grant', denied: 'deny', unasked: undefined }[decision])
})

test('a page that nests 5,000 tags is no page to act on, and ends the walk', async () => {
  const { ended } = await walk([{ body: '<div>'.repeat(5_000) }])
  expect(ended).toMatchObject({ outcome: 'page', acted: [] })
})

test('a page of 200,000 tags is not read, and the message has its size', async () => {
  const { ended } = await walk([{ body: '<div>'.repeat(200_000) }])
  expect(String(ended)).toContain('1000000 bytes and more than 20000 tags')
})

/** A page on which accounts are chosen, and an answer is ticked and sent with one button for both answers. */
const CONSENT = `<form method="post"><input name="tan">
  <input type="checkbox" name="account" value="1"><input type="checkbox" name="account" value="2">
  <input type="radio" name="answer" value="yes"><input type="radio" name="answer" value="no">
  <button>Send</button></form>`

const PAGE: PageRecipe['pages'][number] = {
  when: '[name=answer]',
  fill: { '[name=tan]': '{tan} {unknown}' },
  tick: ['[value="2"]', '[value=yes]'],
  tickToRefuse: ['[value=no]'],
  press: 'button',
}

/** What the customer sends, and where the walk ends. */
const send = async (
  page: PageRecipe['pages'][number],
  decision: Decision,
  body = CONSENT,
  accounts: readonly AccountProfile[] = [],
) => {
  const { sent, redirectResult } = await walk([{ body }, DONE], {
    decision,
    accounts,
    recipe: { ...RECIPE, pages: [page] },
    customer: { name: 'Anna', username: 'anna', password: 'p', fields: { tan: '4711' }, accounts: [] },
  })
  return { redirectResult: await redirectResult, form: sent[1]?.form }
}

test('a customer who agrees ticks accounts and the answer, and types a code of their own', async () => {
  const { redirectResult, form } = await send(PAGE, 'grant')
  expect(redirectResult.decision).toBe('granted')
  expect(form).toEqual([
    ['tan', '4711 {unknown}'],
    ['account', '2'],
    ['answer', 'yes'],
  ])
})

test('a customer who refuses ticks the refusal and nothing else, and presses the same button', async () => {
  const { redirectResult, form } = await send(PAGE, 'deny')
  expect(redirectResult.decision).toBe('denied')
  expect(form).toEqual([
    ['tan', '4711 {unknown}'],
    ['answer', 'no'],
  ])
})

test('a page with boxes and a button that refuses: nothing is ticked for a refusal', async () => {
  const body = CONSENT.replace('</form>', '<button name="answer" value="never">No</button></form>')
  const page = { ...PAGE, tick: ['[value="1"]'], tickToRefuse: undefined, refuse: '[value=never]' }
  expect((await send(page, 'deny', body)).form).toEqual([
    ['tan', '4711 {unknown}'],
    ['answer', 'never'],
  ])
})

test('a page that is passed either way is ticked either way', async () => {
  const { redirectResult, form } = await send({ ...PAGE, tickToRefuse: undefined }, 'deny')
  expect(redirectResult.decision).toBe('unasked')
  expect(form).toContainEqual(['account', '2'])
})

describe('the check boxes of accounts', () => {
  const PICKING = { ...PAGE, tick: ['[value=yes]'], tickAccounts: '[name=account][value="{choice}"]' }
  const account = (choice: string, consented = true): AccountProfile => ({
    iban: `SK${choice}`,
    bank: 'own',
    choice,
    consented,
  })
  const ticked = CONSENT.replace('value="1"', 'value="1" checked')

  const sentOf = async (accounts: readonly AccountProfile[], decision: Decision = 'grant') =>
    ((await send(PICKING, decision, ticked, accounts)).form ?? []).filter(([name]) => name === 'account')

  test('are ticked for those that are shared, and not for the others', async () => {
    expect(await sentOf([account('1'), account('2')])).toEqual([
      ['account', '1'],
      ['account', '2'],
    ])
    expect(await sentOf([account('1', false), account('2')])).toEqual([['account', '2']])
  })

  test('may be the options of a list', async () => {
    const list = '<select name="account" multiple><option value="1" selected>A<option value="2">B</select>'
    const page = CONSENT.replaceAll(/<input type="checkbox"[^>]*>/g, '').replace('</form>', `${list}</form>`)
    const step = { ...PICKING, tickAccounts: 'option[value="{choice}"]' }
    const { form } = await send(step, 'grant', page, [account('1', false), account('2')])
    expect(form).toContainEqual(['account', '2'])
    expect(form).not.toContainEqual(['account', '1'])
  })

  test('stay as they are for accounts that are not known, and where the customer refuses', async () => {
    expect(await sentOf([account('2', false)])).toEqual([['account', '1']])
    expect(await sentOf([account('1', false), account('2')], 'deny')).toEqual([['account', '1']])
  })

  test('are named if a shared account has none, since the profile may be wrong', async () => {
    await expect(sentOf([account('"3"')])).rejects.toThrow(
      'the page of walk/1 has no [name=account][value="\\"3\\""] for the account SK"3"; correct `authorization.pages.0.tickAccounts`',
    )
    expect(await sentOf([account('3', false)])).toEqual([['account', '1']])
  })
})
