import { expect, test } from 'vitest'
import { must } from '../check/requirement.ts'
import { scenario } from '../session/scenario.ts'
import { sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema } from '../profile/schema.ts'
import { buildPlan } from './build-plan.ts'
import { renderPlan } from './render-plan.ts'
import { writeLines } from './writes.ts'
import type { EffectsIn, ScenarioOptions } from '../session/scenario.ts'
import type { Effect } from '../evidence/exchange.ts'
import type { ProfileInput } from '../profile/schema.ts'

/** Scenarios that act in an environment by its name: the plan holds them back, or what they do is allowed there. */

const requirement = must('ENV-91', { claim: 'a claim', quote: 'words', place: 'here' })

const planned = (
  effectsIn: EffectsIn | undefined,
  profile: Partial<ProfileInput>,
  allow: readonly Effect[] = [],
) => {
  const options: ScenarioOptions = { effect: 'read', as: 'any', ...(effectsIn && { effectsIn }) }
  const check = {
    requirement,
    scenario: scenario('a scenario', options, async () => undefined),
    judge: () => undefined,
    needs: [],
    isOnly: false,
    statedAt: new Error('here'),
  }
  return buildPlan(
    {
      requirements: [{ ...requirement, chapter: 'environments' }],
      notShown: [],
      checks: [
        {
          key: 'specs/environments/a.spec.ts#1',
          file: 'specs/environments/a.spec.ts:1',
          chapter: 'environments',
          folder: 'environments',
          check,
        },
      ],
      digest: '',
    },
    { profile: profileSchema.parse({ ...sampleProfile(), ...profile }), virtual: true },
    { only: [], skip: [], allow, seed: 1, runs: 1, time: 'auto' },
  )
}

const reasonOf = (...given: Parameters<typeof planned>) => planned(...given).checks[0]?.heldBack

const heldBack = (...given: Parameters<typeof planned>) => reasonOf(...given)?.because

const BOTH: Partial<ProfileInput> = { environments: ['sandbox', 'production'] }

test('an environment in which no credentials hold is left alone', () => {
  expect(heldBack({ sandbox: 'read', production: 'read' }, {})).toBe(
    'it needs credentials of the acting application that hold in production (environments, applications[].environments)',
  )
  expect(heldBack({ sandbox: 'read' }, { environment: 'production' })).toBe(
    'it needs credentials of the acting application that hold in the sandbox (environments, applications[].environments)',
  )
  expect(heldBack({ sandbox: 'read', production: 'read' }, BOTH)).toBeUndefined()
})

test('a reason has its kind, and what has to change', () => {
  expect(reasonOf({ sandbox: 'consent', production: 'pay' }, {})).toEqual({
    kind: 'missing-in-profile',
    because:
      'it needs credentials of the acting application that hold in production (environments, applications[].environments)',
    changes: [
      {
        change: 'profile',
        what: 'credentials of the acting application that hold in production (environments, applications[].environments)',
        example: 'environments: [sandbox, production]',
      },
      { change: 'option', what: '--allow pay (in production)' },
    ],
  })
  expect(reasonOf({ sandbox: 'consent', production: 'pay' }, BOTH)?.kind).toBe('effect-not-allowed')
})

test('what is done in each environment is allowed in that one', () => {
  expect(heldBack({ sandbox: 'pay', production: 'consent' }, BOTH)).toBeUndefined()
  expect(heldBack({ sandbox: 'consent', production: 'pay' }, BOTH)).toBe(
    'the effect "pay" is not allowed in production (--allow pay)',
  )
  expect(heldBack({ sandbox: 'consent', production: 'pay' }, BOTH, ['pay'])).toBeUndefined()
  expect(
    heldBack({ sandbox: 'pay' }, { ...BOTH, environment: 'production', allow: { sandbox: ['read'] } }),
  ).toBe('the effect "pay" is not allowed in sandbox (--allow pay)')
})

