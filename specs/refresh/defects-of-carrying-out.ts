import { REF } from './requirements.ts'
import type { Defect, Wire } from '../../harness/bank/defect.ts'

/** Refreshes that are carried out although nobody may have them, whatever the answer says. */

const isRefresh = ({ method, url }: Request): boolean =>
  method === 'PUT' && new URL(url).pathname.endsWith('/refresh')

const bearerOf = ({ headers }: Request): string | undefined =>
  /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** The same request with another token, and without a word on the consent. */
const withToken = ({ url, headers }: Request, token: string): Request => {
  const changed = new Headers(headers)
  changed.set('authorization', `Bearer ${token}`)
  return new Request(url, { method: 'PUT', headers: changed })
}

/** Has a refresh that is refused carried out with the token of the last one that was not, where its header is like that. */
const carryingOutAllTheSame =
  (isMeant: (header: string | null) => boolean): Wire =>
  (next) => {
    let last: string | undefined
    return async (request) => {
      const response = await next(request)
      if (!isRefresh(request)) return response
      if (response.ok) last = bearerOf(request)
      else if (last !== undefined && isMeant(request.headers.get('authorization')))
        await next(withToken(request, last))
      return response
    }
  }

/** Has the consent that a refresh names refreshed as well, with whatever token that was granted for it. */
const refreshingTheNamed =
  ({ answered }: { readonly answered: boolean }): Wire =>
  (next) => {
    const tokens = new Map<string, string>()
    return async (request) => {
      if (isRefresh(request)) {
        const { consentId = '' } = (await request.clone().json()) as { readonly consentId?: string }
        const token = tokens.get(consentId)
        const own = bearerOf(request) ?? ''
        const isForeign = token !== undefined && token !== own && [...tokens.values()].includes(own)
        if (isForeign) await next(withToken(request, token))
        return next(isForeign && answered ? withToken(request, own) : request)
      }
      const isToken = new URL(request.url).pathname.endsWith('/token')
      const form = new URLSearchParams(isToken ? await request.clone().text() : '')
      const response = await next(request)
      const [, consentId] = form.get('scope')?.split(':') ?? []
      if (consentId === undefined || !response.ok) return response
      const body = (await response.clone().json()) as { readonly access_token?: string }
      if (body.access_token !== undefined) tokens.set(consentId, body.access_token)
      return response
    }
  }

export const defectsOfCarryingOut: readonly Defect[] = [
  {
    id: 'refused-refresh-without-a-token-is-carried-out',
    story: 'A refresh without an Authorization header is refused, and its task has begun before.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    wire: carryingOutAllTheSame((header) => header === null),
  },
  {
    id: 'refused-refresh-with-an-unknown-token-is-carried-out',
    story: 'A refresh with a token that is unknown is refused, and its task has begun before.',
    breaks: [REF.refreshWithoutTokenIsRefused],
    wire: carryingOutAllTheSame((header) => header?.includes('No-bank-has-ever-issued') ?? false),
  },
  {
    id: 'refused-refresh-of-another-consent-is-carried-out',
    story: 'A refresh that names another consent is refused, and the task of that consent has begun before.',
    breaks: [REF.anotherConsentIsNotRefreshed],
    wire: refreshingTheNamed({ answered: false }),
  },
  {
    id: 'refresh-of-the-own-consent-refreshes-the-named-one-too',
    story: "A refresh is one of the token's own consent, and one of the consent that it names as well.",
    breaks: [REF.anotherConsentIsNotRefreshed],
    wire: refreshingTheNamed({ answered: true }),
  },
]
