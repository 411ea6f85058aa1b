import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '../rules/facts.ts'
import { variations } from '../variations/index.ts'
import { aClient, aCustomer, TestClient } from '../../testing/bank-clients/test-client.ts'
import { anAccount, BankWithSink, refresh, type Subscription } from '../../testing/bank-clients/test-sink.ts'

const own = anAccount('Everyday account')
const savings = anAccount('Savings')
const neighbour = anAccount('Salary account')

describe('a booking', () => {
  test('is notified to the application under its consent, two seconds later', async () => {
    const world = new BankWithSink()
    const { consentId } = await world.subscribe()
    await world.book(own)
    await world.pass(2 * SECOND - 1)
    expect(world.received).toEqual([])
    await world.pass(1)
    expect(world.bodies).toEqual([{ consentId, eventType: 'NEW', accounts: [{ accountId: own.accountId }] }])
    await world.pass(DAY)
    expect(world.received).toHaveLength(1)
  })

  test('has its own event each time, also with a booking on another account', async () => {
    const world = new BankWithSink()
    await world.subscribe()
    for (const account of [own, own, savings]) await world.book(account)
    await world.pass(MINUTE)
    const named = (world.bodies as { accounts: { accountId: string }[] }[]).map(({ accounts }) => accounts)
    expect(named).toEqual([own, own, savings].map(({ accountId }) => [{ accountId }]))
  })

  test('at another bank is not notified', async () => {
    const world = new BankWithSink()
    await world.subscribe()
    await world.book(neighbour)
    await world.pass(DAY)
    expect(world.received).toEqual([])
  })

  test.each([
    ['an account that was not ticked', anAccount('Private account')],
    ["another customer's account", anAccount('Operations', 1)],
  ])('on %s is not notified', async (_, account) => {
    const world = new BankWithSink()
    await world.subscribe()
    await world.book(account)
    await world.pass(DAY)
    expect(world.received).toEqual([])
  })

  test('is notified once for each consent that includes the account', async () => {
    const world = new BankWithSink()
    const first = await world.subscribe()
    const second = await world.subscribe({ client: aClient('TPP', 1) })
    const boris = await world.subscribe({ customer: aCustomer(1) })
    await world.book(own)
    await world.pass(MINUTE)
    const consents = (world.bodies as { consentId: string }[]).map(({ consentId }) => consentId)
    expect(consents).toEqual([first.consentId, second.consentId])
    expect(consents).not.toContain(boris.consentId)
  })

  test('has the account id of the list', async () => {
    const world = new BankWithSink({
      variation: { id: 'v', story: '', rules: { accountIdOf: ({ account }) => `id of ${account.name}` } },
    })
    await world.subscribe()
    await world.book(own)
    await world.pass(MINUTE)
    expect(world.bodies).toMatchObject([{ accounts: [{ accountId: 'id of Everyday account' }] }])
  })

  test('is notified to a FAC under its grant, since it has no consent', async () => {
    const world = new BankWithSink()
    await world.subscribe({ client: aClient('FAC') })
    await world.book(own)
    await world.pass(DAY)
    expect(world.bodies).toMatchObject([{ eventType: 'NEW', consentId: expect.any(String) as string }])
  })

  test.each([
    ['revoked by the customer', (world: BankWithSink, id: string) => world.revoke(id)],
    ['expired', (world: BankWithSink) => world.pass(90 * DAY)],
  ])('is not notified under a consent that is %s', async (_, end) => {
    const world = new BankWithSink()
    const { consentId } = await world.subscribe()
    await end(world, consentId)
    await world.book(own)
    await world.pass(DAY)
    expect(world.received).toEqual([])
  })

  test('is not notified if the consent ends before the event is sent', async () => {
    const world = new BankWithSink()
    const { consentId } = await world.subscribe()
    await world.book(own)
    await world.revoke(consentId)
    await world.pass(DAY)
    expect(world.received).toEqual([])
  })
})

