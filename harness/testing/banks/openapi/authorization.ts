import { randomUUID } from 'node:crypto'
import type { Context, Handler } from 'hono'
import { html } from 'hono/html'
import type { Environment } from './environment.ts'
import { parametersOf, queryOf, sameText } from './http.ts'
import { APPLICATIONS, CUSTOMERS, type Application } from './seed.ts'
import type { AuthorizationRequest, Grant } from './tokens.ts'

/** An authorization that a customer has begun in a browser. */
interface Visit {
  environment: Environment
  request: AuthorizationRequest
  state: string | undefined
  grant: Grant
  expiresAt: number
}

const VISIT_MILLISECONDS = 15 * 60_000

const visits = new Map<string, Visit>()

type Content = ReturnType<typeof html>

function page(c: Context, status: 200 | 400, title: string, content: Content): Response | Promise<Response> {
  c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  c.header('x-frame-options', 'DENY')
  c.header('referrer-policy', 'no-referrer')
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>${title} – Veranda Bank</title>
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            ${content}
          </main>
        </body>
      </html>`,
    status,
  )
}

const errorPage = (c: Context, text: string): Response | Promise<Response> =>
  page(c, 400, 'This request cannot be served', html`<p id="error">${text}</p>`)

/** Sends the browser back to the application; the redirect URI may have a query of its own. */
function sendBack(
  c: Context,
  redirectUri: string,
  state: string | undefined,
  answer: Record<string, string>,
): Response {
  const query = new URLSearchParams({ ...answer, ...(state !== undefined && { state }) }).toString()
  return c.redirect(
    `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`,
    c.req.method === 'GET' ? 302 : 303,
  )
}

/** What the scope asks for; the name of an OAuth error if the application may not ask for it. */
function requestedGrant(
  { consents, orders }: Environment,
  application: Application,
  values: ReadonlyMap<string, string>,
): Grant | 'invalid_scope' | 'invalid_request' {
  const scope = values.get('scope') ?? ''
  const grant: Grant = { application, scope, revoked: false }
  if (scope === 'PREMIUM_AIS' && application.kind === 'FAC') return grant
  if (application.kind !== 'TPP') return 'invalid_scope'
  if (scope === 'PIS_CONFIRM') {
    const order = orders.find(values.get('orderId') ?? '', application)
    return order?.status === 'ACTC' ? { ...grant, orderId: order.orderId } : 'invalid_request'
  }
  const consent = consents.get(/^PREMIUM_AIS:(.+)$/.exec(scope)?.[1] ?? '')
  return consent?.applicationId === application.id
    ? { ...grant, consentId: consent.consentId }
    : 'invalid_scope'
}

/** The error of the request, beside its application, redirect URI and scope. */
function requestError(
  values: ReadonlyMap<string, string>,
  repeated: ReadonlySet<string>,
): string | undefined {
  if (repeated.size > 0 || !values.has('response_type')) return 'invalid_request'
  if (values.get('response_type') !== 'code') return 'unsupported_response_type'
  // Without a method the challenge would be plain (RFC 7636, 4.3), which the bank does not accept.
  if (values.get('code_challenge_method') !== 'S256') return 'invalid_request'
  return /^[A-Za-z0-9_-]{43}$/.test(values.get('code_challenge') ?? '') ? undefined : 'invalid_request'
}

const signInForm = (id: string, { name }: Environment, notice = ''): Content => html`
  <p id="notice">${notice}</p>
  <form method="post" action="/premium/${name}/auth/oauth/v2/authorize/sign-in">
    <input type="hidden" name="visit" value="${id}" />
    <label>Contract number <input id="contract-number" name="contractNumber" /></label>
    <label>Passphrase <input id="passphrase" name="passphrase" type="password" /></label>
    <button id="continue" type="submit">Continue</button>
  </form>
`

function decisionForm(id: string, { environment, grant }: Visit): Content {
  const order = environment.orders.find(grant.orderId ?? '', grant.application)
  const subjects =
    order === undefined
      ? environment.accounts
          .ofCustomer(grant.customer)
          .map(({ iban }) => `Balance and transactions of ${iban}`)
      : [
          `${order.message.instructedAmount.value} ${order.message.instructedAmount.currency}`,
          `from ${order.message.debtorIban}`,
          `to ${order.message.creditor.name ?? ''}, ${order.message.creditor.iban}`,
        ]
  return html`
    <p>${grant.application.name} asks for your authorization.</p>
    <ul>
      ${subjects.map((subject) => html`<li>${subject}</li>`)}
    </ul>
    <form method="post" action="/premium/${environment.name}/auth/oauth/v2/authorize/decision">
      <input type="hidden" name="visit" value="${id}" />
      <button id="agree" type="submit" name="decision" value="agree">Agree</button>
      <button id="decline" type="submit" name="decision" value="decline">Decline</button>
    </form>
  `
}

function open(visit: Visit): string {
  const id = randomUUID()
  visits.set(id, visit)
  return id
}

export const authorize =
  (environment: Environment): Handler =>
  (c) => {
    const { values, repeated } = parametersOf(queryOf(c))
    const application = APPLICATIONS.find(({ id }) => id === values.get('client_id'))
    const redirectUri = values.get('redirect_uri') ?? ''
    if (repeated.has('client_id') || repeated.has('redirect_uri')) {
      return errorPage(c, 'invalid_request: client_id and redirect_uri must come once.')
    }
    if (!application?.redirectUris.includes(redirectUri)) {
      return errorPage(c, 'invalid_request: the application or its redirect_uri is not registered.')
    }
    // A state that came with two values is no state to give back.
    const state = new Set(queryOf(c).getAll('state')).size === 1 ? values.get('state') : undefined
    const error = requestError(values, repeated)
    const grant = error ?? requestedGrant(environment, application, values)
    if (typeof grant === 'string') return sendBack(c, redirectUri, state, { error: grant })
    const request = { application, redirectUri, challenge: values.get('code_challenge') ?? '' }
    const expiresAt = environment.clock.now() + VISIT_MILLISECONDS
    const id = open({ environment, request, state, grant, expiresAt })
    return page(c, 200, 'Sign in', signInForm(id, environment))
  }

/** Whether the customer may authorize what is asked for: an own payment, or a consent that is nobody else's. */
function isOwnMatter({ environment, grant }: Visit, customer: string): boolean {
  const order = environment.orders.find(grant.orderId ?? '', grant.application)
  if (order !== undefined) return environment.accounts.byIban(order.message.debtorIban)?.owner === customer
  return (environment.consents.get(grant.consentId ?? '')?.customer ?? customer) === customer
}

/** Serves a form of the pages. Each form is taken once, since its visit then goes on below another id. */
const step =
  (
    environment: Environment,
    serve: (c: Context, visit: Visit, fields: URLSearchParams) => Response | Promise<Response>,
  ): Handler =>
  async (c) => {
    const fields = new URLSearchParams(await c.req.text())
    const id = fields.get('visit') ?? ''
    const visit = visits.get(id)
    if (visit?.environment !== environment || environment.clock.now() >= visit.expiresAt) {
      return errorPage(c, 'This page has expired. Please start again at the application.')
    }
    visits.delete(id)
    return serve(c, visit, fields)
  }

export const signIn = (environment: Environment): Handler =>
  step(environment, (c, visit, fields) => {
    const customer = CUSTOMERS.find(({ contractNumber }) => contractNumber === fields.get('contractNumber'))
    if (customer === undefined || !sameText(customer.passphrase, fields.get('passphrase') ?? '')) {
      const notice = 'The contract number or passphrase is wrong.'
      return page(c, 200, 'Sign in', signInForm(open(visit), environment, notice))
    }
    if (!isOwnMatter(visit, customer.contractNumber)) {
      return sendBack(c, visit.request.redirectUri, visit.state, { error: 'access_denied' })
    }
    visit.grant.customer = customer.contractNumber
    return page(c, 200, 'Your authorization', decisionForm(open(visit), visit))
  })

export const decide = (environment: Environment): Handler =>
  step(environment, (c, visit, fields) => {
    const { request, state, grant } = visit
    const { customer } = grant
    // Somebody else may have granted the consent since this customer signed in.
    const isGranted =
      customer !== undefined && isOwnMatter(visit, customer) && fields.get('decision') === 'agree'
    if (!isGranted) return sendBack(c, request.redirectUri, state, { error: 'access_denied' })
    const consent = environment.consents.get(grant.consentId ?? '')
    if (consent !== undefined) consent.customer = customer
    return sendBack(c, request.redirectUri, state, { code: environment.tokens.issueCode(request, grant) })
  })
