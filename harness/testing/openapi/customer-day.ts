/** A day at the bank: each operation with each of its answers, first the accepted requests and then the common refusals. */
import type { Bank } from '../../bank/bank.ts'
import type { EnvironmentName } from '../../bank/base-paths.ts'
import { DAY, HOUR, MINUTE } from '../../bank/rules/facts.ts'
import { PAYMENT_ACCOUNTS, RESULT_SCREEN } from '../../bank/seed-data.ts'
import { SCENARIOS } from '../../bank/loans/loan.ts'
import { TestApplicant } from '../bank-clients/test-applicant.ts'
import { aClient, aCustomer, basic, TestClient } from '../bank-clients/test-client.ts'
import { TestPayer, type Members } from '../bank-clients/test-payer.ts'
import type { DocumentedOperation, OpenApiDocument } from './document.ts'

/** The tokens of the day, by their scheme in the document. */
type Tokens = Readonly<Record<string, string>>

const ORIGIN = 'http://bank.test'

const callTestHook = async (bank: Bank, path: string, body: Members): Promise<void> => {
  const address = `${ORIGIN}/_test-hooks/${path}`
  await bank.fetch(new Request(address, { method: 'POST', body: JSON.stringify(body) }))
}

const consents = async (bank: Bank, environment: EnvironmentName): Promise<void> => {
  const [tpp, fac] = [aClient('TPP'), aClient('FAC')].map(
    (client) => new TestClient({ fetch: bank.fetch, environment, client }),
  )
  if (!tpp || !fac) throw new Error('no clients')
  const authorization = basic(tpp.client)
  const headers = { authorization, 'x-request-id': 'request-1' }
  const granted = await tpp.createConsent()
  await tpp.authorize()
  const denied = await tpp.createConsent()
  await tpp.authorize({}, { decision: 'deny' })
  const revoked = await tpp.createConsent()
  await callTestHook(bank, 'consents/revoke', { consentId: revoked })
  const received = await tpp.createConsent()
  for (const consentId of [granted, denied, revoked, received, 'unknown'])
    await tpp.send(`v1/consents/${consentId}`, { headers })
  for (const consentId of [received, 'unknown'])
    await tpp.send(`v1/consents/${consentId}`, { method: 'DELETE', headers })
  await fac.createConsent()
  for (const [method, path] of [
    ['POST', 'v1/consents'],
    ['GET', 'v1/consents/unknown'],
    ['DELETE', 'v1/consents/unknown'],
  ] as const) {
    await tpp.send(path, { method, headers: { authorization } })
    await tpp.send(path, { method, headers: { ...headers, authorization: 'Basic wrong' } })
  }
}

/** Requests of a token endpoint that are refused in each way. `token` sends a form. */
const refusedExchanges = async (
  token: (form: Readonly<Record<string, string>>) => Promise<Response>,
  exchange: Readonly<Record<string, string>>,
): Promise<void> => {
  await token({})
  await token({ ...exchange, grant_type: 'password' })
  await token({ ...exchange, code_verifier: 'wrong' })
  await token({ ...exchange, scope: 'wrong' })
}

const authorization = async (bank: Bank, environment: EnvironmentName): Promise<Tokens> => {
  const client = new TestClient({ fetch: bank.fetch, environment })
  const { redirectUri, verifier, scope } = client
  await client.authorize({ state: undefined })
  await client.authorize({ redirect_uri: RESULT_SCREEN })
  await client.authorize({ response_type: 'token' })
  await client.authorize({ client_id: 'nobody' })
  const code = (await client.authorize()).parameters['code'] ?? ''
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }
  const token = (form: Readonly<Record<string, string>>) => client.token(new URLSearchParams(form))
  await refusedExchanges(token, exchange)
  await client.token(new URLSearchParams(exchange), 'Basic wrong')
  await token(exchange)
  const { access_token, refresh_token } = await client.obtainTokens()
  await client.renew(refresh_token, { scope })
  await client.renew((await client.obtainTokens()).refresh_token)
  return { accounts: access_token }
}

