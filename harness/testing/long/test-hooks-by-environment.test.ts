import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBank } from '../../bank/bank.ts'
import { variations } from '../../bank/variations/index.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { runTrial } from '../../proof/trial.ts'
import { referenceProfile, variationProfile } from '../../connection/reference-bank/reference-profile.ts'
import { scratchFolders, writeProfile } from '../faults/run.ts'
import { runInProcess } from '../faults/run-in-process.ts'
import type { AddressInfo } from 'node:net'
import type { CheckResult } from '../../check/result.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** Banks whose test hooks differ by environment, or whose loan sandbox has a clock of its own. */

const ID = 'the-test-hooks-differ-by-environment'
const variation = variations.find(({ id }) => id === ID)
const profile = variationProfile(ID)
if (variation === undefined || profile === undefined) throw new Error(`no variation ${ID} with a profile`)

const catalogue = await loadCatalogue()

/** Judged with a revocation, a booking and webhook settings. */
const HOOKED = ['TOK-89', 'TRX-35', 'WEB-05']

const judged = (environment: 'sandbox' | 'production'): Promise<readonly CheckResult[]> =>
  runTrial(catalogue, () => ({ variation }), {
    profile,
    environment,
    only: HOOKED,
    socket: false,
    seed: 42,
    runsOf: () => 2,
  })

test('each environment is judged with its own test hooks', async () => {
  const [sandbox, production] = await Promise.all([judged('sandbox'), judged('production')])
  const passed = (results: readonly CheckResult[]): string[] => [
    ...new Set(results.filter(({ verdict }) => verdict === 'pass').map(({ requirement }) => requirement)),
  ]
  expect(passed(sandbox).sort()).toEqual([...HOOKED].sort())
  // Nothing can be booked in production.
  expect(passed(production).sort()).toEqual(HOOKED.filter((id) => id !== 'TRX-35').sort())
  expect([...sandbox, ...production].filter(({ verdict }) => verdict !== 'pass')).toEqual([])
})

/** The loan sandbox is another system: it has a clock of its own, at an address of its own. */
const LOANS = '/loans/clock'
const accounts = createBank()
const loans = createBank()

let server: Server
const answer = async (request: Request): Promise<Response> => {
  const url = new URL(request.url)
  const isOfLoans = url.pathname.startsWith('/paylater/') || url.pathname.startsWith(LOANS)
  url.pathname = url.pathname.replace(LOANS, '/_test-hooks/clock')
  return (isOfLoans ? loans : accounts).fetch(new Request(url, request))
}

beforeAll(async () => {
  const listener = getRequestListener(answer)
  server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const folders = scratchFolders()

const { readClock, advanceClock } = referenceProfile().testHooks ?? {}
if (readClock === undefined || advanceClock === undefined) throw new Error('the reference bank has a clock')

const withClocks = (places: (own: string) => object): ProfileInput['testHooks'] => ({
  readClock: { ...readClock, environments: places(LOANS) },
  advanceClock: { ...advanceClock, environments: places(`${LOANS}/advance`) },
})

/** How many requests of the paths of a loan are judged, on a bank whose loan sandbox has its own clock. */
const runLoans = async (testHooks: ProfileInput['testHooks']) => {
  const { port } = server.address() as AddressInfo
  const folder = folders()
  return runInProcess(folder, [
    '--base-url',
    `http://127.0.0.1:${port}`,
    '--profile',
    writeProfile(folder, { testHooks, deadlines: { runMs: 60_000 } }),
    '--only',
    'LOA-25',
    '--only',
    'LOA-29',
  ])
}

test('the clock of the loan sandbox is moved where it is another one', async () => {
  const { exitCode, report, evidence } = await runLoans(
    withClocks((url) => ({ sandbox: {}, loans: { url } })),
  )
  expect({ exitCode, conclusion: report?.conclusion }).toEqual({ exitCode: 0, conclusion: 'conforms' })
  const moved = evidence.filter(({ operation }) => operation === 'testHook').map(({ request }) => request.url)
  expect(moved.length).toBeGreaterThan(0)
  expect(moved.filter((url) => !url.includes(LOANS))).toEqual([])
})

test('a loan sandbox whose clock cannot be moved is not judged by that of the accounts', async () => {
  // It would be waited for, longer than the run may last.
  await expect(runLoans(withClocks(() => ({ sandbox: {} })))).rejects.toThrow('its longest wait is')
})
