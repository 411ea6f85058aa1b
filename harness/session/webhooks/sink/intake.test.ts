import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { KEPT_BYTES } from '../../../evidence/recorder.ts'
import { createIntake } from './intake.ts'

const MEBIBYTE = 1024 * 1024

const taking = (chunks: readonly Buffer[], budget = { left: 64 * MEBIBYTE }) => {
  const intake = createIntake(budget)
  for (const chunk of chunks) intake.add(chunk)
  return { body: intake.end([]), budget }
}

const sha256 = (chunks: readonly Buffer[]): string =>
  createHash('sha256').update(Buffer.concat(chunks)).digest('hex')

test('a body is kept whole up to the limit, however it is cut into chunks', () => {
  const whole = Buffer.alloc(KEPT_BYTES, 'ab')
  const chunks = [whole.subarray(0, 1), whole.subarray(1, 70_000), whole.subarray(70_000)]
  const { body } = taking(chunks)
  expect(body).toEqual({ text: whole.toString(), bytes: KEPT_BYTES })
})

test('of a body beyond the limit the head is kept, with the hash and the size of the whole', () => {
  const chunks = [Buffer.alloc(KEPT_BYTES - 1, 'a'), Buffer.from('bcd'), Buffer.alloc(9 * MEBIBYTE, 'e')]
  const { body } = taking(chunks)
  expect(body.text).toHaveLength(KEPT_BYTES)
  expect(body.text.endsWith('ab')).toBe(true)
  expect(body).toMatchObject({ bytes: KEPT_BYTES + 2 + 9 * MEBIBYTE, sha256: sha256(chunks) })
})

test('who comes when the budget is used up is kept by the hash', () => {
  const budget = { left: 10 }
  const first = createIntake(budget)
  first.add(Buffer.from('12345678'))
  const second = createIntake(budget)
  second.add(Buffer.from('abcdef'))
  expect(budget.left).toBe(0)
  expect(second.end([])).toEqual({ text: 'ab', bytes: 6, sha256: sha256([Buffer.from('abcdef')]) })
  expect(first.end([])).toEqual({ text: '12345678', bytes: 8 })
  expect(budget.left).toBe(10)
})

test('what was held is free again at the end', () => {
  const { budget } = taking([Buffer.alloc(10 * MEBIBYTE)])
  expect(budget.left).toBe(64 * MEBIBYTE)
})
