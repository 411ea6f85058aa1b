import { expect, test } from 'vitest'
import { authorization, codeIn } from './authorization.ts'

test.each([
  ['4f9c1a77', undefined, '4f9c1a77'],
  ['  4f9c1a77\n', undefined, '4f9c1a77'],
  ['Your code is 4f9c1a77.', undefined, 'Your code is 4f9c1a77.'],
  ['Your code is 4f9c1a77.', 'code is (\\w+)', '4f9c1a77'],
  ['Your code is 4f9c1a77.', '[0-9a-f]{8}', '4f9c1a77'],
  ['Your code is gone.', '[0-9a-f]{8}', undefined],
  ['  ', undefined, undefined],
])('the code in %j with the pattern %j is %j', (text, codePattern, code) => {
  expect(codeIn(text, { codePattern })).toBe(code)
})

test('a pattern that is no regular expression is refused', () => {
  const result = authorization.safeParse({ kind: 'pages', codePattern: 'code (' })
  expect(result.error?.issues.map(({ path }) => path.join('.'))).toEqual(['codePattern'])
})
