import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Branch } from './branch.ts'
import { Clock } from './clock.ts'
import { LOANS, Loans } from './loans.ts'
import { choose, has } from './ways.ts'
import { type Call, type Reply, at, callOf, parsed, record, send, unknownPath, words } from './wire.ts'

/** A bank of payments and loans, written from the interface alone. */

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, ways: { type: 'string', default: '' } },
})

choose(values.ways.split(',').filter((name) => name !== ''))

const clock = new Clock()
const branches = ['/premium/sandbox', '/premium/production'].map((base) => new Branch(base, clock))
const loans = new Loans(clock)

/** What no bank has: the time, and the end of a token. */
function testHooks(call: Call): Reply {
  const body = parsed(call.body)
  if (call.path === '/tide') {
    const rise = at(body, 'rise', 'ms')
    if (call.method === 'PATCH' && typeof rise === 'number') clock.moveOn(rise)
    return record(200, { water: { moment: new Date(clock.now()).toISOString() } })
  }
  if (call.path !== '/wreck' || typeof body?.pass !== 'string') return unknownPath()
  for (const branch of branches) branch.grants.revoke(body.pass)
  return { status: 204 }
}

let served = 0

function answered(call: Call): Reply {
  served += 1
  if (has('crowded') && served % 40 === 0) return words(429, 'one after the other\n', { 'retry-after': '1' })
  if (call.body.length > 65_536 && !has('long-texts')) return words(413, 'too much to read\n')
  const branch = branches.find(({ base }) => call.path.startsWith(`${base}/`))
  if (branch !== undefined) return branch.serve(call)
  return call.path.startsWith(`${LOANS}/`) ? loans.serve(call) : testHooks(call)
}

/** What is the same of every answer. */
function dressed(reply: Reply): Reply {
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
    .then((call) => send(dressed(answered(call)), outgoing))
    .catch((error: unknown) => {
      console.error(error)
      send(words(500, 'our fault\n'), outgoing)
    })
})

server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
