/** The pages on which a customer logs in and grants access. */

import { randomBytes } from 'node:crypto'
import { errorAnswer, withParameters } from './authorize.ts'
import { nowOf, type Bank } from './bank.ts'
import type { Customer } from './seed-data.ts'
import { randomId, type Grant, type LoginSession, type Environment } from './environment.ts'
import { escaped, fieldsOf, page, redirect, type Answer, type Call } from './wire.ts'

const NAME = `<FORM method=post id=who></FORM>
<LABEL>Who are you? <INPUT form=who name=who autocomplete=username></LABEL>
<BUTTON form=who name=go value=on>Next</BUTTON>`

const KEY = `<FORM METHOD='POST' ACTION='?step=key&amp;lang=en'>
<LABEL>Your key <INPUT TYPE='PASSWORD' NAME='key'></LABEL>
<INPUT TYPE='SUBMIT' CLASS='open' VALUE='Open'>
</FORM>`

const choiceOf = (loginSession: LoginSession, customer: Customer): string => {
  const boxes = customer.accounts.map(
    (account, at) =>
      `<LI><LABEL><INPUT type=checkbox name=account value=${at}${account.ticked ? ' checked' : ''}>
${escaped(account.label)} ${account.iban}</LABEL>`,
  )
  return `<P>${escaped(loginSession.application.id)} asks for your accounts.</P>
<FORM method=post><UL>${boxes.join('')}</UL>
<BUTTON name=answer value=yes class=agree>I agree</BUTTON></FORM>
<A class=leave href="leave">I do not</A>`
}

/** Stores a grant. It ends earlier grants to the same application, if the bank has chosen that. */
const storeGrant = (bank: Bank, environment: Environment, grant: Grant): void => {
  if (bank.choices.laterGrantEndsEarlier) {
    for (const earlier of environment.grants) {
      if (earlier.application === grant.application && earlier.customer === grant.customer)
        earlier.ended = true
    }
  }
  environment.grants.push(grant)
}

const granted = (
  bank: Bank,
  environment: Environment,
  loginSession: LoginSession,
  customer: Customer,
  boxes: readonly string[],
): Answer => {
  const consent = environment.consents.get(loginSession.consentId)
  if (consent !== undefined) {
    if (consent.ended) return errorAnswer(loginSession, 'invalid_scope')
    if (bank.choices.consentOfOneCustomer && (consent.customer ?? customer) !== customer) {
      return errorAnswer(loginSession, 'access_denied')
    }
    consent.customer ??= customer
  }
  const now = nowOf(bank)
  const grant: Grant = {
    application: loginSession.application,
    customer,
    consentId: loginSession.consentId,
    scope: loginSession.scope,
    accountIds: new Set(
      customer.accounts.filter((_, at) => boxes.includes(String(at))).map(({ accountId }) => accountId),
    ),
    at: now,
    ended: false,
  }
  storeGrant(bank, environment, grant)
  const code = randomId(15)
  const until = now + bank.choices.codeSeconds * 1000
  environment.codes.set(code, {
    grant,
    address: loginSession.address,
    challenge: loginSession.challenge,
    until,
    spent: false,
  })
  if (loginSession.shows) {
    return page(
      200,
      'Here is your code',
      `<DL><DT>Code<DD><SAMP data-role="code">${escaped(code)}</SAMP></DL>`,
    )
  }
  return redirect(
    withParameters(loginSession.address, {
      iss: 'urn:saltmarsh',
      state: loginSession.state,
      code,
      lang: 'en',
    }),
  )
}

const loginEnded = (): Answer => page(410, 'The login has ended', '<P id=outcome>Begin again, please.</P>')

const namePage = (call: Call, loginSession: LoginSession): Answer => {
  if (call.method !== 'POST') return page(200, 'Welcome to the Saltmarsh', NAME)
  loginSession.name = fieldsOf(new URLSearchParams(call.text)).fields.get('who') ?? ''
  return redirect('key')
}

const keyPage = (environment: Environment, call: Call, loginSession: LoginSession): Answer => {
  if (loginSession.name === undefined) return redirect('name')
  if (call.method !== 'POST') return page(200, 'Welcome to the Saltmarsh', KEY)
  const key = fieldsOf(new URLSearchParams(call.text)).fields.get('key')
  const customer = environment.customers.find(
    ({ name, password }) => name === loginSession.name && password === key,
  )
  if (customer === undefined) return page(403, 'Welcome to the Saltmarsh', `<P class=warning>No.</P>${KEY}`)
  loginSession.customer = customer
  const seat = randomBytes(8).toString('hex')
  environment.known.set(seat, customer)
  return redirect('choice', { 'SET-COOKIE': `seat=${seat}; HttpOnly; Path=/` })
}

/** The page with the authorization request in the hidden fields of each form, and in a line for the help desk. */
const withRequest = ({ query }: LoginSession, answer: Answer): Answer => {
  const fields = [...query].map(
    ([name, value]) => `<INPUT type=hidden name="${escaped(name)}" value="${escaped(value)}">\n`,
  )
  const body = answer.body
    .replace(/<\/FORM>/gi, (end) => `${fields.join('')}${end}`)
    .replace('</BODY>', () => `<!-- ${query.toString()} -->\n</BODY>`)
  return { ...answer, body }
}

export const loginPage = (bank: Bank, environment: Environment, call: Call, step: string): Answer => {
  const [, packed = ''] = /(?:^|; )ticket=([^;]+)/.exec(call.headers.cookie ?? '') ?? []
  const ticket = decodeURIComponent(packed)
  const loginSession = environment.loginSessions.get(ticket)
  if (loginSession === undefined) return loginEnded()
  const answer = stepOf(bank, environment, call, { step, ticket, loginSession })
  return bank.choices.echoesRequests ? withRequest(loginSession, answer) : answer
}

interface Step {
  readonly step: string
  readonly ticket: string
  readonly loginSession: LoginSession
}

const stepOf = (
  bank: Bank,
  environment: Environment,
  call: Call,
  { step, ticket, loginSession }: Step,
): Answer => {
  if (step === 'name') return namePage(call, loginSession)
  if (step === 'key') return keyPage(environment, call, loginSession)
  if (step === 'leave') {
    environment.loginSessions.delete(ticket)
    const consent = environment.consents.get(loginSession.consentId)
    if (bank.choices.deniedEndsConsent && consent !== undefined) consent.ended = true
    return errorAnswer(loginSession, 'access_denied')
  }
  if (step !== 'choice' || loginSession.customer === undefined) return loginEnded()
  if (call.method !== 'POST')
    return page(200, 'What do you grant?', choiceOf(loginSession, loginSession.customer))
  const form = new URLSearchParams(call.text)
  if (form.get('answer') !== 'yes') return loginEnded()
  environment.loginSessions.delete(ticket)
  return granted(bank, environment, loginSession, loginSession.customer, form.getAll('account'))
}
