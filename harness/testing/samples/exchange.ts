import type { Exchange } from '../../evidence/exchange.ts'

/** An exchange for the tests of this folder: a token answer, unless it is said otherwise. */
export interface SampleParts {
  readonly id?: string
  readonly operation?: string
  readonly status?: number
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
  readonly fault?: Exchange['fault']
}

export const sampleExchange = (parts: SampleParts = {}): Exchange => {
  const { id = 'sample/1', operation = 'token', status = 200, headers = [], fault } = parts
  const text = parts.body ?? '{"access_token":"t0ken","expires_in":7776000,"nested":{"consentId":"c1"}}'
  return {
    kind: 'exchange',
    id,
    sender: 'scenario',
    operation,
    effect: 'consent',
    request: { method: 'POST', url: 'http://127.0.0.1/token', headers: [] },
    ...(fault === undefined
      ? { response: { status, headers, body: { text, bytes: Buffer.byteLength(text) } } }
      : { fault }),
    sentAt: '2026-01-05T09:00:00.000Z',
    durationMs: 1,
  }
}

export const TIMED_OUT = { kind: 'timeout', cause: 'DEADLINE', message: 'no whole answer came' } as const
