import type { Navigation } from '../page-navigation.ts'
import { codesIn } from '../shown-codes.ts'
import type { Request } from 'playwright-core'
import type { Exchange } from '../../../evidence/exchange.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Trace } from './trace.ts'

export type RequestForwarder = ReturnType<typeof createRequestForwarder>

interface Delivered {
  readonly exchange: Exchange
  /** The whole body; undefined if only what is kept of it is available. */
  readonly bytes: Buffer | undefined
}

/** The HTTP client sets these itself. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['accept-encoding', 'connection', 'content-length', 'host'])

export const withoutFragment = (url: string): string => url.replace(/#.*$/s, '')

/** Whether a script changed something or was refused, as opposed to reading data. */
const isAction = ({ request, response }: Exchange): boolean =>
  request.method !== 'GET' || (response?.status ?? 0) >= 400

/** Sends the requests of a browser with the HTTP client of the run. */
export const createRequestForwarder = (
  { http, recipe }: Navigation,
  { operation, environment }: HttpRequest,
  trace: Trace,
) => {
  const withheld: (() => void)[] = []
  let last: Exchange | undefined
  let shown: Exchange | undefined
  return {
    /** The request in the form of the HTTP client. */
    requestOf(request: Request): HttpRequest {
      const text = request.postData()
      return {
        operation,
        sender: 'customer',
        method: request.method(),
        url: withoutFragment(request.url()),
        headers: Object.entries(request.headers()).filter(([name]) => !OWN_FIELDS.has(name)),
        ...(environment && { environment }),
        ...(text !== null && { text }),
      }
    },
    /** @param isUnrecorded true if it is not an exchange of the scenario. */
    async send(request: HttpRequest, isUnrecorded: boolean): Promise<Delivered> {
      let bytes: Buffer | undefined
      const exchange = await http.send(request, (seen) => codesIn(seen, recipe), {
        isUnrecorded,
        onBody: (whole) => (bytes = whole),
        deferWrite: (write) => withheld.push(write),
      })
      const { method, url } = request
      trace.note({ what: 'request', method, url, status: exchange.response?.status })
      if (!isUnrecorded) last = exchange
      if (!isUnrecorded && isAction(exchange)) shown = exchange
      return { exchange, bytes }
    },
    /** The last exchange of all, and the last one that the page shows. */
    last: () => last,
    shown: () => shown ?? last,
    /** The page shows this exchange from now on. */
    shows: (exchange: Exchange) => void (shown = exchange),
    /** Writes the exchanges that waited until it was known what in them is secret. */
    release: () => {
      for (const write of withheld.splice(0)) write()
    },
  }
}