const LARGE_DEBIT = -1_000_000

const ofFirstVariant = async (bank: Bank, environment: EnvironmentName): Promise<void> => {
  const client = new TestClient({ fetch: bank.fetch, environment })
  const { access_token: token } = await client.obtainTokens()
  const organization = new TestClient({ fetch: bank.fetch, environment })
  const { access_token: other } = await organization.obtainTokens({ customer: aCustomer(1) })
  await client.accounts(token)
  await organization.accounts(other)
  for (const { accountId } of aCustomer(1).accounts) await client.get(other, `v1/accounts/${accountId}`)
  for (const { accountId } of aCustomer().accounts) {
    const path = `v1/accounts/${accountId}`
    await client.get(token, path)
    const response = await client.get(token, `${path}/transactions`)
    if (response.status !== 200) continue
    const { _links: links } = (await response.json()) as { _links: { next?: { href: string } } }
    if (links.next) await client.get(token, links.next.href)
    await client.get(token, `${path}/transactions?pageSize=0`)
  }
  await client.get(token, 'v1/accounts/unknown')
  await client.get(token, 'v1/accounts/unknown/transactions')
}

const refreshes = async (bank: Bank, environment: EnvironmentName): Promise<void> => {
  for (const kind of ['TPP', 'FAC'] as const) {
    const client = new TestClient({ fetch: bank.fetch, environment, client: aClient(kind) })
    const { access_token: token } = await client.obtainTokens()
    const headers = { authorization: `Bearer ${token}` }
    const consentId = client.scope.replace('PREMIUM_AIS:', '')
    for (const body of ['', '{}', '[]', JSON.stringify({ consentId }), '{"consentId":"unknown"}'])
      await client.send('refresh', { method: 'PUT', headers, ...(body !== '' && { body }) })
  }
}

const ofSecondVariant = async (bank: Bank, environment: EnvironmentName): Promise<void> => {
  const client = new TestClient({ fetch: bank.fetch, environment })
  const { access_token: token } = await client.obtainTokens({ customer: aCustomer(1) })
  await client.ask(token, '')
  for (const { accountId, iban } of aCustomer(1).accounts) {
    await callTestHook(bank, 'bookings', { iban, amount: LARGE_DEBIT })
    await client.ask(token, 'information', { iban })
    await client.ask(token, 'information', { accountId })
    await client.ask(token, 'transactions', { iban })
    await client.ask(token, 'transactions', { accountId, page: 2, pageSize: 100 })
    await client.ask(token, 'transactions', { accountId, page: 1000 })
  }
  for (const operation of ['information', 'transactions'] as const) {
    await client.ask(token, operation, { iban: 'unknown' })
    await client.ask(token, operation, {})
  }
}

const { creditor, savings, poor, closed, held } = PAYMENT_ACCOUNTS

/** Changes of an order, each of which leads to a rejection. */
const REJECTED: readonly Members[] = [
  { debtor: { name: 'X', iban: 'CZ6508000000192000145399' } },
  { creditor: closed },
  { creditor: { ...creditor, bic: 'WRONG' } },
  { creditor: { iban: creditor.iban } },
  { instructedAmount: { value: 1, currency: 'USD' } },
  { controlSum: 1 },
  { agreedAmount: { value: 1, currency: 'EUR' } },
  { debtor: savings },
  { creditor: held },
  { debtor: poor },
  { requestedExecutionDate: '2026-02-30' },
]

/** An order with all optional members. */
export const FULL_ORDER: Members = {
  creditor: { ...creditor, bic: 'REFBSKBX', address: 'Dúbrava 1' },
  agreedAmount: { value: 12.34, currency: 'EUR' },
  controlSum: 12.34,
  requestedExecutionDate: '2026-01-05',
}

