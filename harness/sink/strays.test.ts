import { expect, test } from 'vitest'
import { createRedactor } from '../evidence/redaction.ts'
import { strayKeeper } from './strays.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Redactor } from '../evidence/redaction.ts'

const keeping = () => {
  const kept: Exchange[] = []
  const write = (exchange: Exchange, redactor: Redactor): void => void kept.push(redactor.exchange(exchange))
  const keeper = strayKeeper({
    journal: { write, close: () => undefined },
    redactor: createRedactor([{ name: 'client_secret', value: 'open sesame' }]),
  })
  return { kept, keeper }
}

const arrival = (text = '{}') => ({
  ...{ method: 'POST', url: 'https://me.example/elsewhere', headers: [], status: 404, durationMs: 1 },
  body: { text, bytes: text.length },
})

test('a stray is in the evidence, without secrets', () => {
  const { kept, keeper } = keeping()
  keeper(arrival('open sesame'))
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
  for (const { keeper } of both) for (let count = 0; count < 3; count += 1) keeper(arrival())
  expect(new Set(both.flatMap(({ kept }) => kept.map(({ id }) => id))).size).toBe(6)
})

test('whoever comes without end is not written down without end', () => {
  const { kept, keeper } = keeping()
  for (let count = 0; count < 1_000; count += 1) keeper(arrival())
  expect(kept.length).toBe(100)
})
