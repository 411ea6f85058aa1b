import { renderHandover } from '../../evidence/handover.ts'
import { onOneLine } from '../printable.ts'
import type { Exchange } from '../../evidence/exchange.ts'

const LONGEST_SEGMENT = 20

/** `7F…` for an identifier that would push everything else off the line. */
const shorten = (segment: string): string =>
  segment.length <= LONGEST_SEGMENT ? segment : `${segment.slice(0, 2)}…`

/** The path of a request as people say it: without the origin, long identifiers and the values of the query. */
export const pathOf = (url: string): string => {
  const [path = '', query] = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/)
  const named = path.split('/').map(shorten).join('/')
  return `${named === '' ? '/' : named}${query === undefined ? '' : '?…'}`
}

/** `GET /payments/7F…/status → 200` */
export const renderExchange = (exchange: Exchange): string =>
  onOneLine(`${exchange.request.method} ${pathOf(exchange.request.url)} → ${endOf(exchange)}`)

const endOf = ({ response, fault, handover }: Exchange): string => {
  if (handover !== undefined) return renderHandover(handover)
  return String(response?.status ?? `no answer (${fault?.kind ?? 'unknown'})`)
}
