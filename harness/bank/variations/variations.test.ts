import { load } from 'cheerio'
import { describe, expect, test } from 'vitest'
import { createBank, type Bank } from '../bank.ts'
import type { Variation } from '../defect.ts'
import { SCENARIOS, type Scenario } from '../loans/loan.ts'
import { DAY, MINUTE, SECOND } from '../rules/facts.ts'
import type { ClientKind } from '../seed-data.ts'
import { startBank } from '../server.ts'
import { type LoanAnswer, TestApplicant } from '../../testing/bank-clients/test-applicant.ts'
import { aClient, aCustomer, TestClient } from '../../testing/bank-clients/test-client.ts'
import { type PaymentAnswer, TestPayer } from '../../testing/bank-clients/test-payer.ts'
import { pageVariations, scriptedPages } from './authorization-variations.ts'
import { bodyVariations } from './body-variations.ts'
import { variations } from './index.ts'
import { loanVariations } from './loan-variations.ts'
import { paymentVariations } from './payment-variations.ts'

/** What the interface says, over HTTP, from the consent to a token's end; of it every variation is a bank. */
const liveThrough = async (variation: Variation, kind: ClientKind): Promise<void> => {
  const { url, bank, close } = await startBank({ variation })
  try {
    const client = new TestClient({ fetch, origin: url, client: aClient(kind) })
    const denied = await denialOf(client)
    expect(denied).toMatchObject({ error: 'access_denied', state: 'state-1' })
    if (kind === 'TPP') await client.createConsent()
    const { parameters } = await client.authorize()
    expect(parameters).toMatchObject({ state: 'state-1' })
    const tokens = await client.exchange(parameters['code'])
    expect(tokens.status).toBe(200)
    const { access_token, refresh_token, token_type } = (await tokens.json()) as Record<string, string>
    expect(token_type).toBe('Bearer')
    if (kind === 'FAC') await readEverything(client, access_token ?? '')
    else expect(await listed(await client.accounts(access_token ?? ''))).toHaveLength(consented.length)
    const renewed = (await (await client.renew(refresh_token ?? '')).json()) as Record<string, string>
    expect(renewed['access_token']).not.toBe(access_token)
    expect(renewed['refresh_token']).not.toBe(refresh_token)
    await bank.clock.advance(90 * DAY)
    expect((await client.accounts(renewed['access_token'] ?? '')).status).toBe(401)
    expect((await client.authorize()).parameters).toHaveProperty('code')
  } finally {
    await close()
  }
}

const denialOf = async (client: TestClient): Promise<unknown> => {
  if (client.client.kind === 'TPP') await client.createConsent()
  return (await client.authorize({}, { decision: 'deny' })).parameters
}

const consented = aCustomer().accounts.filter(({ isTicked }) => isTicked)

/** Both variants: their lists, and of each account its detail and all of its pages. */
const readEverything = async (client: TestClient, token: string): Promise<void> => {
  const first = await listed(await client.accounts(token))
  const second = await listed(await client.ask(token, ''))
  expect(first).toHaveLength(consented.length)
  expect(second).toHaveLength(consented.length)
  for (const { accountId } of first) await readFirst(client, token, String(accountId))
  for (const { identification } of second) await readSecond(client, token, String(identification))
}

const readFirst = async (client: TestClient, token: string, accountId: string): Promise<void> => {
  const path = `v1/accounts/${encodeURIComponent(accountId)}`
  const { account } = (await answered(await client.get(token, path))) as { account: KnownDetail }
  expect(Object.keys(account.balances).length).toBeGreaterThan(0)
  const iban = inElectronicForm(account.accountReference.iban)
  expect(await walkLinks(client, token, `${client.base}/${path}/transactions?pageSize=50`)).toBe(
    countAt(iban),
  )
}

const inElectronicForm = (iban: string): string => iban.replaceAll(' ', '')

interface KnownDetail {
  readonly accountReference: { readonly iban: string }
  readonly balances: object
}

const countAt = (iban: string): number | undefined =>
  consented.find((account) => account.iban === iban)?.openingTransactions

interface LinkedPage {
  readonly transactions: readonly { readonly transactionId: unknown }[]
  readonly _links?: { readonly next?: { readonly href: string } | null }
}

