import { expect, test } from 'vitest'
import { sampleApplication, sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema } from '../profile/schema.ts'
import {
  referenceProfile,
  variationProfile,
  withoutAccountChoice,
} from '../connection/reference-bank/reference-profile.ts'
import { conditionsFor } from './conditions.ts'
import type { ProfileInput } from '../profile/schema.ts'

const PLAIN = [{ uri: 'https://shop.example/callback' }]
const WITH_QUERY = [...PLAIN, { uri: 'https://shop.example/return?channel=bank' }]

test('a later application with a query in its redirect URI is enough, of the kind that acts', () => {
  const { clientSecret } = sampleApplication()
  const applications = (['TPP', 'TPP', 'FAC'] as const).map((kind, at) => ({
    name: `application ${at}`,
    kind,
    clientId: `client ${at}`,
    clientSecret,
    redirectUris: at === 1 ? WITH_QUERY : PLAIN,
  }))
  const profile = profileSchema.parse({ ...sampleProfile(), applications })
  const relied = { target: { profile, virtual: true }, time: 'auto', effects: [], webhookUrl: undefined }
  const isMet = (kind: 'TPP' | 'FAC') => conditionsFor(kind, { ...relied, time: 'auto' })['redirect-query']
  expect([isMet('TPP'), isMet('FAC')]).toEqual([true, false])
})

const conditionsOf = (profile: ProfileInput) =>
  conditionsFor('TPP', {
    target: { profile: profileSchema.parse(profile), virtual: true },
    time: 'auto',
    effects: [],
    webhookUrl: undefined,
  })

test('accounts can be chosen where a page has a box for each, and two at the own bank are shared', () => {
  const own = referenceProfile()
  const [first, ...others] = own.customers ?? []
  const isMet = (profile: ProfileInput) => conditionsOf(profile)['account-choice']
  expect(isMet(own)).toBe(true)
  expect(isMet(withoutAccountChoice(own))).toBe(false)
  const [one, ...rest] = (first?.accounts ?? []).filter(({ bank }) => bank === 'own')
  const atOtherBanks = rest.map((account) => ({ ...account, bank: 'other' as const }))
  if (first === undefined || one === undefined) throw new Error('the reference profile has no account')
  const customers = [{ ...first, accounts: [one, ...atOtherBanks] }, ...others]
  expect(isMet({ ...own, customers })).toBe(false)
})

test('a second variant whose scope has no consentId has no consents', () => {
  const own = referenceProfile()
  const isMet = (profile: ProfileInput) => conditionsOf(profile)['second-variant-consent']
  expect(isMet(own)).toBe(true)
  expect(
    isMet({ ...own, ...variationProfile('the-second-variant-has-its-own-scope-under-the-same-consent') }),
  ).toBe(true)
  expect(
    isMet({ ...own, ...variationProfile('the-second-variant-has-its-own-endpoints-and-no-consent') }),
  ).toBe(false)
  expect(isMet({ ...own, secondVariant: undefined })).toBe(false)
})
