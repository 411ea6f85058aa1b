import { describe, expect, it } from 'vitest'
import { hideSecrets, showKind, showPath, showValue } from './show.ts'

describe('showPath', () => {
  it('joins keys and indices by dots', () => {
    expect(showPath(['applications', 0, 'kind'])).toBe('applications.0.kind')
  })
})

describe('showKind', () => {
  it.each([
    [null, 'nothing'],
    [undefined, 'nothing'],
    ['x', 'text'],
    [1, 'a number'],
    [true, 'true'],
    [[], 'a list'],
    [{}, 'an object'],
    [() => 1, 'a function'],
    [Promise.resolve(), 'a promise'],
  ])('calls %o %s', (value, kind) => {
    expect(showKind(value)).toBe(kind)
  })
})

describe('showValue', () => {
  it('cuts long texts', () => {
    expect(showValue('a'.repeat(500)).length).toBeLessThan(70)
  })

  it('hides what a URL may carry', () => {
    expect(showValue('https://user:planted@bank.example/?key=planted')).not.toContain('planted')
  })
})

describe('hideSecrets', () => {
  it('hides a secret as it is, and as JSON would write it', () => {
    expect(hideSecrets('saw pl"anted and pl\\"anted', ['pl"anted'])).toBe('saw [secret] and [secret]')
  })

  it('lets words be that a short secret is a part of', () => {
    expect(hideSecrets('an example', ['am'])).toBe('an example')
  })
})
