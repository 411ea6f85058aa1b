import { randomBytes } from 'node:crypto'
import { errorOf } from '../../../evidence/errors.ts'
import { createIntake, type Budget } from './intake.ts'
import type { Body, Fault, HeaderFields } from '../../../evidence/exchange.ts'

/**
 * The server side of webhooks: any number of addresses, one for each scenario, none of which can be guessed from
 * another. Each call is passed to the listener of its address before it is answered; nothing is judged here.
 */

/** One webhook call as it arrived. */
export interface Arrival {
  readonly method: string
  /** The address that was called, as in the settings of the target. */
  readonly url: string
  readonly headers: HeaderFields
  readonly body: Body
  /** Why the call is incomplete. */
  readonly fault?: Fault
  /** The status of the answer; undefined if the caller has gone. */
  readonly status?: number
  readonly durationMs: number
}

export type Listener = (arrival: Arrival) => void

export interface Address {
  readonly url: string
  /** Later calls get the same answer, and the listener no longer sees them. */
  close(): void
}

export interface Sink {
  /**
   * Opens a new address.
   * @param claims whether a call at an address that is closed belongs to this one: a target may still call the old
   * address.
   */
  open(listener: Listener, claims?: (arrival: Arrival) => boolean): Address
  /**
   * Opens the address of the whole sink, for settings that already point there. The last one who opens it gets the
   * calls.
   */
  openWhole(listener: Listener): Address
  /** Handles a call that came without a socket. */
  receive(request: Request): Promise<Response>
  /** Handles a call, and returns the status of its answer. */
  take(arrival: Omit<Arrival, 'status' | 'url'> & { readonly path: string }): number
  /** How many calls have arrived for any listener: if none, it is not known whether the target can reach the sink. */
  readonly calls: number
  /** Whether the target is given the address at which the sink listens, and not that of a tunnel or proxy. */
  readonly isDirect: boolean
  /** The memory of all bodies under way. */
  readonly budget: Budget
}

/** The sender does not need a body: the answer has none. */
const TAKEN = 204
/** An address that was never given out. */
const UNKNOWN = 404
/** A tunnel or a proxy may check whether the sink is there: this is not a call of the target. */
const HEALTHY = 200
const HEALTH = '/health'

const BUDGET_BYTES = 64 * 1024 * 1024
/** 128 bits. */
const SEGMENT_BYTES = 16

/** Reads the paths of calls. @param isOpen whether an address with this segment was given out. */
const pathReader = (prefix: string, isOpen: (segment: string) => boolean) => {
  const isBelowPrefix = (path: string): boolean =>
    path.startsWith(prefix) && /^([/?#]|$)/.test(path.slice(prefix.length))

  /** A proxy may have removed the prefix; the rest of the path is the same. */
  const behindPrefix = (path: string): string => (isBelowPrefix(path) ? path.slice(prefix.length) : path)

  /** A target may add something around the address: the call is accepted, and the address is judged. */
  const addressedBy = (path: string): string | undefined =>
    path.split(/[/?#&=]/).find((part) => part !== WHOLE && isOpen(part))

  /** Settings that point to the whole sink mean its own path and everything below. */
  const isMeantForAll = (path: string): boolean =>
    isOpen(WHOLE) && (isBelowPrefix(path) || /^\/?([?#]|$)/.test(path))

  const segmentOf = (path: string): string | undefined =>
    addressedBy(behindPrefix(path)) ?? (isMeantForAll(path) ? WHOLE : undefined)

  const isHealthCheck = (method: string, path: string): boolean =>
    (method === 'GET' || method === 'HEAD') && behindPrefix(path).replace(/[?#].*$/, '') === HEALTH

  return { behindPrefix, segmentOf, isHealthCheck }
}

/**
 * @param base the address for the target, without the segment of a scenario, with or without a path. Which host,
 * TLS end point or header a call has does not matter: only its path decides.
 * @param onStray receives a call at an unknown address.
 */
export const createSink = (base: string, onStray: Listener = () => undefined, isDirect = true): Sink => {
  const whole = base.replace(/\/+$/, '')
  const prefix = new URL(whole).pathname.replace(/\/+$/, '')
  const listeners = new Map<string, Listener | undefined>()
  const claimants = new Map<Listener, (arrival: Arrival) => boolean>()
  const budget: Budget = { left: BUDGET_BYTES }

  const openAt = (segment: string, url: string, listener: Listener): Address => {
    listeners.set(segment, listener)
    return {
      url,
      close() {
        if (listeners.get(segment) === listener) listeners.set(segment, undefined)
        claimants.delete(listener)
      },
    }
  }

  const listenersOf = (segment: string, arrival: Arrival): readonly Listener[] => {
    const listener = listeners.get(segment)
    if (listener !== undefined) return [listener]
    return [...claimants].flatMap(([listener, claims]) => (claims(arrival) ? [listener] : []))
  }
  const { behindPrefix, segmentOf, isHealthCheck } = pathReader(prefix, (segment) => listeners.has(segment))

  const sink: Sink & { calls: number } = {
    budget,
    isDirect,
    calls: 0,
    open(listener, claims) {
      if (claims !== undefined) claimants.set(listener, claims)
      const segment = randomBytes(SEGMENT_BYTES).toString('base64url')
      return openAt(segment, `${whole}/${segment}`, listener)
    },
    openWhole: (listener) => openAt(WHOLE, base, listener),
    take({ path, ...arrival }) {
      if (isHealthCheck(arrival.method, path)) return HEALTHY
      const rest = behindPrefix(path)
      const segment = segmentOf(path)
      if (segment === undefined) {
        onStray({ ...arrival, url: new URL(base).origin + path, status: UNKNOWN })
        return UNKNOWN
      }
      sink.calls += 1
      const isWhole = arrival.fault === undefined
      const received = { ...arrival, url: whole + rest, ...(isWhole && { status: TAKEN }) }
      for (const listener of listenersOf(segment, received)) listener(received)
      return TAKEN
    },
    receive: (request) => receive(sink, request),
  }
  return sink
}

const receive = async (sink: Sink, request: Request): Promise<Response> => {
  const startedAt = performance.now()
  const headers = [...request.headers]
  const intake = createIntake(sink.budget)
  const fault = await drain(request, (chunk) => intake.add(chunk))
  const { pathname, search } = new URL(request.url)
  const status = sink.take({
    method: request.method,
    path: pathname + search,
    headers,
    body: intake.end(headers),
    ...(fault && { fault }),
    durationMs: performance.now() - startedAt,
  })
  return new Response(null, { status })
}

/** The segment of the whole sink; no segment of a scenario is empty. */
const WHOLE = ''

/** The body of a request without one is null. */
const NO_BODY: readonly Uint8Array[] = []

const drain = async (request: Request, add: (chunk: Buffer) => void): Promise<Fault | undefined> => {
  try {
    for await (const chunk of request.body ?? NO_BODY) add(Buffer.from(chunk as Uint8Array))
    return undefined
  } catch (error) {
    return brokenOff(errorOf(error).name)
  }
}

/** The sender closed the connection before the request was complete. */
export const brokenOff = (cause: string): Fault => ({
  kind: 'reset',
  cause,
  message: 'the connection was closed before the request was whole',
})
