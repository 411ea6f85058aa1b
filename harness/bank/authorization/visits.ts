/** A visit: one customer on the pages of an authorization, from the first page to the answer to the application. */
import { randomUUID } from '../random.ts'
import { parse } from 'hono/utils/cookie'
import { type Call, factsOf, Refusal } from '../call.ts'
import { paymentOf, settlePayment } from '../payments/payment-authorization.ts'
import { page, redirect } from '../responses.ts'
import type { Ending } from '../rules/authorization-rules.ts'
import type { Client, Customer } from '../seed-data.ts'
import type { Step, Visit } from '../state.ts'
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
  Pick<Visit, 'scope' | 'consentId' | 'orderId' | 'challenge' | 'challengeMethod'>

/** Shows the first page. A cookie identifies the browser, also in several concurrent visits. */
export const beginVisit = async (
  call: Call,
  { client, ...request }: AuthorizationRequest,
): Promise<Response> => {
  const known = sessionOf(call)
  const session = known ?? randomUUID()
  const visit: Visit = {
    ...request,
    environment: call.environment,
    visitId: randomUUID(),
    session,
    csrf: randomUUID(),
    clientId: client.clientId,
    steps: call.rules.steps({ ...factsOf(call), client }),
    step: 0,
    username: undefined,
  }
  call.ledger.sessions.add(session)
  call.ledger.visits.set(visit.visitId, visit)
  const cookie = `${call.rules.cookieName(factsOf(call))}=${session}; Path=${call.base}/auth; HttpOnly; SameSite=Lax`
  if (visit.steps.length === 0) return conclude(call, visit, { isGranted: true })
  return showStep(call, visit, { headers: known === undefined ? { 'set-cookie': cookie } : {} })
}

const sessionOf = (call: Call): string | undefined => {
  const name = call.rules.cookieName(factsOf(call))
  const session = parse(call.request.headers.get('cookie') ?? '', name)[name]
  return session !== undefined && call.ledger.sessions.has(session) ? session : undefined
}

/** The visit of the path, if it belongs to this browser. */
const visitOf = (call: Call): Visit | undefined => {
  const visit = call.ledger.visits.get(call.parameter('visitId'))
  return visit !== undefined && visit.session === sessionOf(call) ? visit : undefined
}

const stepOf = (visit: Visit): Step | undefined => visit.steps[visit.step]

const clientOf = (call: Call, { clientId }: Visit): Client => {
  const client = call.world.seedData.clients.find((candidate) => candidate.clientId === clientId)
  if (!client) throw new Error(`a visit for an unknown client: ${clientId}`)
  return client
}

const customerOf = (call: Call, visit: Visit): Customer | undefined =>
  call.rules.customerOf({
    ...factsOf(call),
    client: clientOf(call, visit),
    username: visit.username,
    customers: call.world.seedData.customers,
  })

const addressOf = (call: Call, visit: Visit): string =>
  call.rules.pageAddress({
    ...factsOf(call),
    origin: call.url.origin,
    from: call.url.pathname,
    path: `${call.base}/auth/oauth/v2/visits/${visit.visitId}`,
  })

const staleVisit = async (): Promise<Response> =>
  page(
    400,
    errorPage('invalid_request', 'This page belongs to no request that is still open in this browser.'),
  )

interface Showing {
  readonly status?: number
  readonly problem?: string
  readonly headers?: Readonly<Record<string, string>>
}

const showStep = async (call: Call, visit: Visit, showing: Showing = {}): Promise<Response> => {
  const step = stepOf(visit)
  if (!step) return staleVisit()
  const customer = customerOf(call, visit)
  const body = stepPage({
    step,
    action: addressOf(call, visit),
    csrf: visit.csrf,
    client: clientOf(call, visit),
    customer: customer?.name,
    accounts: accountsOffered(call, visit, customer),
    consentId: visit.consentId,
    payment: paymentOf(call, visit),
    problem: showing.problem,
  })
  return page(showing.status ?? 200, body, showing.headers)
}

const accountsOffered = (
  call: Call,
  visit: Visit,
  customer: Customer | undefined,
): readonly OfferedAccount[] => {
  if (!customer || visit.orderId !== undefined) return []
  const facts = { ...factsOf(call), client: clientOf(call, visit) }
  return call.rules
    .accountsOffered({ ...facts, customer })
    .map((account) => ({ account, isTicked: call.rules.accountIsTicked({ ...facts, account }) }))
}

