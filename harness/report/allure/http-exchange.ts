import {
  ALLURE_HTTP_EXCHANGE_SCHEMA_VERSION,
  type HttpExchangeNameValue,
  type HttpExchangeBody,
  type HttpExchange,
} from 'allure-js-commons'
import {
  headerOf,
  renderHandover,
  type HeaderFields,
  type Body,
  type Exchange,
} from '../../evidence/exchange.ts'

/** An exchange in the format of Allure's viewer for requests and responses. */

/** The longest body that the page shows, in characters; evidence.jsonl contains the whole body. */
const SHOWN = 64 * 1024

const fields = (headers: HeaderFields): HttpExchangeNameValue[] =>
  headers.map(([name, value]) => ({ name, value }))

const pairs = (text: string): HttpExchangeNameValue[] =>
  Array.from(new URLSearchParams(text), ([name, value]) => ({ name, value }))

const queryOf = (url: string): HttpExchangeNameValue[] =>
  URL.canParse(url) ? pairs(new URL(url).search) : []

const bodyOf = ({ text, bytes, sha256, shortenedFrom }: Body, headers: HeaderFields): HttpExchangeBody => {
  const truncated = (sha256 ?? shortenedFrom) !== undefined || text.length > SHOWN
  const contentType = headerOf(headers, 'content-type') ?? 'text/plain'
  const isForm = contentType.startsWith('application/x-www-form-urlencoded')
  return {
    contentType,
    ...(isForm && !truncated && { form: pairs(text) }),
    encoding: 'utf8',
    value: text.slice(0, SHOWN),
    size: bytes,
    ...(truncated && { truncated }),
  }
}

export const toHttpExchange = (exchange: Exchange): HttpExchange => {
  const { request, response, fault, handover, sentAt, durationMs } = exchange
  const start = Date.parse(sentAt)
  return {
    schemaVersion: ALLURE_HTTP_EXCHANGE_SCHEMA_VERSION,
    request: {
      method: request.method,
      url: request.url,
      headers: fields(request.headers),
      query: queryOf(request.url),
      ...(request.body && { body: bodyOf(request.body, request.headers) }),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: fields(response.headers),
        body: bodyOf(response.body, response.headers),
      },
    }),
    ...(handover && { error: { name: renderHandover(handover), message: handover.address ?? '' } }),
    ...(fault && { error: { name: `${fault.kind} (${fault.cause})`, message: fault.message } }),
    ...(Number.isFinite(start) && { start, stop: Math.round(start + durationMs) }),
  }
}
