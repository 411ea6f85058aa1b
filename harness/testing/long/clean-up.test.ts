import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import * as responses from '../faults/fault-responses.ts'
import { startRawServer } from '../faults/raw-server.ts'
import {
  judgedIn,
  readRunFiles,
  reasonsIn,
  scratchFolders,
  start,
  writeProfile,
  type RunFiles,
} from '../faults/run.ts'
import { runInProcess } from '../faults/run-in-process.ts'
import { relayTo } from '../faults/relay.ts'
import type { RunningBank } from '../../bank/server.ts'
import { startBankWith } from '../defective-bank.ts'
import { pace } from '../pace.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'

/** A run lists what it has created at a target and removes it: after a pass, a failure and an interruption. */

const folders = scratchFolders()
const undo: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(undo.map((close) => close())))

const bankWith = async (id?: string): Promise<RunningBank> => {
  const bank = await startBankWith(id)
  undo.push(() => bank.close())
  return bank
}

const { testHooks = {} } = referenceProfile()
const REVOKING = { testHooks: { revokeConsent: testHooks.revokeConsent } }

const targeting = (url: string, changes: Parameters<typeof writeProfile>[1]): string[] => [
  `--base-url=${url}`,
  `--profile=${writeProfile(folders(), changes)}`,
]

const createdIn = ({ report }: RunFiles) =>
  (report?.created ?? []).map(({ kind, cleaned, because }) => ({
    kind,
    cleaned,
    ...(because && { because }),
  }))

const notCleanedIn = (ended: RunFiles) => createdIn(ended).filter(({ cleaned }) => !cleaned)

const loansOf = ({ bank }: RunningBank) => [...bank.world.ledgers.sandbox.applications.values()]

const openConsentsOf = ({ bank }: RunningBank) =>
  [...bank.world.ledgers.sandbox.consents.values()].filter(
    ({ status }) => status === 'received' || status === 'valid',
  )

test('consents are revoked and applications deleted, and no check uses these requests', async () => {
  const bank = await bankWith()
  const ended = await runInProcess(folders(), [
    ...targeting(bank.url, REVOKING),
    '--only',
    'CON-01',
    'LOA-20',
  ])
  expect(ended.exitCode).toBe(0)
  expect(createdIn(ended)).toEqual(
    expect.arrayContaining([
      { kind: 'application', cleaned: true },
      { kind: 'consent', cleaned: true },
    ]),
  )
  expect(notCleanedIn(ended)).toEqual([])
  expect(openConsentsOf(bank)).toEqual([])
  expect(new Set(loansOf(bank).map(({ status }) => status))).toEqual(new Set(['CANCELED']))
  const own = ended.evidence.filter(({ id }) => id.startsWith('clean-up/'))
  expect(own.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['loanToken', 'cancelLoan', 'testHook']),
  )
  const cited = judgedIn(ended).flatMap(({ checks }) => checks.flatMap(({ exchanges }) => exchanges))
  expect(cited.filter((id) => id.startsWith('clean-up'))).toEqual([])
})

test('applications delete their own consents, if the profile binds deleteConsent', async () => {
  const bank = await bankWith()
  const operations = { ...referenceProfile().operations, deleteConsent: {} }
  const ended = await runInProcess(folders(), [...targeting(bank.url, { operations }), '--only', 'consent'])
  expect(createdIn(ended).length).toBeGreaterThan(0)
  expect(notCleanedIn(ended)).toEqual([])
  expect(openConsentsOf(bank)).toEqual([])
})

test('the objects of a failed scenario are removed as well', async () => {
  const bank = await bankWith('a-submitted-application-is-in-progress-at-once')
  const ended = await runInProcess(folders(), [...targeting(bank.url, REVOKING), '--only', 'LOA-22'])
  expect(judgedIn(ended)).toMatchObject([{ id: 'LOA-22', verdict: 'fail' }])
  expect(createdIn(ended).length).toBeGreaterThan(0)
  expect(notCleanedIn(ended)).toEqual([])
})

test('objects that cannot be removed are reported with the reason', async () => {
  const bank = await bankWith()
  const ended = await runInProcess(folders(), [...targeting(bank.url, {}), '--only', 'CON-01'])
  expect(notCleanedIn(ended)).toEqual(
    createdIn(ended).map(({ kind }) => ({
      kind,
      cleaned: false,
      because: 'the profile binds neither operations.deleteConsent nor test hooks.revokeConsent',
    })),
  )
  expect(notCleanedIn(ended).length).toBeGreaterThan(0)
  expect(ended.evidence.filter(({ id }) => id.startsWith('clean-up'))).toEqual([])
})

test('the embedded bank, which ends with its scenario, receives no clean-up requests', async () => {
  const ended = await runInProcess(folders(), ['--only', 'CON-01', 'LOA-20'])
  expect(ended.report?.created).toBeUndefined()
  expect(ended.evidence.filter(({ id }) => id.startsWith('clean-up'))).toEqual([])
})

