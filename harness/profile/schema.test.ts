import { expect, it } from 'vitest'
import { sampleProfile, parsedProfile } from '../testing/samples/profile.ts'
import { profileSchema } from './schema.ts'

it('fills in what the live service does', () => {
  const profile = parsedProfile()
  expect(profile).toMatchObject({
    environment: 'sandbox',
    basePaths: { sandbox: '/premium/sandbox', production: '/premium/production' },
    authorization: { kind: 'pages', limit: 20 },
    scopes: { accounts: 'PREMIUM_AIS' },
    allow: { production: ['read', 'consent'] },
    deadlines: { requestMs: 15_000 },
  })
})

it('takes the last slash off base URLs and base paths', () => {
  const input = {
    ...sampleProfile(),
    baseUrl: 'https://bank.example/',
    basePaths: { sandbox: '/', production: '/a/' },
  }
  const { baseUrl, basePaths } = profileSchema.parse(input)
  expect(`${baseUrl}${basePaths.sandbox}/v1`).toBe('https://bank.example/v1')
  expect(basePaths.production).toBe('/a')
})
