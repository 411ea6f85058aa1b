import { startBank, type RunningBank } from '../../bank/server.ts'
import { STILL_NEEDED } from '../../engine/run/clean-up.ts'
import { verifyEvidenceOf } from '../../report/evidence-file.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { resultProblems } from '../allure-results.ts'
import { startRawServer, type RawServer } from '../faults/raw-server.ts'
import { relayTo } from '../faults/relay.ts'
import { pace } from '../pace.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import type { RunFiles } from '../faults/run.ts'
import type { PHASES } from './moments.ts'

/** A reference bank whose contents can be compared with the report of a run. */

export type ClockKind = 'testHook' | 'wall'

/** An hour takes 10 s, and longer on a busy machine, which would miss the steps of a loan. */
const SPEED = Math.round(360 / pace)

export interface ObservedBank {
  readonly url: string
  /** The changes to the reference profile. */
  readonly profile: Partial<ProfileInput>
  readonly args: readonly string[]
  /** Called for each request in each phase. */
  onRequest: (n: number, phase: (typeof PHASES)[number]) => void
  /** What the report of the run leaves out or gets wrong. */
  problems(ended: RunFiles, out: string): Promise<readonly string[]>
  close(): Promise<void>
}

const SETTINGS = { enabled: true, url: 'https://shop.example/hook', securityHeader: 'Kp7foundThere' }

const settingsUrls = (url: string): readonly string[] =>
  referenceProfile().applications.map(({ clientId }) => `${url}/_test-hooks/webhooks/${clientId}`)

const SELECTED: Readonly<Record<ClockKind, readonly string[]>> = {
  testHook: ['CON-01', 'LOA-20', 'ACC-12', 'WEB-27', 'PAY-01'],
  wall: ['CON-01', 'LOA-20', 'LOA-25', 'PAY-01'],
}

export const openObservedBank = async (clock: ClockKind): Promise<ObservedBank> => {
  const isWall = clock === 'wall'
  const bank = await startBank({
    ...(isWall && { speed: SPEED, startAt: new Date() }),
    deliver: async (request) =>
      request.url.startsWith('http://127.0.0.1:') ? fetch(request) : new Response('', { status: 200 }),
  })
  for (const url of settingsUrls(bank.url))
    await fetch(url, {
      method: 'PUT',
      body: JSON.stringify(SETTINGS),
      headers: { 'content-type': 'application/json' },
    })
  const relay = relayTo(bank)
  const observed = { onRequest: (() => undefined) as ObservedBank['onRequest'] }
  const server: RawServer = await startRawServer((socket, call) => {
    const { number } = call
    observed.onRequest(number, 'arrived')
    // The relay writes its answer when the bank has processed the request.
    const write = (bytes: Buffer): boolean => {
      observed.onRequest(number, 'processed')
      return socket.write(bytes, () => observed.onRequest(number, 'answered'))
    }
    relay(Object.assign(Object.create(socket) as typeof socket, { write }), call)
  })
  const { testHooks = {} } = referenceProfile()
  const { revokeConsent, configureWebhook } = testHooks
  const readWebhook = { method: 'GET', url: '/_test-hooks/webhooks/{clientId}' } as const
  return Object.assign(observed, {
    url: server.url,
    profile: {
      testHooks: { ...(isWall ? { revokeConsent, configureWebhook } : testHooks), readWebhook },
      ...(isWall && { clock: { speed: SPEED } }),
    },
    args: [...(isWall ? ['--time', 'wall'] : []), '--only', ...SELECTED[clock]],
    problems: (ended: RunFiles, out: string) => problemsOf(bank, ended, out),
    async close() {
      await server.close()
      await bank.close()
    },
  })
}

/** Statuses in which an object of the bank need not be cleaned up. */
const CLOSED: ReadonlySet<string> = new Set([
  'revokedByPsu',
  'terminatedByTpp',
  'rejected',
  'expired',
  'CANCELED',
  'EXPIRED',
  'LOAN_DISBURSED',
])

const problemsOf = async (bank: RunningBank, ended: RunFiles, out: string): Promise<readonly string[]> => {
  const { report, evidence } = ended
  if (report === undefined) return ['there is no report']
  const problems: string[] = []
  const { consents, applications, orders } = objectsOf(bank)
  const created = report.created ?? []
  for (const [kind, objects] of [
    ['consent', consents],
    ['application', applications],
    ['payment', orders],
  ] as const) {
    const listed = new Set(created.filter((one) => one.kind === kind).map(({ id }) => id))
    const unlisted = objects.filter(({ id }) => !listed.has(id))
    const unknown = created.filter((one) => one.kind === kind && one.id === 'unknown').length
    if (unlisted.length > unknown)
      problems.push(`${unlisted.length} of kind ${kind} were created, and ${unknown} of them are listed`)
    const kept = new Set(created.filter(({ because }) => because === STILL_NEEDED).map(({ id }) => id))
    const open = objects.filter(({ id, status }) => listed.has(id) && !kept.has(id) && !CLOSED.has(status))
    if (kind !== 'payment' && open.length > 0)
      problems.push(`${open.length} of kind ${kind} are listed, and still exist: ${open[0]?.status}`)
  }
  for (const url of settingsUrls(bank.url)) {
    const { enabled, url: address } = (await (await fetch(url)).json()) as typeof SETTINGS
    if (!enabled || address !== SETTINGS.url) problems.push(`webhook settings are not restored: ${address}`)
  }
  problems.push(...resultProblems(report, out))
  const failed = report.requirements.filter(({ verdict }) => /fail|harness-error/.test(verdict))
  for (const { id, verdict, because } of failed) problems.push(`${id} ${verdict}: ${because}`)
  if (!verifyEvidenceOf(out).isUnchanged) problems.push('the evidence does not belong to the report')
  if (new Set(evidence.map(({ id }) => id)).size !== evidence.length)
    problems.push('ids of exchanges occur twice')
  return problems
}

interface BankObject {
  readonly id: string
  readonly status: string
}

const objectsOf = ({ bank }: RunningBank) => {
  const { sandbox } = bank.world.ledgers
  const objectsIn = (all: ReadonlyMap<string, { readonly status?: string }>): readonly BankObject[] =>
    [...all].map(([id, { status = '' }]) => ({ id, status }))
  return {
    consents: objectsIn(sandbox.consents),
    applications: objectsIn(sandbox.applications),
    orders: [...sandbox.payments.keys()].map((id): BankObject => ({ id, status: '' })),
  }
}
