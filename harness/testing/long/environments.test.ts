import { describe, expect, test } from 'vitest'
import type { Wire } from '../../bank/defect.ts'
import type { Verdict } from '../../check/verdict.ts'
import { judgeCheck } from '../../engine/judge.ts'
import { createScenarioRunner } from '../../engine/run-scenario.ts'
import type { Effect } from '../../evidence/exchange.ts'
import { openMemoryJournal } from '../../evidence/journal.ts'
import { buildPlan } from '../../plan/build-plan.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { type ProfileInput, profileSchema } from '../../profile/schema.ts'
import { createEmbeddedTarget } from '../../connection/embedded.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'

/** Profiles with other base paths, and with fewer allowed effects. */

const catalogue = await loadCatalogue()
const seed = 7

interface Judged {
  /** The verdicts on each requirement, in the order of its checks. */
  readonly verdicts: ReadonlyMap<string, readonly Verdict[]>
  readonly heldBack: ReadonlyMap<string, readonly string[]>
  /** The requests that the bank received: method and path. */
  readonly requests: readonly string[]
}

const judge = async (
  changes: Partial<ProfileInput>,
  { wire, allow = [] }: { readonly wire?: Wire; readonly allow?: readonly Effect[] } = {},
): Promise<Judged> => {
  const profile = profileSchema.parse({ ...referenceProfile(), ...changes })
  const plan = buildPlan(
    catalogue,
    { profile, virtual: true },
    { only: ['environments'], skip: [], allow, seed, runs: 1, time: 'auto' },
  )
  const requests: string[] = []
  const recording: Wire = (next) => {
    const bank = wire?.(next) ?? next
    return (request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname}`)
      return bank(request)
    }
  }
  const variation = { id: 'elsewhere', title: 'the reference bank at other addresses', wire: recording }
  const target = createEmbeddedTarget(profile, {
    faultsFor: () => ({ variation }),
    socket: false,
    shared: false,
  })
  const runScenario = createScenarioRunner({
    target,
    journal: openMemoryJournal(),
    secrets: [],
    concurrency: 4,
    time: 'auto',
    allowed: plan.effects,
    allowedInOtherEnvironment: plan.effectsElsewhere,
  })
  const checks = new Map(catalogue.checks.map(({ key, check }) => [key, check]))
  const verdicts = new Map<string, Verdict[]>()
  const heldBack = new Map<string, string[]>()
  for (const planned of plan.checks) {
    const check = checks.get(planned.key)
    if (check === undefined) throw new Error(`no check has the key ${planned.key}`)
    const { requirement } = planned
    if (planned.heldBack !== undefined) {
      heldBack.set(requirement, [...(heldBack.get(requirement) ?? []), planned.heldBack.because])
      continue
    }
    const result = await judgeCheck(planned, check, runScenario(planned, check.scenario), { seed, runs: 1 })
    verdicts.set(requirement, [...(verdicts.get(requirement) ?? []), result.verdict])
  }
  await target.close()
  return { verdicts, heldBack, requests }
}

const isInProduction = (line: string): boolean => /^\w+ (\/premium\/production\/|\/api\/|\/auth\/)/.test(line)

/** Serves the bank at another path as well. */
const servedAt =
  (other: string, stated: string): Wire =>
  (next) =>
  async (request) => {
    const url = new URL(request.url)
    if (url.pathname.startsWith(`${other}/`)) url.pathname = url.pathname.replace(other, stated)
    const response = await next(new Request(url, request))
    const location = response.headers.get('location')
    if (location !== null) response.headers.set('location', location.replace(stated, other))
    return response
  }

const OTHER = { basePaths: { sandbox: '/bank/test', production: '/premium/production' } }

describe('a profile that names another base path', () => {
  test('is judged by the path of the interface, if the bank has both', async () => {
    const { verdicts } = await judge(OTHER, { wire: servedAt('/bank/test', '/premium/sandbox') })
    expect(verdicts.get('ENV-01')).toEqual(['pass'])
    expect(verdicts.get('ENV-04')).toEqual(['pass', 'pass'])
  })
})

describe('the allowed effects of an environment', () => {
  test('limit all requests to that environment', async () => {
    const { verdicts, requests, heldBack } = await judge({ allow: { production: ['read'] } })
    expect(requests.filter(isInProduction).filter((line) => !line.startsWith('GET '))).toEqual([])
    expect(heldBack.get('ENV-06')).toEqual([
      'the effect "consent" is not allowed in production (--allow consent)',
      'the effect "consent" is not allowed in production (--allow consent)',
    ])
    expect([...verdicts.values()].flat().filter((verdict) => verdict !== 'pass')).toEqual([])
  })

  test('are empty where no credentials are valid', async () => {
    const { verdicts, requests } = await judge({ environments: ['sandbox'] }, { allow: ['pay'] })
    expect(requests.filter(isInProduction)).toEqual([])
    expect(verdicts.get('ENV-01')).toEqual(['pass'])
    expect([...verdicts.values()].flat().filter((verdict) => verdict !== 'pass')).toEqual([])
  })

  test('include payments in production only if --allow names them', async () => {
    const [without, allowing] = [await judge({}), await judge({}, { allow: ['pay'] })]
    expect(without.heldBack.get('ENV-21')).toEqual([
      'the effect "pay" is not allowed in production (--allow pay)',
      'the effect "pay" is not allowed in production (--allow pay)',
    ])
    expect(without.requests).not.toContain('POST /api/v1/payments/ecomm/sba')
    expect(allowing.verdicts.get('ENV-21')).toEqual(['pass', 'pass'])
    expect(allowing.requests).toContain('POST /api/v1/payments/ecomm/sba')
  })
})
