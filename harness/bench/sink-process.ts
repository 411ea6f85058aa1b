import { join } from 'node:path'
import { openJournal } from '../evidence/journal.ts'
import { createRedactor } from '../evidence/redaction.ts'
import { openInbox } from '../session/webhooks/sink/inbox.ts'
import { openSink } from '../session/webhooks/sink/server.ts'

/** A process with a webhook sink: prints its address, and how long the deliveries took. */

const [expected = '0', scratch = ''] = process.argv.slice(2)
const running = await openSink({ host: '127.0.0.1', port: 0 })
const journal = openJournal(join(scratch, 'deliveries.jsonl'))
const times: number[] = []
const inbox = openInbox((listener) => running.sink.open(listener), {
  scenario: 'bench/deliveries',
  now: () => new Date(),
  redactor: createRedactor([]),
  journal,
  onExchange: () => times.push(performance.now()),
})
console.log(inbox.url)

const DEADLINE_MS = 30_000
while (times.length + inbox.beyond < Number(expected) && (await inbox.arrival(DEADLINE_MS)));
console.log(
  JSON.stringify({
    received: times.length + inbox.beyond,
    ms: (times.at(-1) ?? 0) - (times[0] ?? 0),
  }),
)
journal.close()
inbox.close()
await running.close()
