/** Other permitted consents, pages for the customer, and answers to the application. */
import { posix } from 'node:path'
import { accept, alter, refuse } from '../changes/alter.ts'
import {
  answer,
  on,
  pathOf,
  replaceWire,
  reply,
  rewrite,
  type Answer,
  type Difference,
} from '../changes/answer.ts'
import { both } from '../changes/change.ts'
import { variationsOf } from '../changes/named.ts'
import { raw } from 'hono/html'
import { html } from '../markup.ts'
import { page } from '../responses.ts'
import { PUBLIC_ORIGIN } from './body-variations.ts'
import { MINUTE } from '../rules/facts.ts'
import { escapeHtml, inLocation } from './words.ts'
import type { Variation, Wire } from '../defect.ts'

export const consentVariations: readonly Variation[] = variationsOf({
  'A consent is created with the status 200': alter({ consentCreatedStatus: 200 }),
  'The body of a consent is only its consentId': alter({
    consentBody: (_, { consent: { consentId } }) => ({ consentId }),
  }),
  'A consentId is in the Location of an empty answer': answer(
    'createConsent',
    ({ members: { consentId } }, { url: { pathname } }) =>
      typeof consentId === 'string'
        ? { headers: inLocation(pathname, consentId), status: 201, text: '' }
        : undefined,
  ),
  'A client is locked for a minute after three wrong secrets in a row': alter({
    secretMatches: (matches, { client, now }, past) => {
      const last = past
        .of('secretMatches')
        .filter(({ facts }) => facts.client.clientId === client.clientId)
        .slice(-3)
      const since = last.at(-1)?.facts.now.getTime() ?? 0
      const isLocked =
        last.length === 3 && last.every(({ answer }) => !answer) && now.getTime() < since + MINUTE
      return matches && !isLocked
    },
  }),
  'X-Request-ID is not needed and not returned': both(
    accept('requestIdIsAccepted'),
    alter({ requestIdEchoed: undefined }),
  ),
  'A deleted consent is answered with 200 and its last status': both(
    alter({ consentEndedStatus: 200 }),
    refuse('endedConsentIsForgotten'),
  ),
  'A customer who denied a consent may be asked again': alter({
    consentAfterDecision: (_, { consent, granted }) => (granted ? 'valid' : consent.status),
  }),
  // RFC 6749 §2.3.1.
  'A token request may have the client_secret in its form': alter({
    clientWithoutBasic: (_, { form, clients, endpoint }) =>
      clients.find(
        ({ clientId, secret }) =>
          endpoint === 'token' && form.get('client_id') === clientId && form.get('client_secret') === secret,
      ),
  }),
})

const isPage = ({ headers }: Answer): boolean => (headers.get('content-type') ?? '').startsWith('text/html')

/** An empty form whose fields follow it and refer to it (HTML, attribute form). */
const emptied = (page: string): string =>
  page.replace(/<form ([^>]*)>(.*?)<\/form>/gs, (_, attributes: string, content: string) => {
    const owned = content.replace(/<(input|button|select|textarea)\b/g, '<$1 form="asked"')
    return `<form id="asked" ${attributes}></form>${owned}`
  })

/** A first page, after which a browser sends the same request with a further parameter. */
const refreshedAtOnce = (sent: Answer, { url }: Request): Difference | undefined => {
  const { pathname, search, searchParams } = new URL(url)
  if (!isPage(sent) || !pathname.endsWith('/authorize') || searchParams.has('entered')) return undefined
  const address = escapeHtml(`${pathname}${search}&entered=1`)
  return { text: `<meta http-equiv="Refresh" content="0; URL='${address}'"><p>One moment, please</p>` }
}

/** Whether an address is outside of the bank, which may write the origin of its gateway. */
const leadsAway = (location: string, { url }: Request): boolean =>
  ![new URL(url).origin, PUBLIC_ORIGIN].includes(new URL(location, url).origin)

const returnedByAPage: Wire = (next) => async (request) => {
  const response = await next(request)
  const location = response.headers.get('location')
  if (location === null || !leadsAway(location, request)) return response
  return page(200, html`<a href="${location}">Continue</a>`, { refresh: `0;url=${location}` })
}

const refusedPage = (): Response =>
  new Response('<p>Refused</p>', { status: 400, headers: { 'content-type': 'text/html' } })

/** Against requests and forms that others have made or seen before. */
const againstForgery = both(
  reply('authorize', ({ query }, { earlier }) =>
    ['state', 'code_challenge'].some(
      (name) => query.has(name) && earlier.some(({ asked }) => asked.query.get(name) === query.get(name)),
    )
      ? refusedPage()
      : undefined,
  ),
  reply('login', ({ method, headers }) =>
    method === 'POST' && !headers.has('origin') ? refusedPage() : undefined,
  ),
)

const LOGIN_SESSION = /\/auth\/oauth\/v2\/login-sessions\/[^/]+$/
const WAITING = '<meta http-equiv="refresh" content="1" /><p>Confirm in your app</p>'

/** What follows a grant is held back until the customer has approved it in their app: their page reloads itself twice. */
const approvedInAnApp: Wire = (next) => {
  const held = new Map<string, Response[]>()
  return async (request) => {
    const path = pathOf(request)
    const isReload = request.method === 'GET' && held.has(path)
    const isGrant = !isReload && /\bdecision=grant\b/.test(await request.clone().text())
    const answer = isReload ? held.get(path)?.shift() : await next(request)
    if (answer === undefined || !isGrant || answer.status >= 400) return answer ?? next(request)
    held.set(path, [await page(200, raw(WAITING)), answer])
    return page(200, raw(WAITING))
  }
}

