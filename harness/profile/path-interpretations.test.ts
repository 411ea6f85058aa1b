import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readingsOf } from './path-interpretations.ts'

test('every interpretation of an address has no escapes, and a plain path has one interpretation', () => {
  fc.assert(
    fc.property(fc.webPath(), (path) => {
      for (const segments of readingsOf(path) ?? []) expect(segments).not.toContain('..')
    }),
  )
  expect(readingsOf('/Premium/Sandbox/v1/')).toEqual([['premium', 'sandbox', 'v1']])
})
