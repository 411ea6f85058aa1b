import { expect, test } from 'vitest'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { loadDefects } from '../../proof/selection.ts'
import { runTrial } from '../../proof/trial.ts'
import { referenceProfile } from '../../target/reference-bank/reference-profile.ts'

/** Without a transaction count in the profile, a first request of all pages gives the count for a second one. */

const catalogue = await loadCatalogue()
const profile = referenceProfile('sandbox')
const unknown = {
  ...profile,
  customers: (profile.customers ?? []).map(({ name, username, password }) => ({ name, username, password })),
}

const judged = async (defectId?: string) => {
  const defect = (await loadDefects()).find(({ id }) => id === defectId)
  const results = await runTrial(catalogue, () => (defect === undefined ? {} : { defect }), {
    environment: 'sandbox',
    profile: unknown,
    only: ['TRX-21'],
    socket: false,
    seed: 42,
    runsOf: () => 1,
  })
  // The check runs once for each kind of application.
  return [...new Set(results.map(({ requirement, verdict }) => `${requirement} ${verdict}`))]
}

test('a short last page is judged', async () => {
  expect(await judged()).toEqual(['TRX-21 pass'])
})

test('a short last page that is filled up fails', async () => {
  expect(await judged('short-page-is-filled-up')).toEqual(['TRX-21 fail'])
})
