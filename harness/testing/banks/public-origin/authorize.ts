import type { Context } from 'hono'
import { APPLICATIONS, type Application } from './seed-data.ts'
import type { Tokens } from './tokens.ts'
import type { Errand, Visits } from './visits.ts'
import { escaped, page, parametersOf, redirected } from './wire.ts'

/** The authorization endpoint: a customer lets an application read accounts. */

interface Options {
  environment: 'sandbox' | 'production'
  tokens: Tokens
  visits: Visits
  /** The application that created a consent. */
  creatorOf: (consent: string) => Application | undefined
}

export function authorize(context: Context, options: Options): Response {
  const { values, repeated } = parametersOf(new URL(context.req.url).search)
  const application = APPLICATIONS.find(({ id }) => id === values.get('client_id'))
  const redirect = values.get('redirect_uri')
  const isSafe =
    application?.secrets[options.environment] !== undefined &&
    redirect === application.redirect &&
    !repeated.has('client_id') &&
    !repeated.has('redirect_uri')
  if (!isSafe)
    return page(400, 'This application is unknown', '<p>The bank does not know where it would lead you.</p>')
  const state = values.get('state')
  const back = (result: Record<string, string>): Response => {
    const address = new URL(redirect)
    for (const [name, value] of Object.entries({ ...result, ...(state === undefined ? {} : { state }) }))
      address.searchParams.append(name, value)
    return redirected(address.href)
  }
  const kind = values.get('response_type')
  if (repeated.size > 0 || kind === undefined) return back({ error: 'invalid_request' })
  if (kind !== 'code') return back({ error: 'unsupported_response_type' })
  const challenge = values.get('code_challenge') ?? ''
  if (values.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return back({ error: 'invalid_request' })
  const scope = values.get('scope') ?? ''
  if (!isOpen(application, scope, options)) return back({ error: 'invalid_scope' })
  const errand: Errand = {
    mustTick: true,
    obstacle: () => undefined,
    question: ({ accounts }) =>
      `<p>${escaped(application.id)} wants to read the balances and transactions of all your accounts.</p>` +
      `<ul>${accounts.map(({ iban }) => `<li>${iban}</li>`).join('')}</ul>`,
    decided: (customer, agrees) => {
      if (!agrees) return back({ error: 'access_denied' })
      const grant = { application, scope, customer, revoked: false }
      return back({ code: options.tokens.code(grant, redirect, challenge) })
    },
  }
  return options.visits.begin(context, errand)
}

/** Whether an application may ask for a scope: a TPP needs a consent of its own, a FAC none. */
function isOpen(application: Application, scope: string, { creatorOf }: Options): boolean {
  if (application.kind === 'FAC') return scope === 'PREMIUM_AIS'
  const consent = /^PREMIUM_AIS:(\S+)$/.exec(scope)?.[1]
  return consent !== undefined && creatorOf(consent) === application
}
