import { expect, test } from 'vitest'
import { createRedactor } from '../../evidence/redaction.ts'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { settling } from './settling.ts'
import type { HttpRequest } from './request.ts'

const READ: HttpRequest = {
  operation: 'readLoan',
  sender: 'scenario',
  method: 'GET',
  url: 'https://bank.example/status',
  headers: [['Authorization', 'Bearer one']],
}

const HOOK: HttpRequest = {
  operation: 'testHook',
  sender: 'testHook',
  method: 'POST',
  url: 'https://bank.example/clock',
  headers: [],
  settleMs: 400,
}

/** A target that shows a change some requests after the test hook. */
const target = (lag: number) => {
  let isMoved = false
  let reads = 0
  const http = settling({
    origins: [],
    redactor: createRedactor([]),
    async send(request) {
      if (request.operation === 'testHook') isMoved = true
      else if (isMoved) reads += 1
      return sampleExchange({ body: reads > lag ? '{"state":"new"}' : '{"state":"old"}' })
    },
  })
  const read = async (request = READ) => (await http.send(request)).response?.body.text
  return { read, move: () => http.send(HOOK), reads: () => reads }
}

test('what is as before is asked for until it is another', async () => {
  const { read, move, reads } = target(2)
  await read()
  await move()
  expect(await read()).toBe('{"state":"new"}')
  expect(reads()).toBe(3)
})

test('what does not change is answered in the end, and then at once', async () => {
  const { read, move, reads } = target(Infinity)
  await read()
  await move()
  expect(await read()).toBe('{"state":"old"}')
  const asked = reads()
  expect(asked).toBeGreaterThan(2)
  expect(await read()).toBe('{"state":"old"}')
  expect(reads()).toBe(asked + 1)
})

test('what was never asked before may have been changed too', async () => {
  const { read, move } = target(2)
  await move()
  expect(await read()).toBe('{"state":"new"}')
})

test('without a test hook everything is asked once', async () => {
  const { read, reads } = target(Infinity)
  await read()
  await read()
  expect(reads()).toBe(0)
})

test('only reads are repeated', async () => {
  const { read, move, reads } = target(Infinity)
  const write: HttpRequest = { ...READ, operation: 'cancelLoan', method: 'DELETE' }
  await read(write)
  await move()
  await read(write)
  expect(reads()).toBe(1)
})
