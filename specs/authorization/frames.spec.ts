import { check, NotReached, type ObservedExchange } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import { beginAuthorization } from '../shared/first-page.ts'
import { AUT } from './requirements.ts'

/** Whether another site can show the first page of an authorization within a frame. */

const firstPage = scenario(
  'the first page of an authorization, without an action of the customer',
  { effect: 'consent', as: 'any', needs: ['customer'] },
  beginAuthorization,
)

const headerOf = (page: ObservedExchange, name: string): string => {
  const { value } = page.header(name)
  return typeof value === 'string' ? value : ''
}

/** Sources that permit every site, with any scheme and port (CSP Level 2 §4.2). */
const ANY_SITE = /(^|\s)(\*|(https?:)?\/\/\*|https?:|\*:[\d*]+|https?:\/\/\*:[\d*]+)(\s|$)/i

/** The sources of frame-ancestors in one policy; of several such directives the first one counts (CSP Level 2 §4.1). */
const frameAncestorsIn = (policy: string): string | undefined =>
  policy
    .split(';')
    .map((directive) => /^\s*frame-ancestors(?=\s|$)(.*)$/i.exec(directive)?.[1])
    .find((sources) => sources !== undefined)

/** Several policies are separated by commas, and each of them must permit a frame. */
const frameAncestorsOf = (page: ObservedExchange): readonly string[] =>
  headerOf(page, 'Content-Security-Policy')
    .split(',')
    .map(frameAncestorsIn)
    .filter((sources) => sources !== undefined)

/** RFC 7034 §2.1. Browsers ignore X-Frame-Options if a policy has frame-ancestors (CSP Level 2 §7.7.1). */
const isClosed = (page: ObservedExchange): boolean => {
  const policies = frameAncestorsOf(page)
  return policies.length > 0
    ? policies.some((sources) => !ANY_SITE.test(sources))
    : /^\s*(deny|sameorigin)\s*(,|$)/i.test(headerOf(page, 'X-Frame-Options'))
}

/** @throws NotReached if there is no page on which the customer can act. */
const pageIn = (pages: readonly ObservedExchange[]): ObservedExchange => {
  const page = pages.at(-1)
  const isSuccess = page !== undefined && Number(page.status.value) < 300
  if (!isSuccess || !headerOf(page, 'Content-Type').includes('html'))
    throw new NotReached('the authorization endpoint answered with no page')
  const text = String(page.body.text.value)
  if (!/<(form|input|button|a)\b/i.test(text) && !hasScript(page))
    throw new NotReached('the page has nothing on which the customer can act')
  return page
}

const hasScript = (page: ObservedExchange): boolean => /<script\b/i.test(String(page.body.text.value))

check(AUT.pageCannotBeFramed, firstPage, ({ pages }) => {
  const page = pageIn(pages)
  if (!isClosed(page) && hasScript(page))
    throw new NotReached('the page has a script, which may keep it out of frames')
  page
    .header('X-Frame-Options')
    .satisfies(isClosed(page), 'DENY or SAMEORIGIN, or a Content-Security-Policy with frame-ancestors')
})
