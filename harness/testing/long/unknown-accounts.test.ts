import { expect, test } from 'vitest'
import { variations } from '../../bank/variations/index.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { runTrial } from '../../proof/trial.ts'
import { defectOf } from '../defective-bank.ts'
import type { Faults } from '../../connection/embedded.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'

/** What is judged, and what is not, of accounts that the profile does not list. */

const catalogue = await loadCatalogue()
const profile = referenceProfile('sandbox')
const unknown = {
  ...profile,
  customers: (profile.customers ?? []).map(({ name, username, password }) => ({ name, username, password })),
}

const judged = async (requirement: string, change: Faults = {}) => {
  const results = await runTrial(catalogue, () => change, {
    environment: 'sandbox',
    profile: unknown,
    only: [requirement],
    socket: false,
    seed: 42,
    runsOf: () => 1,
  })
  // The check runs once for each kind of application.
  return [...new Set(results.map(({ verdict }) => verdict))]
}

// A first request of all pages gives the count of transactions for a second one.
test('a short last page is judged', async () => {
  expect(await judged('TRX-21')).toEqual(['pass'])
})

test('a short last page that is filled up fails', async () => {
  expect(
    await judged('TRX-21', {
      defect: await defectOf('a-last-page-of-fewer-than-10-transactions-is-filled-with-earlier-ones'),
    }),
  ).toEqual(['fail'])
})

test('lists with the same accounts are the same, whatever the banks of the accounts are', async () => {
  expect(await judged('ACC-36')).toEqual(['pass'])
})

test('an account that the second variant leaves out may be at another bank', async () => {
  const variation = variations.find(
    ({ id }) => id === 'the-second-variant-lists-accounts-of-its-own-bank-only',
  )
  if (variation === undefined) throw new Error('there is no such variation')
  expect(await judged('ACC-36', { variation })).toEqual(['not-reached'])
  expect(
    await judged('ACC-36', {
      defect: await defectOf('the-list-of-accounts-leaves-out-the-last-one-in-the-second-variant'),
    }),
  ).toEqual(['not-reached'])
})

test('an account that the first variant leaves out fails', async () => {
  expect(
    await judged('ACC-36', {
      defect: await defectOf('the-list-of-accounts-leaves-out-the-last-one-in-the-first-variant'),
    }),
  ).toEqual(['fail'])
})
