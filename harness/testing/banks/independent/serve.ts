import { authorize } from './authorize.ts'
import { tokenOrRefusal, applicationOf, nowOf, type Bank } from './bank.ts'
import { loginPage } from './login-pages.ts'
import { book, nextHour, refresh, settingsFault, settle } from './notifications.ts'
import { readFirst, readSecond } from './account-data.ts'
import { tokens } from './tokens.ts'
import { fault, json, objectOf, textOf, type Answer, type Call } from './wire.ts'
import { randomId, type Grant, type Environment } from './environment.ts'

/** POST /v1/consents */

const createConsent = (bank: Bank, environment: Environment, call: Call): Answer => {
  const application = applicationOf(call)
  if (application === undefined) {
    return fault(401, 'WHO', 'The application is not known.', {
      'WWW-AUTHENTICATE': 'Basic realm="saltmarsh"',
    })
  }
  if (application.kind !== 'TPP') return fault(403, 'TPP_ONLY', 'Consents are for third parties.')
  const requestId = call.headers['x-request-id']
  if (typeof requestId !== 'string' || requestId === '')
    return fault(422, 'REQUEST_ID', 'X-Request-ID is missing.')
  if (bank.choices.bodyOfConsentRefused && call.text !== '') return fault(400, 'BODY', 'No body is expected.')

  const repeated = bank.choices.sameRequestSameConsent
    ? [...environment.consents.values()].find(
        (consent) => consent.application === application && consent.requestId === requestId,
      )
    : undefined
  const consentId = repeated?.consentId ?? randomId(9)
  if (repeated === undefined)
    environment.consents.set(consentId, { consentId, application, requestId, ended: false })
  const shapes = {
    nested: { record: { kind: 'consent', identity: { consentId, issuer: 'Saltmarsh' } } },
    flat: { consentId, status: 'RECEIVED', _links: { scope: `PREMIUM_AIS:${consentId}` } },
    list: { records: [{ consentId }] },
  }
  return json(bank.choices.consentStatus, shapes[bank.choices.consentShape], { 'X-REQUEST-ID': requestId })
}

/** Test hooks: the clock, bookings, revocations and the settings of applications. */

const clock = (bank: Bank, call: Call): Answer => {
  if (call.method === 'POST') {
    const forward = objectOf(call.text)?.forward
    if (typeof forward !== 'number' || forward < 0) return fault(400, 'CLOCK', 'forward is a number.')
    bank.ahead += forward
    settle(bank, bank.production)
    settle(bank, bank.sandbox)
  }
  return json(200, { time: { iso: new Date(nowOf(bank)).toISOString() } })
}

const bookAt = (bank: Bank, environment: Environment, call: Call): Answer => {
  const body = objectOf(call.text) ?? {}
  const account = environment.customers
    .flatMap(({ accounts }) => accounts)
    .find(({ iban }) => iban === body.iban)
  const value = Number(body.sum).toFixed(2)
  if (account === undefined) return fault(404, 'ACCOUNT', 'No such account.')
  const ref = `booked${randomId(6)}`
  book(bank, environment, account, {
    ref,
    day: new Date(nowOf(bank)).toISOString().slice(0, 10),
    value,
    text: 'Booked',
  })
  return json(201, { ref })
}

const revoke = (bank: Bank, environment: Environment, call: Call): Answer => {
  const body = objectOf(call.text) ?? {}
  const value = textOf(body.token)
  const { payments, loans } = bank.money
  if ([...payments, loans].map(({ grants }) => grants.revoke(value ?? '')).includes(true))
    return json(200, {})
  const token =
    value === undefined ? undefined : (environment.access.get(value) ?? environment.renewal.get(value))
  if (token !== undefined) token.grant.ended = true
  const consent = environment.consents.get(textOf(body.consent) ?? '')
  if (consent !== undefined) consent.ended = true
  return token === undefined && consent === undefined
    ? fault(404, 'REVOKE', 'Nothing to revoke.')
    : json(200, {})
}