/** GET of a visit: its current page. */
export const showVisit = async (call: Call): Promise<Response> => {
  const visit = visitOf(call)
  return visit ? showStep(call, visit) : staleVisit()
}

/** POST of a visit: the customer's input on its current page. */
export const continueVisit = async (call: Call): Promise<Response> => {
  const form = new URLSearchParams(await call.request.text())
  const visit = visitOf(call)
  if (!visit || form.get('csrf') !== visit.csrf) return staleVisit()
  switch (stepOf(visit)) {
    case 'welcome':
      return nextStep(call, visit)
    case 'login':
      return (await isLoggedIn(call, visit, form))
        ? nextStep(call, loggedIn(visit, form))
        : wrongLogin(call, visit)
    case 'decision':
      return decide(call, visit, form)
    case 'login-and-decision':
      if (form.get('decision') === 'deny') return decide(call, visit, form)
      return (await isLoggedIn(call, visit, form))
        ? decide(call, loggedIn(visit, form), form)
        : wrongLogin(call, visit)
    default:
      return staleVisit()
  }
}

const isLoggedIn = async (call: Call, visit: Visit, form: URLSearchParams): Promise<boolean> =>
  call.rules.customerIsAuthenticated({
    ...factsOf(call),
    client: clientOf(call, visit),
    customer: customerOf(call, loggedIn(visit, form)),
    password: form.get('password') ?? '',
  })

const loggedIn = (visit: Visit, form: URLSearchParams): Visit => ({
  ...visit,
  username: form.get('username') ?? undefined,
})

const wrongLogin = (call: Call, visit: Visit): Promise<Response> =>
  showStep(call, visit, {
    status: call.rules.wrongLoginStatus({ ...factsOf(call), client: clientOf(call, visit) }),
    problem: 'The user name or the password is wrong.',
  })

const nextStep = async (call: Call, visit: Visit): Promise<Response> => {
  const next = { ...visit, step: visit.step + 1 }
  if (!stepOf(next)) return conclude(call, next, { isGranted: true })
  call.ledger.visits.set(next.visitId, next)
  const facts = { ...factsOf(call), client: clientOf(call, next) }
  return call.rules.nextPageIsRedirectedTo(facts)
    ? redirect(303, addressOf(call, next))
    : showStep(call, next)
}

const decide = async (call: Call, visit: Visit, form: URLSearchParams): Promise<Response> => {
  const decision = form.get('decision')
  if (decision !== 'grant' && decision !== 'deny') {
    return showStep(call, visit, { status: 400, problem: 'Please grant or deny the access.' })
  }
  const facts = { ...factsOf(call), client: clientOf(call, visit), decision } as const
  const payment = paymentOf(call, visit)
  const isGranted = payment
    ? call.rules.decisionAuthorizes({ ...facts, payment })
    : call.rules.decisionGrants({ ...facts, consentId: visit.consentId })
  if (!isGranted) return conclude(call, visit, { isGranted: false })
  // Before the login the customer is unknown, so that page offers no accounts.
  const chosen = stepOf(visit) === 'decision' ? form.getAll('account') : undefined
  if (chosen?.length === 0 && accountsOffered(call, visit, customerOf(call, visit)).length > 0) {
    return showStep(call, visit, { status: 400, problem: 'Please tick an account, or deny the access.' })
  }
  return conclude(call, visit, { isGranted: true, chosen })
}

interface Conclusion {
  readonly isGranted: boolean
  /** By accountId; undefined if no page has asked. */
  readonly chosen?: readonly string[] | undefined
}

const conclude = async (call: Call, visit: Visit, { isGranted, chosen }: Conclusion): Promise<Response> => {
  const client = clientOf(call, visit)
  const destination = { ...visit, client }
  // Closed before a code is issued, so that a second submission of the form finds no open visit.
  call.ledger.visits.set(visit.visitId, { ...visit, step: visit.steps.length })
  try {
    const customer = isGranted ? customerOf(call, visit) : undefined
    const decision = { visit, client, customer, chosen }
    const payment = paymentOf(call, visit)
    const { ending, parameters } = payment ? settlePayment(call, decision, payment) : settle(call, decision)
    return await returnToClient(call, destination, ending, parameters)
  } catch (error) {
    if (error instanceof Refusal) return refuseToClient(call, destination, error)
    throw error
  }
}
