import { Pool } from 'undici'
import * as z from 'zod'
import { startProcess } from './processes.ts'

/** Webhook calls to the sink, which stores each as evidence in a process of its own. */
export interface DeliveryFigures {
  readonly sent: number
  readonly lost: number
  readonly perSecond: number
}

const SENT = 20_000
const CONNECTIONS = 50

const BODY = JSON.stringify({
  consentId: '6f0f6a0e-9d0a-4a53-a2ab-3f6bb7c7c2ab',
  eventType: 'NEW',
  accounts: [{ accountId: 'c5f2db39-42b1-452d-98f6-e55003a0bbdc' }],
})

const outputSchema = z.object({ received: z.int(), ms: z.number() })

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

export const measureDeliveries = async (folder: string): Promise<DeliveryFigures> => {
  const sink = startProcess('harness/bench/sink-process.ts', String(SENT), folder)
  try {
    await send(await sink.nextLine())
    const { received, ms } = outputSchema.parse(JSON.parse(await sink.nextLine()))
    return { sent: SENT, lost: SENT - received, perSecond: (received / ms) * 1000 }
  } finally {
    await sink.stop()
  }
}
