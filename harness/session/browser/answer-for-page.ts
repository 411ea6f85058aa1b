import type { Exchange, HeaderFields } from '../../evidence/exchange.ts'

/** An answer of the bank, as the page in the browser gets it. */
export interface AnswerForPage {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** What was true of the body on the wire alone. */
const OF_THE_WIRE: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'location',
  'transfer-encoding',
])

/** Cookies cannot be joined by a comma: the browser is given a line for each. */
const joined = (fields: HeaderFields): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const [field, value] of fields) {
    const name = field.toLowerCase()
    if (OF_THE_WIRE.has(name)) continue
    const before = headers[name]
    headers[name] = before === undefined ? value : `${before}${name === 'set-cookie' ? '\n' : ', '}${value}`
  }
  return headers
}

/** @param bytes the whole body; without them what is kept of it must do. */
export const answerForPage = ({ response }: Exchange, bytes: Buffer | undefined): AnswerForPage => ({
  status: response?.status ?? 502,
  headers: joined(response?.headers ?? []),
  body: bytes ?? Buffer.from(response?.body.text ?? ''),
})

/**
 * A redirect, as a page that goes there at once. A real one the browser would follow past whoever stands between it
 * and the network; this one asks again.
 */
export const redirectForPage = (exchange: Exchange, location: string): AnswerForPage => {
  const { 'set-cookie': cookies } = answerForPage(exchange, undefined).headers
  const target = JSON.stringify(location).replaceAll('<', '\\u003c')
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(cookies !== undefined && { 'set-cookie': cookies }),
    },
    body: Buffer.from(`<!doctype html><script>location.replace(${target})</script>`),
  }
}
