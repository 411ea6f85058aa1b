import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConfigurationError, settleBaseUrl, showUrl } from './configuration-error.ts'

describe('ConfigurationError', () => {
  it('lists several problems at once', () => {
    const error = new ConfigurationError(['one', 'two'])
    expect(error.message).toBe('the options cannot be used (2 problems):\n  - one\n  - two')
    expect(error.problems).toEqual(['one', 'two'])
  })

  it('shows the first of many problems, and the number of the others', () => {
    const error = new ConfigurationError(Array.from({ length: 1_000 }, () => 'one'))
    expect(error.message.split('\n')).toHaveLength(42)
    expect(error.message).toMatch(/… and 960 more$/)
    expect(error.problems).toHaveLength(1_000)
  })
})

const problemOf = (text: string): string => {
  const settled = settleBaseUrl(text)
  return 'problem' in settled ? settled.problem : ''
}

describe('settleBaseUrl', () => {
  it.each([
    ['https://bank.example', 'https://bank.example'],
    ['https://bank.example/', 'https://bank.example'],
    ['https://bank.example/api//', 'https://bank.example/api'],
    ['HTTP://Bank.Example:8080/api', 'http://bank.example:8080/api'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('settles %s', (text, url) => {
    expect(settleBaseUrl(text)).toEqual({ url })
  })

  it.each(['', 'bank.example', 'ftp://bank.example', 'javascript:alert(1)', 'https://', 'localhost:8080'])(
    'refuses %o with the expected form',
    (text) => {
      expect(problemOf(text)).toMatch(
        /^expected an http or https URL such as https:\/\/api\.bank\.example, received/,
      )
    },
  )

  it.each(['https://bank.example/?key=planted', 'https://bank.example?', 'https://bank.example/#planted'])(
    'refuses the query or fragment of %s without showing it',
    (text) => {
      expect(problemOf(text)).toContain('carries a query or a fragment')
      expect(problemOf(text)).not.toContain('planted')
    },
  )

  it('refuses credentials without showing them', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w/:.@-]{0,6}planted[\w/:.@-]{0,6}$/), (password) => {
        const problem = problemOf(`https://user:${password}@bank.example`)
        expect(problem).not.toBe('')
        expect(problem).not.toContain('planted')
      }),
    )
  })
})

describe('showUrl', () => {
  it('hides credentials if the scheme is missing', () => {
    expect(showUrl('user:planted@bank.example')).toBe('"…@bank.example"')
  })
})
