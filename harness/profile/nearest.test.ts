import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const KEYS = ['applications', 'customers', 'authorization', 'allow', 'name']

describe('nearest', () => {
  it.each([
    ['aplications', 'applications'],
    ['Customers', 'customers'],
    ['auth', 'authorization'],
    ['alow', 'allow'],
    ['nmae', 'name'],
  ])('takes %s for %s', (word, meant) => {
    expect(nearest(word, KEYS)).toBe(meant)
  })

  it('takes swapped letters for one mistake', () => {
    expect(nearest('pya', ['read', 'pay'])).toBe('pay')
  })

  it.each(['zzzzzzzz', 'x', ''])('finds nothing near %o', (word) => {
    expect(nearest(word, KEYS)).toBeUndefined()
  })

  it('gives a candidate, or nothing', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (word, candidates) => {
        const near = nearest(word, candidates)
        expect([undefined, ...candidates]).toContain(near)
      }),
    )
  })

  it('finds a word itself', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 2 }), (word) => {
        expect(nearest(word, ['~~~', word])).toBe(word)
      }),
    )
  })
})
