import { describe, expect, it } from 'vitest'
import { ConfigurationError } from './configuration-error.ts'

describe('ConfigurationError', () => {
  it('says a single problem as it is', () => {
    const error = new ConfigurationError('the file is empty')
    expect(error.message).toBe('the file is empty')
    expect(error.problems).toEqual(['the file is empty'])
    expect(error.name).toBe('ConfigurationError')
  })

  it('lists several problems at once', () => {
    const error = new ConfigurationError(['one', 'two'])
    expect(error.message).toBe('the options cannot be used (2 problems):\n  - one\n  - two')
    expect(error.problems).toEqual(['one', 'two'])
  })

  it('says what cannot be used', () => {
    expect(new ConfigurationError('one\nmore', 'the profile bank.yaml').message).toBe(
      'the profile bank.yaml:\n  - one\n    more',
    )
  })
})
