/** Other permitted consents, pages for the customer, and answers to the application. */
import { posix } from 'node:path'
import { html } from '../page-layout.ts'
import { page } from '../responses.ts'
import type { Variation, Wire } from '../defect.ts'

export const consentVariations: readonly Variation[] = [
  {
    id: 'consent-created-with-200',
    story: 'A consent is created with 200 instead of 201.',
    rules: { consentCreatedStatus: () => 200 },
  },
  {
    id: 'consent-of-one-member',
    story: 'The body of a consent is only its consentId.',
    rules: { consentBody: ({ consent }) => ({ consentId: consent.consentId }) },
  },
  {
    id: 'request-id-optional',
    story: 'A request without X-Request-ID is accepted, and none is returned.',
    rules: { requestIdIsAccepted: () => true, requestIdEchoed: () => undefined },
  },
  {
    id: 'ended-consent-remembered',
    story: 'A deleted consent answers with 200 and its last status, at the deletion and afterwards.',
    rules: { consentEndedStatus: () => 200, endedConsentIsForgotten: () => false },
  },
  {
    id: 'denied-consent-stays-open',
    story: 'A customer who denied a consent may be asked again.',
    rules: { consentAfterDecision: ({ consent, granted }) => (granted ? 'valid' : consent.status) },
  },
  {
    id: 'secret-in-form-too',
    story: 'The token endpoint also accepts client_id and client_secret from the form (RFC 6749 §2.3.1).',
    rules: {
      clientWithoutBasic: ({ form, clients, endpoint }) =>
        clients.find(
          ({ clientId, secret }) =>
            endpoint === 'token' &&
            form.get('client_id') === clientId &&
            form.get('client_secret') === secret,
        ),
    },
  },
]

/** An empty form whose fields follow it and refer to it (HTML, attribute form). */
const emptied = (page: string): string =>
  page.replace(/<form ([^>]*)>(.*?)<\/form>/gs, (_, attributes: string, content: string) => {
    const owned = content.replace(/<(input|button|select|textarea)\b/g, '<$1 form="asked"')
    return `<form id="asked" ${attributes}></form>${owned}`
  })

const rewritePages =
  (rewrite: (page: string) => string): Wire =>
  (next) =>
  async (request) => {
    const response = await next(request)
    if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) return response
    const { status, headers } = response
    return new Response(rewrite(await response.text()), { status, headers })
  }

const isOfTheBank = (location: string, from: string): boolean =>
  new URL(location, from).origin === new URL(from).origin

/** The requirements on a code that is sent to a redirect URI. */
const WITH_A_SENT_CODE = ['AUT-02', 'AUT-03', 'AUT-04', 'AUT-05', 'AUT-06']

