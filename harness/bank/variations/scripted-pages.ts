/**
 * Pages that nobody sees without scripts: what the customer reads is built by them, a form is sent by them, and they go
 * where the answer says. Right, and out of reach for whoever reads pages over HTTP: the proof does not try it.
 */
import type { Variation, Wire } from '../defect.ts'

const SCRIPT_PATH = '/auth/pages.js'
/** What the scripts ask for is answered as data. */
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
