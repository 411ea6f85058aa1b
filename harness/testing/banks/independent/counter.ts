/** The pages at which a customer says who they are, and what they grant. */

import { randomBytes } from 'node:crypto'
import { denial, landing } from './authorize.ts'
import { nowOf, type Bank } from './bank.ts'
import type { Customer } from './people.ts'
import { draw, type Grant, type Visit, type World } from './world.ts'
import { escaped, fieldsOf, page, redirect, type Answer, type Call } from './wire.ts'

const NAME = `<FORM method=post id=who></FORM>
<LABEL>Who are you? <INPUT form=who name=who autocomplete=username></LABEL>
<BUTTON form=who name=go value=on>Next</BUTTON>`

const KEY = `<FORM METHOD='POST' ACTION='?step=key&amp;lang=en'>
<LABEL>Your key <INPUT TYPE='PASSWORD' NAME='key'></LABEL>
<INPUT TYPE='SUBMIT' CLASS='open' VALUE='Open'>
</FORM>`

const choiceOf = (visit: Visit, customer: Customer): string => {
  const boxes = customer.accounts.map(
    (account, at) =>
      `<LI><LABEL><INPUT type=checkbox name=account value=${at}${account.ticked ? ' checked' : ''}>
${escaped(account.label)} ${account.iban}</LABEL>`,
  )
  return `<P>${escaped(visit.application.id)} asks for your accounts.</P>
<FORM method=post><UL>${boxes.join('')}</UL>
<BUTTON name=answer value=yes class=agree>I agree</BUTTON></FORM>
<A class=leave href="leave">I do not</A>`
}

/** Whoever grants again with the same application may end what was granted before. */
const record = (bank: Bank, world: World, grant: Grant): void => {
  if (bank.choices.laterGrantEndsEarlier) {
    for (const earlier of world.grants) {
      if (earlier.application === grant.application && earlier.customer === grant.customer)
        earlier.ended = true
    }
  }
  world.grants.push(grant)
}

const decided = (
  bank: Bank,
  world: World,
  visit: Visit,
  customer: Customer,
  boxes: readonly string[],
): Answer => {
  const consent = world.consents.get(visit.consentId)
  if (consent !== undefined) {
    if (consent.ended) return denial(visit, 'invalid_scope')
    if (bank.choices.consentOfOneCustomer && (consent.customer ?? customer) !== customer) {
      return denial(visit, 'access_denied')
    }
    consent.customer ??= customer
  }
  const now = nowOf(bank)
  const grant: Grant = {
    application: visit.application,
    customer,
    consentId: visit.consentId,
    scope: visit.scope,
    accountIds: new Set(
      customer.accounts.filter((_, at) => boxes.includes(String(at))).map(({ accountId }) => accountId),
    ),
    at: now,
    ended: false,
  }
  record(bank, world, grant)
  const code = draw(15)
  const until = now + bank.choices.codeSeconds * 1000
  world.codes.set(code, { grant, address: visit.address, challenge: visit.challenge, until, spent: false })
  if (visit.shows) {
    return page(
      200,
      'Here is your code',
      `<DL><DT>Code<DD><SAMP data-role="code">${escaped(code)}</SAMP></DL>`,
    )
  }
  return redirect(landing(visit.address, { iss: 'urn:saltmarsh', state: visit.state, code, lang: 'en' }))
}

const closed = (): Answer => page(410, 'The counter is closed', '<P id=outcome>Begin again, please.</P>')

const named = (call: Call, visit: Visit): Answer => {
  if (call.method !== 'POST') return page(200, 'Welcome to the Saltmarsh', NAME)
  visit.name = fieldsOf(new URLSearchParams(call.text)).fields.get('who') ?? ''
  return redirect('key')
}

const keyed = (world: World, call: Call, visit: Visit): Answer => {
  if (visit.name === undefined) return redirect('name')
  if (call.method !== 'POST') return page(200, 'Welcome to the Saltmarsh', KEY)
  const key = fieldsOf(new URLSearchParams(call.text)).fields.get('key')
  const customer = world.customers.find(({ name, password }) => name === visit.name && password === key)
  if (customer === undefined) return page(403, 'Welcome to the Saltmarsh', `<P class=warning>No.</P>${KEY}`)
  visit.customer = customer
  const seat = randomBytes(8).toString('hex')
  world.known.set(seat, customer)
  return redirect('choice', { 'SET-COOKIE': `seat=${seat}; HttpOnly; Path=/` })
}

export const counter = (bank: Bank, world: World, call: Call, step: string): Answer => {
  const [, packed = ''] = /(?:^|; )ticket=([^;]+)/.exec(call.headers.cookie ?? '') ?? []
  const ticket = decodeURIComponent(packed)
  const visit = world.visits.get(ticket)
  if (visit === undefined) return closed()
  if (step === 'name') return named(call, visit)
  if (step === 'key') return keyed(world, call, visit)
  if (step === 'leave') {
    world.visits.delete(ticket)
    const consent = world.consents.get(visit.consentId)
    if (bank.choices.deniedEndsConsent && consent !== undefined) consent.ended = true
    return denial(visit, 'access_denied')
  }
  if (step !== 'choice' || visit.customer === undefined) return closed()
  if (call.method !== 'POST') return page(200, 'What do you grant?', choiceOf(visit, visit.customer))
  const told = new URLSearchParams(call.text)
  if (told.get('answer') !== 'yes') return closed()
  world.visits.delete(ticket)
  return decided(bank, world, visit, visit.customer, told.getAll('account'))
}
