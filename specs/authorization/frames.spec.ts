import { check, NotReached, type ObservedExchange } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import { AUT } from './requirements.ts'

/** Whether another site can show the pages of an authorization within a frame. */

const firstPage = scenario(
  'the page on which the customer logs in',
  { effect: 'consent', as: 'any', needs: ['customer'] },
  async ({ app, profile, openFirstPage }) => {
    const consentId = await app.consent()
    const scope = profile.scopes.accounts + (consentId === undefined ? '' : `:${consentId}`)
    const redirectUri = app.redirectUri(() => true)
    return { pages: await openFirstPage({ clientId: app.profile.clientId, redirectUri, scope }) }
  },
)

const headerOf = (page: ObservedExchange, name: string): string => {
  const { value } = page.header(name)
  return typeof value === 'string' ? value : ''
}

/** Sources that let in any site (CSP Level 2 §7.7). */
const ANY_SITE = /(^|\s)(\*|https?:|https?:\/\/\*)(\s|$)/i

/** Several policies are separated by commas; each of them must allow the frame. */
const frameAncestors = (page: ObservedExchange): readonly string[] =>
  headerOf(page, 'Content-Security-Policy')
    .split(/[,;]/)
    .map((directive) => /^\s*frame-ancestors\b(.*)$/i.exec(directive)?.[1])
    .filter((sources) => sources !== undefined)

/** RFC 7034 §2.1. Where a policy has frame-ancestors, browsers ignore it (CSP Level 2 §7.7.1). */
const isClosed = (page: ObservedExchange): boolean => {
  const policies = frameAncestors(page)
  return policies.length > 0
    ? policies.some((sources) => !ANY_SITE.test(sources))
    : /^\s*(deny|sameorigin)\s*(,|$)/i.test(headerOf(page, 'X-Frame-Options'))
}

const hasScript = (page: ObservedExchange): boolean => /<script\b/i.test(String(page.body.text.value))

check(AUT.pageCannotBeFramed, firstPage, ({ pages }) => {
  const page = pages.at(-1)
  if (
    page === undefined ||
    Number(page.status.value) >= 300 ||
    !headerOf(page, 'Content-Type').includes('html')
  )
    throw new NotReached('the authorization endpoint answered with no page')
  if (!isClosed(page) && hasScript(page))
    throw new NotReached('the page has a script, which may keep it out of frames')
  page
    .header('X-Frame-Options')
    .satisfies(isClosed(page), 'DENY or SAMEORIGIN, or a Content-Security-Policy with frame-ancestors')
})
