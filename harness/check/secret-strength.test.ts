import { expect, test } from 'vitest'
import { NotReached } from '../evidence/signals.ts'
import { canHold128RandomBits, mostRandomBits } from './secret-strength.ts'
import { Subject, ViolationError } from './verdict.ts'

test.for([
  ['0123456789', 33],
  ['00ff', 16],
  ['00FF', 16],
  ['00zz', 20],
  ['00ZZ', 20],
  ['00zZ', 23],
  ['0_zZ', 24],
  ['0!zZ', 26],
  ['', 0],
] as const)('%s has room for %d bits', ([text, bits]) => {
  expect(mostRandomBits(text)).toBe(bits)
})

const secret = (value: unknown) => new Subject('access_token', value, 'sample/1')

test.for(['f'.repeat(32), '7'.repeat(39), '9f3b2c1e-77aa-4d21-9f11-0123456789ab', 'Zm9vYmFyYmF6cXV4MTIzNA'])(
  '%s has room enough',
  (value) => {
    expect(() => canHold128RandomBits(secret(value))).not.toThrow()
  },
)

test('a secret that is too short is a violation, one that is none is not judged', () => {
  expect(() => canHold128RandomBits(secret('f'.repeat(31)))).toThrow(ViolationError)
  expect(() => canHold128RandomBits(secret(undefined))).toThrow(NotReached)
})

test('the alphabet is derived from all secrets together', () => {
  const digitsByChance = secret('7'.repeat(32))
  expect(() => canHold128RandomBits(digitsByChance)).toThrow(ViolationError)
  expect(() =>
    canHold128RandomBits(digitsByChance, [secret('f'.repeat(32)), secret(undefined)]),
  ).not.toThrow()
})
