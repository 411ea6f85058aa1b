import { join } from 'node:path'
import { Agent } from 'undici'
import { openJournal } from '../evidence/journal.ts'
import { createRedactor } from '../evidence/redaction.ts'
import { recorder } from '../evidence/recorder.ts'
import { profileSchema } from '../profile/schema.ts'
import { createFirstVariant } from '../session/accounts/variants.ts'
import { createHttp } from '../session/http/http.ts'
import { referenceProfile } from '../connection/reference-bank/reference-profile.ts'
import { permitsAnywhere } from '../session/http/permissions.ts'
import type { Exchange } from '../evidence/exchange.ts'

/** A process that reads all pages of one account as a scenario does, and prints its time and memory. */

const [baseUrl = '', transactions = '', scratch = ''] = process.argv.slice(2)
const profile = profileSchema.parse(referenceProfile())
const agent = new Agent()
const journal = openJournal(join(scratch, `walk-${transactions}.jsonl`))
const exchanges: Exchange[] = []
const http = createHttp({
  scenario: 'bench/walk',
  dispatcher: agent.compose(recorder),
  origins: [baseUrl],
  permits: permitsAnywhere(['read']),
  headers: {},
  requestMs: 15_000,
  now: () => new Date(),
  redactor: createRedactor([]),
  journal,
  onExchange: (exchange) => exchanges.push(exchange),
})

const startedAt = performance.now()
const walk = await createFirstVariant({ profile, baseUrl, http }).walk(
  'token-of-the-bench',
  { accountId: transactions },
  100,
)
const ms = performance.now() - startedAt
journal.close()
await agent.close()
const found = walk.pages.reduce((sum, { ids }) => sum + ids.length, 0)
// maxRSS is in KiB.
console.log(JSON.stringify({ found, ms, residentMb: (process.resourceUsage().maxRSS * 1024) / 1e6 }))
