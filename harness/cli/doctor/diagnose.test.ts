import { describe, expect, test } from 'vitest'
import { findingOf } from '../../connection/first-contact/finding.ts'
import { PLAIN } from '../../report/terminal/text.ts'
import { exitCodeOf, renderFinding } from './diagnose.ts'

describe('the exit code', () => {
  const cause = 'a test'
  test.for([
    [[], 0],
    [[findingOf('NET-TLS-6', { cause }), findingOf('TGT-PATH-3', { cause })], 0],
    [[findingOf('TGT-PATH-2', { cause }), findingOf('NET-TCP-1', { cause })], 3],
    [[findingOf('TGT-PATH-4', { cause })], 3],
    [[findingOf('CFG-CRED-1', { cause }), findingOf('NET-TCP-1', { cause })], 3],
    [[findingOf('NET-TCP-1', { cause })], 4],
    [[findingOf('TGT-HTTP-1', { cause })], 4],
    [[findingOf('OWN-STEP-1', { cause }), findingOf('CFG-CRED-1', { cause })], 5],
  ] as const)('of %# is %s', ([findings, expected]) => {
    expect(exitCodeOf(findings)).toBe(expected)
  })
})

test('a finding is as wide as the terminal, and no line is folded in a pipe', () => {
  const cause = 'a cause that is much longer than eighty columns '.repeat(4).trim()
  const linesWith = (width: number) =>
    renderFinding(findingOf('OWN-STEP-1', { cause }), PLAIN, width).split('\n')
  const longest = Math.max(...linesWith(120).map((line) => line.length))
  expect(longest).toBeGreaterThan(100)
  expect(longest).toBeLessThanOrEqual(120)
  expect(linesWith(Number.POSITIVE_INFINITY)).toContain(`    ${cause}`)
})

test('details that are in a file are not printed', () => {
  const finding = findingOf('CFG-BIND-1', {
    cause: 'two keys: a.txt',
    shows: ['a: 1'],
    file: 'a.txt',
    next: '',
  })
  expect(renderFinding(finding, PLAIN, 80)).toBe(`· CFG-BIND-1  ${finding.title}\n    two keys: a.txt`)
})
