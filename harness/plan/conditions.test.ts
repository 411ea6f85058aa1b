import { expect, test } from 'vitest'
import { sampleApplication, sampleProfile } from '../profile/sample.ts'
import { profileSchema } from '../profile/schema.ts'
import { conditionsFor } from './conditions.ts'

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