describe('a refresh', () => {
  test('is notified for each other bank: RUNNING, then FINISHED', async () => {
    const world = new BankWithSink()
    const subscription = await world.subscribe()
    const { consentId } = subscription
    const { taskId } = (await (await refresh(subscription)).json()) as { taskId: string }
    await world.pass(MINUTE)
    expect(world.times).toEqual(['10:00:02', '10:00:02', '10:00:05', '10:00:07'])
    const [first, , third, last] = world.bodies
    const neighbours = { bankCode: '9802', bankName: 'Neighbour Bank' }
    const accounts = [{ accountId: neighbour.accountId, eventType: 'ADDED' }]
    expect(first).toEqual({ consentId, taskId, taskStatus: 'RUNNING', ...neighbours, accounts })
    expect(third).toEqual({ consentId, taskId, taskStatus: 'FINISHED', ...neighbours, accounts })
    expect(last).toMatchObject({ taskStatus: 'FINISHED', bankCode: '9803', bankName: 'River Bank' })
  })

  test('of accounts at this bank only is answered, and not notified', async () => {
    const world = new BankWithSink()
    const subscription = await world.subscribe({ customer: aCustomer(1) })
    expect((await refresh(subscription)).status).toBe(202)
    await world.pass(DAY)
    expect(world.received).toEqual([])
  })

  test('stops at the end of the consent', async () => {
    const world = new BankWithSink()
    const subscription = await world.subscribe()
    await refresh(subscription)
    await world.pass(2 * SECOND)
    await world.revoke(subscription.consentId)
    await world.pass(DAY)
    expect(world.bodies).toMatchObject([{ taskStatus: 'RUNNING' }, { taskStatus: 'RUNNING' }])
  })

  test('is not notified to another application', async () => {
    const world = new BankWithSink()
    await world.subscribe({ client: aClient('TPP', 1) })
    const quiet = new TestClient({ fetch: world.bank.fetch, client: aClient('TPP') })
    const { access_token } = await quiet.obtainTokens()
    await refresh({ application: quiet, token: access_token })
    await world.pass(DAY)
    expect(world.received).toEqual([])
  })
})

interface Event {
  readonly consentId: string
  readonly eventType?: string
  readonly taskId?: string
  readonly taskStatus?: string
  readonly bankCode?: string
  readonly bankName?: string
  readonly accounts: readonly { readonly accountId: string; readonly eventType?: string }[]
}

const eventsOf = ({ received }: BankWithSink): readonly Event[] =>
  received.map(({ headers, bytes }) => {
    const plain = headers.get('content-encoding') === 'gzip' ? gunzipSync(bytes) : bytes
    const body = JSON.parse(new TextDecoder().decode(plain)) as Event | { event: Event }
    return 'event' in body ? body.event : body
  })

/** The ids of the list, by IBAN. */
const listedIds = async ({ application, token }: Subscription): Promise<ReadonlyMap<string, string>> => {
  const body: unknown = await (await application.accounts(token)).json()
  const accounts = (Array.isArray(body) ? body : (body as { accounts: unknown }).accounts) as readonly {
    accountId: string
    accountReference: { iban: string }
  }[]
  return new Map(
    accounts.map(({ accountId, accountReference }) => [
      accountReference.iban.replaceAll(' ', '').toUpperCase(),
      accountId,
    ]),
  )
}

const others = [anAccount('Salary account'), anAccount('Cottage account')]

/** The customer of this test ticks no account and follows redirects only: with these it grants nothing. */
const GRANT_NOTHING: readonly string[] = [
  'only-the-account-that-the-customer-keeps-private-is-ticked',
  'a-page-instead-of-a-redirect-leads-back-to-the-application',
]

describe('every variation sends the notifications of the interface', () => {
  test.each(variations.filter(({ id }) => !GRANT_NOTHING.includes(id)))('$id', async (variation) => {
    const world = new BankWithSink({ variation })
    const subscription = await world.subscribe({ change: { securityHeader: 'Basic YTpi' } })
    const { consentId } = subscription
    const ids = await listedIds(subscription)
    for (const account of [own, savings, ...others]) await world.book(account)
    await world.pass(MINUTE)
    const bookings = eventsOf(world)
    expect(bookings.every((event) => event.consentId === consentId && event.eventType === 'NEW')).toBe(true)
    const named = bookings.flatMap(({ accounts }) => accounts.map(({ accountId }) => accountId))
    expect(new Set(named)).toEqual(new Set([ids.get(own.iban), ids.get(savings.iban)]))

    world.received.length = 0
    const answer = await refresh(subscription, { headers: { 'psu-ip-address': '127.0.0.1' } })
    const { taskId } = (await answer.json()) as { taskId: unknown }
    expect(typeof taskId).toBe('string')
    await world.pass(10 * MINUTE)
    const stages = eventsOf(world)
    expect(stages.every((event) => event.consentId === consentId && event.taskId === taskId)).toBe(true)
    const finished = stages.filter(({ taskStatus }) => taskStatus === 'FINISHED')
    expect(new Set(finished.map(({ bankCode }) => bankCode))).toEqual(new Set(['9802', '9803']))
    for (const { bankCode, bankName, accounts } of stages) {
      expect(typeof bankName).toBe('string')
      const account = others.find((candidate) => candidate.bankCode === bankCode)
      for (const { accountId, eventType } of accounts) {
        expect(accountId).toBe(ids.get(account?.iban ?? ''))
        expect(typeof eventType).toBe('string')
      }
    }
    expect(world.received.every(({ headers }) => headers.get('authorization') === 'Basic YTpi')).toBe(true)
  })
})
