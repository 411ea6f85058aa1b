/** Another way through the bank's pages, and another way back. */
import { posix } from 'node:path'
import type { Variation, Wire } from '../defect.ts'

/** A form that has nothing in it: what belongs to it stands behind it, and names it (HTML, the attribute form). */
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

export const pageVariations: readonly Variation[] = [
  {
    id: 'result-always-shown',
    story: 'Every outcome is shown on the result screen, whatever the redirect URI.',
    rules: { resultIsShown: () => true },
  },
  {
    id: 'grant-shown-denial-sent',
    story: 'A code is shown on the result screen; a denial or an error goes back by redirect.',
    rules: { resultIsShown: ({ ending }) => ending === 'granted' },
  },
  {
    id: 'returned-with-303',
    story: 'The browser is sent back with 303 See Other.',
    rules: { returnStatus: () => 303 },
  },
  {
    id: 'errors-shown',
    story: 'An authorization request that lacks something is answered with a page, never by redirect.',
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
    story: 'Forms and redirects between the pages name the whole address.',
    rules: { pageAddress: ({ origin, path }) => `${origin}${path}` },
  },
  {
    id: 'relative-addresses',
    story: 'Forms and redirects between the pages are relative to the page.',
    rules: { pageAddress: ({ from, path }) => posix.relative(posix.dirname(from), path) },
  },
  {
    id: 'other-cookies',
    story: 'The session cookie has another name, and other cookies come with it.',
    rules: { cookieName: () => '__Bank.sid' },
    wire: (next) => async (request) => {
      const response = await next(request)
      response.headers.append('set-cookie', 'lang=sk; Path=/; SameSite=Lax')
      response.headers.append('set-cookie', 'gone=; Path=/; Max-Age=0')
      return response
    },
  },
  {
    id: 'fields-beside-their-form',
    story: 'Fields and buttons stand outside of their form, and name it.',
    wire: rewritePages(emptied),
  },
  {
    id: 'wrong-login-with-200',
    story: 'A wrong password brings the login page back with 200.',
    rules: { wrongLoginStatus: () => 200 },
  },
]
