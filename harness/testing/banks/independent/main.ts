/** Saltmarsh: a bank that was written only from the text of the interface. `--port N`, `--choose name=value`. */

import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { bankOf } from './bank.ts'
import { choose } from './choices.ts'
import { serve } from './serve.ts'
import { bodyOf, fault, send } from './wire.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    choose: { type: 'string', multiple: true, default: [] },
  },
})

const bank = bankOf(choose(values.choose))

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://saltmarsh.invalid')
  bodyOf(request)
    .then((text) =>
      serve(bank, {
        method: request.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        text,
      }),
    )
    .catch(() => fault(500, 'BROKEN', 'Internal error.'))
    .then((answer) => send(response, answer))
    .catch(() => response.destroy())
})

server.listen(Number(values.port), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) {
    process.stdout.write(`http://127.0.0.1:${address.port}\n`)
  }
})
