import { expect, test } from 'vitest'
import { renderComparison } from './render-diff.ts'

test('two runs with the same verdicts have a comparison of two words', () => {
  expect(renderComparison({ changes: [], caveats: [] }, { width: 80 })).toBe('no difference')
})
