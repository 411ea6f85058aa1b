import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import getPort from 'get-port'
import { expect, test } from 'vitest'
import { resolveProfile } from '../../profile/load.ts'
import { exchange, scratch } from '../../testing/samples/reports.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { cleanUpAfter } from './clean-up.ts'
import type { CheckResult } from '../../check/result.ts'
import type { PlannedCheck } from '../../plan/plan.ts'
import type { PreparedRun } from './prepare.ts'

/** Objects of waiting scenarios are kept; the deletion of all others is tried. */

const { profile } = resolveProfile(referenceProfile(), {}, 'the reference bank')

const created = (id: string, operation: string, body: unknown) =>
  exchange(id, {
    operation,
    response: { status: 201, headers: [], body: { text: JSON.stringify(body), bytes: 2 } },
  })

const EXCHANGES = [
  created('loans/a-long-path/2', 'applyForLoan', { applicationId: 'L-1' }),
  created('loans/a-short-look/2', 'applyForLoan', { applicationId: 'L-2' }),
  created('loans/a-long-path:grant/1', 'createConsent', { consentId: 'C-shared' }),
  created('consent/a-consent~2.3/1', 'createConsent', { consentId: 'C-own' }),
  created('payments/a-payment/3', 'initiatePayment', { orderId: 'P-1', status: 'ACTC' }),
]

const planned = (scenario: string, waitsMs?: number) =>
  ({ id: `${scenario}/1`, scenario, ...(waitsMs !== undefined && { waitsMs }) }) as PlannedCheck

const CHECKS = [planned('loans/a-long-path', 1_200_000), planned('loans/a-short-look')]

/** Nothing listens at the target, so that each tried deletion is reported as failed. */
const cleaned = async (
  results: readonly Partial<CheckResult>[],
  { clock = 'wall', interrupted = false }: { clock?: 'wall' | 'testHook'; interrupted?: boolean } = {},
) => {
  const evidence = join(scratch(), 'evidence.jsonl')
  writeFileSync(evidence, EXCHANGES.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const prepared = {
    options: {},
    subject: { profile, secrets: [], clock, baseUrl: `http://127.0.0.1:${await getPort()}` },
    plan: { checks: CHECKS, effects: ['read', 'consent', 'apply'] },
  } as unknown as PreparedRun
  const interruption = interrupted ? AbortSignal.abort() : new AbortController().signal
  const all = await cleanUpAfter(prepared, results as CheckResult[], {
    evidence,
    interruption,
    deadline: Number.POSITIVE_INFINITY,
  })
  return Object.fromEntries(
    all.map(({ id, scenario, because = '', deletable = false }) => [id, { scenario, because, deletable }]),
  )
}

const KEPT = 'a scenario still waits for it; the resumed run deletes it'
const TRIED = /nothing listens there/
const DONE = [
  { id: 'loans/a-long-path/1', verdict: 'pass' },
  { id: 'loans/a-short-look/1', verdict: 'pass' },
] as const

test('each object is reported with the scenario that created it', async () => {
  const all = await cleaned(DONE)
  expect(Object.entries(all).map(([id, { scenario }]) => [id, scenario])).toEqual([
    ['P-1', 'payments/a-payment'],
    ['L-1', 'loans/a-long-path'],
    ['L-2', 'loans/a-short-look'],
    ['C-shared', 'loans/a-long-path'],
    ['C-own', 'consent/a-consent'],
  ])
  for (const id of ['L-1', 'L-2', 'C-shared', 'C-own']) expect(all[id]?.because).toMatch(TRIED)
  expect(all['P-1']?.because).toContain('no operation that cancels a payment')
  expect(Object.values(all).map(({ deletable }) => deletable)).toEqual([false, true, true, true, true])
})

test('the objects of a waiting scenario are kept, and so are shared consents', async () => {
  const [path, ...rest] = DONE
  const all = await cleaned([{ ...path, verdict: 'not-reached', until: '2027-01-01T00:00:00.000Z' }, ...rest])
  expect([all['L-1']?.because, all['C-shared']?.because]).toEqual([KEPT, KEPT])
  for (const id of ['L-2', 'C-own']) expect(all[id]?.because).toMatch(TRIED)
})

test('the objects of an interrupted run that can be resumed are kept', async () => {
  const all = await cleaned([], { interrupted: true })
  expect(all['L-1']?.because).toBe(KEPT)
  expect(all['L-2']?.because).toMatch(TRIED)
})

test('with a moved clock, an interrupted run keeps no objects, since it cannot be resumed', async () => {
  const all = await cleaned([], { interrupted: true, clock: 'testHook' })
  for (const id of ['L-1', 'L-2', 'C-shared', 'C-own']) expect(all[id]?.because).toMatch(TRIED)
})
