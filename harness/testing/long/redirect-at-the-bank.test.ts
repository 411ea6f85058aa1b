import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBank } from '../../bank/bank.ts'
import { RESULT_SCREEN } from '../../bank/seed-data.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { scratchFolders, writeProfile } from '../faults/run.ts'
import { runInProcess } from '../faults/run-in-process.ts'
import type { AddressInfo } from 'node:net'

/** A bank whose result screen is a redirect URI at its own address, which only the run knows. */

const bank = createBank()
const folders = scratchFolders()
let server: Server
let baseUrl = ''

/** The bank knows its result screen by the address at which it is reached. */
const answer = async (request: Request): Promise<Response> => {
  const [own, known] = [`${baseUrl}/shown`, RESULT_SCREEN].map(encodeURIComponent)
  const settled = (text: string): string => text.replaceAll(own ?? '', known ?? '')
  const text = await request.text()
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  return bank.fetch(
    new Request(settled(request.url), {
      method: request.method,
      headers,
      ...(text !== '' && { body: settled(text) }),
    }),
  )
}

beforeAll(async () => {
  const listener = getRequestListener(answer)
  server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

test('is named by the base URL of the run', async () => {
  const applications = referenceProfile().applications.map((application) => ({
    ...application,
    redirectUris: [{ uri: '{baseUrl}/shown', delivery: 'result-screen' as const }],
  }))
  const folder = folders()
  const profile = writeProfile(folder, { applications })
  const { exitCode, report } = await runInProcess(folder, [
    '--base-url',
    baseUrl,
    '--profile',
    profile,
    '--only',
    'AUT-01',
    '--only',
    'TOK-03',
  ])
  const verdicts = report?.requirements.filter(({ id }) => ['AUT-01', 'TOK-03'].includes(id)) ?? []
  expect(verdicts.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['AUT-01 pass', 'TOK-03 pass'])
  expect(exitCode).toBe(0)
})
