/** Requests that are served for another address, and tokens that are accepted for those of another token endpoint. */
import { on, read, replaceWire, type Incoming, type MessagePast } from '../../shared/changes.ts'

/** The addresses of the token endpoints: of the sandboxes, and of the payments in production. */
export const ACCOUNTS = '/premium/sandbox/auth/oauth/v2/token'
export const PAYMENTS = '/sandbox/auth/oauth/v2/token'
export const LIVE_PAYMENTS = '/auth/oauth/v2/token'
export const LOANS = '/paylater/sandbox/auth/oauth/v2/token'

/** Serves requests to these addresses as if they were to others. */
export const serve = (addresses: RegExp, path: string, method?: string) =>
  read(on(method, addresses), ({ url }) => {
    url.pathname = url.pathname.replace(addresses, path)
  })

/** The same request to another address. */
export const at = (request: Request, addresses: RegExp, path: string): Request => {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(addresses, path)
  return new Request(url, request)
}

/** Refuses requests to these addresses, and still serves them as if they were to others. */
export const serveInSilence = (addresses: RegExp, path: string, method?: string) =>
  replaceWire(
    (next) => async (request) => {
      const answer = await next(request.clone())
      if (answer.status >= 400) await next(at(request, addresses, path))
      return answer
    },
    on(method, addresses),
  )

/** The access tokens that this token endpoint has issued. */
const issuedAt = (issuer: string, { earlier }: MessagePast): readonly string[] =>
  earlier
    .filter(({ asked, answer }) => asked.url.pathname === issuer && 'access_token' in answer.members)
    .map(({ answer }) => String(answer.members.access_token))

/** Whether a request has a token of this token endpoint. */
const hasTokenOf = (issuer: string, { headers }: Incoming, past: MessagePast): boolean =>
  issuedAt(issuer, past).includes(headers.get('authorization')?.replace(/^Bearer /i, '') ?? '')

/** Passes requests with a token of this token endpoint on to other addresses. */
export const passOn = (issuer: string, addresses: RegExp, path: string) =>
  read(
    on(undefined, addresses),
    (asked, past) => {
      if (hasTokenOf(issuer, asked, past)) asked.url.pathname = path
    },
    'paymentToken',
  )

/** Accepts tokens of one token endpoint like the latest one of another. */
export const acceptTokens = (issuer: string, other: string, addresses: RegExp) =>
  read(
    on(undefined, addresses),
    (asked, past) => {
      const latest = issuedAt(other, past).at(-1)
      if (latest !== undefined && hasTokenOf(issuer, asked, past))
        asked.headers.set('authorization', `Bearer ${latest}`)
    },
    'token',
    'paymentToken',
    'loanToken',
  )
