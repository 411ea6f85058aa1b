import { authorize } from './authorize.ts'
import { tokenOrRefusal, type Bank } from './bank.ts'
import { loginPage } from './login-pages.ts'
import { refresh } from './notifications.ts'
import { readFirst, readSecond } from './account-data.ts'
import { tokens } from './tokens.ts'
import { fault, type Answer, type Call } from './wire.ts'
import { workbench } from './test-hooks.ts'
import { createConsent } from './consents.ts'
import type { Grant, Environment } from './environment.ts'

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
