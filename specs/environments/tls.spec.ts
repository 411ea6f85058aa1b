import {
  check,
  NotReached,
  wasProcessed,
  type Exchange,
  type ObservedExchange,
} from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { Observed } from '../../harness/check/index.ts'
import type { Session } from '../../harness/session/index.ts'
import { beginAuthorization } from '../shared/first-page.ts'
import { ENV } from './requirements.ts'

/** Whether the OAuth endpoints require TLS. What is sent without it is the request of an invented client. */

type Endpoint = 'authorize' | 'token'

const READS = { effect: 'read', as: 'any' } as const

const isEncrypted = (exchange: Exchange): boolean => new URL(exchange.request.url).protocol === 'https:'

/** Answers over plain HTTP; none if nothing listens there. */
const answeredWithoutTls = async ({ probeEndpoint }: Session, endpoint: Endpoint) => {
  const answer = await probeEndpoint(endpoint, { withoutTls: true })
  if (answer.response === undefined) return []
  return [{ answer, nothing: await probeEndpoint('nothing', { withoutTls: true }) }]
}

const endpoint = (which: Endpoint, title: string) =>
  scenario(`${title} without TLS`, READS, async (session) => {
    const given = await session.probeEndpoint(which)
    const nothing = await session.probeEndpoint('nothing')
    return { given, nothing, plain: isEncrypted(given) ? await answeredWithoutTls(session, which) : [] }
  })

type Probed = Observed<Awaited<ReturnType<ReturnType<typeof endpoint>['act']>>>

/** The loopback interface and its names: what is sent there does not leave the machine. */
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const isProtected = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || LOOPBACK.test(hostname)

const locationOf = (answer: ObservedExchange): string => {
  const { value } = answer.header('Location')
  return typeof value === 'string' ? value : ''
}

const isRedirectToHttps = (answer: ObservedExchange): boolean => /^https:/i.test(locationOf(answer))

/** An answer without the ids, times and other numbers that differ from request to request. */
const formOf = (answer: ObservedExchange): string =>
  [answer.status.value, locationOf(answer), answer.body.text.value]
    .join('\n')
    .replaceAll(/^https?:\/\/[^/\s]+/gim, '')
    .replaceAll(/[\da-f-]{6,}|\d+/gi, '#')

/** @throws NotReached where the endpoint is not served, so that nothing is protected. */
const isServed = ({ given, nothing }: Pick<Probed, 'given' | 'nothing'>): void => {
  wasProcessed(given)
  const status = Number(given.status.value)
  // A gateway may refuse unknown paths and unknown clients with the same words, but it serves only what exists.
  const isAnywhere = status < 400 && formOf(given) === formOf(nothing)
  if (status === 404 || status === 405 || isAnywhere)
    throw new NotReached('nothing of its own is served at the address of the endpoint')
}

const requiresTls = ({ given, nothing: elsewhere, plain }: Probed): void => {
  isServed({ given, nothing: elsewhere })
  given.status.satisfies(
    isProtected(new URL(given.request.url)) || isRedirectToHttps(given),
    'a redirect to https or no answer, since the request was sent over plain HTTP',
  )
  for (const { answer, nothing } of plain) {
    const isProcessed = formOf(answer) === formOf(given) && formOf(answer) !== formOf(nothing)
    answer.status.satisfies(
      !isProcessed || isRedirectToHttps(answer),
      'a redirect to https, a refusal or no answer, since the request was sent over plain HTTP',
    )
  }
}

check(ENV.authorizationEndpointUsesTls, endpoint('authorize', 'the authorization endpoint'), requiresTls)
check(ENV.tokenEndpointUsesTls, endpoint('token', 'the token endpoint'), requiresTls)

const firstPage = scenario(
  'the first page of an authorization',
  { effect: 'consent', as: 'any', needs: ['customer'] },
  beginAuthorization,
)

const ADDRESSES = [
  /<form\b[^>]*?\saction\s*=\s*["']?([^"'\s>]+)/gi,
  /\sformaction\s*=\s*["']?([^"'\s>]+)/gi,
  /<meta\b[^>]*?\burl\s*=\s*([^"'\s>]+)/gi,
] as const

/** The address that the others of a page are relative to (HTML, the base element). */
const BASE = /<base\b[^>]*?\shref\s*=\s*["']?([^"'\s>]+)/i

/** Where a page leads: its redirect, the actions of its forms and of their buttons, and its refresh. */
const addressesIn = (page: ObservedExchange): readonly URL[] => {
  const text = String(page.body.text.value).replaceAll(/<!--.*?-->/gs, '')
  const { url } = page.request
  const named = BASE.exec(text)?.[1] ?? ''
  const base = URL.canParse(named, url) ? new URL(named, url).href : url
  const found = ADDRESSES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, address = '']) => address))
  return [locationOf(page), ...found]
    .map((address) => address.replaceAll('&amp;', '&'))
    .filter((address) => address !== '' && URL.canParse(address, base))
    .map((address) => new URL(address, base))
}

check(ENV.authorizationEndpointUsesTls, firstPage, ({ pages, redirectUri }) => {
  for (const page of pages) {
    const isPage = String(page.header('Content-Type').value).includes('html') || locationOf(page) !== ''
    if (Number(page.status.value) >= 400 || !isPage)
      throw new NotReached('the authorization endpoint answered with no page on which the customer acts')
    page.status.isPresent()
    for (const address of addressesIn(page))
      // The redirect URI is the application's own.
      if (!address.href.startsWith(redirectUri))
        page.body.text.satisfies(
          isProtected(address),
          `no redirect, form, button or refresh that leads to plain HTTP, such as ${address.origin}`,
        )
  }
})
