import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHAPTERS } from '../check/requirement.ts'
import { loadCatalogue } from './catalogue.ts'
import { ROOT } from './root.ts'
import { FACETS, isFacetOf, SCOPE_NAMES, scopeOf } from './scope.ts'

test('the scope full is the whole interface', async () => {
  const { requirements } = await loadCatalogue()
  const chapters = new Set(requirements.map(({ chapter }) => chapter))
  expect(new Set(scopeOf('full').chapters)).toEqual(chapters)
})

test('a facet belongs to a scope if each part of it does', () => {
  expect(isFacetOf(scopeOf('full'), 'FAC, sandbox and production')).toBe(true)
  expect(isFacetOf(scopeOf('account-information'), 'TPP, second variant')).toBe(true)
  expect(isFacetOf(scopeOf('account-information'), 'FAC, sandbox and production')).toBe(false)
  expect(isFacetOf(scopeOf('loans'), 'FAC')).toBe(false)
})

/** As a page lists them. */
const listed = (some: readonly string[], all: readonly string[]): string => {
  if (some.length === 0) return 'none'
  return some.length === all.length ? 'all' : some.join(', ')
}

test('the documentation has each scope with its chapters, facets and number of requirements', async () => {
  const { checks } = await loadCatalogue()
  const page = readFileSync(join(ROOT, 'docs/runs.md'), 'utf8')
  const [, section = ''] = /^## Scopes\n([^]*?)^## /m.exec(page) ?? []
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  expect(rows).toEqual(
    SCOPE_NAMES.map((name) => {
      const { chapters, facets } = scopeOf(name)
      const judged = checks.filter(({ chapter }) => chapters.includes(chapter))
      const count = new Set(judged.map(({ check }) => check.requirement.id)).size
      const cells = [`\`${name}\``, listed(chapters, CHAPTERS), listed(facets, FACETS), String(count)]
      return ['', ...cells, '']
    }),
  )
})
