import { expect, test } from 'vitest'
import { variations } from '../../bank/variations/index.ts'
import { createScenarioRunner } from '../../engine/run-scenario.ts'
import { EFFECTS } from '../../evidence/exchange.ts'
import { openMemoryJournal } from '../../evidence/journal.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { runTrial } from '../../proof/trial.ts'
import { profileSchema, type ProfileInput } from '../../profile/schema.ts'
import { scenario } from '../../session/index.ts'
import { createEmbeddedTarget } from '../../connection/embedded.ts'
import { referenceProfile, withoutAccountChoice } from '../../connection/reference-bank/reference-profile.ts'
import type { PlannedCheck } from '../../plan/plan.ts'

/** A bank on whose page the customer ticks the accounts that are shared. */

const ID = 'only-the-account-that-the-customer-keeps-private-is-ticked'
const variation = variations.find(({ id }) => id === ID)
const own = referenceProfile()
if (variation === undefined) throw new Error(`no variation ${ID}`)

const PLANNED = { scenario: 'consent/chosen', authorizations: 2, sharesGrant: false } as PlannedCheck

const choose = async (changes: Partial<ProfileInput>) => {
  const profile = profileSchema.parse({ ...referenceProfile(), personalData: 'kept', ...changes })
  const target = createEmbeddedTarget(profile, {
    faultsFor: () => ({ variation }),
    socket: false,
    shared: false,
  })
  const run = createScenarioRunner({
    target,
    journal: openMemoryJournal(),
    secrets: [],
    concurrency: 1,
    time: 'auto',
    allowed: EFFECTS,
  })
  const one = scenario(
    'grants for one account, and for another',
    { effect: 'consent', as: 'TPP', authorizations: 2, needs: ['customer', 'account-choice'] },
    async ({ app, customer }) => {
      const accounts = app.accounts('first')
      const listed = []
      for (const { iban } of customer.accounts.slice(0, 2)) {
        const { accessToken } = await app.tokens({ accounts: [iban] })
        listed.push(accounts.accountsIn(await accounts.list(accessToken)).map((account) => account.iban))
      }
      return listed
    },
  )
  try {
    return await run(PLANNED, one).outcome()
  } finally {
    await target.close()
  }
}

const [first] = referenceProfile().customers ?? []
const ibans = (first?.accounts ?? []).map(({ iban }) => iban)

test('a scenario says which accounts are shared', async () => {
  expect(await choose(own)).toMatchObject({ record: [[ibans[0]], [ibans[1]]] })
})

test('without a page that picks accounts the scenario is not reached', async () => {
  const outcome = await choose(withoutAccountChoice(own))
  expect(outcome).toMatchObject({
    stopped: { message: expect.stringContaining('no page asked which accounts are shared') as string },
  })
})

test('by default the accounts are shared that the profile calls consented', async () => {
  const judged = async (profile: Partial<ProfileInput>) =>
    runTrial(await loadCatalogue(), () => ({ variation }), {
      profile,
      only: ['ACC-01', 'ACC-02', 'ACC-10'],
      socket: false,
      seed: 42,
      runsOf: () => 2,
    })
  const right = await judged(own)
  expect(right.filter(({ verdict }) => verdict !== 'pass')).toEqual([])
  expect(right.length).toBeGreaterThan(3)
  // Otherwise the page shares the one account that the customer keeps private.
  const wrong = await judged(withoutAccountChoice(own))
  expect(wrong.some(({ verdict }) => verdict === 'fail')).toBe(true)
})