/** How many transactions stand on all pages, each of which but the last is full. */
const walkLinks = async (client: TestClient, token: string, start: string): Promise<number> => {
  const seen = new Set<unknown>()
  for (let url: string | undefined = start; url !== undefined;) {
    const page = (await answered(await client.get(token, url))) as LinkedPage
    for (const { transactionId } of page.transactions) seen.add(transactionId)
    const href: string | undefined = page._links?.next?.href
    if (href !== undefined) expect(page.transactions).toHaveLength(50)
    url = href === undefined ? undefined : new URL(href, url).href
  }
  return seen.size
}

const readSecond = async (client: TestClient, token: string, accountId: string): Promise<void> => {
  const { account } = (await answered(await client.ask(token, 'information', { accountId }))) as {
    account: { iban: string }
  }
  const iban = inElectronicForm(account.iban)
  expect(await answered(await client.ask(token, 'information', { iban }))).toMatchObject({ account })
  const seen = new Set<unknown>()
  for (let page = 1, last = 1; page <= last; page += 1) {
    const body = await answered(await client.ask(token, 'transactions', { accountId, pageSize: 100, page }))
    const { pageCount, transactions } = body as LinkedPage & { pageCount: number }
    for (const { transactionId } of transactions) seen.add(transactionId)
    last = pageCount
  }
  expect(seen.size).toBe(countAt(iban))
}

const answered = async (response: Response): Promise<unknown> => {
  expect(response.status).toBe(200)
  return response.json()
}

type Item = Readonly<Record<string, unknown>>

const listed = async (response: Response): Promise<readonly Item[]> => {
  const body = (await answered(response)) as { accounts: Item[] } | Item[]
  return Array.isArray(body) ? body : body.accounts
}

describe('every variation keeps the interface', () => {
  // Those of loans and payments live elsewhere: here they are the lawful bank once more.
  const elsewhere: ReadonlySet<Variation> = new Set([...loanVariations, ...paymentVariations])
  test.each(variations.filter((one) => !elsewhere.has(one)))('$id: $story', async (variation) => {
    await liveThrough(variation, 'FAC')
    await liveThrough(variation, 'TPP')
  })

  test('and has a name of its own', () => {
    expect(new Set(variations.map(({ id }) => id)).size).toBe(variations.length)
  })
})

/** The wire alone, in front of a bank that answers with this. */
const ask = (
  answer: Response,
  headers: Record<string, string> = {},
  path = '/sandbox/auth/oauth/v2/visits/1',
) => {
  const { wire } = scriptedPages
  if (wire === undefined) throw new Error('the variation is a wire')
  return wire(async () => answer)(new Request(`http://bank.example${path}`, { headers }))
}

const html = (body: string, status = 200): Response =>
  new Response(body, { status, headers: { 'content-type': 'text/html; charset=UTF-8' } })

const FORM = '<form method="post" action="/x"><button>Grant</button></form>'

test('a page has no form before its script has run, and may run no script but that one', async () => {
  const answer = await ask(html(FORM, 400))
  const $ = load(await answer.text())
  expect([answer.status, $('form, button').length]).toEqual([400, 0])
  expect($('script[src]').attr('src')).toBe('/sandbox/auth/pages.js')
  expect(JSON.parse($('#page').text())).toBe(FORM)
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
})

test('what the script asks for is answered as data: a page, or where to go', async () => {
  const asking = { 'x-pages': 'json' }
  const page = await ask(html(FORM, 403), asking)
  expect([page.status, await page.json()]).toEqual([403, { html: FORM }])
  const location = 'https://client.example/callback?code=c'
  const redirect = await ask(new Response(null, { status: 302, headers: { location } }), asking)
  expect([redirect.status, await redirect.json()]).toEqual([200, { location }])
  expect(redirect.headers.has('location')).toBe(false)
})

test('the script is served, and what is no page of an authorization is left alone', async () => {
  const script = await ask(html(''), {}, '/sandbox/auth/pages.js')
  expect(script.headers.get('content-type')).toContain('javascript')
  expect(await (await ask(html(FORM), {}, '/sandbox/application')).text()).toBe(FORM)
  expect((await ask(new Response(null, { status: 302, headers: { location: '/x' } }))).status).toBe(302)
})

