import { request as send } from 'undici'
import { createHttp } from '../session/http/http.ts'
import { httpOptions } from './repertoire.ts'
import type { Dispatcher } from 'undici'
import type { Exchange } from '../evidence/exchange.ts'
import type { Journal } from '../evidence/journal.ts'
import type { Redactor } from '../evidence/redaction.ts'
import type { Rehearsed, Whom } from './repertoire.ts'

/** Ways of sending the same requests in the same order: bare undici, and the harness with ever more of its layers. */

export interface Way {
  readonly name: string
  /** Sends the repertoire once, each request when the one before is answered, and gives the statuses. */
  pass(): Promise<readonly number[]>
}

export interface Rig extends Whom {
  readonly repertoire: readonly Rehearsed[]
  readonly bare: Dispatcher
  /** Composed with the recorder. */
  readonly recorded: Dispatcher
  readonly journal: Journal
}

/** Exactly what the harness sent, made ready beforehand: nobody's time but undici's is measured. */
export const bareUndici = ({ repertoire, bare }: Rig): Way => {
  const calls = repertoire.map(({ exchange: { request } }) => ({
    url: request.url,
    options: {
      dispatcher: bare,
      method: request.method,
      headers: request.headers.flat(),
      body: request.body?.text ?? null,
    },
  }))
  return {
    name: 'bare undici',
    async pass() {
      const statuses: number[] = []
      for (const { url, options } of calls) {
        const { statusCode, body } = await send(url, options)
        await body.text()
        statuses.push(statusCode)
      }
      return statuses
    },
  }
}

const blind: Redactor = { learn: () => undefined, text: (text) => text, exchange: (exchange) => exchange }

/** Which layers of the harness a way goes through, beside its recorder. */
export interface Layers {
  readonly reading?: boolean
  readonly journal?: boolean
  readonly redaction?: boolean
}

export const harness = (name: string, layers: Layers, rig: Rig): Way => ({
  name,
  // One pass is one scenario: its redactor is new, and learns what the scenario comes to see.
  async pass() {
    const exchanges: Exchange[] = []
    const options = httpOptions(rig, rig.recorded, layers.redaction ? undefined : blind)
    const http = createHttp({
      ...options,
      onExchange: (exchange) => exchanges.push(exchange),
      ...(layers.journal && { journal: rig.journal }),
    })
    for (const { request, secretsOf } of rig.repertoire)
      await http.send(request, layers.reading ? secretsOf : undefined)
    return exchanges.map(({ response }) => response?.status ?? 0)
  },
})

export const WHOLE_HARNESS: Layers = { reading: true, journal: true, redaction: true }
