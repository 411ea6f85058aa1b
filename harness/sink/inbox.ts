import type { Exchange } from '../evidence/exchange.ts'
import type { Journal } from '../evidence/journal.ts'
import type { Redactor } from '../evidence/redaction.ts'
import type { Address, Arrival, Hear } from './sink.ts'

/** The webhook calls of one scenario: each is an exchange, and is in the journal before the target has its answer. */
export interface Inbox {
  /** What the target is told. */
  readonly url: string
  /** In the order in which they came. */
  readonly exchanges: readonly Exchange[]
  /** How many came beyond those: they are in the journal alone. */
  readonly beyond: number
  /** Waits for the next call. @returns whether one came in that many ms. @throws the reason of the run's end. */
  arrival(ms: number): Promise<boolean>
  close(): void
}

export interface InboxOptions {
  /** The id of the scenario, which begins the id of each exchange. */
  readonly scenario: string
  readonly now: () => Date
  readonly redactor: Redactor
  readonly journal: Journal
  readonly onExchange: (exchange: Exchange) => void
  /** The end of the run: nobody waits beyond it. */
  readonly ends?: AbortSignal
  /** How much of what comes is kept in memory, in characters; the rest is in the journal. */
  readonly room?: number
}

const ROOM = 64 * 1024 * 1024
/** What an exchange takes beside its body, about. */
const OVERHEAD = 1_000

/** @param open takes an address of a sink for who listens. */
export const openInbox = (open: (hear: Hear) => Address, options: InboxOptions): Inbox => {
  const exchanges: Exchange[] = []
  const waiting = new Set<() => void>()
  let count = 0
  let room = options.room ?? ROOM

  const keep = (exchange: Exchange): void => {
    room -= OVERHEAD + (exchange.request.body?.text.length ?? 0)
    if (room < 0) {
      inbox.beyond += 1
      return
    }
    exchanges.push(exchange)
    options.onExchange(exchange)
  }

  const address = open((arrival) => {
    count += 1
    const id = `${options.scenario}/w${count}`
    const exchange = exchangeOf(arrival, id, options.now())
    options.journal.write(exchange, options.redactor)
    keep(exchange)
    for (const wake of [...waiting]) wake()
  })

  const inbox = {
    url: address.url,
    exchanges,
    beyond: 0,
    arrival: (ms: number) => waitFor(waiting, ms, options.ends),
    close: () => address.close(),
  }
  return inbox
}

const waitFor = (waiting: Set<() => void>, ms: number, ends: AbortSignal | undefined): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => (): void => {
      clearTimeout(deadline)
      waiting.delete(arrived)
      ends?.removeEventListener('abort', ended)
      outcome()
    }
    const arrived = settle(() => resolve(true))
    const ended = settle(() => reject(ends?.reason as Error))
    const deadline = setTimeout(
      settle(() => resolve(false)),
      ms,
    )
    waiting.add(arrived)
    if (ends?.aborted) ended()
    else ends?.addEventListener('abort', ended)
  })

/** A call as the evidence has it. */
export const exchangeOf = (arrival: Arrival, id: string, at: Date): Exchange => {
  const { method, url, headers, body, status, fault, durationMs } = arrival
  return {
    kind: 'exchange',
    ...{ id, sender: 'target', operation: 'webhook', effect: 'notify' },
    request: { method, url, headers, body },
    ...(status !== undefined && { response: { status, headers: [], body: { text: '', bytes: 0 } } }),
    ...(fault && { fault }),
    sentAt: at.toISOString(),
    durationMs,
  }
}