export const pageVariations: readonly Variation[] = [
  {
    id: 'result-always-shown',
    story: 'Every outcome is shown on the result screen, whatever the redirect URI.',
    neverOccurs: [...WITH_A_SENT_CODE, 'AUT-19', 'AUT-20', 'AUT-30', 'AUT-42'],
    rules: { resultIsShown: () => true },
  },
  {
    id: 'grant-shown-denial-sent',
    story: 'A code is shown on the result screen; a denial or an error is sent by redirect.',
    neverOccurs: [...WITH_A_SENT_CODE, 'AUT-42'],
    rules: { resultIsShown: ({ ending }) => ending === 'granted' },
  },
  {
    id: 'returned-with-303',
    story: 'The browser is sent back with 303 See Other.',
    rules: { returnStatus: () => 303 },
  },
  {
    id: 'errors-shown',
    story: 'An incomplete authorization request is answered with a page, never by redirect.',
    neverOccurs: ['AUT-20', 'AUT-30'],
    rules: { errorIsRedirected: () => false },
  },
  {
    id: 'one-page',
    story: 'Login and decision are on one page.',
    rules: { steps: () => ['login-and-decision'] },
  },
  {
    id: 'welcome-page',
    story: 'A page comes before the login.',
    rules: { steps: () => ['welcome', 'login', 'decision'] },
  },
  {
    id: 'pages-by-redirect',
    story: 'The browser is sent from page to page (post, redirect, get).',
    rules: { nextPageIsRedirectedTo: () => true },
  },
  {
    id: 'absolute-addresses',
    story: 'Forms and redirects between the pages have absolute addresses.',
    rules: { pageAddress: ({ origin, path }) => `${origin}${path}` },
  },
  {
    id: 'relative-addresses',
    story: 'Forms and redirects between the pages are relative to the page.',
    rules: { pageAddress: ({ from, path }) => posix.relative(posix.dirname(from), path) },
  },
  {
    id: 'other-cookies',
    story: 'The session cookie has another name, and there are other cookies.',
    rules: { cookieName: () => '__Bank.sid' },
    wire: (next) => async (request) => {
      const response = await next(request)
      response.headers.append('set-cookie', 'lang=sk; Path=/; SameSite=Lax')
      response.headers.append('set-cookie', 'gone=; Path=/; Max-Age=0')
      return response
    },
  },
  {
    id: 'frames-are-refused-by-x-frame-options',
    story: 'The pages have X-Frame-Options, and no Content-Security-Policy.',
    wire: (next) => async (request) => {
      const response = await next(request)
      if (!response.headers.has('content-security-policy')) return response
      response.headers.delete('content-security-policy')
      response.headers.set('x-frame-options', 'SAMEORIGIN')
      return response
    },
  },
  {
    id: 'fields-beside-their-form',
    story: 'Fields and buttons are outside their form, and refer to it.',
    wire: rewritePages(emptied),
  },
  {
    id: 'returned-by-a-page',
    story: 'A page with a refresh and a link, instead of a redirect, leads back to the application.',
    wire: (next) => async (request) => {
      const response = await next(request)
      const location = response.headers.get('location')
      if (location === null || isOfTheBank(location, request.url)) return response
      return page(
        200,
        html`<meta http-equiv="refresh" content="0;url=${location}" /><a href="${location}">Continue</a>`,
      )
    },
  },
  {
    id: 'wrong-login-with-200',
    story: 'A wrong password is answered with the login page and 200.',
    rules: { wrongLoginStatus: () => 200 },
  },
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

const dataOf = async (response: Response): Promise<object> => {
  const location = response.headers.get('location')
  return location === null ? { html: await response.text() } : { location }
}

const asData = async (response: Response): Promise<Response> => {
  const headers = new Headers(response.headers)
  headers.delete('location')
  headers.set('content-type', 'application/json;charset=UTF-8')
  const isRedirect = response.status >= 300 && response.status < 400
  return new Response(JSON.stringify(await dataOf(response)), {
    status: isRedirect ? 200 : response.status,
    headers,
  })
}

const asShell = async (response: Response, pathname: string): Promise<Response> => {
  const headers = new Headers(response.headers)
  headers.set('content-security-policy', POLICY)
  const script = pathname.slice(0, pathname.indexOf('/auth/')) + SCRIPT_PATH
  return new Response(shellOf(await response.text(), script), { status: response.status, headers })
}

const byScript: Wire = (next) => async (request) => {
  const { pathname } = new URL(request.url)
  if (pathname.endsWith(SCRIPT_PATH))
    return new Response(SCRIPT, { headers: { 'content-type': 'text/javascript;charset=UTF-8' } })
  const response = await next(request)
  if (!pathname.includes('/auth/')) return response
  if (request.headers.has(ASKS_FOR_DATA)) return asData(response)
  const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html')
  return isPage ? asShell(response, pathname) : response
}

export const scriptedPages: Variation = {
  id: 'scripted-pages',
  story: 'The pages of an authorization are built by scripts, and need a browser.',
  wire: byScript,
}