const CODE = /^(AC01|AC04|AG01|AM03|AM04|AM05|AM09|AM10|DT01|MS03|RC01|RR03|TM01)$/

/** Extended, by week, or basic. */
const DATE_TIME =
  /^(\d{4}-(\d\d-\d\d|W\d\d-\d)T\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)|\d{8}T\d{6}\.\d{3}[+-]\d{4})$/

/** Every record has this form, wherever it is told. */
const expectRecord = (record: PaymentAnswer, ...statuses: readonly string[]): void => {
  expect(statuses).toContain(record.status)
  expect(record.statusDateTime).toMatch(DATE_TIME)
  if (record.status !== 'RJCT') return expect(record.reasonCode ?? '').toBe('')
  expect(record.reasonCode).toMatch(CODE)
  expect(record.additionalInformation).toMatch(/\S/)
}

/** What the interface says of payments, from the initiation to what time makes of them. */
const payThrough = async (bank: Bank): Promise<void> => {
  const payer = new TestPayer(bank)
  const payment = await payer.initiate()
  expect(payment.http).toBe(201)
  expect(payment.orderId).toMatch(/^.{1,35}$/)
  expectRecord(payment, 'ACTC')
  expectRecord(await payer.submit(await payer.authorize(payment)), 'ACSP')
  expectRecord(await payer.status(payment), 'ACSP', 'ACSC')
  const late = await payer.pay({ requestedExecutionDate: '2026-01-08' }, 'standard')
  expectRecord(late, 'PDNG')
  const wrong = await payer.initiate({ debtor: { name: 'X', iban: 'SK00' } })
  expect(wrong.http).toBe(201)
  expectRecord(wrong, 'RJCT')
  const denied = await payer.initiate()
  expect(await payer.authorize(denied, { decision: 'deny' })).toBeUndefined()
  expectRecord(await payer.status(denied), 'ACTC', 'RJCT')
  await bank.clock.advance(4 * DAY)
  const later = new TestPayer(bank)
  expectRecord(await later.status(payment), 'ACSP', 'ACSC')
  expectRecord(await later.status(late), 'PDNG', 'ACSP', 'ACSC', 'RJCT')
  expectRecord(await later.status(wrong), 'RJCT')
}

/** Those that payments meet, and whose records stand where this payer looks for them; the proof tries all of them. */
const paymentVariationsTried = [...pageVariations, ...bodyVariations, ...paymentVariations].filter(
  ({ id }) => !id.startsWith('refusals-') && id !== 'payments-in-an-envelope',
)

describe('every variation pays as the interface says', () => {
  test.each(paymentVariationsTried)('$id: $story', async (variation) => {
    await payThrough(createBank({ variation }))
  })
})

const PATHS: Readonly<Record<Scenario, readonly string[]>> = {
  CANCELLED: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'CANCELED'],
  EXPIRED: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'EXPIRED'],
  NON_CLIENT: [
    'NEW',
    'CUSTOMER_CREATION_IN_PROGRESS',
    'LOAN_APPLICATION_IN_PROGRESS',
    'LOAN_APPLICATION_FINISHED',
    'LOAN_DISBURSED',
  ],
  CLIENT: ['NEW', 'LOAN_APPLICATION_IN_PROGRESS', 'LOAN_APPLICATION_FINISHED', 'LOAN_DISBURSED'],
}

const HOUSEHOLD = { monthlyIncome: 1050, monthlyExpenses: 410, numberOfChildren: 2 }

const NEGATIVE = [
  [{ loanAmount: 1850, capacityInfo: HOUSEHOLD }, 'INSUFFICIENT_CAPACITY'],
  [{ loanAmount: 99 }, 'LOAN_AMNT_LOW'],
  [{ loanAmount: 2001 }, 'LOAN_AMNT_HIGH'],
] as const

