import { describe, expect, test } from 'vitest'
import { Inconclusive } from '../../evidence/signals.ts'
import { observe } from './observe.ts'
import { hasArrived } from './delivery.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { ViolationError } from '../verdict.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Delivery } from '../../evidence/record/webhook-event.ts'
import { UsedExchanges } from './exchange.ts'

const EVENT = '{"consentId":"c1","eventType":"NEW","accounts":[{"accountId":"a1"},{"accountId":2}]}'

const delivery = (text = EVENT, rest: Partial<Exchange> = {}): Delivery => ({
  kind: 'delivery',
  exchange: {
    ...sampleExchange({ id: 's/w1', operation: 'webhook' }),
    request: {
      method: 'POST',
      url: 'https://sink.example/a',
      headers: [
        ['Authorization', 'one'],
        ['authorization', 'two'],
      ],
      body: { text, bytes: text.length },
    },
    ...rest,
  },
})

const seen = (given = delivery()) => {
  const used = new UsedExchanges()
  return { used, observed: observe({ call: given }, used).call }
}

const violationOf = (judge: () => void) => {
  try {
    judge()
  } catch (error) {
    if (error instanceof ViolationError) return error.violation
    throw error
  }
  return undefined
}

describe('a delivery', () => {
  test('has no items where its accounts are no array', () => {
    expect(seen(delivery('{"accounts":{"accountId":"a1"}}')).observed.accounts).toEqual([])
  })

  test('carries the verdict once it was looked at', () => {
    const { used, observed } = seen()
    expect([...used]).toEqual([])
    expect(observed.field('consentId').value).toBe('c1')
    expect([...used]).toEqual(['s/w1'])
  })

  test('is inconclusive where it is no JSON, since its encoding is not shown', () => {
    const { observed } = seen(delivery('consentId=c1'))
    expect(() => observed.field('consentId')).toThrow(Inconclusive)
    expect(observed.body.kind().value).toBe('text')
    expect(observed.event).toBeUndefined()
  })

  test('is inconclusive where only a part of it came', () => {
    const fault = { kind: 'reset', cause: 'ECONNRESET', message: 'gone' } as const
    expect(() => seen(delivery(EVENT, { fault })).observed.field('consentId')).toThrow(Inconclusive)
  })
})

describe('a call that is expected', () => {
  const used = new UsedExchanges()
  const after = observe(sampleExchange({ id: 's/3' }), used)
  const none = { delivery: undefined, after, within: 60_000 }

  test('has come, and is what the verdict rests on', () => {
    const { used: looked, observed } = seen()
    expect(hasArrived({ ...none, delivery: observed, isReached: true }, 'an event')).toBe(observed)
    expect([...looked]).toEqual(['s/w1'])
  })

  test('is missed by what made it due', () => {
    expect(violationOf(() => hasArrived({ ...none, isReached: true }, 'a transactionEvent'))).toEqual({
      subject: 'the webhook calls',
      expected: 'a transactionEvent',
      received: 'none within 60 s',
      exchange: 's/3',
    })
  })

  test('is not missed where the target may not be able to come', () => {
    expect(() => hasArrived({ ...none, isReached: false }, 'a transactionEvent')).toThrow(Inconclusive)
  })
})
