import { expect, test } from 'vitest'
import { FIRST_VARIANT_ROWS } from './profile-input.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'

test('the ids are those of accounts and transactions that need no second variant, and the one that needs both', async () => {
  const { checks } = await loadCatalogue()
  const firstOnly = checks
    .filter(({ chapter }) => chapter === 'accounts' || chapter === 'transactions')
    .filter(({ check }) => !(check.scenario.options.needs ?? []).includes('second-variant'))
    .map(({ check }) => check.requirement.id)
  expect([...FIRST_VARIANT_ROWS].sort()).toEqual([...new Set([...firstOnly, 'ACC-36'])].sort())
})