test('a run of production writes to the sandbox only what --allow names', () => {
  const production: Partial<ProfileInput> = { ...BOTH, environment: 'production' }
  for (const effect of ['notify', 'apply', 'pay'] as const) {
    expect(heldBack({ sandbox: effect }, production)).toBe(
      `the effect "${effect}" is not allowed in sandbox (--allow ${effect})`,
    )
    expect(heldBack({ sandbox: effect }, production, [effect])).toBeUndefined()
  }
  expect(heldBack({ sandbox: 'consent', production: 'read' }, production)).toBeUndefined()
})

test('the plan prints the full address of each kind of write, and how many it gets', () => {
  const party = { name: 'Anna', iban: 'SK2998010000002600001129' }
  const profile = { ...BOTH, payments: { debtor: party, creditor: party } }
  const { checks, runs } = planned({ sandbox: 'consent', production: 'pay' }, profile, ['pay'])
  const paying = checks.map((check) => ({ ...check, payments: { initiated: 2, submitted: 1 } }))
  const target = {
    profile: profileSchema.parse({ ...sampleProfile(), ...profile }),
    baseUrl: 'https://bank.example',
  }
  const lines = writeLines({ checks: paying, runs }, target).map((line) =>
    line.trim().split(/ {2,}| (?=https)/),
  )
  expect(lines).toEqual([
    ['sandbox', 'POST', 'https://bank.example/premium/sandbox/v1/consents', 'in 1 scenario'],
    ['sandbox', 'GET', 'https://bank.example/premium/sandbox/auth/oauth/v2/authorize', '0 by a customer'],
    ['sandbox', 'POST', 'https://bank.example/premium/sandbox/auth/oauth/v2/token', 'in 1 scenario'],
    ['production POST', 'https://bank.example/auth/oauth/v2/token', 'in 1 scenario'],
    [
      'production POST',
      'https://bank.example/api/v1/payments/ecomm/sba',
      '2 payments, these and those below',
    ],
    ['production POST', 'https://bank.example/api/v1/payments/standard/sba', 'of these'],
    ['production GET', 'https://bank.example/auth/oauth/v2/authorize', 'before a submission'],
    ['production POST', 'https://bank.example/api/v1/payments/submission', '1 submissions'],
  ])
})

test('a scenario without effectsIn sends requests only in the environment that is judged', () => {
  expect(heldBack(undefined, { environment: 'production', allow: { production: ['consent'] } })).toBe(
    'the effect "read" is not allowed in production (--allow read)',
  )
  expect(heldBack(undefined, { environment: 'production' })).toBeUndefined()
})

test('the plan contains the allowed effects of both environments', () => {
  const { effects, effectsElsewhere } = planned(undefined, { allow: { production: ['read'] } }, ['notify'])
  expect(effects).toEqual(['read', 'consent', 'notify', 'apply', 'pay'])
  expect(effectsElsewhere).toEqual(['read', 'notify'])
})

test('the plan says what is done in the environment that is not judged, and which payments are', () => {
  const pays = planned({ sandbox: 'consent', production: 'pay' }, BOTH, ['pay'])
  const [check] = pays.checks
  if (check === undefined) throw new Error('one check is planned')
  const heading = { target: 'a bank', environment: 'sandbox', clock: 'wall', concurrency: 1, byPerson: false }
  const reported = renderPlan(
    { ...pays, checks: [{ ...check, payments: { initiated: 2, submitted: 0 } }] },
    { ...heading, sink: '', payment: { amount: 0.01, currency: 'EUR' } },
  )
  expect(reported).toContain('  elsewhere        pay in production (allowed there: read, consent, pay)\n')
  expect(reported).toContain('0 of them submitted, 0.00 EUR; 2 of them in production\n')
  expect(renderPlan(planned(undefined, BOTH), { ...heading, sink: '' })).not.toContain('elsewhere')
})
