import { expect, test } from 'vitest'
import { grantedVariants, oauthOf, type Variant } from './oauth.ts'
import { addressOf } from './operations.ts'
import { sampleProfile, parsedProfile } from '../testing/samples/profile.ts'
import { profileSchema, type Profile, type ProfileInput } from './schema.ts'

type OAuthInput = NonNullable<NonNullable<ProfileInput['secondVariant']>['oauth']>

const profileOf = (oauth?: OAuthInput): Profile =>
  parsedProfile({ basePaths: { sandbox: '/a' }, secondVariant: oauth === undefined ? {} : { oauth } })

/** The request for a grant, with the addresses of both endpoints. */
const grantOf = (profile: Profile, variant: Variant) => {
  const { authorize, token, ...others } = oauthOf(profile, variant)
  return { ...others, authorize: addressOf(profile, authorize), token: addressOf(profile, token) }
}

const OF_THE_FIRST = { authorize: '/a/auth/oauth/v2/authorize', token: '/a/auth/oauth/v2/token' }

test('one grant opens both variants, unless the profile says otherwise', () => {
  expect(grantedVariants(profileOf())).toEqual(['first'])
  expect(grantOf(profileOf(), 'second')).toEqual({ ...OF_THE_FIRST, scope: 'PREMIUM_AIS', hasConsent: true })
})

test('a scope of its own is enough: the endpoints are those of the first variant', () => {
  const profile = profileOf({ scope: 'AIS_2' })
  expect(grantedVariants(profile)).toEqual(['first', 'second'])
  expect(grantOf(profile, 'second')).toEqual({ ...OF_THE_FIRST, scope: 'AIS_2', hasConsent: true })
  expect(oauthOf(profile, 'first').scope).toBe('PREMIUM_AIS')
})

test('base paths, paths and the consent may be others', () => {
  const profile = profileOf({
    scope: 'AIS_2',
    consent: false,
    token: { path: '/ais/token' },
    basePaths: { sandbox: '/test', production: '/' },
  })
  expect(grantOf(profile, 'second')).toEqual({
    scope: 'AIS_2',
    hasConsent: false,
    token: '/test/ais/token',
    authorize: '/test/auth/oauth/v2/authorize',
  })
  expect(addressOf(profile, oauthOf(profile, 'second').token, 'production')).toBe('/ais/token')
  expect(grantOf(profile, 'first')).toMatchObject(OF_THE_FIRST)
})

test('the scope is mandatory', () => {
  const input = { ...sampleProfile(), secondVariant: { oauth: { consent: false } } }
  expect(profileSchema.safeParse(input).error?.issues.map(({ path }) => path.join('.'))).toEqual([
    'secondVariant.oauth.scope',
  ])
})
