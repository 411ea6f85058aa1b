import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Environment } from './environment.ts'
import { Clock } from './clock.ts'
import { LOANS, Loans } from './loans.ts'
import { choose, has } from './ways.ts'
import { type Call, type Reply, at, callOf, parsed, record, send, unknownPath, plainText } from './wire.ts'

/** A bank of payments and loans, written only from the interface. */

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, ways: { type: 'string', default: '' } },
})

choose(values.ways.split(',').filter((name) => name !== ''))

const clock = new Clock()
const environments = ['/premium/sandbox', '/premium/production'].map((base) => new Environment(base, clock))
const loans = new Loans(clock)

/** The test hooks: move the clock, revoke a token. */
function testHooks(call: Call): Reply {
  const body = parsed(call.body)
  if (call.path === '/tide') {
    const rise = at(body, 'rise', 'ms')
    if (call.method === 'PATCH' && typeof rise === 'number') clock.advance(rise)
    return record(200, { water: { moment: new Date(clock.now()).toISOString() } })
  }
  if (call.path !== '/wreck' || typeof body?.pass !== 'string') return unknownPath()
  for (const environment of environments) environment.grants.revoke(body.pass)
  return { status: 204 }
}

let served = 0

function answerTo(call: Call): Reply {
  served += 1
  if (has('crowded') && served % 40 === 0)
    return plainText(429, 'too many requests\n', { 'retry-after': '1' })
  if (call.body.length > 65_536 && !has('long-texts')) return plainText(413, 'the body is too large\n')
  const environment = environments.find(({ base }) => call.path.startsWith(`${base}/`))
  if (environment !== undefined) return environment.serve(call)
  return call.path.startsWith(`${LOANS}/`) ? loans.serve(call) : testHooks(call)
}

/** Adds the headers and the encoding of every answer. */
function encoded(reply: Reply): Reply {
  const headers = {
    ...reply.headers,
    ...(has('own-date') ? { date: new Date(clock.now()).toUTCString() } : {}),
    ...(has('one-call-a-connection') ? { connection: 'close' } : {}),
  }
  if (!has('zipped') || reply.body === undefined) return { ...reply, headers }
  return { ...reply, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) }
}

const server = createServer((incoming, outgoing) => {
  callOf(incoming)
    .then((call) => send(encoded(answerTo(call)), outgoing))
    .catch((error: unknown) => {
      console.error(error)
      send(plainText(500, 'internal error\n'), outgoing)
    })
})

server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
