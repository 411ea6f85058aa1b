import { expect, test } from 'vitest'
import { requirements } from './catalogue.ts'
import { isFacetOf, SCOPE_NAMES, SCOPES } from './scope.ts'

/** The scopes with their numbers of requirements. If one of them changes after a release, its version must change. */
test('the scopes are frozen', () => {
  const frozen = SCOPE_NAMES.map((name) => {
    const { version, chapters, facets } = SCOPES[name]
    const rows = requirements.filter(({ chapter }) => chapters.some((one) => one === chapter))
    return { name, version, chapters, facets, requirements: rows.length }
  })
  expect(frozen).toMatchSnapshot()
})

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
