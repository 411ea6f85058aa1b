/** TestHooks for a test: the clock, bookings, revocations and the settings of applications. */

import { nowOf, type Bank } from './bank.ts'
import { nextHour, book, settingsFault, settle } from './notices.ts'
import { draw, type World } from './world.ts'
import { fault, json, objectOf, textOf, type Answer, type Call } from './wire.ts'

const clock = (bank: Bank, call: Call): Answer => {
  if (call.method === 'POST') {
    const forward = objectOf(call.text)?.forward
    if (typeof forward !== 'number' || forward < 0) return fault(400, 'CLOCK', 'forward is a number.')
    bank.ahead += forward
    settle(bank, bank.live)
    settle(bank, bank.trial)
  }
  return json(200, { time: { iso: new Date(nowOf(bank)).toISOString() } })
}

const bookAt = (bank: Bank, world: World, call: Call): Answer => {
  const told = objectOf(call.text) ?? {}
  const account = world.customers.flatMap(({ accounts }) => accounts).find(({ iban }) => iban === told.iban)
  const value = Number(told.sum).toFixed(2)
  if (account === undefined) return fault(404, 'ACCOUNT', 'No such account.')
  const ref = `booked${draw(6)}`
  book(bank, world, account, {
    ref,
    day: new Date(nowOf(bank)).toISOString().slice(0, 10),
    value,
    text: 'Booked',
  })
  return json(201, { ref })
}

const revoke = (world: World, call: Call): Answer => {
  const told = objectOf(call.text) ?? {}
  const value = textOf(told.token)
  const token = value === undefined ? undefined : (world.access.get(value) ?? world.renewal.get(value))
  if (token !== undefined) token.grant.ended = true
  const consent = world.consents.get(textOf(told.consent) ?? '')
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
  const told = objectOf(call.text) ?? {}
  const enabled = told.enabled === true
  const endpoint = textOf(told.endpoint) ?? ''
  const secureHeader = textOf(told.secureHeader) ?? ''
  const wrong = enabled || endpoint !== '' ? settingsFault(endpoint, secureHeader) : undefined
  if (wrong !== undefined) return fault(422, wrong, `The setting ${wrong} is refused.`)
  const from = known?.enabled === true ? known.from : nextHour(nowOf(bank))
  bank.settings.set(id, { enabled, endpoint, secureHeader, from })
  return json(200, { usage: { from: new Date(from).toISOString() } })
}

export const workbench = (bank: Bank, call: Call): Answer | undefined => {
  const [, name = '', rest = ''] = /^\/workbench\/([a-z]+)\/?(.*)$/.exec(call.path) ?? []
  const world = rest === 'production' ? bank.live : bank.trial
  if (name === 'clock') return clock(bank, call)
  if (name === 'book') return bookAt(bank, world, call)
  if (name === 'revoke') return revoke(world, call)
  return name === 'usage' ? settings(bank, call, decodeURIComponent(rest)) : undefined
}
