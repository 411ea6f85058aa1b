import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../profile/configuration-error.ts'
import { parseOptions } from './options.ts'

const problemsOf = (...argv: readonly string[]): readonly string[] => {
  try {
    parseOptions(argv)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  return []
}

describe('parseOptions --resume', () => {
  it('takes the folder of the run, and nothing beside it', () => {
    expect(parseOptions(['--resume'])).toEqual({ kind: 'resume', out: 'reports/latest' })
    expect(parseOptions(['--out', 'reports/bank', '--resume'])).toEqual({
      kind: 'resume',
      out: 'reports/bank',
    })
  })

  it.each([
    ['--only TOK-01', '--only'],
    ['--base-url http://h --profile bank.yaml', '--base-url'],
    ['--dry-run', '--dry-run'],
    ['--seed 42', '--seed'],
    ['--webhook-url http://h', '--webhook-url'],
  ])('names what cannot stand beside it: %s', (argv, name) => {
    const problems = problemsOf('--resume', ...argv.split(' '))
    expect(problems.length).toBeGreaterThan(0)
    expect(problems[0]).toContain(`the log of the run: ${name} cannot stand beside it`)
  })
})
