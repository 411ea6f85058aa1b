/** GET /auth/oauth/v2/authorize: errors are reported before the login. */

import { APPLICATIONS, type Application } from './seed-data.ts'
import type { Bank } from './bank.ts'
import { randomId, type LoginSession, type Environment } from './environment.ts'
import { escaped, fieldsOf, page, redirect, type Answer, type Call } from './wire.ts'

/** Adds parameters after those of the registered address. */
export const withParameters = (address: string, parameters: Record<string, string | undefined>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return `${address}${address.includes('?') ? '&' : '?'}${query.toString()}`
}

/** An error to the application: at its address, or on the result screen. */
export const errorAnswer = (
  loginSession: Pick<LoginSession, 'address' | 'shows' | 'state'>,
  error: string,
): Answer =>
  loginSession.shows
    ? page(403, 'Nothing was granted', `<P id=outcome data-error="${escaped(error)}">${escaped(error)}</P>`)
    : redirect(
        withParameters(loginSession.address, { state: loginSession.state, error, iss: 'urn:saltmarsh' }),
      )

const errorPage = ({ choices }: Bank, { query }: Call, text: string): Answer => {
  const echo = choices.echoesRequests ? `<PRE>${escaped(query.toString())}</PRE>` : ''
  return page(choices.lapsedAddressStatus, 'This link is broken', `<P id=outcome>${escaped(text)}</P>${echo}`)
}

/** The consent that a scope names; undefined if the application may not request this scope. */
const consentOf = (
  environment: Environment,
  application: Application,
  scope: string | undefined,
): string | undefined => {
  if (application.kind === 'FAC') return scope === 'PREMIUM_AIS' ? randomId(9) : undefined
  const [, consentId = ''] = /^PREMIUM_AIS:(.+)$/.exec(scope ?? '') ?? []
  const consent = environment.consents.get(consentId)
  return consent?.application === application && !consent.ended ? consentId : undefined
}

export const authorize = (bank: Bank, environment: Environment, call: Call): Answer => {
  const { fields, twice } = fieldsOf(call.query)
  const application = APPLICATIONS.find(({ id }) => id === fields.get('client_id'))
  if (application === undefined || call.query.getAll('client_id').length > 1)
    return errorPage(bank, call, 'The application is unknown.')
  const target = application.addresses.find(({ uri }) => uri === fields.get('redirect_uri'))
  if (target === undefined || call.query.getAll('redirect_uri').length > 1)
    return errorPage(bank, call, 'The redirect URI is unknown.')

  const state = fields.get('state')
  const refuse = (error: string): Answer =>
    errorAnswer({ address: target.uri, shows: target.shows, state: twice ? undefined : state }, error)
  const type = fields.get('response_type')
  const challenge = fields.get('code_challenge') ?? ''
  if (twice || type === undefined) return refuse('invalid_request')
  if (type !== 'code') return refuse('unsupported_response_type')
  if (bank.choices.stateRequired && state === undefined) return refuse('invalid_request')
  if (fields.get('code_challenge_method') !== 'S256') return refuse('invalid_request')
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) return refuse('invalid_request')
  const scope = fields.get('scope')
  const consentId = consentOf(environment, application, scope)
  if (scope === undefined || consentId === undefined) return refuse('invalid_scope')

  const ticket = randomId(12)
  const seat = /(?:^|; )seat=([0-9a-f]+)/.exec(call.headers.cookie ?? '')?.[1]
  const customer = bank.choices.staysLoggedIn && seat !== undefined ? environment.known.get(seat) : undefined
  environment.loginSessions.set(ticket, {
    application,
    address: target.uri,
    shows: target.shows,
    state,
    scope,
    consentId,
    challenge,
    query: call.query,
    ...(customer === undefined ? {} : { customer }),
  })
  const next = customer === undefined ? 'name' : 'choice'
  return redirect(`../../login/${next}`, {
    'SET-COOKIE': [
      `ticket=${encodeURIComponent(ticket)}; HttpOnly; SameSite=Lax; Path=/`,
      'theme=dunes; Path=/',
    ],
  })
}
