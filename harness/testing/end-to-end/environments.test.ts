import { describe, expect, test } from 'vitest'
import type { Wire } from '../../bank/defect.ts'
import type { Verdict } from '../../check/verdict.ts'
import { judgeCheck } from '../../engine/judge.ts'
import { createScenarioRunner } from '../../engine/run-scenario.ts'
import type { Effect } from '../../evidence/exchange.ts'
import { noJournal } from '../../evidence/journal.ts'
import { buildPlan } from '../../plan/build-plan.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { type ProfileInput, profileSchema } from '../../profile/schema.ts'
import { createEmbeddedTarget } from '../../target/embedded.ts'
import { referenceProfile } from '../../target/reference-bank/reference-profile.ts'

/** Environments as profiles of other banks would have them: behind other base paths, with less that is allowed. */

const catalogue = await loadCatalogue()
const seed = 7

interface Judged {
  /** The verdicts on each requirement, in the order of its checks. */
  readonly verdicts: ReadonlyMap<string, readonly Verdict[]>
  readonly heldBack: ReadonlyMap<string, readonly string[]>
  /** What the bank was asked. */
  readonly asked: readonly string[]
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
  const asked: string[] = []
  const listening: Wire = (next) => {
    const bank = wire?.(next) ?? next
    return (request) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`)
      return bank(request)
    }
  }
  const variation = { id: 'elsewhere', story: 'the reference bank behind other addresses', wire: listening }
  const target = createEmbeddedTarget(profile, {
    faultsFor: () => ({ variation }),
    socket: false,
    shared: false,
  })
  const perform = createScenarioRunner({
    ...{ target, journal: noJournal, secrets: [], concurrency: 4, time: 'auto' },
    allowed: plan.effects,
    allowedElsewhere: plan.effectsElsewhere,
  })
  const checks = new Map(catalogue.checks.map(({ key, check }) => [key, check]))
  const verdicts = new Map<string, Verdict[]>()
  const heldBack = new Map<string, string[]>()
  for (const planned of plan.checks) {
    const check = checks.get(planned.key)
    if (check === undefined) throw new Error(`no check has the key ${planned.key}`)
    const { requirement } = planned
    if (planned.heldBack !== undefined) {
      heldBack.set(requirement, [...(heldBack.get(requirement) ?? []), planned.heldBack])
      continue
    }
    const result = await judgeCheck(planned, check, perform(planned, check.scenario), { seed, runs: 1 })
    verdicts.set(requirement, [...(verdicts.get(requirement) ?? []), result.verdict])
  }
  await target.close()
  return { verdicts, heldBack, asked }
}

const isAskedInProduction = (line: string): boolean =>
  /^\w+ (\/premium\/production\/|\/api\/|\/auth\/)/.test(line)

/** Reaches the bank by another path, in the place of the one of the interface or beside it. */
const behind =
  (other: string, stated: string, isBoth: boolean): Wire =>
  (next) =>
  async (request) => {
    const url = new URL(request.url)
    if (url.pathname.startsWith(`${other}/`)) url.pathname = url.pathname.replace(other, stated)
    else if (!isBoth && url.pathname.startsWith(`${stated}/`)) return new Response(null, { status: 404 })
    const response = await next(new Request(url, request))
    const location = response.headers.get('location')
    if (location !== null) response.headers.set('location', location.replace(stated, other))
    return response
  }

const OTHER = { basePaths: { sandbox: '/bank/test', production: '/premium/production' } }

describe('a profile that names another base path', () => {
  test('is judged by the one of the interface, where the bank has both', async () => {
    const { verdicts } = await judge(OTHER, { wire: behind('/bank/test', '/premium/sandbox', true) })
    expect(verdicts.get('ENV-01')).toEqual(['pass'])
    expect(verdicts.get('ENV-04')).toEqual(['pass', 'pass'])
  })

  test('tells of a bank that has nothing below the one of the interface', async () => {
    const { verdicts } = await judge(OTHER, { wire: behind('/bank/test', '/premium/sandbox', false) })
    expect(verdicts.get('ENV-01')).toEqual(['fail'])
    expect(verdicts.get('ENV-02')).toEqual(['pass'])
  })
})

describe('a profile that names another version', () => {
  const changes = { operations: { createConsent: { path: '/v7/consents' } } }

  /** Consents are created below v7 of the sandbox, in the place of v1 or beside it. */
  const below7 =
    (isBoth: boolean): Wire =>
    (next) =>
    async (request) => {
      const url = new URL(request.url)
      if (url.pathname === '/premium/sandbox/v7/consents') url.pathname = '/premium/sandbox/v1/consents'
      else if (!isBoth && url.pathname === '/premium/sandbox/v1/consents')
        return new Response(null, { status: 404 })
      return next(new Request(url, request))
    }

  test('is judged by that of the interface, where the bank has both', async () => {
    const { verdicts } = await judge(changes, { wire: below7(true) })
    expect(verdicts.get('ENV-04')).toEqual(['pass', 'pass'])
  })

  test('tells of a bank that has nothing below that of the interface', async () => {
    const { verdicts } = await judge(changes, { wire: below7(false) })
    expect(verdicts.get('ENV-04')).toEqual(['fail', 'pass'])
    expect(verdicts.get('ENV-01')).toEqual(['not-reached'])
    expect(verdicts.get('ENV-05')).toEqual(['pass', 'pass'])
  })
})

describe('what is allowed in an environment', () => {
  test('holds for all that acts there, and nothing more is sent', async () => {
    const { verdicts, asked, heldBack } = await judge({ allow: { production: ['read'] } })
    expect(asked.filter(isAskedInProduction).filter((line) => !line.startsWith('GET '))).toEqual([])
    expect(heldBack.get('ENV-06')).toEqual([
      'the effect "consent" is not allowed in production (--allow consent)',
      'the effect "consent" is not allowed in production (--allow consent)',
    ])
    expect([...verdicts.values()].flat().filter((verdict) => verdict !== 'pass')).toEqual([])
  })

  test('is nothing where no credentials hold', async () => {
    const { verdicts, asked } = await judge({ environments: ['sandbox'] }, { allow: ['pay'] })
    expect(asked.filter(isAskedInProduction)).toEqual([])
    expect(verdicts.get('ENV-01')).toEqual(['pass'])
    expect([...verdicts.values()].flat().filter((verdict) => verdict !== 'pass')).toEqual([])
  })

  test('opens what moves money in production to whoever allows it by name', async () => {
    const [without, allowing] = [await judge({}), await judge({}, { allow: ['pay'] })]
    expect(without.heldBack.get('ENV-21')).toEqual([
      'the effect "pay" is not allowed in production (--allow pay)',
      'the effect "pay" is not allowed in production (--allow pay)',
    ])
    expect(without.asked).not.toContain('POST /api/v1/payments/ecomm/sba')
    expect(allowing.verdicts.get('ENV-21')).toEqual(['pass', 'pass'])
    expect(allowing.asked).toContain('POST /api/v1/payments/ecomm/sba')
  })
})
