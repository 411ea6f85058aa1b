import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import * as z from 'zod'
import { ROOT } from '../plan/root.ts'
import { ENVIRONMENT, LAUNCH } from './child.ts'
import { figureOf } from './statistics.ts'
import type { Deliveries } from './figures.ts'

/** Webhook calls to the sink, as many at once as a busy bank makes. */

const SENT = 20_000
const CONNECTIONS = 50

const BODY = JSON.stringify({
  consentId: '6f0f6a0e-9d0a-4a53-a2ab-3f6bb7c7c2ab',
  eventType: 'NEW',
  accounts: [{ accountId: 'c5f2db39-42b1-452d-98f6-e55003a0bbdc' }],
})

const heard = z.object({ received: z.int(), ms: z.number(), cpuMs: z.number() })

const [FILE, ...FLAGS] = LAUNCH

const send = async (url: string): Promise<void> => {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: CONNECTIONS })
  let left = SENT
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const headers = { 'content-type': 'application/json', authorization: 'security header' }
      const { body } = await pool.request({ method: 'POST', path: pathname, headers, body: BODY })
      await body.dump()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sender))
  await pool.close()
}

const receiveOnce = async (scratch: string) => {
  const child = spawn(FILE, [...FLAGS, 'harness/bench/receiver.ts', String(SENT), scratch], {
    cwd: ROOT,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async (): Promise<string> => String((await lines.next()).value ?? '')
  await send(await next())
  return heard.parse(JSON.parse(await next()))
}

export const measureDeliveries = async (scratch: string, rounds: number): Promise<Deliveries> => {
  const found = []
  for (let round = 0; round < rounds; round += 1) found.push(await receiveOnce(scratch))
  return {
    sent: SENT,
    lost: Math.max(...found.map(({ received }) => SENT - received)),
    perSecond: figureOf(found.map(({ received, ms }) => (received / ms) * 1000)),
    cpuUs: figureOf(found.map(({ received, cpuMs }) => (cpuMs / received) * 1000)),
  }
}