const settings = (bank: Bank, call: Call, id: string): Answer => {
  const known = bank.settings.get(id)
  if (call.method === 'GET') {
    const { enabled = false, endpoint = '', secureHeader = '' } = known ?? {}
    return json(200, { usage: { enabled, url: endpoint, securityHeader: secureHeader } })
  }
  const body = objectOf(call.text) ?? {}
  const enabled = body.enabled === true
  const endpoint = textOf(body.endpoint) ?? ''
  const secureHeader = textOf(body.secureHeader) ?? ''
  const wrong = enabled || endpoint !== '' ? settingsFault(endpoint, secureHeader) : undefined
  if (wrong !== undefined) return fault(422, wrong, `The setting ${wrong} is refused.`)
  const from = known?.enabled === true ? known.from : nextHour(nowOf(bank))
  bank.settings.set(id, { enabled, endpoint, secureHeader, from })
  return json(200, { usage: { from: new Date(from).toISOString() } })
}

const workbench = (bank: Bank, call: Call): Answer | undefined => {
  const [, name = '', rest = ''] = /^\/workbench\/([a-z]+)\/?(.*)$/.exec(call.path) ?? []
  const environment = rest === 'production' ? bank.production : bank.sandbox
  if (name === 'clock') return clock(bank, call)
  if (name === 'book') return bookAt(bank, environment, call)
  if (name === 'revoke') return revoke(bank, environment, call)
  return name === 'usage' ? settings(bank, call, decodeURIComponent(rest)) : undefined
}

/** Selects the operation of a request. */

const BASES = {
  '/premium/sandbox': 'sandbox',
  '/premium/production': 'production',
  '/passbook/trial': 'sandbox',
  '/passbook/live': 'production',
} as const

/** The methods of an operation, by the path below the base. */
const METHODS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/v1\/consents$/, ['POST']],
  [/^\/auth\/oauth\/v2\/authorize$/, ['GET']],
  [/^\/auth\/oauth\/v2\/token$/, ['POST']],
  [/^\/auth\/login\/[a-z]+$/, ['GET', 'POST']],
  [/^\/v1\/accounts(\/[^/]+(\/transactions)?)?$/, ['GET']],
  [/^\/refresh$/, ['PUT']],
]
const SECOND: typeof METHODS = [
  [/^\/api\/v1\/accounts$/, ['GET']],
  [/^\/api\/v1\/accounts\/(information|transactions)$/, ['POST']],
]

const withGrant = (
  bank: Bank,
  environment: Environment,
  call: Call,
  answer: (grant: Grant) => Answer,
): Answer => {
  const token = tokenOrRefusal(bank, environment, call)
  return 'grant' in token ? answer(token.grant) : token
}

const operation = (bank: Bank, environment: Environment, call: Call, base: string): Answer => {
  const { path } = call
  if (path === '/v1/consents') return createConsent(bank, environment, call)
  if (path === '/auth/oauth/v2/authorize') return authorize(bank, environment, call)
  if (path === '/auth/oauth/v2/token') return tokens(bank, environment, call)
  if (path.startsWith('/auth/login/'))
    return loginPage(bank, environment, call, path.slice('/auth/login/'.length))
  if (path === '/refresh')
    return withGrant(bank, environment, call, (grant) => refresh(bank, environment, grant, call))
  if (base.startsWith('/passbook'))
    return withGrant(bank, environment, call, (grant) => readSecond(bank, grant, call))
  return withGrant(bank, environment, call, (grant) => readFirst(bank, grant, call, base))
}

/** Payments and loans are served by code of their own. */
const moneyAnswer = (bank: Bank, call: Call): Answer | undefined => {
  const { payments, loans } = bank.money
  const part = [...payments, loans].find(({ base }) => call.path.startsWith(`${base}/`))
  if (part === undefined) return undefined
  if (call.text.length > 65_536) return fault(413, 'SIZE', 'The body is too large.')
  const { status, headers = {}, body = '' } = part.serve({ ...call, body: call.text })
  return { status, headers, body: body.toString() }
}

export const serve = (bank: Bank, call: Call): Answer => {
  const money = moneyAnswer(bank, call)
  if (money !== undefined) return money
  const testHook = workbench(bank, call)
  if (testHook !== undefined) return testHook
  for (const [base, name] of Object.entries(BASES)) {
    if (!call.path.startsWith(`${base}/`)) continue
    const path = call.path.slice(base.length)
    const [, methods] =
      (base.startsWith('/passbook') ? SECOND : METHODS).find(([form]) => form.test(path)) ?? []
    if (methods === undefined) break
    if (!methods.includes(call.method))
      return fault(405, 'METHOD', 'The method is not allowed.', { ALLOW: methods.join(', ') })
    return operation(bank, bank[name], { ...call, path }, base)
  }
  return fault(404, 'PATH', 'The path is unknown.')
}
