import { expect, test } from 'vitest'
import { repeatedNames } from './body.ts'

test.for([
  ['{}', []],
  ['{"a":1,"b":2}', []],
  ['{"a":1,"b":2,"a":1}', ['a']],
  ['{"a":1, "\\u0061" : 2}', ['a']],
  ['{"a":{"b":1},"c":{"b":2,"b":3}}', []],
  ['{"a":"{\\"a\\":1}","b":"\\"a\\":"}', []],
  ['{"a":["a","a"],"b":"a"}', []],
  ['{"a":{"a":1},"b":0,"b":0,"b":0}', ['b']],
] as const)('of %s %j stand more than once', ([json, names]) => {
  expect(repeatedNames(json)).toEqual(names)
})
