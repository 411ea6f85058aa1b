import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { chance, keyedRandom, seededRandom } from './random.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const draw = (key: Buffer): readonly string[] => {
  const random = keyedRandom(key)
  return [random.uuid(), random.bytes(12).toString('hex'), random.bytes(70).toString('hex'), random.uuid()]
}

test('the same key gives the same again, another key gives something else', () => {
  const key = randomBytes(32)
  expect(draw(key)).toEqual(draw(key))
  expect(draw(randomBytes(32))).not.toEqual(draw(key))
})

test('a UUID is one of RFC 9562', () => {
  const random = keyedRandom(randomBytes(32))
  for (let count = 0; count < 200; count += 1) expect(random.uuid()).toMatch(UUID)
  expect(chance.uuid()).toMatch(UUID)
  expect(chance.uuid()).not.toBe(chance.uuid())
})

test('nothing of a key is drawn twice, and what is drawn at once is the same as what is drawn piece by piece', () => {
  const key = randomBytes(32)
  const whole = keyedRandom(key).bytes(100)
  const pieces = keyedRandom(key)
  expect(Buffer.concat([1, 31, 0, 4, 64].map((count) => pieces.bytes(count)))).toEqual(whole)
})

test('the same is drawn with the same seed, whatever is drawn, and something else with another', () => {
  const draw = (seed: string): readonly string[] => {
    const random = seededRandom(seed)
    return [300, 16, 500, 1].map((count) => random.bytes(count).toString('hex'))
  }
  expect(draw('42 tokens/an-exchange')).toEqual(draw('42 tokens/an-exchange'))
  expect(draw('42 tokens/an-exchange')).not.toEqual(draw('43 tokens/an-exchange'))
  const random = seededRandom('42')
  const drawn = Array.from({ length: 200 }, () => random.bytes(16).toString('hex'))
  expect(new Set(drawn).size).toBe(drawn.length)
})
