import { describe, expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '../rules/facts.ts'
import { aClient, aCustomer } from '../../testing/bank-clients/test-client.ts'
import { anAccount, BankWithSink, refresh } from '../../testing/bank-clients/test-sink.ts'

const own = anAccount('Everyday account')
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

  test('has the account id of the list', async () => {
    const world = new BankWithSink({
      variation: { id: 'v', title: '', rules: { accountIdOf: ({ account }) => `id of ${account.name}` } },
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
})
