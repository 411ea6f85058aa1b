import { expect, test } from 'vitest'
import { REASON_KINDS, verdictFor } from './reason.ts'

test('only what the bank does not have, or no check can judge, is not applicable', () => {
  const notApplicable = REASON_KINDS.filter((kind) => verdictFor({ kind }) === 'not-applicable')
  expect(notApplicable).toEqual(['declared', 'unchecked'])
  expect(verdictFor({ kind: 'not-selected' })).toBe('not-tested')
})
