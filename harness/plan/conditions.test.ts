import { describe, expect, test } from 'vitest'
import { sampleApplication, sampleProfile } from '../testing/samples/profile.ts'
import { profileSchema } from '../profile/schema.ts'
import {
  referenceProfile,
  variationProfile,
  withoutAccountChoice,
} from '../connection/reference-bank/reference-profile.ts'
import { conditionsFor, meets } from './conditions.ts'
import type { ProfileInput } from '../profile/schema.ts'
import type { Need } from '../session/scenario.ts'

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

describe('another customer acts', () => {
  const account = { iban: 'SK9098010000002900004444', bank: 'own', consented: true } as const
  const another = { ...account, iban: 'SK2798010000002900005578' }
  const [first] = referenceProfile().customers ?? []
  const canAct = (accounts: readonly object[], ...needs: readonly Need[]): boolean => {
    const second = { name: 'second', username: 'second', password: 'P', accounts }
    const profile = profileSchema.parse({ ...referenceProfile(), customers: [first, second] })
    return profile.customers.slice(1).every(meets(profile, needs))
  }

  test('in scenarios about accounts if the profile knows one with two of the smallest pages', () => {
    expect(canAct([{ ...account, transactions: 20 }], 'access')).toBe(true)
    expect(canAct([{ ...account, transactions: 19 }], 'access')).toBe(false)
    expect(canAct([account], 'access')).toBe(false)
    expect(canAct([account], 'customer')).toBe(true)
  })

  test('if they have the accounts that the scenario needs', () => {
    expect(canAct([{ ...account, transactions: 20 }], 'access', 'long-account')).toBe(false)
    expect(canAct([{ ...account, transactions: 101 }], 'access', 'long-account')).toBe(true)
  })

  test('in scenarios with bookings if they have two accounts, as the first customer has', () => {
    expect(canAct([{ ...account, transactions: 20 }], 'own-account', 'booking')).toBe(false)
    expect(canAct([{ ...account, transactions: 20 }, another], 'own-account', 'booking')).toBe(true)
  })
})
