import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { DAY, MINUTE, SECOND } from '../rules/facts.ts'
import { SOON } from '../../testing/pace.ts'
import { anAccount, BankWithSink, type SinkOptions } from '../../testing/bank-clients/test-sink.ts'

const own = anAccount('Everyday account')

const notified = async (options: SinkOptions): Promise<BankWithSink> => {
  const world = new BankWithSink(options)
  await world.subscribe()
  await world.book(own)
  await world.pass(MINUTE)
  return world
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a delivery', () => {
  test('that fails is repeated three times, in growing intervals', async () => {
    const world = await notified({ answer: () => new Response(null, { status: 503 }) })
    await world.pass(DAY)
    expect(world.times).toEqual(['10:00:02', '10:00:12', '10:01:12', '10:06:12'])
    expect(new Set(world.received.map(({ text }) => text)).size).toBe(1)
  })

  test('is repeated until it succeeds, after any failure', async () => {
    const failures = [
      () => Promise.reject(new Error('refused')),
      () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } }),
    ]
    const answer = (call: number): Promise<Response> | Response =>
      failures[call - 1]?.() ?? new Response('ok')
    const world = await notified({ answer })
    await world.pass(DAY)
    expect(world.times).toEqual(['10:00:02', '10:00:12', '10:01:12'])
  })

  test('to an application that does not answer delays the bank by a few real seconds only', async () => {
    const world = new BankWithSink({ answer: () => new Promise(() => undefined) })
    await world.subscribe()
    await world.book(own)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const advanced = world.pass(5 * SECOND)
    await vi.waitFor(() => expect(world.received).toHaveLength(1), SOON)
    await vi.advanceTimersByTimeAsync(5000)
    expect((await Promise.all([advanced])).length).toBe(1)
    expect(world.times).toEqual(['10:00:02'])
  })

  test('does not delay a running clock', async () => {
    const world = new BankWithSink({ speed: 1, answer: () => new Promise(() => undefined) })
    await world.subscribe()
    await world.book(own)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await world.pass(2 * SECOND)
    await vi.waitFor(() => expect(world.received).toHaveLength(1), SOON)
    world.bank.clock.stop()
  })

  test('goes over the network by default', async () => {
    const calls: string[] = []
    const sink = createServer((request, response) => {
      calls.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''}`)
      response.end('thanks')
    })
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = sink.address() as AddressInfo
      const world = new BankWithSink({ byNetwork: true })
      await world.subscribe({ change: { url: `http://127.0.0.1:${port}/hook`, securityHeader: 'a b' } })
      await world.book(own)
      await world.pass(MINUTE)
      expect(calls).toEqual(['POST /hook a b'])
    } finally {
      sink.closeAllConnections()
      sink.close()
    }
  })
})
