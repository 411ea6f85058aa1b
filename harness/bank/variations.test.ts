import { describe, expect, test } from 'vitest'
import type { Variation } from './defect.ts'
import { DAY } from './rules/facts.ts'
import { startBank } from './server.ts'
import { aClient, aCustomer, TestClient } from './test-client.ts'
import { variations } from './variations.ts'
import { loanVariations } from './variations/loan-variations.ts'
import { paymentVariations } from './variations/payment-variations.ts'
import type { ClientKind } from './world.ts'

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
