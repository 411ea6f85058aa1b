import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { Agent } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { startRawServer } from '../testing/faults/raw-server.ts'
import { answer } from '../testing/faults/fault-responses.ts'
import { keepBody, KEPT_BYTES, recorder, type WireRecord } from './recorder.ts'
import type { Respond } from '../testing/faults/raw-server.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(undo.splice(0).map((close) => close()))
})

const record = async (respond: Respond): Promise<WireRecord> => {
  const server = await startRawServer(respond)
  const agent = new Agent()
  undo.push(
    () => server.close(),
    () => agent.destroy(),
  )
  return new Promise((onRecorded) => {
    const call = { origin: server.url, path: '/', method: 'GET' as const, onRecorded }
    agent
      .compose(recorder)
      .dispatch(call, { onRequestStart: () => undefined, onResponseError: () => undefined })
  })
}

const TEXT = '{"iban":"SK08 0900 0000 0001 2312 3123","note":"čaká"}'

test.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['x-gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['identity', (bytes: Buffer) => bytes],
])('a body in %s is kept as text', async (coding, encode) => {
  const { response } = await record(answer(200, encode(Buffer.from(TEXT)), { 'content-encoding': coding }))
  expect(response?.body).toEqual({ text: TEXT, bytes: Buffer.byteLength(TEXT) })
})

test.each(['gzip', 'deflate', 'br'])('a body that is no %s is a fault after its status', async (coding) => {
  const { fault, response } = await record(answer(401, 'no such thing', { 'content-encoding': coding }))
  expect(response).toBeUndefined()
  expect(fault).toMatchObject({ kind: 'protocol', status: 401 })
})

test('a body is kept whole up to the limit, and then by its head, its size and its hash', () => {
  expect(keepBody(Buffer.alloc(KEPT_BYTES, 'a'))).not.toHaveProperty('sha256')
  expect(keepBody(Buffer.alloc(KEPT_BYTES + 1, 'a'))).toMatchObject({
    text: 'a'.repeat(KEPT_BYTES),
    bytes: KEPT_BYTES + 1,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  })
})

test.each([1, 16 * 1024, 16 * 1024 + 1, KEPT_BYTES])(
  'a body of %d bytes is the same whether it is read, copied or written',
  (size) => {
    const body = { text: 'a'.repeat(size), bytes: size }
    const kept = keepBody(Buffer.from(body.text))
    expect(kept).toEqual(body)
    expect({ ...kept }).toEqual(body)
    expect(structuredClone(kept)).toEqual(body)
    expect(JSON.stringify(kept)).toBe(JSON.stringify(body))
  },
)

test('a body without end is not read to its end', async () => {
  let poured = 0
  const endless: Respond = (socket) => {
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    const pour = (): void => {
      if (socket.destroyed) return
      poured += chunk.length
      socket.write(chunk, pour)
    }
    socket.write('HTTP/1.1 200 OK\r\n\r\n', pour)
  }
  const { fault } = await record(endless)
  expect(fault).toMatchObject({ kind: 'too-large', status: 200 })
  expect(poured).toBeLessThan(64 * KEPT_BYTES)
})