const transferOf = (order: Members): Members => {
  const { creditor, instructedAmount, endToEndIdentification, remittanceInformation } = order
  return { creditor, instructedAmount, endToEndIdentification, remittanceInformation }
}

/** The same order as a batch of one transfer. */
export const batchOf = (order: Members): Members => {
  const { instructionIdentification, creationDateTime, debtor, agreedAmount, requestedExecutionDate } = order
  const { value } = order['instructedAmount'] as { value: number }
  const message = {
    instructionIdentification,
    creationDateTime,
    debtor,
    agreedAmount,
    requestedExecutionDate,
  }
  return { ...message, transfers: [transferOf(order)], controlSum: value }
}

const WITHOUT_TEXTS: Members = { endToEndIdentification: undefined, remittanceInformation: undefined }

const initiations = async (payer: TestPayer): Promise<void> => {
  for (const method of ['ecomm', 'standard'] as const) {
    for (const changes of [{}, FULL_ORDER, WITHOUT_TEXTS, ...REJECTED]) await payer.initiate(changes, method)
    await payer.initiate({ debtor: undefined }, method)
  }
  for (const changes of [{}, FULL_ORDER, WITHOUT_TEXTS, { debtor: savings }])
    await payer.call('batch/sba', batchOf(payer.order(changes)))
  await payer.call('batch/sba', {})
  const repeated = payer.order()
  await payer.initiate(repeated)
  await payer.status(await payer.initiate(repeated))
}

const approvals = async (payer: TestPayer): Promise<void> => {
  const { redirectUri, verifier } = payer.customer
  const payment = await payer.initiate()
  const ask = (changes: Readonly<Record<string, string | undefined>>) => {
    const path = payer.customer.authorizePath({ scope: 'PISP', ...changes })
    const address = `${payer.oauth}/${path.replace('auth/oauth/v2/', '')}&orderId=${payment.orderId}`
    return payer.customer.walk(address, {})
  }
  await ask({ response_type: 'token' })
  await ask({ client_id: 'nobody' })
  const code = (await ask({ state: undefined })).parameters['code'] ?? ''
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  }
  await refusedExchanges((form) => payer.askToken(form), exchange)
  await payer.fetch(`${payer.oauth}/token`, {
    method: 'POST',
    headers: { authorization: 'Basic wrong' },
    body: new URLSearchParams(exchange),
  })
  await payer.askToken(exchange)
}

const MOST_OF_THE_FUNDS: Members = { instructedAmount: { value: 1500, currency: 'EUR' } }

const payments = async (bank: Bank, environment: EnvironmentName): Promise<Tokens> => {
  const payer = new TestPayer(bank, environment)
  await initiations(payer)
  await approvals(payer)
  const [first, second] = [await payer.initiate(MOST_OF_THE_FUNDS), await payer.initiate(MOST_OF_THE_FUNDS)]
  const [token, further] = [await payer.authorize(first), await payer.authorize(first)]
  const tokenOfSecond = await payer.authorize(second)
  await payer.submit(token)
  await payer.submit(token)
  await payer.submit(further)
  await payer.submit(tokenOfSecond)
  await payer.submit(undefined)
  for (const method of ['ecomm', 'standard', 'batch']) await payer.call(`${method}/sba`, {}, token)
  const later = await payer.initiate({ requestedExecutionDate: '2026-01-07' }, 'standard')
  await payer.submit(await payer.authorize(later))
  for (const payment of [first, second, later, await payer.initiate()]) await payer.status(payment)
  await payer.status({ orderId: 'unknown' })
  await bank.clock.advance(MINUTE)
  await payer.status(first)
  // After the cut-off time, with a new token since the earlier one has expired.
  await bank.clock.advance(11 * HOUR)
  await new TestPayer(bank, environment).initiate()
  return { payments: await payer.token(), approvedPayment: token ?? '' }
}

const LOAN_ORDER = { orderNo: 'ORDER-1', totalAmount: 250.5 }

