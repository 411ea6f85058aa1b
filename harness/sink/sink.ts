import { randomBytes } from 'node:crypto'
import { createBudget, createIntake } from './intake.ts'
import type { Body, Fault, HeaderFields } from '../evidence/exchange.ts'
import type { Budget } from './intake.ts'

/**
 * Where a target's webhook calls arrive: any number of addresses, one for each scenario, of which none can be guessed
 * from another. Whatever arrives is told to the one who listens there before it is answered; nothing is judged here.
 */

/** One webhook call, as it came. */
export interface Arrival {
  readonly method: string
  /** The address that was called, as the target knows it. */
  readonly url: string
  readonly headers: HeaderFields
  readonly body: Body
  /** Why it did not come whole. */
  readonly fault?: Fault
  /** What it is answered with; nothing where nobody is left to be answered. */
  readonly status?: number
  readonly durationMs: number
}

export type Hear = (arrival: Arrival) => void

export interface Address {
  readonly url: string
  /** Whoever calls later is answered alike, and not heard by who has opened it. */
  close(): void
}

export interface Sink {
  /**
   * An address of its own.
   * @param claims whether a call at an address that is closed is for it: a target may go on to call that one.
   */
  open(hear: Hear, claims?: (arrival: Arrival) => boolean): Address
  /** The address of the sink as a whole, for settings that point there already. The last one who asks is heard. */
  openWhole(hear: Hear): Address
  /** Takes a call that came without a socket. */
  receive(request: Request): Promise<Response>
  /** Takes a call, and tells the status of its answer. */
  take(arrival: Omit<Arrival, 'status' | 'url'> & { readonly path: string }): number
  /** How many calls have come, whoever has heard them: none leaves it open whether the target can come here at all. */
  readonly calls: number
  /** What all bodies under way may hold together. */
  readonly budget: Budget
}

/** The body of a webhook call is of no use to who sent it: it is answered with as little as there is. */
export const TAKEN = 204
/** Nobody was ever told of that address. */
const UNKNOWN = 404
/** Whoever keeps a tunnel or a proxy asks whether somebody listens: that is no call of the target. */
const HEALTHY = 200
const HEALTH = '/health'

const BUDGET_BYTES = 64 * 1024 * 1024
/** 128 bits. */
const SEGMENT_BYTES = 16

/**
 * @param base what the target is told, without the segment of a scenario: an address with or without a path. Who ends
 * its TLS, and what stands in the headers about that, makes no difference: only the path tells who is meant.
 * @param onStray is told of a call at an address that nobody was told.
 */
export const createSink = (base: string, onStray: Hear = () => undefined): Sink => {
  const whole = base.replace(/\/+$/, '')
  const prefix = new URL(whole).pathname.replace(/\/+$/, '')
  const listeners = new Map<string, Hear | undefined>()
  const claimants = new Map<Hear, (arrival: Arrival) => boolean>()
  const budget = createBudget(BUDGET_BYTES)

  const openAt = (segment: string, url: string, hear: Hear): Address => {
    listeners.set(segment, hear)
    return {
      url,
      close() {
        if (listeners.get(segment) === hear) listeners.set(segment, undefined)
        claimants.delete(hear)
      },
    }
  }

  const hearersOf = (segment: string, arrival: Arrival): readonly Hear[] => {
    const listener = listeners.get(segment)
    if (listener !== undefined) return [listener]
    return [...claimants].flatMap(([hear, claims]) => (claims(arrival) ? [hear] : []))
  }

  const isBelowPrefix = (path: string): boolean =>
    path.startsWith(prefix) && /^([/?#]|$)/.test(path.slice(prefix.length))

  /** A proxy may have taken the prefix away; then the rest of the path is the same. */
  const behindPrefix = (path: string): string => (isBelowPrefix(path) ? path.slice(prefix.length) : path)

  /** A target that puts something around the address is heard all the same: what it called is judged. */
  const addressedBy = (path: string): string | undefined =>
    path.split(/[/?#&=]/).find((part) => part !== WHOLE && listeners.has(part))

  /** Settings that point to the sink as a whole mean its own path, and whatever is below. */
  const isMeantForAll = (path: string): boolean =>
    listeners.has(WHOLE) && (isBelowPrefix(path) || /^\/?([?#]|$)/.test(path))

  const segmentOf = (path: string): string | undefined =>
    addressedBy(behindPrefix(path)) ?? (isMeantForAll(path) ? WHOLE : undefined)

  const isHealthCheck = (method: string, path: string): boolean =>
    (method === 'GET' || method === 'HEAD') && behindPrefix(path).replace(/[?#].*$/, '') === HEALTH

  const sink: Sink & { calls: number } = {
    budget,
    calls: 0,
    open(hear, claims) {
      if (claims !== undefined) claimants.set(hear, claims)
      const segment = randomBytes(SEGMENT_BYTES).toString('base64url')
      return openAt(segment, `${whole}/${segment}`, hear)
    },
    openWhole: (hear) => openAt(WHOLE, base, hear),
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
      const heard = { ...arrival, url: whole + rest, ...(isWhole && { status: TAKEN }) }
      for (const hear of hearersOf(segment, heard)) hear(heard)
      return TAKEN
    },
    async receive(request) {
      const startedAt = performance.now()
      const headers = [...request.headers]
      const intake = createIntake(budget)
      const fault = await drain(request, (chunk) => intake.add(chunk))
      const { pathname, search } = new URL(request.url)
      const status = sink.take({
        ...{ method: request.method, path: pathname + search, headers, body: intake.end(headers) },
        ...(fault && { fault }),
        durationMs: performance.now() - startedAt,
      })
      return new Response(null, { status })
    },
  }
  return sink
}

/** Stands for the sink as a whole; no part of a path is empty and an address at once. */
const WHOLE = ''

/** A request without a body has null there. */
const NO_BODY: readonly Uint8Array[] = []

const drain = async (request: Request, add: (chunk: Buffer) => void): Promise<Fault | undefined> => {
  try {
    for await (const chunk of request.body ?? NO_BODY) add(Buffer.from(chunk as Uint8Array))
    return undefined
  } catch (error) {
    return brokenOff((error as Error).name)
  }
}

/** The sender went away before the end of what it had to say. */
export const brokenOff = (cause: string): Fault => ({
  kind: 'reset',
  cause,
  message: 'the connection was closed before the request was whole',
})
