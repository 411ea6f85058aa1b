import { describe, expect, test } from 'vitest'
import { ambiguousAddresses } from './address-environment.ts'
import { resolveProfile } from './load.ts'
import { type ProfileInput } from './schema.ts'
import { SAMPLE_ENV, sampleProfile, parsedProfile } from '../testing/samples/profile.ts'
import { testHookChecks } from './test-hook-checks.ts'
import { testHooksIn } from './test-hooks.ts'

/** Test hooks that differ by environment. */

type Hooks = NonNullable<ProfileInput['testHooks']>
type Revocation = NonNullable<Hooks['revokeToken']>

const profileWith = (testHooks: Hooks) => parsedProfile({ testHooks })

const revoking = (environments: Revocation['environments'], more: Partial<Revocation> = {}) =>
  profileWith({ revokeToken: { url: '/revoke', body: { token: '{token}' }, ...more, environments } })

describe('a test hook with environments', () => {
  test('has the request of the place, and what is left out is its own', () => {
    const profile = revoking({ sandbox: {}, production: { url: '/end', headers: { 'X-Key': 'k' } } })
    expect(testHooksIn(profile).revokeToken).toMatchObject({ url: '/revoke', headers: {} })
    expect(testHooksIn(profile, 'production').revokeToken).toMatchObject({
      method: 'POST',
      url: '/end',
      headers: { 'X-Key': 'k' },
      body: { token: '{token}' },
    })
  })

  test('does not exist in a place that is not listed', () => {
    const profile = revoking({ production: {} })
    expect(testHooksIn(profile)).toEqual({})
    expect(testHooksIn({ ...profile, environment: 'production' })).toHaveProperty('revokeToken')
  })

  test('exists somewhere', () => {
    expect(() => revoking({})).toThrow('a test hook exists in one of sandbox, production and loans at least')
  })

  test('keeps the names of the members of webhook settings', () => {
    const profile = profileWith({
      readWebhook: {
        url: '/hooks/{clientId}',
        fields: { enabled: 'active' },
        environments: { sandbox: {}, production: { fields: { url: 'callback' } } },
      },
    })
    expect(testHooksIn(profile).readWebhook?.fields.enabled).toBe('active')
    expect(testHooksIn(profile, 'production').readWebhook?.fields).toEqual({
      enabled: 'enabled',
      url: 'callback',
      securityHeader: 'securityHeader',
    })
  })

  test.each<readonly [string, Revocation['environments'], Partial<Revocation>, string]>([
    [
      'an unknown placeholder',
      { production: { url: '/end/{tokn}' } },
      {},
      '`testHooks.revokeToken.environments.production.url` has the unknown placeholder {tokn}; did you mean {token}?',
    ],
    [
      'an argument that is passed on nowhere',
      { sandbox: {}, production: { body: { of: 'any' } } },
      {},
      '`testHooks.revokeToken.environments.production` passes {token} on nowhere; put it into its url, a header or the body',
    ],
    [
      'an argument that is passed on nowhere, whatever the place',
      { sandbox: {}, production: {} },
      { body: {} },
      '`testHooks.revokeToken` passes {token} on nowhere; put it into its url, a header or the body',
    ],
  ])('is refused with %s, once', (_, environments, more, problem) => {
    expect(testHookChecks(revoking(environments, more)).problems).toEqual([problem])
  })

  test('that is at another origin is called there only if the profile has it', () => {
    const url = 'https://hooks.bank.example/revoke'
    expect(testHookChecks(revoking({ production: { url } })).warnings).toEqual([
      expect.stringContaining(
        '`testHooks.revokeToken.environments.production.url` is at https://hooks.bank.example',
      ),
    ])
  })

  test('that moves a clock is read in the same places', () => {
    const moved = { url: '/clock/{seconds}', environments: { sandbox: {}, loans: {} } }
    const read = { url: '/clock', environments: { sandbox: {} } }
    expect(testHookChecks(profileWith({ advanceClock: moved, readClock: read })).warnings).toEqual([
      expect.stringContaining('is given without `testHooks.readClock` in loans'),
    ])
  })

  test('of the sandbox is at no address of production', () => {
    const [problem = '', ...others] = ambiguousAddresses(
      revoking({
        loans: { url: '/premium/production/revoke' },
        production: { url: '/premium/production/x' },
      }),
      'https://bank.example',
    )
    expect(problem).toContain('`testHooks.revokeToken.environments.loans.url`')
    expect(others).toEqual([])
  })

  test('reads its secrets from the environment, and they are secrets', () => {
    const { profile, secrets } = resolveProfile(
      {
        ...sampleProfile(),
        testHooks: {
          revokeToken: {
            url: '/revoke/{token}',
            environments: { sandbox: { headers: { 'X-Key': 'env:OPERATOR' }, body: { key: 'env:OTHER' } } },
          },
        },
      },
      { ...SAMPLE_ENV, OPERATOR: 'a-key-of-the-operator', OTHER: 'another-key-of-it' },
      'the test',
    )
    expect(testHooksIn(profile).revokeToken).toMatchObject({
      headers: { 'X-Key': 'a-key-of-the-operator' },
      body: { key: 'another-key-of-it' },
    })
    expect(secrets).toEqual(expect.arrayContaining(['a-key-of-the-operator', 'another-key-of-it']))
  })
})
