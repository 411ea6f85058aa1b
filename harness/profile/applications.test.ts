import { describe, expect, test } from 'vitest'
import { applicationsIn, credentialsOf } from './applications.ts'
import type { Place } from './schema/places.ts'
import { resolveProfile } from './load.ts'
import { SAMPLE_ENV, sampleApplication, sampleProfile } from '../testing/samples/profile.ts'
import type { ProfileInput } from './schema.ts'

const ENV = { ...SAMPLE_ENV, SAMPLE_SECRET: 'of-the-sandbox', PRODUCTION_SECRET: 'of-production' }

type Environments = ProfileInput['applications'][number]['environments']

const load = (environments: Environments, more: Partial<ProfileInput> = {}) =>
  resolveProfile(
    { ...sampleProfile(), ...more, applications: [{ ...sampleApplication(), environments }] },
    ENV,
    'the test',
  )

const OWN: Environments = {
  sandbox: {},
  production: { clientId: 'shop-2', clientSecret: 'env:PRODUCTION_SECRET' },
}

test('an application has the credentials of its place, and does not exist elsewhere', () => {
  const { profile } = load(OWN)
  const pairsIn = (place?: Place) =>
    applicationsIn(profile, place).map(({ clientId, clientSecret }) => [clientId, clientSecret])
  expect(pairsIn()).toEqual([['shop-id', 'of-the-sandbox']])
  expect(pairsIn('production')).toEqual([['shop-2', 'of-production']])
  expect(pairsIn('loans')).toEqual([])
})

test('without environments it exists everywhere with one pair of credentials', () => {
  const { profile } = load(undefined)
  expect(applicationsIn(profile, 'loans')).toEqual(profile.applications)
  expect(profile.applications.flatMap(credentialsOf)).toEqual([
    { clientId: 'shop-id', clientSecret: 'of-the-sandbox', secretKey: 'clientSecret' },
  ])
})

test('each pair of credentials names its key, and every secret is known as one', () => {
  const { profile, secrets } = load(OWN)
  expect(profile.applications.flatMap(credentialsOf).map(({ secretKey }) => secretKey)).toEqual([
    'clientSecret',
    'environments.production.clientSecret',
  ])
  expect(secrets).toContain('of-production')
})

describe('a configuration error', () => {
  test('of loans without an application in the loan sandbox', () => {
    expect(() => load(OWN, { loans: {} })).toThrow(
      '`loans` is described, and no application exists in loans; add `loans` to the `environments` of one of `applications`, or leave `loans` out',
    )
  })

  test('of an application of loans that is not registered there', () => {
    const { name } = sampleApplication()
    expect(() => load(OWN, { loans: { applications: [name] } })).toThrow(
      `\`loans.applications.0\` names "${name}", which does not exist in loans; add \`loans\` to \`applications.0.environments\`, or name another application`,
    )
  })

  test('of an application without a place', () => {
    expect(() => load({})).toThrow('leave `environments` out if it exists everywhere')
  })
})
