import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as z from 'zod'
import { timed } from './processes.ts'
import type { RecordedRequest } from './recorded-requests.ts'

/** newman, sending what the suite sends: the recorded requests in turn, up to a number. */

const PROGRAM = createRequire(import.meta.url).resolve('newman/bin/newman.js')

const itemOf = ({ exchange: { request } }: RecordedRequest): object => ({
  name: request.url,
  // As the suite does it: addresses are sent unchanged, and redirects are not followed.
  protocolProfileBehavior: { followRedirects: false, disableUrlEncoding: true, disableCookies: true },
  request: {
    method: request.method,
    url: request.url,
    header: request.headers.map(([key, value]) => ({ key, value })),
    ...(request.body && { body: { mode: 'raw', raw: request.body.text } }),
  },
})

const resultSchema = z.object({
  run: z.object({ executions: z.array(z.object({ response: z.object({ code: z.int() }) })) }),
})

/**
 * Prepares a collection, and sends it once to check that newman gets the same statuses as the suite.
 * @returns a function that sends it and resolves to the wall time of newman's process in ms.
 */
export const prepareNewman = async (
  requests: readonly RecordedRequest[],
  count: number,
  folder: string,
): Promise<() => Promise<number>> => {
  const sent = Array.from({ length: count }, (_, at) => requests[at % requests.length]).flatMap(
    (request) => request ?? [],
  )
  const collection = join(folder, 'collection.json')
  const result = join(folder, 'newman.json')
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  writeFileSync(collection, JSON.stringify({ info: { name: 'bench', schema }, item: sent.map(itemOf) }))
  const command = [process.execPath, PROGRAM, 'run', collection]
  await timed([...command, '--reporters', 'json', '--reporter-json-export', result])
  const { run } = resultSchema.parse(JSON.parse(readFileSync(result, 'utf8')))
  const got = run.executions.map(({ response }) => response.code).join()
  const expected = sent.map(({ exchange }) => exchange.response?.status ?? 0).join()
  if (got !== expected) throw new Error(`newman got ${got}, the suite ${expected}`)
  return async () => (await timed([...command, '--silent'])).ms
}
