import { expect, test } from 'vitest'
import { attached } from './attached.ts'

test('it is worked out once for each owner, and for each name', () => {
  const [sizeOf, colourOf] = [attached<object, number>('size'), attached<object, string>('colour')]
  const [one, other] = [{ id: 1 }, { id: 2 }]
  expect([sizeOf(one, () => 1), sizeOf(one, () => 2), sizeOf(other, () => 3)]).toEqual([1, 1, 3])
  expect([colourOf(one, () => 'red'), colourOf(one, () => 'blue')]).toEqual(['red', 'red'])
})

test('nothing is worked out once as well', () => {
  const sizeOf = attached<object, number | undefined>('size')
  const owner = {}
  expect([sizeOf(owner, () => undefined), sizeOf(owner, () => 1)]).toEqual([undefined, undefined])
})

test('what could not be worked out is tried again', () => {
  const sizeOf = attached<object, number>('size')
  const owner = {}
  expect(() =>
    sizeOf(owner, () => {
      throw new Error('not yet')
    }),
  ).toThrow('not yet')
  expect(sizeOf(owner, () => 1)).toBe(1)
})

test('nobody else sees it, and a copy is without it', () => {
  const sizeOf = attached<object, number>('size')
  const owner = { id: 1 }
  sizeOf(owner, () => 1)
  expect([Object.keys(owner), JSON.stringify(owner)]).toEqual([['id'], '{"id":1}'])
  expect([sizeOf({ ...owner }, () => 2), sizeOf(structuredClone(owner), () => 3)]).toEqual([2, 3])
})
