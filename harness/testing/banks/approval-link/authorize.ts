import { html } from 'hono/html'
import type { Grants } from './grants.ts'
import type { Account } from './ledger.ts'
import { APPLICATIONS, type Application, type Customer, isRegistered } from './seed-data.ts'
import type { Errand, Visits } from './visits.ts'
import { type Call, leave, originOf, page, queryOf, repeated } from './wire.ts'

/** The authorization endpoint, and the page that shows a result in place of an application. */

const PARAMETERS =
  'client_id redirect_uri response_type scope state code_challenge code_challenge_method'.split(' ')

interface Options {
  environment: string
  grants: Grants
  visits: Visits
  accountsOf: (customer: Customer) => Account[]
}

/** GET of the authorization endpoint. */
export function authorize(call: Call, options: Options): Response | Promise<Response> {
  const query = queryOf(call)
  const twice = repeated(query, PARAMETERS)
  const application = APPLICATIONS.find(({ id }) => id === query.get('client_id'))
  const redirect = query.get('redirect_uri') ?? ''
  // Whoever cannot be told apart is not sent anywhere (RFC 6749, section 4.1.2.1).
  if (
    application === undefined ||
    twice.includes('client_id') ||
    twice.includes('redirect_uri') ||
    !isRegistered(application, redirect, originOf(call), options.environment)
  )
    return page(call, 400, 'Unknown application', html`<p>The application or its address is unknown.</p>`)
  // A parameter without a value counts as absent (RFC 6749, section 3.1).
  const value = (name: string): string | undefined => query.get(name) || undefined
  const state = twice.includes('state') ? undefined : value('state')
  const error = errorOf(value, twice, application, options.grants)
  if (error !== undefined)
    return leave(call, redirect, { error: error[0], error_description: error[1], state })
  return options.visits.begin(call, errandOf(application, options, value, redirect, state))
}

type Value = (name: string) => string | undefined

function errorOf(
  value: Value,
  [twice]: string[],
  application: Application,
  grants: Grants,
): [string, string] | undefined {
  if (twice !== undefined) return ['invalid_request', `${twice} occurs more than once.`]
  const type = value('response_type')
  if (type === undefined) return ['invalid_request', 'response_type is missing.']
  if (type !== 'code') return ['unsupported_response_type', 'Only codes are given.']
  if (value('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(value('code_challenge') ?? ''))
    return ['invalid_request', 'A code_challenge with the method S256 is needed.']
  if (!grants.mayAsk(application, value('scope') ?? ''))
    return ['invalid_scope', 'The scope does not suit the application.']
  return undefined
}

function errandOf(
  application: Application,
  { grants, accountsOf }: Options,
  value: Value,
  redirect: string,
  state: string | undefined,
): Errand {
  const scope = value('scope') ?? ''
  const challenge = value('code_challenge') ?? ''
  return {
    ask: (customer) => ({
      ask: {
        title: 'Your accounts',
        facts: html`<p>${application.name} wants to read these accounts:</p>
          <ul>
            ${accountsOf(customer).map(({ seed }) => html`<li>${seed.label}, ${seed.iban}</li>`)}
          </ul>`,
        button: 'choice',
        yes: 'yes',
        no: 'no',
      },
    }),
    decide: (customer, yes) =>
      yes
        ? {
            leave: redirect,
            more: {
              code: grants.code({ application, customer, scope, revoked: false }, redirect, challenge),
              state,
            },
          }
        : { leave: redirect, more: { error: 'access_denied', state } },
  }
}

/** The page at the redirect URI of the bank itself. */
export function resultPage(call: Call): Promise<Response> {
  const query = queryOf(call)
  const [code, approval] = [query.get('code'), query.get('approval')]
  if (code !== null) return page(call, 200, 'Your code', html`<p id="lock-code">The code is ${code}.</p>`)
  if (approval !== null)
    return page(call, 200, 'Your approval', html`<p id="lock-approval">The approval is ${approval}.</p>`)
  const error = query.get('error') ?? query.get('approval_error')
  if (error !== null)
    return page(call, 200, 'Nothing was granted', html`<p id="lock-error">The answer is ${error}.</p>`)
  return page(call, 404, 'No result', html`<p>This page shows the result of a login.</p>`)
}
