import { nowOf, type Bank } from './bank.ts'
import { randomId, type Environment } from './environment.ts'
import { settle, book, settingsFault, nextHour } from './notifications.ts'
import { objectOf, fault, json, textOf, type Call, type Answer } from './wire.ts'

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

export const workbench = (bank: Bank, call: Call): Answer | undefined => {
  const [, name = '', rest = ''] = /^\/workbench\/([a-z]+)\/?(.*)$/.exec(call.path) ?? []
  const environment = rest === 'production' ? bank.production : bank.sandbox
  if (name === 'clock') return clock(bank, call)
  if (name === 'book') return bookAt(bank, environment, call)
  if (name === 'revoke') return revoke(bank, environment, call)
  return name === 'usage' ? settings(bank, call, decodeURIComponent(rest)) : undefined
}
