/** A login session: one customer on the pages of an authorization, from the first page to the answer to the application. */
import { randomUUID } from '../random.ts'
import { parse } from 'hono/utils/cookie'
import { type Call, clientOf, factsOf, pageAddressOf, Refusal } from '../call.ts'
import { paymentOf, settlePayment } from './payment-authorization.ts'
import { page, redirect } from '../responses.ts'
import type { Ending } from '../rules/authorization-rules.ts'
import type { Client, Customer } from '../seed-data.ts'
import type { Step, LoginSession } from '../state.ts'
import { errorPage, type OfferedAccount, resultPage, stepPage } from './authorization-pages.ts'
import { settle } from './grants.ts'

/** The receiver of an answer, and the state that the answer repeats. */
export interface Return {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
}

export const returnToClient = async (
  call: Call,
  { client, redirectUri, state }: Return,
  ending: Ending,
  outcome: Readonly<Record<string, string>>,
): Promise<Response> => {
  const facts = { ...factsOf(call), client, redirectUri, ending }
  const carried = call.rules.stateCarriedBack({ ...facts, state })
  const wanted = { ...outcome, ...(carried === undefined ? {} : { state: carried }) }
  const parameters = call.rules.returnParameters({ ...facts, parameters: wanted })
  if (call.rules.resultIsShown(facts))
    return page(ending === 'refused' ? 400 : 200, resultPage(client, parameters))
  return redirect(call.rules.returnStatus(facts), call.rules.returnLocation({ ...facts, parameters }))
}

/** Sends a refusal to a client whose redirect URI is verified. */
export const refuseToClient = async (
  call: Call,
  destination: Return,
  refusal: Refusal,
): Promise<Response> => {
  const { client, redirectUri } = destination
  const { error, message } = refusal
  if (!call.rules.errorIsRedirected({ ...factsOf(call), client, redirectUri, error })) {
    return page(400, errorPage(error, message))
  }
  return returnToClient(call, destination, 'refused', { error, error_description: message })
}

type AuthorizationRequest = Return &
  Pick<LoginSession, 'scope' | 'consentId' | 'orderId' | 'challenge' | 'challengeMethod'>

/** Shows the first page. A cookie identifies the browser, also in several concurrent login sessions. */
export const beginLoginSession = async (
  call: Call,
  { client, ...request }: AuthorizationRequest,
): Promise<Response> => {
  const known = sessionOf(call)
  const session = known ?? randomUUID()
  const loginSession: LoginSession = {
    ...request,
    environment: call.environment,
    loginSessionId: randomUUID(),
    session,
    csrf: randomUUID(),
    clientId: client.clientId,
    steps: call.rules.steps({ ...factsOf(call), client }),
    step: 0,
    username: undefined,
  }
  call.ledger.sessions.add(session)
  call.ledger.loginSessions.set(loginSession.loginSessionId, loginSession)
  const cookie = `${call.rules.cookieName(factsOf(call))}=${session}; Path=${call.base}/auth; HttpOnly; SameSite=Lax`
  if (loginSession.steps.length === 0) return conclude(call, loginSession, { isGranted: true })
  return showStep(call, loginSession, { headers: known === undefined ? { 'set-cookie': cookie } : {} })
}

const sessionOf = (call: Call): string | undefined => {
  const name = call.rules.cookieName(factsOf(call))
  const session = parse(call.request.headers.get('cookie') ?? '', name)[name]
  return session !== undefined && call.ledger.sessions.has(session) ? session : undefined
}

/** The login session of the path, if it belongs to this browser. */
const loginSessionOf = (call: Call): LoginSession | undefined => {
  const loginSession = call.ledger.loginSessions.get(call.parameter('loginSessionId'))
  return loginSession !== undefined && loginSession.session === sessionOf(call) ? loginSession : undefined
}

const stepOf = (loginSession: LoginSession): Step | undefined => loginSession.steps[loginSession.step]

const customerOf = (call: Call, loginSession: LoginSession): Customer | undefined =>
  call.rules.customerOf({
    ...factsOf(call),
    client: clientOf(call, loginSession),
    username: loginSession.username,
    customers: call.world.seedData.customers,
  })

const addressOf = (call: Call, loginSession: LoginSession): string =>
  pageAddressOf(call, `/auth/oauth/v2/login-sessions/${loginSession.loginSessionId}`)

const endedLoginSession = async (): Promise<Response> =>
  page(
    400,
    errorPage('invalid_request', 'This page belongs to no request that is still open in this browser.'),
  )

interface Showing {
  readonly status?: number
  readonly problem?: string
  readonly headers?: Readonly<Record<string, string>>
}

const showStep = async (call: Call, loginSession: LoginSession, showing: Showing = {}): Promise<Response> => {
  const step = stepOf(loginSession)
  if (!step) return endedLoginSession()
  const customer = customerOf(call, loginSession)
  const body = stepPage({
    step,
    action: addressOf(call, loginSession),
    csrf: loginSession.csrf,
    client: clientOf(call, loginSession),
    customer: customer?.name,
    accounts: accountsOffered(call, loginSession, customer),
    consentId: loginSession.consentId,
    payment: paymentOf(call, loginSession),
    problem: showing.problem,
  })
  return page(showing.status ?? 200, body, showing.headers)
}

