import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withFacts } from './facts.ts'
import { combine, shorten, show, Subject, VERDICTS, ViolationError, type Violation } from './verdict.ts'

const verdict = fc.constantFrom(...VERDICTS)
const rank = (word: (typeof VERDICTS)[number]): number => VERDICTS.indexOf(word)

test('a requirement without any check is not reached', () => {
  expect(combine([])).toBe('not-reached')
})

test('the worst word decides, in whatever order the checks end', () => {
  fc.assert(
    fc.property(fc.array(verdict, { minLength: 1 }), (words) => {
      const expected = [...words].sort((a, b) => rank(a) - rank(b))[0]
      expect(combine(words)).toBe(expected)
      expect(combine([...words].reverse())).toBe(expected)
    }),
  )
})

test('another verdict never makes it better', () => {
  fc.assert(
    fc.property(fc.array(verdict, { minLength: 1 }), verdict, (words, more) => {
      expect(rank(combine([...words, more]))).toBeLessThanOrEqual(rank(combine(words)))
    }),
  )
})

test('only passes make a pass', () => {
  fc.assert(
    fc.property(fc.array(verdict, { minLength: 1 }), (words) => {
      if (combine(words) === 'pass')
        expect(words.every((word) => ['pass', 'not-tested', 'not-applicable'].includes(word))).toBe(true)
      else expect(words.some((word) => word !== 'pass')).toBe(true)
    }),
  )
})

const subject = (value: unknown): Subject => new Subject('expires_in', value, 'sample/1')

const violationOf = (judge: () => void): Violation | undefined => {
  try {
    judge()
    return undefined
  } catch (error) {
    if (error instanceof ViolationError) return error.violation
    throw error
  }
}

type Case = readonly [
  name: string,
  holds: unknown,
  breaks: unknown,
  judge: (subject: Subject) => void,
  expected: string,
]

const CASES: readonly Case[] = [
  ['equals', 'Bearer', 'bearer', (s) => s.equals('Bearer'), '"Bearer"'],
  ['equals a number', 401, '401', (s) => s.equals(401), '401'],
  [
    'differsFrom',
    'b',
    'a',
    (s) => s.differsFrom('a', 'the token before'),
    'something else than the token before',
  ],
  ['isOneOf', 'AC01', 'AC02', (s) => s.isOneOf(['AC01', 'AC04']), 'one of "AC01", "AC04"'],
  ['isPresent', 0, undefined, (s) => s.isPresent(), 'a value'],
  ['isPresent, not null', false, null, (s) => s.isPresent(), 'a value'],
  ['isAbsent', undefined, '', (s) => s.isAbsent(), 'nothing'],
  ['isText', 'x', '', (s) => s.isText(), 'a string that is not empty'],
  ['isText, no number', '7', 7, (s) => s.isText(), 'a string that is not empty'],
  ['isInteger', 7776000, 1.5, (s) => s.isInteger(), 'an integer'],
  ['isInteger, no string', 1, '1', (s) => s.isInteger(), 'an integer'],
  ['isBetween', 10, 101, (s) => s.isBetween(10, 100, 'items'), 'a number from 10 to 100 items'],
  ['isBetween, both included', 100, 9, (s) => s.isBetween(10, 100), 'a number from 10 to 100'],
  ['matches', 'abc', 'a c', (s) => s.matches(/^\w+$/, 'letters alone'), 'letters alone'],
  ['matches, no number', '1', 1, (s) => s.matches(/1/, 'a one'), 'a one'],
  ['contains', 'private, No-Store', 'no-cache', (s) => s.contains('no-store'), 'text with "no-store"'],
  ['contains, no absence', 'no-store', undefined, (s) => s.contains('no-store'), 'text with "no-store"'],
]

test.each(CASES)(
  '%s holds for what it states and is a violation for the rest',
  (_, holds, breaks, judge, expected) => {
    expect(violationOf(() => judge(subject(holds)))).toBeUndefined()
    expect(violationOf(() => judge(subject(breaks)))).toEqual({
      subject: 'expires_in',
      expected,
      received: show(breaks),
      exchange: 'sample/1',
    })
  },
)

test('a pattern with a memory judges each value afresh', () => {
  const pattern = /a/g
  expect(violationOf(() => subject('a').matches(pattern, 'an a'))).toBeUndefined()
  expect(violationOf(() => subject('a').matches(pattern, 'an a'))).toBeUndefined()
})

test('a received value is quoted, and shortened where it is long', () => {
  expect(show(undefined)).toBe('nothing')
  expect(show(null)).toBe('null')
  expect(show('')).toBe('""')
  expect(show({ a: 1 })).toBe('{"a":1}')
  expect(shorten(show('x'.repeat(1000)))).toMatch(/^"x{119}… \(1002 characters\)$/)
})

test('any JSON value can be shown on one line', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(show(value)).not.toMatch(/\n/)
      expect(shorten(show(value)).length).toBeLessThan(160)
    }),
  )
})

test('two secrets are told apart by their shape', () => {
  const facts = new Map([
    ['[state:1]', { length: 16, characters: 'fz' }],
    ['[state:2]', { length: 23, characters: 'fz', contains: ['[state:1]'] }],
    ['[state:3]', { length: 12, characters: 'fz' }],
  ])
  const differing = (received: string) => () =>
    withFacts(facts, () => new Subject('state', received, 'walk/1').equals('[state:1]'))
  expect(differing('[state:2]')).toThrow('(which the received value has, with 7 more characters)')
  expect(differing('[state:3]')).toThrow('(16 characters, and 12 were received)')
})
