import { describe, expect, test } from 'vitest'
import { Inconclusive } from '../signals.ts'
import { deliveredJson, eventOf } from './webhook-event.ts'
import type { Exchange } from '../exchange.ts'
import type { Delivery } from './webhook-event.ts'

const delivering = (text: string, rest: Partial<Exchange> = {}, sha256?: string): Delivery => ({
  kind: 'delivery',
  exchange: {
    kind: 'exchange',
    id: 's/w1',
    sender: 'target',
    operation: 'webhook',
    effect: 'notify',
    request: {
      method: 'POST',
      url: 'http://sink/x',
      headers: [],
      body: { text, bytes: text.length, ...(sha256 !== undefined && { sha256 }) },
    },
    sentAt: '2026-01-05T10:00:00.000Z',
    durationMs: 1,
    ...rest,
  },
})

const ACCOUNT_EVENT = {
  consentId: 'c1',
  taskId: 't1',
  taskStatus: 'FINISHED',
  bankCode: '9802',
  bankName: 'Neighbour Bank',
  accounts: [{ accountId: 'a1', eventType: 'ADDED' }],
}
const TRANSACTION_EVENT = { consentId: 'c1', eventType: 'NEW', accounts: [{ accountId: 'a1' }] }

describe('the event of a delivery', () => {
  test.each([
    ['at the root', (event: unknown) => event],
    ['in an envelope', (event: unknown) => ({ meta: { version: 1 }, data: { event } })],
    ['in a list', (event: unknown) => [event]],
  ])('is read %s', (_, wrapped) => {
    expect(eventOf(delivering(JSON.stringify(wrapped(ACCOUNT_EVENT))))).toEqual({
      name: 'accountEvent',
      ...ACCOUNT_EVENT,
    })
    expect(eventOf(delivering(JSON.stringify(wrapped(TRANSACTION_EVENT))))).toEqual({
      name: 'transactionEvent',
      ...TRANSACTION_EVENT,
    })
  })

  test('is the event as a whole, not an item of its accounts', () => {
    expect(eventOf(delivering('{"accounts":[{"eventType":"ADDED"}],"taskId":"t"}'))).toMatchObject({
      name: 'accountEvent',
      taskId: 't',
    })
  })

  test('says what can be read in it, and leaves the rest out', () => {
    const text = '{"consentId":7,"taskStatus":null,"accounts":[null,"a",{"accountId":1},{"accountId":"a2"}]}'
    expect(eventOf(delivering(text))).toEqual({
      name: 'transactionEvent',
      accounts: [{}, { accountId: 'a2' }],
    })
  })

  test('has not what is null in it', () => {
    const [none, taskId] = [null, 't1']
    const reported = (event: unknown) => eventOf(delivering(JSON.stringify(event)))?.name
    expect(reported({ ...TRANSACTION_EVENT, taskId: none, bankCode: none })).toBe('transactionEvent')
    expect(reported({ ...TRANSACTION_EVENT, taskId })).toBe('accountEvent')
  })

  test.each(['', 'hello', '[]', '{}', '{"a":{"b":[1,null]}}', 'null', '0'])('is none in %j', (text) => {
    expect(eventOf(delivering(text))).toBeUndefined()
  })

  test('is none where only a part came, or was kept', () => {
    const fault = { kind: 'reset', cause: 'ECONNRESET', message: 'gone' } as const
    expect(eventOf(delivering(JSON.stringify(ACCOUNT_EVENT), { fault }))).toBeUndefined()
    expect(eventOf(delivering('{"consentId":"c1"}', {}, 'ab12'))).toBeUndefined()
  })

  test('is looked for in a body of great depth, and in one with many items', () => {
    const depth = 100_000
    expect(eventOf(delivering(`[${'0,'.repeat(400_000)}0]`))).toBeUndefined()
    expect(eventOf(delivering(`${'['.repeat(depth)}${']'.repeat(depth)}`))).toBeUndefined()
  })
})

test('the JSON of a delivery may have a byte order mark', () => {
  expect(deliveredJson(delivering('\uFEFF{"a":1}'))).toEqual({ json: { a: 1 } })
})

test('a delivery that is no JSON says why', () => {
  expect(deliveredJson(delivering('a=b'))).toMatchObject({
    error: expect.stringMatching(/JSON|token/) as string,
  })
})

test('a part of a delivery is not read', () => {
  const fault = { kind: 'reset', cause: 'ECONNRESET', message: 'gone' } as const
  expect(() => deliveredJson(delivering('{}', { fault }))).toThrow(Inconclusive)
  expect(() => deliveredJson(delivering('{}', {}, 'ab12'))).toThrow(Inconclusive)
})

describe('an event in another encoding', () => {
  const encoded = (type: string, text: string, url = 'http://sink/x') => {
    const { exchange, kind } = delivering(text)
    return eventOf({
      kind,
      exchange: { ...exchange, request: { ...exchange.request, url, headers: [['Content-Type', type]] } },
    })
  }
  const FORM = 'application/x-www-form-urlencoded'
  const { accounts, ...members } = ACCOUNT_EVENT
  const read = { name: 'accountEvent', ...ACCOUNT_EVENT }

  test.each([
    [
      'a form',
      new URLSearchParams({ ...members, 'accounts[0][accountId]': 'a1', 'accounts[0][eventType]': 'ADDED' }),
    ],
    [
      'a form with dots',
      new URLSearchParams({ ...members, 'accounts.0.accountId': 'a1', 'accounts.0.eventType': 'ADDED' }),
    ],
    ['a form with JSON in it', new URLSearchParams({ ...members, accounts: JSON.stringify(accounts) })],
    ['JSON in a field of a form', new URLSearchParams({ payload: JSON.stringify(ACCOUNT_EVENT) })],
  ])('is read from %s, and from a query', (_, form) => {
    expect(encoded(FORM, form.toString())).toEqual(read)
    expect(encoded('', '', `http://sink/x?${form.toString()}`)).toEqual(read)
  })

  const texts = Object.entries(members)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')
  test.each([
    [
      'with accounts in a list',
      `<e>${texts}<accounts><account><accountId>a1</accountId><eventType>ADDED</eventType></account></accounts></e>`,
    ],
    ['with accounts several times', `<e>${texts}<accounts accountId="a1" eventType="ADDED"/></e>`],
    [
      'with a namespace',
      `<?xml version="1.0"?><n:e xmlns:n="urn:x">${texts}<n:accounts><n:accountId>a1</n:accountId><n:eventType>ADDED</n:eventType></n:accounts></n:e>`,
    ],
  ])('is read from XML %s', (_, xml) => {
    expect(encoded('application/xml', xml)).toEqual(read)
  })

  test('has its ids alone', () => {
    expect(encoded(FORM, 'consentId=c1&eventType=NEW&accounts=a1&accounts=a2')?.accounts).toEqual([
      { accountId: 'a1' },
      { accountId: 'a2' },
    ])
  })
})