const accountsOffered = (
  call: Call,
  loginSession: LoginSession,
  customer: Customer | undefined,
): readonly OfferedAccount[] => {
  if (!customer || loginSession.orderId !== undefined) return []
  const facts = { ...factsOf(call), client: clientOf(call, loginSession) }
  return call.rules
    .accountsOffered({ ...facts, customer })
    .map((account) => ({ account, isTicked: call.rules.accountIsTicked({ ...facts, account }) }))
}

/** GET of a login session: its current page. */
export const showLoginSession = async (call: Call): Promise<Response> => {
  const loginSession = loginSessionOf(call)
  return loginSession ? showStep(call, loginSession) : endedLoginSession()
}

/** POST of a login session: the customer's input on its current page. */
export const continueLoginSession = async (call: Call): Promise<Response> => {
  const form = new URLSearchParams(await call.request.text())
  const loginSession = loginSessionOf(call)
  if (!loginSession || form.get('csrf') !== loginSession.csrf) return endedLoginSession()
  switch (stepOf(loginSession)) {
    case 'welcome':
      return nextStep(call, loginSession)
    case 'login':
      return (await isLoggedIn(call, loginSession, form))
        ? nextStep(call, loggedIn(loginSession, form))
        : wrongLogin(call, loginSession)
    case 'decision':
      return decide(call, loginSession, form)
    case 'login-and-decision':
      if (form.get('decision') === 'deny') return decide(call, loginSession, form)
      return (await isLoggedIn(call, loginSession, form))
        ? decide(call, loggedIn(loginSession, form), form)
        : wrongLogin(call, loginSession)
    default:
      return endedLoginSession()
  }
}

const isLoggedIn = async (call: Call, loginSession: LoginSession, form: URLSearchParams): Promise<boolean> =>
  call.rules.customerIsAuthenticated({
    ...factsOf(call),
    client: clientOf(call, loginSession),
    customer: customerOf(call, loggedIn(loginSession, form)),
    password: form.get('password') ?? '',
  })

const loggedIn = (loginSession: LoginSession, form: URLSearchParams): LoginSession => ({
  ...loginSession,
  username: form.get('username') ?? undefined,
})

const wrongLogin = (call: Call, loginSession: LoginSession): Promise<Response> =>
  showStep(call, loginSession, {
    status: call.rules.wrongLoginStatus({ ...factsOf(call), client: clientOf(call, loginSession) }),
    problem: 'The user name or the password is wrong.',
  })

const nextStep = async (call: Call, loginSession: LoginSession): Promise<Response> => {
  const next = { ...loginSession, step: loginSession.step + 1 }
  if (!stepOf(next)) return conclude(call, next, { isGranted: true })
  call.ledger.loginSessions.set(next.loginSessionId, next)
  const facts = { ...factsOf(call), client: clientOf(call, next) }
  return call.rules.nextPageIsRedirectedTo(facts)
    ? redirect(303, addressOf(call, next))
    : showStep(call, next)
}

const decide = async (call: Call, loginSession: LoginSession, form: URLSearchParams): Promise<Response> => {
  const decision = form.get('decision')
  if (decision !== 'grant' && decision !== 'deny') {
    return showStep(call, loginSession, { status: 400, problem: 'Please grant or deny the access.' })
  }
  const facts = { ...factsOf(call), client: clientOf(call, loginSession), decision } as const
  const payment = paymentOf(call, loginSession)
  const isGranted = payment
    ? call.rules.decisionAuthorizes({ ...facts, payment })
    : call.rules.decisionGrants({ ...facts, consentId: loginSession.consentId })
  if (!isGranted) return conclude(call, loginSession, { isGranted: false })
  // Before the login the customer is unknown, so that page offers no accounts.
  const chosen = stepOf(loginSession) === 'decision' ? form.getAll('account') : undefined
  if (
    chosen?.length === 0 &&
    accountsOffered(call, loginSession, customerOf(call, loginSession)).length > 0
  ) {
    return showStep(call, loginSession, {
      status: 400,
      problem: 'Please tick an account, or deny the access.',
    })
  }
  return conclude(call, loginSession, { isGranted: true, chosen })
}

interface Conclusion {
  readonly isGranted: boolean
  /** By accountId; undefined if no page has asked. */
  readonly chosen?: readonly string[] | undefined
}

const conclude = async (
  call: Call,
  loginSession: LoginSession,
  { isGranted, chosen }: Conclusion,
): Promise<Response> => {
  const client = clientOf(call, loginSession)
  const destination = { ...loginSession, client }
  // Closed before a code is issued, so that a second submission of the form finds no open login session.
  call.ledger.loginSessions.set(loginSession.loginSessionId, {
    ...loginSession,
    step: loginSession.steps.length,
  })
  try {
    const customer = isGranted ? customerOf(call, loginSession) : undefined
    const decision = { loginSession, client, customer, chosen }
    const payment = paymentOf(call, loginSession)
    const { ending, parameters } = payment ? settlePayment(call, decision, payment) : settle(call, decision)
    return await returnToClient(call, destination, ending, parameters)
  } catch (error) {
    if (error instanceof Refusal) return refuseToClient(call, destination, error)
    throw error
  }
}
