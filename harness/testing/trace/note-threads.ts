import { writeFileSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { callChain, noteCalls } from './call-chain.ts'
import type * as Threads from 'node:worker_threads'

/** Preloaded into the traced command: writes the calls that lead to its first thread into the file that TRACE_MAIN names. */

noteCalls()
const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Threads.Worker }
const { Worker } = threads
threads.Worker = class extends Worker {
  constructor(...given: ConstructorParameters<typeof Worker>) {
    super(...given)
    writeFileSync(process.env['TRACE_MAIN'] ?? '', callChain().join('\n'))
    threads.Worker = Worker
    syncBuiltinESMExports()
  }
}
syncBuiltinESMExports()
