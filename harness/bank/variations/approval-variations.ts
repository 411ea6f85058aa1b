/** Other ways to authorize a payment: at a link in the answer to its initiation, and by the application's own credentials. */
import { createHash } from 'node:crypto'
import { alter } from '../changes/alter.ts'
import { membersOf, on, parsedMembers, replaceWire, type Members } from '../changes/answer.ts'
import { both } from '../changes/change.ts'
import { variationsOf } from '../changes/named.ts'
import type { Exchange, Variation, Wire } from '../defect.ts'
import { randomBytes } from '../random.ts'
import { seedData } from '../seed-data.ts'

const isInitiation = on('POST', /\/payments\/(?:ecomm|standard|batch)\/sba$/)
const isSubmission = on('POST', /\/payments\/submission$/)
const LINK = /^(.*\/auth\/oauth\/v2)\/approve$/
const LOGIN_SESSION = /\/auth\/oauth\/v2\/login-sessions\/([^/]+)$/

/** The application submits a payment that its customer has authorized with the token that it has initiated it with. */
const submittedByApplication = alter({
  orderSubmitted: (submitted, { client, grants, body }) => {
    const { orderId } = membersOf(body)
    const isAuthorized = [...grants.values()].some(
      (grant) => orderId !== undefined && grant.orderId === orderId && grant.clientId === client.clientId,
    )
    return submitted ?? (isAuthorized ? String(orderId) : undefined)
  },
  // The token of the application is used many times, and a payment is submitted once.
  redeemsPaymentToken: (isUnused, { token }) => token.orderId === undefined || isUnused,
})

const page = (status: number, text: string): Response =>
  new Response(`<!doctype html><title>Payment</title>${text}`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  })

interface Approvals {
  readonly next: Exchange
  /** Whether the value is on the last page of the bank, instead of in a redirect. */
  readonly isShown: boolean
  readonly orderOfSession: Map<string, string>
  readonly valueOfOrder: Map<string, string>
}

const withLink = async (next: Exchange, request: Request): Promise<Response> => {
  const response = await next(request)
  const record = parsedMembers(await response.clone().text()) ?? {}
  // The orderId and the status may be in objects inside of the record.
  const members = Object.fromEntries(
    [...Object.values(record).map(membersOf), record].flatMap(Object.entries),
  ) as Members
  const { orderId, status } = members
  if (!response.ok || typeof orderId !== 'string' || status === 'RJCT') return response
  const { origin, pathname } = new URL(request.url)
  const base = pathname.startsWith('/sandbox/') ? '/sandbox' : ''
  const href = `${origin}${base}/auth/oauth/v2/approve?payment=${encodeURIComponent(orderId)}`
  return new Response(JSON.stringify({ ...record, approve: { href } }), response)
}

/** Each page of a login session may have an address of its own. */
const followed = async (
  { orderOfSession }: Approvals,
  response: Response,
  orderId: string,
): Promise<boolean> => {
  const text = `${response.headers.get('location') ?? ''} ${await response.clone().text()}`
  const loginSessions = [...text.matchAll(/\blogin-sessions\/([\w-]+)/g)].flatMap(
    ([, loginSession]) => loginSession ?? [],
  )
  for (const loginSession of loginSessions) orderOfSession.set(loginSession, orderId)
  return loginSessions.length > 0
}

/** The payment can be authorized with the credentials of its own application only. */
const beginLoginSession = async (
  approvals: Approvals,
  request: Request,
  base: string,
  orderId: string,
): Promise<Response> => {
  for (const { clientId, redirectUris } of seedData.clients) {
    const url = new URL(`${base}/authorize`, request.url)
    url.search = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUris[0] ?? '',
      response_type: 'code',
      scope: 'PISP',
      orderId,
      code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString()
    const response = await approvals.next(new Request(url, { headers: request.headers }))
    if (await followed(approvals, response, orderId)) return response
  }
  return page(410, '<p>There is nothing to approve.</p>')
}

const continueLoginSession = async (
  approvals: Approvals,
  request: Request,
  orderId: string,
): Promise<Response> => {
  const { next, isShown, valueOfOrder } = approvals
  const response = await next(request)
  await followed(approvals, response, orderId)
  const location = response.headers.get('location')
  const end = location === null ? undefined : new URL(location, request.url)
  const code = end?.searchParams.get('code')
  if (end?.searchParams.has('error') === true) {
    valueOfOrder.delete(orderId)
    if (isShown) return page(200, '<p>The payment is not approved.</p>')
  }
  if (end === undefined || code == null) return response
  valueOfOrder.set(orderId, code)
  if (isShown) return page(200, `<p>Approved. <b id="approval">Value: ${code}.</b></p>`)
  end.searchParams.delete('code')
  end.searchParams.set('approval', code)
  const headers = new Headers(response.headers)
  headers.set('location', end.href)
  return new Response(null, { status: response.status, headers })
}

const submit = async ({ next, valueOfOrder }: Approvals, request: Request): Promise<Response> => {
  const { orderId, approval } = parsedMembers(await request.clone().text()) ?? {}
  const isApproved = typeof orderId === 'string' && valueOfOrder.get(orderId) === approval
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  const body = JSON.stringify(isApproved ? { orderId } : {})
  return next(new Request(request.url, { method: 'POST', headers, body }))
}

/**
 * The answer to an initiation has a link, at which the customer decides on the pages of the OAuth authorization. The code
 * at their end is the value of the approval, which the submission carries beside the orderId.
 */
const approvals =
  (isShown: boolean): Wire =>
  (next) => {
    const approvals: Approvals = { next, isShown, orderOfSession: new Map(), valueOfOrder: new Map() }
    return async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      const [, base] = LINK.exec(pathname) ?? []
      if (base !== undefined)
        return beginLoginSession(approvals, request, base, searchParams.get('payment') ?? '')
      const visited = approvals.orderOfSession.get(LOGIN_SESSION.exec(pathname)?.[1] ?? '')
      if (visited !== undefined) return continueLoginSession(approvals, request, visited)
      if (isInitiation(request)) return withLink(next, request)
      return isSubmission(request) ? submit(approvals, request) : next(request)
    }
  }

export const approvalVariations: readonly Variation[] = variationsOf({
  'Payments are approved at a link that leads to a redirect': both(
    submittedByApplication,
    replaceWire(approvals(false)),
  ),
  'Payments are approved at a link that leads to a page': both(
    submittedByApplication,
    replaceWire(approvals(true)),
  ),
  'Payments are submitted with the token of their initiation': submittedByApplication,
})
