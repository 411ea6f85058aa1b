import { randomBytes } from 'node:crypto'
import { errorOf } from '../../../evidence/errors.ts'
import type { Exchange } from '../../../evidence/exchange.ts'
import type { Journal } from '../../../evidence/journal.ts'
import type { Redactor } from '../../../evidence/redaction.ts'
import type { Address, Arrival, Listener } from './sink.ts'

/**
 * The webhook calls of one scenario. Each is an exchange, and is written to the journal before the target gets its
 * answer.
 */
export interface Inbox {
  /** The address for the settings of the target. */
  readonly url: string
  /** In the order of arrival. */
  readonly exchanges: readonly Exchange[]
  /** How many more came: they are only in the journal. */
  readonly beyond: number
  /**
   * Waits for the next call.
   * @returns whether one arrived within that many ms.
   * @throws the reason of the abort at the end of the run.
   */
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
  /** Aborted at the end of the run: waiting stops. */
  readonly ends?: AbortSignal
  /** How much of the calls is kept in memory, in characters; the rest is only in the journal. */
  readonly keptCharacters?: number
}

const KEPT_CHARACTERS = 64 * 1024 * 1024
/** About the size of an exchange without its body. */
const OVERHEAD = 1_000

/** @param open opens an address of a sink. */
export const openInbox = (open: (listener: Listener) => Address, options: InboxOptions): Inbox => {
  const exchanges: Exchange[] = []
  const waiting = new Set<() => void>()
  let count = 0
  let keptCharacters = options.keptCharacters ?? KEPT_CHARACTERS

  const keep = (exchange: Exchange): void => {
    keptCharacters -= OVERHEAD + (exchange.request.body?.text.length ?? 0)
    if (keptCharacters < 0) {
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
    const ended = settle(() => reject(errorOf(ends?.reason)))
    const deadline = setTimeout(
      settle(() => resolve(false)),
      ms,
    )
    waiting.add(arrived)
    if (ends?.aborted) ended()
    else ends?.addEventListener('abort', ended)
  })

export const exchangeOf = (arrival: Arrival, id: string, at: Date): Exchange => {
  const { method, url, headers, body, status, fault, durationMs } = arrival
  return {
    kind: 'exchange',
    id,
    sender: 'target',
    operation: 'webhook',
    effect: 'notify',
    request: { method, url, headers, body },
    ...(status !== undefined && { response: { status, headers: [], body: { text: '', bytes: 0 } } }),
    ...(fault && { fault }),
    sentAt: at.toISOString(),
    durationMs,
  }
}

/**
 * Calls at unknown addresses of the sink: a target has a wrong address, or somebody scans. They are in the
 * evidence; no scenario sees them.
 */

const STRAY = 'stray'

/** A limit, so that a scan does not fill the disk. */
const MOST = 100

interface StrayOptions {
  readonly journal: Journal
  readonly redactor: Redactor
}

export const recordStrayCalls = ({ journal, redactor }: StrayOptions): Listener => {
  // Several sinks write to the same evidence: their ids must differ.
  const own = randomBytes(4).toString('hex')
  let count = 0
  return (arrival) => {
    if (count >= MOST) return
    count += 1
    journal.write(
      { ...exchangeOf(arrival, `${STRAY}/${own}/${count}`, new Date()), operation: STRAY },
      redactor,
    )
  }
}
