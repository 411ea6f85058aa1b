import { readFileSync } from 'node:fs'
import { Agent } from 'undici'
import { EFFECTS } from '../evidence/effect.ts'
import { openJournal } from '../evidence/journal.ts'
import { createRedactor } from '../evidence/redaction.ts'
import { recorder } from '../evidence/recorder.ts'
import { createHttp } from '../session/http/http.ts'
import { permitsAnywhere } from '../session/http/permissions.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Errand } from './errand.ts'

/** A process that does an errand: what newman is held against where a run sends fewer requests, or more. */

const errand = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Errand
const agent = new Agent()
const journal = openJournal(errand.evidenceFile)
const exchanges: Exchange[] = []

/** A scenario's worth of requests has a redactor of its own, as in a run. */
const scenario = () =>
  createHttp({
    scenario: 'bench/errand',
    dispatcher: agent.compose(recorder),
    origins: [errand.baseUrl],
    permits: permitsAnywhere(EFFECTS),
    headers: {},
    requestMs: errand.requestMs,
    now: () => new Date(),
    redactor: createRedactor(errand.secrets),
    journal,
    onExchange: (exchange) => exchanges.push(exchange),
  })

let http = scenario()
for (const [at, request] of errand.requests.entries()) {
  if (at > 0 && at % errand.perScenario === 0) http = scenario()
  await http.send(request)
}
journal.close()
await agent.close()
if (exchanges.some(({ response }) => response === undefined)) process.exitCode = 1
