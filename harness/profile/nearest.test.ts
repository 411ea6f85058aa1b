import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const KEYS = ['applications', 'customers', 'authorization', 'allow', 'name']

it.each([
  ['aplications', 'applications'],
  ['Customers', 'customers'],
  ['auth', 'authorization'],
  ['alow', 'allow'],
  ['nmae', 'name'],
])('takes %s for %s', (word, meant) => {
  expect(nearest(word, KEYS)).toBe(meant)
})

it.each(['zzzzzzzz', 'x', ''])('finds nothing near %o', (word) => {
  expect(nearest(word, KEYS)).toBeUndefined()
})
