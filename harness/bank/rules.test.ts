import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conformingRules } from './rules.ts'
import { aClient, basic } from '../testing/bank-clients/test-client.ts'

const facts = { environment: 'sandbox', now: new Date('2026-01-05T09:00:00Z') } as const

describe('basicCredentials', () => {
  const read = (header: string) => conformingRules.basicCredentials({ ...facts, header, endpoint: 'token' })

  test('reads a client id and a secret that a colon separates, for any secret', () => {
    const clientIds = fc.string({ minLength: 1, unit: 'grapheme' }).filter((id) => !id.includes(':'))
    fc.assert(
      fc.property(clientIds, fc.string({ unit: 'grapheme' }), (clientId, secret) => {
        expect(read(basic({ clientId, secret }))).toEqual({ clientId, secret })
      }),
    )
  })

  test.each([
    '',
    'Basic',
    'Basic ',
    'Basic  YTpi',
    'Basic YTpi ',
    'Basic "YTpi"',
    'BasicYTpi',
    'Basic YWI=',
    'Bearer YTpi',
  ])('reads nothing from %j', (header) => {
    expect(read(header)).toBeUndefined()
  })
})

describe('bearerToken', () => {
  const read = (header: string | undefined) =>
    conformingRules.bearerToken({
      ...facts,
      header,
      query: new URLSearchParams('access_token=q'),
      endpoint: 'accounts',
      variant: 'first',
    })

  test.each([
    ['Bearer abc.D-_~+/9==', 'abc.D-_~+/9=='],
    ['bearer abc', 'abc'],
    ['Bearer  abc', undefined],
    ['Bearer "abc"', undefined],
    ['Bearer a b', undefined],
    ['Token abc', undefined],
    [undefined, undefined],
  ])('of %j is %j', (header, token) => {
    expect(read(header)).toBe(token)
  })
})

describe('requestedScope', () => {
  const read = (scope: string) => conformingRules.requestedScope({ ...facts, client: aClient('TPP'), scope })

  test.each([
    ['PREMIUM_AIS', { name: 'PREMIUM_AIS', consentId: undefined }],
    ['PREMIUM_AIS:urn:c:1', { name: 'PREMIUM_AIS', consentId: 'urn:c:1' }],
    ['PREMIUM_AIS:', undefined],
    ['premium_ais', undefined],
    ['PREMIUM_AIS PISP', undefined],
  ])('of %j is %j', (scope, requested) => {
    expect(read(scope)).toEqual(requested)
  })
})

describe('verifierMatches', () => {
  test('accepts the example of RFC 7636, appendix B', () => {
    const code = {
      environment: 'sandbox',
      value: 'c',
      grantId: 'g',
      clientId: aClient('FAC').clientId,
      redirectUri: '',
      issuedAt: facts.now,
      challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      challengeMethod: 'S256',
    } as const
    const asked = { ...facts, client: aClient('FAC'), code }
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    expect(conformingRules.verifierMatches({ ...asked, verifier })).toBe(true)
    expect(conformingRules.verifierMatches({ ...asked, verifier: `${verifier}x` })).toBe(false)
    expect(conformingRules.verifierMatches({ ...asked, verifier: code.challenge })).toBe(false)
  })
})

describe('the rules', () => {
  test('are one function each', () => {
    const all = Object.values(conformingRules) as unknown[]
    expect(all.every((rule) => typeof rule === 'function')).toBe(true)
    expect(all.length).toBeGreaterThanOrEqual(60)
  })
})