/** The requirements on a code that is sent to a redirect URI. */
const WITH_A_SENT_CODE = ['AUT-02', 'AUT-03', 'AUT-04', 'AUT-05', 'AUT-06']

export const pageVariations: readonly Variation[] = [
  ...variationsOf(
    { 'Every result is shown on the result screen': accept('resultIsShown') },
    { neverOccurs: [...WITH_A_SENT_CODE, 'AUT-19', 'AUT-20', 'AUT-30', 'AUT-42'] },
  ),
  ...variationsOf(
    {
      'A code is shown on the result screen, and an error is sent': alter({
        resultIsShown: (_, { ending }) => ending === 'granted',
      }),
    },
    { neverOccurs: [...WITH_A_SENT_CODE, 'AUT-42'] },
  ),
  ...variationsOf(
    { 'An incomplete authorization request is answered with a page': refuse('errorIsRedirected') },
    { neverOccurs: ['AUT-20', 'AUT-30'] },
  ),
  ...variationsOf({
    'The browser is sent back with 303 See Other': alter({ returnStatus: 303 }),
    'Login and decision are on one page': alter({ steps: ['login-and-decision'] }),
    'A welcome page comes before the login': alter({ steps: ['welcome', 'login', 'decision'] }),
    'The browser is redirected from page to page': accept('nextPageIsRedirectedTo'),
    'Forms and redirects of pages have absolute addresses': alter({
      pageAddress: (_, { origin, path }) => `${origin}${path}`,
    }),
    'Forms and redirects of pages have relative addresses': alter({
      pageAddress: (_, { from, path }) => posix.relative(posix.dirname(from), path),
    }),
    'The session cookie has another name, and more are set': both(
      alter({ cookieName: '__Bank.sid' }),
      replaceWire((next) => async (request) => {
        const response = await next(request)
        response.headers.append('set-cookie', 'lang=sk; Path=/; SameSite=Lax')
        response.headers.append('set-cookie', 'gone=; Path=/; Max-Age=0')
        return response
      }),
    ),
    'Pages have X-Frame-Options and no Content-Security-Policy': rewrite(({ headers }) =>
      headers.has('content-security-policy')
        ? { headers: { 'content-security-policy': undefined, 'x-frame-options': 'SAMEORIGIN' } }
        : undefined,
    ),
    'Fields and buttons are outside of their form': rewrite((sent) =>
      isPage(sent) ? { text: emptied(sent.text) } : undefined,
    ),
    'A page instead of a redirect leads back to the application': replaceWire(returnedByAPage),
    'An authorization begins with a page that refreshes itself at once': rewrite(refreshedAtOnce),
    'A grant is approved in an app, while the page reloads itself': replaceWire(
      approvedInAnApp,
      on(undefined, LOGIN_SESSION),
    ),
    'A state or a code_challenge is accepted once, and a form with an Origin only': againstForgery,
    'A wrong password is answered with the login page and 200': alter({ wrongLoginStatus: 200 }),
  }),
]

const SCRIPT_PATH = '/auth/pages.js'
/** The requests of the scripts are answered with data. */
const ASKS_FOR_DATA = 'x-pages'

const SCRIPT = `
const root = document.getElementById('root')
const show = (html) => {
  root.innerHTML = html
  for (const form of root.querySelectorAll('form')) form.addEventListener('submit', send)
}
const send = async (event) => {
  event.preventDefault()
  const form = event.target
  const body = new URLSearchParams(new FormData(form, event.submitter))
  const answer = await fetch(form.getAttribute('action'), { method: 'POST', headers: { '${ASKS_FOR_DATA}': 'json' }, body })
  const { html, location } = await answer.json()
  if (location === undefined) show(html)
  else window.location.assign(location)
}
show(JSON.parse(document.getElementById('page').textContent))
`

const POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'"

const shellOf = (html: string, script: string): string =>
  `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Reference Bank</title></head>
  <body>
    <div id="root"></div>
    <script type="application/json" id="page">${JSON.stringify(html).replaceAll('<', '\\u003c')}</script>
    <script src="${script}"></script>
  </body>
</html>`

/** Redirects and pages as data for the script. */
const asData = ({ status, headers, text }: Answer): Difference => {
  const location = headers.get('location')
  return {
    status: status >= 300 && status < 400 ? 200 : status,
    headers: { location: undefined, 'content-type': 'application/json;charset=UTF-8' },
    json: location === null ? { html: text } : { location },
  }
}

const asShell = ({ text }: Answer, pathname: string): Difference => ({
  headers: { 'content-security-policy': POLICY },
  text: shellOf(text, pathname.slice(0, pathname.indexOf('/auth/')) + SCRIPT_PATH),
})

const byScript = rewrite((sent, request) => {
  const path = pathOf(request)
  if (path.endsWith(SCRIPT_PATH))
    return { status: 200, headers: { 'content-type': 'text/javascript;charset=UTF-8' }, text: SCRIPT }
  if (!path.includes('/auth/')) return undefined
  if (request.headers.has(ASKS_FOR_DATA)) return asData(sent)
  return isPage(sent) ? asShell(sent, path) : undefined
})

/** This one needs a browser. */
export const scriptedPages: readonly Variation[] = variationsOf({
  'The pages of an authorization are built by scripts': byScript,
})
