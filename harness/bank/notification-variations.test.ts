import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { MINUTE } from './rules/facts.ts'
import { anAccount, BankWithSink, refresh, type Subscription } from './test-sink.ts'
import { variations } from './variations.ts'

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

const own = anAccount('Everyday account')
const savings = anAccount('Savings')
const others = [anAccount('Salary account'), anAccount('Cottage account')]

describe('every variation notifies as the interface says', () => {
  test.each(variations)('$id', async (variation) => {
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
