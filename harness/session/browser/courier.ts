import { shownCode } from '../customer.ts'
import type { Request } from 'playwright-core'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Walk } from '../customer.ts'
import type { HttpRequest } from '../request.ts'
import type { Trace } from './trace.ts'

/** Carries the requests of a browser to the bank, over the HTTP layer of the run, and the answers back. */
export interface Courier {
  /** The request, as the HTTP layer is to send it. */
  requestOf(request: Request): HttpRequest
  /** @param isAside it is no exchange of the scenario. */
  send(request: HttpRequest, isAside: boolean): Promise<Delivered>
  /** The last exchange; of all, and of those that a page rests on. */
  last(): Exchange | undefined
  shown(): Exchange | undefined
  /** The page rests on this one from now on. */
  shows(exchange: Exchange): void
  /** Writes what was held back until it was known what in it is secret. */
  release(): void
}

export interface Delivered {
  readonly exchange: Exchange
  /** The whole body; without it, what is kept of it must do. */
  readonly bytes: Buffer | undefined
}

/** These the HTTP layer says itself. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['accept-encoding', 'connection', 'content-length', 'host'])

export const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

/** What a script did, or was refused, and not what it looked up besides. */
const isDeed = ({ request, response }: Exchange): boolean =>
  request.method !== 'GET' || (response?.status ?? 0) >= 400

export const createCourier = (
  { http, recipe }: Walk,
  { operation, environment }: HttpRequest,
  trace: Trace,
): Courier => {
  const withheld: (() => void)[] = []
  let last: Exchange | undefined
  let shown: Exchange | undefined
  return {
    requestOf(request) {
      const text = request.postData()
      return {
        ...{ operation, sender: 'customer', method: request.method(), url: withoutFragment(request.url()) },
        headers: Object.entries(request.headers()).filter(([name]) => !OWN_FIELDS.has(name)),
        ...(environment && { environment }),
        ...(text !== null && { text }),
      }
    },
    async send(request, isAside) {
      let bytes: Buffer | undefined
      const exchange = await http.send(request, (seen) => shownCode(seen, recipe), {
        isAside,
        onBody: (whole) => (bytes = whole),
        withhold: (write) => withheld.push(write),
      })
      const { method, url } = request
      trace.note({ what: 'request', method, url, status: exchange.response?.status })
      if (!isAside) last = exchange
      if (!isAside && isDeed(exchange)) shown = exchange
      return { exchange, bytes }
    },
    last: () => last,
    shown: () => shown ?? last,
    shows: (exchange) => void (shown = exchange),
    release: () => {
      for (const write of withheld.splice(0)) write()
    },
  }
}
