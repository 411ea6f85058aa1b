import { expect, test, vi } from 'vitest'
import { startBank } from '../bank/server.ts'
import { found } from '../misfortune/ward.ts'
import { loadVariations } from '../proof/suspects.ts'
import { referenceProfile } from '../target/reference-profile.ts'

/** A bank that is different and right is no patient: nobody is sent to correct what is well. */

vi.setConfig({ testTimeout: 120_000 })

/** One application of each kind says what all of them would. */
const applications = (['FAC', 'TPP'] as const).flatMap((wanted) =>
  referenceProfile()
    .applications.filter(({ kind }) => kind === wanted)
    .slice(0, 1)
    .map((each) => ({ ...each, redirectUris: each.redirectUris.slice(0, 1) })),
)

test('no variation gives cause for a warning', async () => {
  const alarms: string[] = []
  for (const variation of loadVariations()) {
    const { url, close } = await startBank({ variation })
    try {
      for (const { code, level, cause } of await found(url, { applications }, { depth: 'whole' }))
        if (level === 'warning' || level === 'error') alarms.push(`${variation.id}: ${code} ${cause}`)
    } finally {
      await close()
    }
  }
  expect(alarms).toEqual([])
})
