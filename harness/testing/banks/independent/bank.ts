/** The bank: its clock, its environments, and the authentication of its callers. */

import { APPLICATIONS, type Application } from './seed-data.ts'
import { isValid, environmentOf, type Token, type Environment } from './environment.ts'
import { Loans } from './loans.ts'
import { Payments } from './payments.ts'
import { fault, type Answer, type Call } from './wire.ts'
import type { Choices } from './choices.ts'

interface Settings {
  readonly enabled: boolean
  readonly endpoint: string
  readonly secureHeader: string
  /** The time of the first notification, in ms since 1970. */
  readonly from: number
}

export interface Bank {
  readonly choices: Choices
  readonly settings: Map<string, Settings>
  readonly production: Environment
  readonly sandbox: Environment
  readonly money: { readonly payments: readonly Payments[]; readonly loans: Loans }
  /** The offset of the clock, in ms. */
  ahead: number
}

export const bankOf = (choices: Choices): Bank => {
  const clock = { now: () => nowOf(bank) }
  const bank: Bank = {
    choices,
    settings: new Map(),
    production: environmentOf('production'),
    sandbox: environmentOf('sandbox'),
    money: {
      payments: ['sandbox', 'production'].map((name) => new Payments(`/pay/${name}`, name, clock)),
      loans: new Loans(clock),
    },
    ahead: 0,
  }
  return bank
}

export const nowOf = (bank: Bank): number => Date.now() + bank.ahead

/** The application of a Basic Authorization header; undefined if it is unknown or the header is malformed. */
export const applicationOf = (call: Call): Application | undefined => {
  const [, packed] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(call.headers.authorization ?? '') ?? []
  if (packed === undefined) return undefined
  const text = Buffer.from(packed, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  return APPLICATIONS.find(({ id, secret }) => text === `${id}:${secret}`)
}

const challenge = (rest: string): Answer['headers'] => ({
  'WWW-AUTHENTICATE': `Bearer realm="saltmarsh accounts"${rest}`,
})

/** The token of a data call, or the refusal. */
export const tokenOrRefusal = (bank: Bank, environment: Environment, call: Call): Token | Answer => {
  const refused = (rest: string): Answer =>
    bank.choices.bareRefusals
      ? { status: 401, headers: challenge(rest), body: '' }
      : fault(401, 'NO_ENTRY', 'A token that is valid is needed.', challenge(rest))
  const header = call.headers.authorization
  if (header === undefined) return refused('')
  const [, value] = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header) ?? []
  const token = value === undefined ? undefined : environment.access.get(value)
  return token !== undefined && isValid(environment, token, nowOf(bank))
    ? token
    : refused(', error="invalid_token"')
}
