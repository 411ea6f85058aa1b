import { expect, test } from 'vitest'
import { renderComparison } from './render.ts'
import type { Change } from './compare.ts'

const change = (part: Partial<Change>): Change => ({
  id: 'TOK-03',
  level: 'MUST',
  claim: 'the token type is Bearer, whoever asks for a token and for however long it is asked for at all',
  course: 'regressed',
  before: 'pass',
  after: 'fail',
  ...part,
})

test('regressions come first, with their reason, within 80 columns', () => {
  const text = renderComparison({
    changes: [
      change({ id: 'PAY-01', course: 'improved', before: 'fail', after: 'pass' }),
      change({ because: 'token_type: expected Bearer, received something quite else '.repeat(3) }),
    ],
    caveats: [`another target: https://one.example, now https://${'other'.repeat(20)}.example`],
  })
  const lines = text.split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(text.indexOf('TOK-03')).toBeLessThan(text.indexOf('PAY-01'))
  expect(text).toContain('pass → fail')
  expect(text).toContain('token_type: expected Bearer')
  expect(lines.at(-1)).toBe('1 regressed, 1 improved')
})

test('two runs that found the same are told in two words', () => {
  expect(renderComparison({ changes: [], caveats: [] })).toBe('no difference')
})
