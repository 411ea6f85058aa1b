import { expect, test } from 'vitest'
import { examineBindings } from './guesses.ts'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema, type ProfileInput } from '../../profile/schema.ts'

const examined = (change: Partial<ProfileInput> = {}): string => {
  const profile = profileSchema.parse({ ...sampleProfile(), ...change })
  const findings = examineBindings({ target: { profile, baseUrl: 'https://bank.example', secrets: [] } })
  return findings.flatMap(({ shows = [] }) => shows).join('\n')
}

test('values that the interface defines are not guesses: paths, base paths, the header of a consent, the scope', () => {
  const shows = examined({ secondVariant: {}, loans: {} })
  expect(shows).not.toMatch(/\.path:/)
  expect(shows).not.toMatch(/^ *(basePaths|loans\.basePath|scopes)/m)
  expect(shows).not.toContain('operations.createConsent.requestIdHeader')
})

test('other values are guesses: names, headers, the base path of the second variant', () => {
  const shows = examined({ secondVariant: {}, loans: {} })
  for (const key of [
    'operations.listAccounts.accounts',
    'operations.listAccounts.requestIdHeader',
    'operations.token.refreshToken',
    'secondVariant.basePaths.sandbox',
    'loans.submission.id',
  ])
    expect(shows).toContain(`${key}:`)
})
