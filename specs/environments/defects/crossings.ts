import { bearerIn, parsedMembers, pathOf, where, type FactsOf } from '../../shared/defects.ts'
import type { Exchange, RuleChange, Wire } from '../../../harness/bank/defect.ts'

/** Requests that are served for another address, environment or interface than the one that was asked. */

export const TOKEN_OF_ACCOUNTS = '/premium/sandbox/auth/oauth/v2/token'
export const TOKEN_OF_PAYMENTS = '/sandbox/auth/oauth/v2/token'
export const TOKEN_OF_PAYMENTS_IN_PRODUCTION = '/auth/oauth/v2/token'
export const TOKEN_OF_LOANS = '/paylater/sandbox/auth/oauth/v2/token'

type Facts = FactsOf<'otherEnvironmentsSearched'>
type Environment = Facts['environment']
type Operation = Pick<Facts, 'endpoint'> & Partial<Pick<Facts, 'variant'>>

const otherThan = (environment: Environment): Environment =>
  environment === 'sandbox' ? 'production' : 'sandbox'

/** In this environment records of this kind are searched for in both environments, by all operations or by one. */
export const searching = (environment: Environment, kind: Facts['kind'], operation?: Operation): RuleChange =>
  where<'otherEnvironmentsSearched'>(
    (facts) =>
      facts.environment === environment &&
      facts.kind === kind &&
      (operation === undefined || facts.endpoint === operation.endpoint) &&
      (operation?.variant === undefined || facts.variant === operation.variant),
    { otherEnvironmentsSearched: () => [otherThan(environment)] },
  )

/** The same request at another address. */
const at = (request: Request, path: string): Request => {
  const url = new URL(request.url)
  url.pathname = path
  return new Request(url, request)
}

/** Serves requests for one address as if they were for another. */
export const answeringFor =
  (pattern: RegExp, path: string): Wire =>
  (next) =>
  async (request) =>
    next(pattern.test(pathOf(request)) ? at(request, pathOf(request).replace(pattern, path)) : request)

const withBearer = (request: Request, token: string): Request => {
  const changed = new Request(request.url, request)
  changed.headers.set('authorization', `Bearer ${token}`)
  return changed
}

/** The access token in the answer of a token endpoint. */
const issuedBy = async (response: Response): Promise<string | undefined> => {
  const token = parsedMembers(await response.clone().text())?.access_token
  return response.ok && typeof token === 'string' ? token : undefined
}

/**
 * These addresses accept a token from one token endpoint as if it came from another: the latest token of the other
 * endpoint is put in its place.
 */
export const takingFor =
  ({
    issuedAt,
    takenFor,
    asked,
  }: {
    readonly issuedAt: string
    readonly takenFor: string
    readonly asked: RegExp
  }): Wire =>
  (next: Exchange) => {
    const foreign = new Set<string>()
    let latest: string | undefined
    return async (request) => {
      const path = pathOf(request)
      const bearer = bearerIn(request.headers)
      const isForeign = asked.test(path) && bearer !== undefined && foreign.has(bearer)
      const response = await next(isForeign && latest !== undefined ? withBearer(request, latest) : request)
      if (path !== issuedAt && path !== takenFor) return response
      const token = await issuedBy(response)
      if (token !== undefined && path === issuedAt) foreign.add(token)
      if (token !== undefined && path === takenFor) latest = token
      return response
    }
  }

/**
 * A request with a token of this token endpoint is passed on to the environment of the token.
 * @param isSilent the answer is still that of the environment that was asked.
 */
export const carryingHome =
  ({
    issuedAt,
    asked,
    home,
    isSilent = false,
  }: {
    readonly issuedAt: string
    readonly asked: string
    readonly home: string
    readonly isSilent?: boolean
  }): Wire =>
  (next) => {
    const issued = new Set<string>()
    return async (request) => {
      const path = pathOf(request)
      if (path === asked && issued.has(bearerIn(request.headers) ?? '')) {
        const elsewhere = at(request.clone(), home)
        if (!isSilent) return next(elsewhere)
        const answer = await next(request)
        await next(elsewhere)
        return answer
      }
      const response = await next(request)
      const token = path === issuedAt ? await issuedBy(response) : undefined
      if (token !== undefined) issued.add(token)
      return response
    }
  }
