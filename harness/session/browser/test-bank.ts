import { createRedactor } from '../../evidence/redaction.ts'
import { OPERATIONS } from '../request.ts'
import type { Exchange, HeaderFields } from '../../evidence/exchange.ts'
import type { Redactor } from '../../evidence/redaction.ts'
import type { Http } from '../http.ts'
import type { HttpRequest } from '../request.ts'

/** A bank for tests of the browser: a function that answers, and what it was asked. */

export const BANK = 'https://bank.example'

export interface TestAnswer {
  readonly status?: number
  readonly headers?: HeaderFields
  readonly type?: string
  readonly body?: string
}

export interface TestBank {
  readonly http: Http
  readonly redactor: Redactor
  readonly asked: readonly HttpRequest[]
  /** What was written into the journal. */
  readonly lines: readonly string[]
}

/** @param answerTo gives nothing where no answer comes. */
export const createTestBank = (
  answerTo: (request: HttpRequest, path: string) => TestAnswer | undefined,
): TestBank => {
  const redactor = createRedactor([{ name: 'password', value: 'p$&$$`w-of-anna' }])
  const asked: HttpRequest[] = []
  const lines: string[] = []
  const http: Http = {
    origins: [BANK],
    redactor,
    async send(request, secretsOf, { isAside = false, onBody, withhold } = {}) {
      asked.push(request)
      const told = answerTo(request, new URL(request.url).pathname)
      const { status = 200, headers = [], type = 'text/html', body = '' } = told ?? {}
      onBody?.(Buffer.from(body))
      const exchange: Exchange = {
        ...{ kind: 'exchange', id: `walk/${asked.length}`, sender: 'customer' },
        ...{ operation: request.operation, effect: OPERATIONS[request.operation] },
        request: { method: request.method, url: request.url, headers: request.headers },
        ...(told === undefined
          ? { fault: { kind: 'reset', cause: 'ECONNRESET', message: 'closed' } }
          : {
              response: {
                status,
                headers: [['content-type', type], ...headers],
                body: { text: body, bytes: Buffer.byteLength(body) },
              },
            }),
        ...{ sentAt: '2026-01-05T09:00:00.000Z', durationMs: 1 },
      }
      const write = (): void => {
        for (const { name, value } of secretsOf?.(exchange) ?? []) redactor.learn(name, value)
        lines.push(JSON.stringify(redactor.exchange(exchange)))
      }
      if (!isAside) withhold?.(write)
      return exchange
    },
  }
  return { http, redactor, asked, lines }
}
