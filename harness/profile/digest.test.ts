import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestProfile } from './digest.ts'

describe('digestProfile', () => {
  it('does not mind the order of keys', () => {
    expect(digestProfile({ a: 1, b: { c: [1, 2], d: 'x' } }, [])).toBe(
      digestProfile({ b: { d: 'x', c: [1, 2] }, a: 1 }, []),
    )
  })

  it('minds the order of a list', () => {
    expect(digestProfile([1, 2], [])).not.toBe(digestProfile([2, 1], []))
  })

  it('minds every other value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
        expect(digestProfile(a, []) === digestProfile(b, [])).toBe(same)
      }),
    )
  })

  it('does not mind the value of a hidden place', () => {
    const digest = (password: string): string =>
      digestProfile({ customers: [{ password }] }, [['customers', 0, 'password']])
    expect(digest('a')).toBe(digest('b'))
  })

  it('is 64 hex digits', () => {
    expect(digestProfile({}, [])).toMatch(/^[0-9a-f]{64}$/)
  })
})

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return {
    members: Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  }
}
