/** Which operation a request is for. */

import { authorize } from './authorize.ts'
import { admitted, type Bank } from './bank.ts'
import { createConsent } from './consents.ts'
import { counter } from './counter.ts'
import { refresh } from './notices.ts'
import { readFirst, readSecond } from './reading.ts'
import { tokens } from './tokens.ts'
import { fault, type Answer, type Call } from './wire.ts'
import { workbench } from './workbench.ts'
import type { Grant, World } from './world.ts'

const BASES = {
  '/premium/sandbox': 'trial',
  '/premium/production': 'live',
  '/passbook/trial': 'trial',
  '/passbook/live': 'live',
} as const

/** The methods of an operation, by the path below the base. */
const METHODS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/v1\/consents$/, ['POST']],
  [/^\/auth\/oauth\/v2\/authorize$/, ['GET']],
  [/^\/auth\/oauth\/v2\/token$/, ['POST']],
  [/^\/auth\/counter\/[a-z]+$/, ['GET', 'POST']],
  [/^\/v1\/accounts(\/[^/]+(\/transactions)?)?$/, ['GET']],
  [/^\/refresh$/, ['PUT']],
]
const SECOND: typeof METHODS = [
  [/^\/api\/v1\/accounts$/, ['GET']],
  [/^\/api\/v1\/accounts\/(information|transactions)$/, ['POST']],
]

const withGrant = (bank: Bank, world: World, call: Call, then: (grant: Grant) => Answer): Answer => {
  const token = admitted(bank, world, call)
  return 'grant' in token ? then(token.grant) : token
}

const operation = (bank: Bank, world: World, call: Call, base: string): Answer => {
  const { path } = call
  if (path === '/v1/consents') return createConsent(bank, world, call)
  if (path === '/auth/oauth/v2/authorize') return authorize(bank, world, call)
  if (path === '/auth/oauth/v2/token') return tokens(bank, world, call)
  if (path.startsWith('/auth/counter/'))
    return counter(bank, world, call, path.slice('/auth/counter/'.length))
  if (path === '/refresh') return withGrant(bank, world, call, (grant) => refresh(bank, world, grant, call))
  if (base.startsWith('/passbook'))
    return withGrant(bank, world, call, (grant) => readSecond(bank, grant, call))
  return withGrant(bank, world, call, (grant) => readFirst(bank, grant, call, base))
}

export const serve = (bank: Bank, call: Call): Answer => {
  const testHook = workbench(bank, call)
  if (testHook !== undefined) return testHook
  for (const [base, name] of Object.entries(BASES)) {
    if (!call.path.startsWith(`${base}/`)) continue
    const path = call.path.slice(base.length)
    const [, methods] =
      (base.startsWith('/passbook') ? SECOND : METHODS).find(([form]) => form.test(path)) ?? []
    if (methods === undefined) break
    if (!methods.includes(call.method)) return fault(405, 'METHOD', 'Not so.', { ALLOW: methods.join(', ') })
    return operation(bank, bank[name], { ...call, path }, base)
  }
  return fault(404, 'PATH', 'Nothing is here.')
}
