import { describe, expect, test } from 'vitest'
import { Inconclusive, NotReached } from '../../evidence/signals.ts'
import { CallDelay } from './call-search.ts'
import { createWebhook } from './webhook.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Delivery } from '../../evidence/record/webhook-event.ts'
import type { Application } from '../application.ts'
import type { TargetClock, TestHooks, WebhookSettings } from '../clock.ts'

const app = { profile: { clientId: 'tpp-1', name: 'shop' } } as Application

const exchangeWith = (text: string, id = 'sample/w1'): Exchange => ({
  kind: 'exchange',
  id,
  sender: 'target',
  operation: 'webhook',
  effect: 'notify',
  request: { method: 'POST', url: 'http://sink/x', headers: [], body: { text, bytes: text.length } },
  sentAt: '2026-01-05T10:00:00.000Z',
  durationMs: 1,
})

const textOf = ({ exchange }: Delivery): unknown => JSON.parse(exchange.request.body?.text ?? '""')

interface Given {
  readonly kind?: TargetClock['kind']
  /** What comes when the clock has been moved by so much. */
  readonly agenda?: readonly (readonly [at: number, text: string])[]
  /** What comes while somebody waits for the calls of a target whose clock was moved, one a wait; nothing is a wait in vain. */
  readonly late?: readonly (string | undefined)[]
  readonly taken?: boolean
  readonly configured?: readonly string[]
  readonly beyond?: number
  /** What the profile says; then each wait takes at least as long. */
  readonly settleMs?: number
  readonly speed?: number
  /** The settings that are found. */
  readonly before?: readonly WebhookSettings[]
}

const given = ({
  kind = 'virtual',
  agenda = [],
  late = [],
  taken = true,
  configured = [],
  beyond = 0,
  settleMs,
  speed = 1,
  before = [],
}: Given = {}) => {
  const exchanges: Exchange[] = []
  const steps: number[] = []
  const settings: WebhookSettings[] = []
  const learned: string[] = []
  const waits: number[] = []
  let now = 0
  const waiting = [...agenda]
  const delayed = [...late]
  const advance = async (ms: number): Promise<void> => {
    steps.push(ms)
    now += ms
    while (waiting[0] !== undefined && waiting[0][0] <= now)
      exchanges.push(exchangeWith(JSON.stringify(waiting.shift()?.[1]), `sample/w${exchanges.length + 1}`))
  }
  const clock: TargetClock = { kind, now: () => new Date(now), pass: advance }
  const testHooks = {
    async configureWebhook(wanted: WebhookSettings) {
      settings.push(wanted)
      return { taken, exchange: exchangeWith('') }
    },
    readWebhook: async (clientId: string) => before.find((settings) => settings.clientId === clientId),
  } as unknown as TestHooks
  const inbox = {
    url: 'http://sink/x',
    exchanges,
    beyond,
    // On a clock that cannot be moved, what is due comes while somebody waits.
    arrival: async (ms: number) => {
      waits.push(ms)
      if (kind === 'wall') await advance((waiting[0]?.[0] ?? now + ms * speed) - now)
      if (settleMs !== undefined) await new Promise((resolve) => setTimeout(resolve, settleMs))
      const text = delayed.shift()
      if (text !== undefined)
        exchanges.push(exchangeWith(JSON.stringify(text), `sample/w${exchanges.length + 1}`))
      return text !== undefined
    },
  }
  const delay = new CallDelay(settleMs ?? 2_000)
  const opened = createWebhook({
    delay,
    speed,
    inbox,
    clock,
    testHooks,
    configured,
    app: () => app,
    isReached: () => true,
    learn: (securityHeader) => learned.push(securityHeader),
  })
  return { ...opened, exchanges, steps, settings, learned, waits, delay }
}

