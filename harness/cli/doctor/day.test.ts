import { expect, test } from 'vitest'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema } from '../../profile/schema.ts'
import { PLAIN } from '../../report/terminal/text.ts'
import { renderDay, renderStep, walkDay } from './day.ts'

test('where tokens are imported, the day is left out, and nothing is sent', async () => {
  const token = { application: 'shop', customer: 'first customer', accessToken: 'imported-token' }
  const profile = profileSchema.parse({
    ...sampleProfile(),
    authorization: { kind: 'tokens', tokens: [token] },
  })
  const target = { profile, baseUrl: 'https://unreachable.invalid', secrets: [] }
  const steps = await walkDay(target, { signal: new AbortController().signal })
  expect(steps).toEqual([
    {
      step: 'login and consent of the customer',
      keys: 'authorization.kind',
      result: 'left out',
      seen: 'tokens are imported: no customer authorizes',
    },
  ])
  expect(renderDay(steps)).toBe('\n0 of 1 steps fit, 0 do not fit, 1 left out')
})

test('on a narrow terminal what was seen stands below the step', () => {
  const step = {
    step: 'consent',
    keys: 'operations.createConsent',
    result: 'fits',
    seen: 'a consentId',
  } as const
  expect(renderStep(step, PLAIN, 80)).toMatch(/^✓ consent +operations\.createConsent\n +a consentId$/)
  expect(renderStep(step, PLAIN, Number.POSITIVE_INFINITY)).toMatch(
    /^✓ consent +operations\.createConsent +a consentId$/,
  )
})
