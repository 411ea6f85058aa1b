import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import * as z from 'zod'
import { timed } from './child.ts'
import { cycle } from './repertoire.ts'
import type { Rehearsed } from './repertoire.ts'

/** newman, sending what the harness sends: the repertoire, over and over, up to a number of requests. */

const PROGRAM = createRequire(import.meta.url).resolve('newman/bin/newman.js')

const itemOf = ({ exchange: { request } }: Rehearsed): object => ({
  name: request.url,
  // As the harness does it: an address is sent as it stands, and nobody follows a redirect.
  protocolProfileBehavior: { followRedirects: false, disableUrlEncoding: true, disableCookies: true },
  request: {
    method: request.method,
    url: request.url,
    header: request.headers.map(([key, value]) => ({ key, value })),
    ...(request.body && { body: { mode: 'raw', raw: request.body.text } }),
  },
})

export const collectionOf = (repertoire: readonly Rehearsed[], count: number): object => ({
  info: {
    name: 'bench',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: cycle(repertoire.map(itemOf), count),
})

const exportSchema = z.object({
  run: z.object({ executions: z.array(z.object({ response: z.object({ code: z.int() }) })) }),
})

const command = (collection: string, ...options: readonly string[]): readonly string[] => [
  process.execPath,
  PROGRAM,
  'run',
  collection,
  ...options,
]

/**
 * Prepares a collection, and sends it once to see that newman is answered as the harness was. Gives what sends it in
 * silence and says how long it took, in ms.
 */
export const prepareNewman = async (
  repertoire: readonly Rehearsed[],
  count: number,
  scratch: string,
): Promise<() => Promise<number>> => {
  const collection = join(scratch, `collection-${count}.json`)
  const told = join(scratch, `newman-${count}.json`)
  writeFileSync(collection, JSON.stringify(collectionOf(repertoire, count)))
  await timed(command(collection, '--reporters', 'json', '--reporter-json-export', told))
  const { run } = exportSchema.parse(JSON.parse(readFileSync(told, 'utf8')))
  const got = run.executions.map(({ response }) => response.code).join()
  const expected = cycle(repertoire, count).map(({ exchange }) => exchange.response?.status ?? 0)
  if (got !== expected.join()) throw new Error(`newman was answered ${got}, the rehearsal ${expected.join()}`)
  return async () => {
    const { ms, exitCode, stdout } = await timed(command(collection, '--silent'))
    if (exitCode !== 0) throw new Error(`newman ended with ${exitCode}\n${stdout}`)
    return ms
  }
}