describe('next', () => {
  test('gives what has come already, without a step', async () => {
    const { webhook, exchanges, steps } = given()
    exchanges.push(exchangeWith('"a"'), exchangeWith('"b"', 'sample/w2'))
    const found = await webhook.next((delivery) => textOf(delivery) === 'b', { within: 1_000 })
    expect(found?.exchange.id).toBe('sample/w2')
    expect(steps).toEqual([])
  })

  test('moves the clock in growing steps until it comes, and no further', async () => {
    const { webhook, steps } = given({ agenda: [[5_000, 'a']] })
    const found = await webhook.next(() => true, { within: 60_000 })
    expect(found?.exchange.id).toBe('sample/w1')
    expect(steps).toEqual([1_000, 2_000, 4_000])
  })

  test('gives each call once', async () => {
    const { webhook } = given({
      agenda: [
        [1_000, 'a'],
        [2_000, 'a'],
      ],
    })
    const ids = []
    for (let turn = 0; turn < 3; turn += 1)
      ids.push((await webhook.next(() => true, { within: 10_000 }))?.exchange.id)
    expect(ids).toEqual(['sample/w1', 'sample/w2', undefined])
  })

  test('waits on a clock that cannot be moved', async () => {
    const { webhook } = given({ kind: 'wall', agenda: [[1, 'a']] })
    expect((await webhook.next(() => true, { within: 60_000 }))?.exchange.id).toBe('sample/w1')
    expect(await webhook.next(() => true, { within: 1 })).toBeUndefined()
  })

  test('waits by the time of a target that runs faster', async () => {
    const { webhook, waits } = given({ kind: 'wall', speed: 60 })
    expect(await webhook.next(() => true, { within: 60_000 })).toBeUndefined()
    expect(waits).toEqual([1_000])
  })

  test('finds a call that comes behind others once the clock has been moved all the way', async () => {
    const { webhook } = given({ kind: 'testHook', late: [undefined, 'another', 'another', 'ours'] })
    const found = await webhook.next((delivery) => textOf(delivery) === 'ours', { within: 2_000 })
    expect(found?.exchange.id).toBe('sample/w3')
  })

  test('learns how late calls are by the wall where the clock has been moved all the way, and only there', async () => {
    const early = given({ kind: 'testHook', settleMs: 2, late: [undefined, undefined, undefined, 'ours'] })
    expect(await early.webhook.next(() => true, { within: 60_000 })).toBeDefined()
    expect(early.delay.settleMs).toBe(2)
    const late = given({ kind: 'testHook', settleMs: 2, late: [undefined, 'another', 'another', 'ours'] })
    const isOurs = (delivery: Delivery): boolean => textOf(delivery) === 'ours'
    expect(await late.webhook.next(isOurs, { within: 2_000 })).toBeDefined()
    expect(late.delay.settleMs).toBeGreaterThan(2)
  })

  test('waits for a call that is missing longer than for one that may come', async () => {
    const { webhook, waits } = given({ kind: 'testHook' })
    expect(await webhook.next(() => true, { within: 2_000 })).toBeUndefined()
    expect(waits).toEqual([expect.closeTo(250, -2), expect.closeTo(10_000, -2)])
  })

  test('is inconclusive where nothing that came is in JSON', async () => {
    const { webhook, exchanges } = given()
    exchanges.push(exchangeWith('consentId=c-1'))
    await expect(webhook.next(() => false, { within: 1_000 })).rejects.toThrow('but not as JSON')
    // One that can be read shows that the others are no other form of the same.
    exchanges.push(exchangeWith('{}', 'sample/w2'))
    expect(await webhook.next(() => false, { within: 1_000 })).toBeUndefined()
  })

  test('is inconclusive where more came than can be kept', async () => {
    const { webhook } = given({ beyond: 3 })
    await expect(webhook.next(() => true, { within: 1 })).rejects.toThrow(Inconclusive)
    expect(() => webhook.deliveries()).toThrow('3 webhook calls came beyond')
  })
})

