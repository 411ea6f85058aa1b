import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveTarget } from './target.ts'
import { sampleProfile } from '../../testing/samples/profile.ts'
import type { TargetOptions } from './options.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import { scratch } from '../../testing/samples/reports.ts'

const settled = (changes: Partial<ProfileInput> = {}, options: Partial<TargetOptions> = {}) => {
  const file = join(scratch(), 'bank.json')
  writeFileSync(file, JSON.stringify({ ...sampleProfile(), ...changes }))
  return resolveTarget(
    { profile: file, baseUrl: undefined, environment: undefined, webhookUrl: undefined, ...options },
    { SAMPLE_SECRET: 'sample secret', SAMPLE_PASSWORD: 'sample password' },
  )
}

test('the base URL and the environment of a target are those of the profile', async () => {
  const { baseUrl, profile } = await settled()
  expect([baseUrl, profile.environment]).toEqual(['https://api.bank.example', 'sandbox'])
})

test('an environment has its own rejected orders of payments, or those of both', async () => {
  const debtor = { name: 'Anna', iban: 'SK2998010000002600001129' }
  const creditor = { name: 'Ján', iban: 'SK1198010000004000007788' }
  const factsIn = async (environment: 'sandbox' | 'production', closedAccounts: string[] = []) => {
    const payments: ProfileInput['payments'] = {
      debtor,
      creditor,
      facts: { currencies: ['CZK'] },
      environments: { production: { facts: { currencies: ['EUR'], closedAccounts } } },
    }
    return (await settled({ payments }, { environment })).profile.payments?.facts.currencies
  }
  expect([await factsIn('sandbox'), await factsIn('production')]).toEqual([['CZK'], ['EUR']])
  await expect(factsIn('sandbox', [creditor.iban])).rejects.toThrow('`payments.facts.closedAccounts` has')
})

test('the options replace them', async () => {
  const { baseUrl, profile } = await settled({}, { baseUrl: 'http://localhost:1', environment: 'production' })
  expect([baseUrl, profile.environment]).toEqual(['http://localhost:1', 'production'])
})

test('a target without a name has that of the address of the run, not of the profile', async () => {
  const options = { baseUrl: 'http://localhost:1', environment: 'production' } as const
  expect((await settled({ name: undefined }, options)).profile.name).toBe('localhost:1, production')
})

test('a profile without a base URL is refused, with the next step', async () => {
  await expect(settled({ baseUrl: undefined })).rejects.toThrow(
    'pass --base-url URL, or write `baseUrl` into the profile',
  )
})

test('a base URL that ends with the base path is refused', async () => {
  const twice = settled({}, { baseUrl: 'https://bank.example/premium/sandbox' })
  await expect(twice).rejects.toThrow('ends with the base path /premium/sandbox')
})

test('a target may have no base path, and only an application that asks for loans', async () => {
  const applications = [{ name: 'loans', clientId: 'x', clientSecret: 'y', environments: { loans: {} } }]
  const target = settled({ basePaths: { sandbox: '/' }, applications, customers: [], loans: {} })
  expect((await target).baseUrl).toBe('https://api.bank.example')
})