test('Ctrl-C leaves webhooks switched off, consents revoked and applications deleted', async () => {
  const bank = await bankWith()
  let interruptedAt = 0
  const server = await startRawServer((socket, call) => {
    relayTo(bank)(socket, call)
    if (interruptedAt > 0 || !/^PUT$/.test(call.method) || !call.body.includes('"enabled":true')) return
    interruptedAt = performance.now()
    started.interrupt()
  })
  undo.push(() => server.close())
  const started = start(folders(), [
    ...targeting(server.url, { testHooks: { ...testHooks } }),
    '--only',
    'loans',
    'webhooks',
    '--concurrency=1',
  ])
  const ended = await started.ended()
  expect(ended.exitCode).toBe(130)
  expect(interruptedAt).toBeGreaterThan(0)
  expect(performance.now() - interruptedAt).toBeLessThan(15_000 * pace)
  const settings = createdIn(ended).filter(({ kind }) => kind === 'webhook settings')
  expect(settings.length).toBeGreaterThan(0)
  expect(settings.filter(({ cleaned }) => !cleaned)).toEqual([])
  expect(notCleanedIn(ended).filter(({ kind }) => kind === 'consent')).toEqual([])
  for (const { clientId } of referenceProfile().applications) {
    const answer = await fetch(`${bank.url}/_test-hooks/webhooks/${clientId}`)
    expect(await answer.json()).toMatchObject({ enabled: false })
  }
})

test('existing settings are restored', async () => {
  const bank = await bankWith()
  const readWebhook = { method: 'GET', url: '/_test-hooks/webhooks/{clientId}' } as const
  const before = { enabled: true, url: 'https://shop.example/hook', securityHeader: 'Kp7foundThere' }
  const addresses = referenceProfile().applications.map(
    ({ clientId }) => `${bank.url}/_test-hooks/webhooks/${clientId}`,
  )
  for (const address of addresses) {
    const set = await fetch(address, { method: 'PUT', body: JSON.stringify(before), headers: JSON_TYPE })
    expect(set.status).toBe(200)
  }
  const ended = await runInProcess(folders(), [
    ...targeting(bank.url, { testHooks: { ...testHooks, readWebhook } }),
    '--only',
    'WEB-27',
  ])
  const settings = createdIn(ended).filter(({ kind }) => kind === 'webhook settings')
  expect(settings.length).toBeGreaterThan(0)
  expect(settings.filter(({ cleaned }) => !cleaned)).toEqual([])
  for (const address of addresses) expect(await (await fetch(address)).json()).toMatchObject(before)
  expect(JSON.stringify([ended.report, ended.evidence]).includes(before.securityHeader)).toBe(false)
})

test('settings that could not be restored are not changed', async () => {
  const bank = await bankWith()
  const readWebhook = {
    method: 'GET',
    url: '/_test-hooks/webhooks/{clientId}',
    fields: { enabled: 'active', url: 'callback', securityHeader: 'key' },
  } as const
  const before = { enabled: true, url: 'https://shop.example/hook', securityHeader: 'Kp7foundThere' }
  const addresses = referenceProfile().applications.map(
    ({ clientId }) => `${bank.url}/_test-hooks/webhooks/${clientId}`,
  )
  for (const address of addresses)
    await fetch(address, { method: 'PUT', body: JSON.stringify(before), headers: JSON_TYPE })
  const ended = await runInProcess(folders(), [
    ...targeting(bank.url, { testHooks: { ...testHooks, readWebhook } }),
    '--only',
    'WEB-27',
  ])
  expect(ended.exitCode).toBe(2)
  expect(reasonsIn(ended).join()).toContain('so that they are not changed: `testHooks.readWebhook`')
  expect(createdIn(ended).filter(({ kind }) => kind === 'webhook settings')).toEqual([])
  for (const address of addresses) expect(await (await fetch(address)).json()).toMatchObject(before)
  expect(JSON.stringify([ended.report, ended.evidence]).includes(before.securityHeader)).toBe(false)
})

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** The real command: only vitest stores the results that a resumed run needs. */
const resume = (folder: string, target: readonly string[]) =>
  start(folder, [...target, '--resume'], {}, []).ended()

const createdBy = (out: string) => readRunFiles(out).report?.created ?? []

test('what could not be deleted is deleted when the finished run is resumed', async () => {
  const bank = await bankWith()
  let isDown = true
  const server = await startRawServer((socket, call) =>
    isDown && call.method === 'DELETE' ? responses.emptyBody(503)(socket, call) : relayTo(bank)(socket, call),
  )
  undo.push(() => server.close())
  const folder = folders()
  const out = join(folder, 'out')
  const target = targeting(server.url, REVOKING)
  const first = await start(folder, [...target, '--only', 'LOA-20']).ended()
  expect(first.exitCode).toBe(0)
  expect(first.stdout).toContain(`--out ${out} --resume`)
  const left = createdBy(out).filter(({ deletable }) => deletable)
  expect(left.map(({ kind }) => kind)).toContain('application')
  isDown = false
  expect((await resume(folder, target)).exitCode).toBe(0)
  expect(readRunFiles(out).report).toMatchObject({ conclusion: 'conforms', run: { resumed: 1 } })
  expect(createdBy(out).filter(({ cleaned }) => !cleaned)).toEqual([])
  expect(new Set(loansOf(bank).map(({ status }) => status))).toEqual(new Set(['CANCELED']))
  expect((await resume(folder, target)).stderr).toContain('nothing to resume')
})