describe('the settings', () => {
  test('are changed once no call of before is on its way any more', async () => {
    const { webhook, settings, exchanges } = given({ kind: 'testHook', late: ['of before', 'of before'] })
    await webhook.configure({ securityHeader: 'first' })
    expect(exchanges).toHaveLength(0)
    await webhook.configure({ securityHeader: 'second' })
    expect(exchanges).toHaveLength(2)
    expect(settings.map(({ securityHeader }) => securityHeader)).toEqual(['first', 'second'])
  })

  test('point to the address of the scenario, and are active within the hour and a minute', async () => {
    const { webhook, settings, steps } = given()
    await webhook.activate()
    expect(settings).toEqual([{ clientId: 'tpp-1', enabled: true, url: 'http://sink/x', securityHeader: '' }])
    expect(steps).toEqual([61 * 60_000])
  })

  test('are a reason to stop where the target does not take them', async () => {
    const { webhook } = given({ taken: false })
    await expect(webhook.activate()).rejects.toThrow(NotReached)
    expect((await webhook.configure()).taken).toBe(false)
  })

  test('are left alone where the profile says that they point here', async () => {
    const { webhook, settings, steps, ...rest } = given({ configured: ['shop'] })
    await webhook.activate()
    await rest.restore()
    expect(settings).toEqual([])
    expect(steps).toEqual([])
  })

  test('have a security header that is no secret to nobody', async () => {
    const { webhook, learned } = given()
    await webhook.configure({ securityHeader: 'open sesame' })
    await webhook.configure({ securityHeader: '   ' })
    expect(learned).toEqual(['open sesame'])
  })

  test('are off in the end, without a security header, of each application that was changed', async () => {
    const { webhook, settings, ...rest } = given()
    const other = { profile: { clientId: 'tpp-2', name: 'other' } } as Application
    await webhook.activate()
    await webhook.configure({ app: other, securityHeader: 'x', url: 'http://sink/y' })
    await webhook.configure({ enabled: false })
    settings.length = 0
    await rest.restore()
    expect(
      settings.map(({ clientId, enabled, securityHeader }) => [clientId, enabled, securityHeader]),
    ).toEqual([
      ['tpp-1', false, ''],
      ['tpp-2', false, ''],
    ])
  })

  test('are put back in the end as they were found, where the target says so', async () => {
    const found = {
      clientId: 'tpp-1',
      enabled: true,
      url: 'https://shop.example/hook',
      securityHeader: 'abcd',
    }
    const { webhook, settings, learned, ...rest } = given({ before: [found] })
    await webhook.activate()
    await webhook.configure({ enabled: false })
    settings.length = 0
    await rest.restore()
    expect(settings).toEqual([found])
    expect(learned).toEqual(['abcd'])
  })
})

test('calls that come later than the profile says are given twice that time from then on', () => {
  const pace = new CallDelay(50)
  pace.came(40)
  expect(pace.settleMs).toBe(50)
  pace.came(2_100)
  expect(pace.settleMs).toBe(4_200)
  pace.came(9_000)
  expect(pace.settleMs).toBe(10_000)
})

test('what the profile says is never cut short', () => {
  const pace = new CallDelay(30_000)
  pace.came(40_000)
  expect(pace.settleMs).toBe(30_000)
  expect(pace.lastMs).toBe(30_000)
})

test('a target that makes no calls is soon given no more than the profile says', () => {
  const pace = new CallDelay(50)
  pace.missed()
  expect(pace.lastMs).toBe(10_000)
  pace.missed()
  expect(pace.lastMs).toBe(50)
})

test('what is due to nobody is waited for a moment, and as long as calls have shown to take', () => {
  const pace = new CallDelay(2_000)
  expect(pace.lagMs).toBe(250)
  pace.came(600)
  expect(pace.lagMs).toBe(1_200)
  pace.came(100)
  expect(pace.lagMs).toBe(1_200)
  expect(pace.settleMs).toBe(2_000)
  expect(new CallDelay(50).lagMs).toBe(50)
})
