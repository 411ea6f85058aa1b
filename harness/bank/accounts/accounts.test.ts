import { describe, expect, test } from 'vitest'
import { createBank } from '../bank.ts'
import type { Exchange } from '../defect.ts'
import type { Customer } from '../seed-data.ts'
import { pageVariations } from '../variations/authorization-variations.ts'
import { aCustomer, TestClient } from '../../testing/bank-clients/test-client.ts'

const accountOf = ({ accounts }: Customer, isTicked = true): string =>
  accounts.find((account) => account.isTicked === isTicked)?.accountId ?? ''

/** An account of the first customer that the decision page does not preselect. */
const unticked = (): string => accountOf(aCustomer(), false)

describe('GET /v1/accounts', () => {
  test.each([0, 1, 2])('lists the accounts that customer %d has ticked, and no others', async (place) => {
    const customer = aCustomer(place)
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens({ customer })
    const response = await client.accounts(access_token)
    const { accounts } = (await response.json()) as { accounts: { accountId: string }[] }
    expect(accounts.map(({ accountId }) => accountId)).toEqual(
      customer.accounts.filter(({ isTicked }) => isTicked).map(({ accountId }) => accountId),
    )
  })
})

describe('GET /v1/accounts/{account-id}', () => {
  test('answers an unknown account like one that was not granted', async () => {
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens()
    const answers = await Promise.all(
      [unticked(), accountOf(aCustomer(1)), 'nothing'].map(async (accountId) => {
        const response = await client.get(access_token, `v1/accounts/${accountId}`)
        return { status: response.status, text: await response.text() }
      }),
    )
    expect(answers[0]).toMatchObject({ status: 404, text: expect.stringContaining('NO_ACCOUNT') as string })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })
})

describe('the choice of accounts', () => {
  test('is what the customer leaves ticked', async () => {
    const ticks = [unticked(), accountOf(aCustomer())]
    const client = new TestClient({ fetch: createBank().fetch })
    const { access_token } = await client.obtainTokens({ ticks })
    const { accounts } = (await (await client.accounts(access_token)).json()) as {
      accounts: { accountId: string }[]
    }
    expect(accounts.map(({ accountId }) => accountId).sort()).toEqual(ticks.sort())
    expect((await client.get(access_token, `v1/accounts/${unticked()}`)).status).toBe(200)
  })

  test('cannot be empty, and cannot contain an account that is not offered', async () => {
    const client = new TestClient({ fetch: createBank().fetch })
    expect((await client.authorize({}, { ticks: [] })).shown).toContain('Please tick an account')
    const otherAccount = accountOf(aCustomer(1))
    const variation = {
      id: 'hasty',
      title: 'The bank grants every account that the browser sends.',
      wire: (next: Exchange) => async (request: Request) =>
        request.method === 'POST' && request.url.includes('/login-sessions/')
          ? next(new Request(request, { body: `${await request.text()}&account=${otherAccount}` }))
          : next(request),
    }
    const other = new TestClient({ fetch: createBank({ variation }).fetch })
    const { access_token } = await other.obtainTokens()
    expect((await other.get(access_token, `v1/accounts/${otherAccount}`)).status).toBe(404)
  })

  test('is the preselection if no page asks for it', async () => {
    const variation = pageVariations.find(({ id }) => id === 'login-and-decision-are-on-one-page')
    const client = new TestClient({ fetch: createBank(variation && { variation }).fetch })
    const { access_token } = await client.obtainTokens()
    expect((await client.get(access_token, `v1/accounts/${unticked()}`)).status).toBe(404)
    expect((await client.get(access_token, `v1/accounts/${accountOf(aCustomer())}`)).status).toBe(200)
  })
})

describe('the environments', () => {
  test('are two; a third one does not exist', async () => {
    const { fetch } = createBank()
    expect((await fetch(new Request('http://bank.test/premium/staging/v1/accounts'))).status).toBe(404)
  })
})
