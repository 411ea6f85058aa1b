import { expect, test } from 'vitest'
import { parsedProfile } from '../../testing/samples/profile.ts'
import { renderDay, walkDay } from './day.ts'

test('where tokens are imported, the day is left out, and nothing is sent', async () => {
  const token = { application: 'shop', customer: 'first customer', accessToken: 'imported-token' }
  const profile = parsedProfile({ authorization: { kind: 'tokens', tokens: [token] } })
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
