import type { Exchange } from '../../../evidence/exchange.ts'
import type { ReplayLog } from '../../../evidence/recorder.ts'
import type { Journal } from '../../../evidence/journal.ts'
import type { Redactor } from '../../../evidence/redaction.ts'
import type { Layer, Sending } from './layer.ts'

export interface Recording {
  /** The id of the scenario, which begins the id of each exchange. */
  readonly scenario: string
  readonly redactor: Redactor
  readonly journal: Journal
  readonly onExchange: (exchange: Exchange) => void
  /** Recorded answers, which replace the network when a scenario is repeated from its log. */
  readonly replayLog?: ReplayLog
  readonly ends?: AbortSignal
}

/** Numbers the attempts of a scenario, and writes each to the evidence. After a resume, answers that are in the log are taken from it. */
export const recorded = (options: Recording): Layer => {
  const { scenario, redactor, journal, onExchange, replayLog, ends } = options
  let count = 0
  const underWay = new Set<{ isAlone: boolean }>()

  /** Notes whether other requests of the scenario are sent before it is answered. */
  const noting = async (answer: Promise<Exchange>): Promise<Exchange> => {
    const own = { isAlone: underWay.size === 0 }
    for (const other of underWay) other.isAlone = false
    underWay.add(own)
    const exchange = await answer.finally(() => underWay.delete(own))
    return own.isAlone ? exchange : { ...exchange, concurrent: true }
  }

  const write = (exchange: Exchange, { secretsOf }: Sending): void => {
    for (const { name, value } of secretsOf?.(exchange) ?? []) redactor.learn(name, value)
    journal.write(exchange, redactor)
  }

  return async (sending, next) => {
    ends?.throwIfAborted()
    if (sending.isUnrecorded) return next({ ...sending, id: `${scenario}/aside` })
    count += 1
    const id = `${scenario}/${count}`
    const { method, url } = sending.request
    const exchange = replayLog?.exchange({ id, method, url }) ?? (await noting(next({ ...sending, id })))
    onExchange(exchange)
    if (sending.deferWrite === undefined) write(exchange, sending)
    else sending.deferWrite(() => write(exchange, sending))
    return exchange
  }
}
