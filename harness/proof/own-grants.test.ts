import { expect, test } from 'vitest'
import { variations } from '../bank/variations/index.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { variationProfile } from '../connection/reference-bank/reference-profile.ts'
import { judgeDefect, judgeVariation } from './result.ts'
import { loadDefects } from './selection.ts'
import { runTrial } from './trial.ts'
import type { ProfileInput } from '../profile/schema.ts'

/** A bank whose second variant is granted by itself: the checks on the second variant hold there as they do elsewhere. */

const ID = 'the-second-variant-has-its-own-endpoints-and-no-consent'

const [catalogue, defects] = await Promise.all([loadCatalogue(), loadDefects()])

const variation = variations.find(({ id }) => id === ID)
const profile = variationProfile(ID)
if (variation === undefined || profile === undefined) throw new Error(`no variation ${ID} with a profile`)

const options = { socket: false, seed: 42, runsOf: () => 4 }

test('with the token of the first variant nothing of the second could be judged', async () => {
  const own: Partial<ProfileInput> = { secondVariant: {} }
  const results = await runTrial(catalogue, () => ({ variation }), {
    ...options,
    profile: own,
    only: ['ACC-14', 'ACC-21', 'TRX-20'],
  })
  expect(judgeVariation(ID, results).alarms.length).toBeGreaterThan(0)
})

/**
 * A refresh of other banks is of the consent of the first variant. A refreshed token of the second variant that ends 90 days
 * after its own grant, rather than after the refresh, is permitted, whatever those of the first do.
 */
const NOT_SEEN: ReadonlySet<string> = new Set(['REF-04', 'REF-17', 'TOK-86'])

/** Of kinds of grants that a scenario uses in the second variant. */
const IN_THE_SECOND_VARIANT = [
  'the-list-of-accounts-leaves-out-the-last-one-in-the-second-variant',
  'the-list-of-the-second-variant-does-not-check-the-age-of-a-token',
  'the-access-token-of-a-refresh-of-a-fac-lists-all-accounts-of-the-customer-in-the-second-variant',
  'the-sandbox-lists-accounts-second-variant-with-tokens-of-production',
  'production-has-no-post-api-v1-accounts-transactions',
]

test.each(IN_THE_SECOND_VARIANT)('%s is caught', async (id) => {
  const defect = defects.find((one) => one.id === id)
  if (defect === undefined) throw new Error(`no defect has the id ${id}`)
  const breaks = defect.breaks.map((row) => row.id).filter((row) => !NOT_SEEN.has(row))
  const results = await runTrial(catalogue, () => ({ defect, variation }), {
    ...options,
    profile,
    only: breaks,
    environment: defect.triedIn ?? defect.environment ?? 'sandbox',
    runsOf: () => 25,
  })
  const { survived, crashed, caughtBy } = judgeDefect({ ...defect, breaks }, results)
  expect({ survived, crashed }).toEqual({ survived: false, crashed: [] })
  expect(breaks.filter((row) => !caughtBy.includes(row))).toEqual([])
})
