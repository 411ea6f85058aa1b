import type { Exchange, Wire } from '../../harness/bank/defect.ts'

/** Ways to be wrong between the environments that can be seen on the wire alone. */

const pathOf = ({ url }: Request): string => new URL(url).pathname

const nothingHere = (): Response =>
  new Response('{"errorCode":"NOT_FOUND"}', {
    status: 404,
    headers: { 'content-type': 'application/json' },
  })

/** There is nothing at these addresses. */
export const losing =
  (isLost: (path: string) => boolean): Wire =>
  (next) =>
  async (request) =>
    isLost(pathOf(request)) ? nothingHere() : next(request)

/** The same request at another address. */
const at = (request: Request, path: string): Request => {
  const url = new URL(request.url)
  url.pathname = path
  return new Request(url, request)
}

/** Is asked for one address, and answers for another. */
export const answeringFor =
  (pattern: RegExp, path: string): Wire =>
  (next) =>
  async (request) =>
    next(pattern.test(pathOf(request)) ? at(request, pathOf(request).replace(pattern, path)) : request)

const bearerOf = (request: Request): string | undefined =>
  /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]

const withBearer = (request: Request, token: string): Request => {
  const changed = new Request(request.url, request)
  changed.headers.set('authorization', `Bearer ${token}`)
  return changed
}

/** The access token that an answer of this token endpoint brings. */
const issuedBy = async (response: Response): Promise<string | undefined> => {
  if (!response.ok) return undefined
  const body = (await response.clone().json()) as { readonly access_token?: string }
  return body.access_token
}

/**
 * A token from one token endpoint is as good as one from another: where these addresses are asked with it, the
 * latest of the others stands in for it.
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
      const bearer = bearerOf(request)
      const isTaken = asked.test(path) && bearer !== undefined && foreign.has(bearer) && latest !== undefined
      const response = await next(isTaken ? withBearer(request, latest ?? '') : request)
      if (path !== issuedAt && path !== takenFor) return response
      const token = await issuedBy(response)
      if (token !== undefined && path === issuedAt) foreign.add(token)
      if (token !== undefined && path === takenFor) latest = token
      return response
    }
  }

/**
 * What comes with a token of this token endpoint is carried out where the token is at home, wherever it is sent.
 * @param isSilent it is answered as where it was sent.
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
      if (path === asked && issued.has(bearerOf(request) ?? '')) {
        const answer = isSilent ? await next(request.clone()) : undefined
        const done = await next(at(request, home))
        return answer ?? done
      }
      const response = await next(request)
      const token = path === issuedAt ? await issuedBy(response) : undefined
      if (token !== undefined) issued.add(token)
      return response
    }
  }
