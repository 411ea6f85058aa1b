import { expect, test } from 'vitest'
import { requirements } from './catalogue.ts'
import { isFacetOf, SCOPES } from './scope.ts'

test('the scope full is the whole interface', () => {
  const chapters = new Set(requirements.map(({ chapter }) => chapter))
  expect(new Set(SCOPES.full.chapters)).toEqual(chapters)
})

test('a facet belongs to a scope if each part of it does', () => {
  expect(isFacetOf(SCOPES.full, 'FAC, sandbox and production')).toBe(true)
  expect(isFacetOf(SCOPES['account-information'], 'TPP, second variant')).toBe(true)
  expect(isFacetOf(SCOPES['account-information'], 'FAC, sandbox and production')).toBe(false)
  expect(isFacetOf(SCOPES.loans, 'FAC')).toBe(false)
})