/** A request for a loan with all optional members. */
export const FULL_LOAN_REQUEST: Members = {
  financeApplication: {
    order: { ...LOAN_ORDER, orderItems: [{ name: 'Bicycle', quantity: 1, price: 250.5 }] },
    applicant: { firstName: 'Anna', lastName: 'Nováková' },
  },
  scenario: 'CLIENT',
}

export const FULL_PRECALCULATION = {
  loanAmount: 250,
  capacityInfo: { monthlyIncome: 1050, monthlyExpenses: 410, numberOfChildren: 2 },
}

const loanTokens = async (applicant: TestApplicant): Promise<void> => {
  await applicant.askToken()
  await applicant.askTokenByHeader()
  await applicant.askToken({ grant_type: '' })
  await applicant.askToken({ grant_type: 'password' })
  await applicant.askToken({ scope: 'wrong' })
  await applicant.askToken({ client_secret: 'wrong' })
}

const loans = async (bank: Bank): Promise<Tokens> => {
  const applicant = new TestApplicant(bank)
  await loanTokens(applicant)
  await applicant.precalculate({ loanAmount: 250 })
  await applicant.precalculate(FULL_PRECALCULATION)
  await applicant.precalculate({ ...FULL_PRECALCULATION, loanAmount: 1850 })
  for (const loanAmount of [-1, 99, 2001, 'much']) await applicant.precalculate({ loanAmount })
  await applicant.call('POST', 'v1/applications', FULL_LOAN_REQUEST)
  for (const totalAmount of [99, 2001, 'much']) await applicant.submit({ totalAmount })
  const applications = []
  for (const scenario of SCENARIOS) {
    applications.push(await applicant.start(scenario))
    const application = await applicant.submit()
    for (const word of ['WRONG', scenario, scenario]) await applicant.select(application, word)
  }
  for (let step = 0; step < 5; step += 1) {
    for (const application of applications) await applicant.status(application)
    await bank.clock.advance(3 * MINUTE)
  }
  const canceled = await applicant.submit()
  for (const application of [canceled, canceled, { applicationId: 'unknown' }]) {
    await applicant.cancel(application)
    await applicant.status(application)
    await applicant.select(application, 'CLIENT')
  }
  return { loans: await applicant.token() }
}

/** The name of a scheme without that of its environment. */
const schemeOf = ({ security }: DocumentedOperation): string | undefined =>
  Object.keys(security[0] ?? {})[0]?.replace(/In(Sandbox|Production)$/, '')

/** Calls each operation that needs a token without one, and with tokens that are not valid. */
const withInvalidTokens = async (
  bank: Bank,
  document: OpenApiDocument,
  expired: (operation: DocumentedOperation) => string | undefined,
): Promise<void> => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const token = expired(operation)
      if (token === undefined) continue
      const address = ORIGIN + path.replaceAll(/\{\w+\}/g, 'unknown')
      for (const headers of [
        new Headers(),
        new Headers({ authorization: 'Bearer unknown' }),
        new Headers({ authorization: `Bearer ${token}` }),
      ])
        await bank.fetch(new Request(address, { method: method.toUpperCase(), headers }))
    }
  }
}

/** The day in one environment. Loans have only a sandbox. */
export const spendDay = async (
  bank: Bank,
  environment: EnvironmentName,
  document: OpenApiDocument,
): Promise<void> => {
  await consents(bank, environment)
  const accounts = await authorization(bank, environment)
  await ofFirstVariant(bank, environment)
  await refreshes(bank, environment)
  await ofSecondVariant(bank, environment)
  const paid = await payments(bank, environment)
  const borrowed = environment === 'sandbox' ? await loans(bank) : {}
  const tokens: Tokens = { ...accounts, ...paid, ...borrowed }
  // All tokens expire.
  await bank.clock.advance(90 * DAY)
  await withInvalidTokens(bank, document, (operation) => {
    const scheme = schemeOf(operation)
    return scheme !== undefined && operation.environment === environment ? tokens[scheme] : undefined
  })
}