/** The six scenarios of a precalculation. */
const calculateThrough = async (bank: Bank): Promise<void> => {
  const applicant = new TestApplicant(bank)
  for (const body of [
    { loanAmount: 250 },
    { loanAmount: 1850 },
    { loanAmount: 250, capacityInfo: HOUSEHOLD },
  ]) {
    const response = await applicant.precalculate(body)
    expect(response.status).toBe(200)
    expect(((await response.json()) as unknown[]).length).toBeGreaterThan(0)
  }
  for (const [body, errorCode] of NEGATIVE) {
    const response = await applicant.precalculate(body)
    expect(response.ok).toBe(false)
    expect(await response.json()).toMatchObject({ errorCode })
  }
}

const POLL = 10 * SECOND

const selectOnPage = async (
  applicant: TestApplicant,
  application: LoanAnswer,
  scenario: Scenario,
): Promise<void> => {
  const button = `scenario=${scenario}`
  let page = await applicant.page(application)
  if (!page.buttons.includes(button)) page = await applicant.press(application, page, page.buttons[0] ?? '')
  expect(page.buttons).toContain(button)
  expect((await applicant.press(application, page, button)).http).toBe(200)
}

/** Every status and how long it lasted, until some minutes after the end of a path. */
const followThrough = async (bank: Bank, applicant: TestApplicant, application: LoanAnswer) => {
  const lasted: (readonly [string, number])[] = []
  while ((lasted.at(-1)?.[1] ?? 0) < 5 * MINUTE) {
    const { http, resultCode, applicationStatus } = await applicant.status(application)
    expect({ http, resultCode }).toEqual({ http: 200, resultCode: 'OK' })
    const [status, duration] = lasted.at(-1) ?? ['', 0]
    if (status === applicationStatus) lasted.splice(-1, 1, [status, duration + POLL])
    else lasted.push([applicationStatus, 0])
    await bank.clock.advance(POLL)
  }
  return lasted
}

const liveThroughLoan = async (bank: Bank): Promise<void> => {
  const applicant = new TestApplicant(bank)
  for (const scenario of SCENARIOS) {
    const application = await applicant.submit()
    expect(application.applicationId).not.toBe('')
    expect(await applicant.status(application)).toMatchObject({ applicationStatus: 'NEW' })
    await selectOnPage(applicant, application, scenario)
    const lasted = await followThrough(bank, applicant, application)
    expect(lasted.map(([status]) => status)).toEqual(PATHS[scenario])
    for (const [, duration] of lasted.slice(0, -1)) {
      expect(duration).toBeGreaterThanOrEqual(2 * MINUTE)
      expect(duration).toBeLessThanOrEqual(4 * MINUTE)
    }
    expect(await applicant.cancel(application)).toMatchObject({ errorCode: 'NOT_ALLOWED_OPER' })
    expect(await applicant.status(application)).toMatchObject({ applicationStatus: PATHS[scenario].at(-1) })
  }
}

/** A bank may take one to cancel. */
const MOMENT = MINUTE / 20

const cancelThrough = async (bank: Bank): Promise<void> => {
  const applicant = new TestApplicant(bank)
  const application = await applicant.submit()
  expect(application.http).toBeLessThan(300)
  const canceled = await applicant.cancel(application)
  expect(canceled.http).toBeLessThan(300)
  expect(canceled).not.toHaveProperty('errorCode')
  await bank.clock.advance(MOMENT)
  expect(await applicant.status(application)).toMatchObject({ applicationStatus: 'CANCELED' })
  const unknown = { errorCode: 'APP_NOT_FOUND' }
  expect(await applicant.status({ applicationId: 'unknown' })).toMatchObject(unknown)
  expect(await applicant.cancel({ applicationId: 'unknown' })).toMatchObject(unknown)
  await bank.clock.advance(7 * DAY - MINUTE)
  expect(await new TestApplicant(bank).status(application)).toMatchObject({ resultCode: 'OK' })
  await bank.clock.advance(DAY + MINUTE)
  expect(await new TestApplicant(bank).status(application)).toMatchObject(unknown)
}

/** Those that loans meet; the proof tries all of them. */
const loanVariationsTried = [...bodyVariations, ...pageVariations, ...loanVariations]

describe('every variation lends as the interface says', () => {
  test.each(loanVariationsTried)('$id: $story', async (variation) => {
    const bank = createBank({ variation })
    await calculateThrough(bank)
    await liveThroughLoan(bank)
    await cancelThrough(bank)
  })
})
