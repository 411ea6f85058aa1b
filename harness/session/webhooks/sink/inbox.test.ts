import { expect, test } from 'vitest'
import { noJournal } from '../../../evidence/journal.ts'
import { createRedactor, type Redactor } from '../../../evidence/redaction.ts'
import { Inconclusive } from '../../../evidence/signals.ts'
import { openInbox, recordStrayCalls } from './inbox.ts'
import { createSink } from './sink.ts'
import type { Exchange } from '../../../evidence/exchange.ts'
import type { InboxOptions } from './inbox.ts'

const AT = new Date('2026-01-05T10:00:00Z')

const opened = (options: Partial<InboxOptions> = {}) => {
  const sink = createSink('http://sink.example')
  const passed: Exchange[] = []
  const inbox = openInbox((listener) => sink.open(listener), {
    scenario: 'webhooks/a-booking',
    now: () => AT,
    redactor: createRedactor([]),
    journal: noJournal,
    onExchange: (exchange) => passed.push(exchange),
    ...options,
  })
  const call = (body: string, init: RequestInit = {}): Promise<Response> =>
    sink.receive(new Request(inbox.url, { method: 'POST', body, ...init }))
  return { inbox, passed, call }
}

test('a call is an exchange of the target, numbered apart from those of the scenario', async () => {
  const { inbox, passed, call } = opened()
  await call('{"a":1}')
  await call('{"a":2}')
  expect(inbox.exchanges).toMatchObject([
    {
      kind: 'exchange',
      id: 'webhooks/a-booking/w1',
      sender: 'target',
      operation: 'webhook',
      effect: 'notify',
      sentAt: AT.toISOString(),
      request: { method: 'POST', url: inbox.url, body: { text: '{"a":1}' } },
      response: { status: 204 },
    },
    { id: 'webhooks/a-booking/w2' },
  ])
  expect(passed).toEqual(inbox.exchanges)
})

test('a call is in the journal, without its secrets, before it is answered', async () => {
  const written: Exchange[] = []
  const redactor = createRedactor([])
  redactor.learn('security_header', 'open sesame')
  const { inbox, call } = opened({
    redactor,
    journal: {
      write: (exchange, own) => void written.push(own.exchange(exchange)),
      close: () => undefined,
    },
  })
  await call('{"note":"open sesame"}', { headers: { authorization: 'open sesame' } })
  expect(JSON.stringify(written)).not.toContain('sesame')
  expect(JSON.stringify(written)).not.toContain('open')
  // What is judged is what came.
  expect(JSON.stringify(inbox.exchanges)).toContain('open sesame')
})

test('beyond its room calls are counted and journalled, and not kept', async () => {
  let written = 0
  const { inbox, passed, call } = opened({
    keptCharacters: 5_000,
    journal: { write: () => void (written += 1), close: () => undefined },
  })
  for (let at = 0; at < 10; at += 1) await call('x'.repeat(500))
  expect(inbox.exchanges).toHaveLength(3)
  expect(passed).toHaveLength(3)
  expect(inbox.beyond).toBe(7)
  expect(written).toBe(10)
})

test('who waits learns of the next call, or that none came', async () => {
  const { inbox, call } = opened()
  const arrival = inbox.arrival(60_000)
  await call('{}')
  expect(await arrival).toBe(true)
  expect(await inbox.arrival(1)).toBe(false)
})

test('nobody waits beyond the end of the run', async () => {
  const end = new AbortController()
  const { inbox } = opened({ ends: end.signal })
  const arrival = inbox.arrival(60_000)
  end.abort(new Inconclusive('the run was interrupted'))
  await expect(arrival).rejects.toThrow(Inconclusive)
  await expect(inbox.arrival(60_000)).rejects.toThrow(Inconclusive)
})

const keeping = () => {
  const kept: Exchange[] = []
  const write = (exchange: Exchange, redactor: Redactor): void => void kept.push(redactor.exchange(exchange))
  const grantStore = recordStrayCalls({
    journal: { write, close: () => undefined },
    redactor: createRedactor([{ name: 'client_secret', value: 'open sesame' }]),
  })
  return { kept, grantStore }
}

const arrival = (text = '{}') => ({
  method: 'POST',
  url: 'https://me.example/elsewhere',
  headers: [],
  status: 404,
  durationMs: 1,
  body: { text, bytes: text.length },
})

test('a stray is in the evidence, without secrets', () => {
  const { kept, grantStore } = keeping()
  grantStore(arrival('open sesame'))
  expect(kept).toMatchObject([
    {
      sender: 'target',
      operation: 'stray',
      request: { body: { text: '[client_secret:1]' } },
      response: { status: 404 },
    },
  ])
})

test('each has an id of its own, whichever sink it came to', () => {
  const both = [keeping(), keeping()]
  for (const { grantStore } of both) for (let count = 0; count < 3; count += 1) grantStore(arrival())
  expect(new Set(both.flatMap(({ kept }) => kept.map(({ id }) => id))).size).toBe(6)
})

test('a call without end is not written down without end', () => {
  const { kept, grantStore } = keeping()
  for (let count = 0; count < 1_000; count += 1) grantStore(arrival())
  expect(kept.length).toBe(100)
})
