import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { NotReached } from '../evidence/signals.ts'
import { Subject } from './verdict.ts'
import { isUnguessable, patternIn, patternOf } from './predictable-secrets.ts'

const NOON = Date.parse('2026-01-05T12:00:00Z')
const EVERY_SECOND = [0, 1, 2, 3].map((count) => NOON + count * 1000)

const series = (value: (count: number) => string): readonly string[] => EVERY_SECOND.map((_, at) => value(at))
const base64 = (text: string): string => Buffer.from(text).toString('base64url')

test.each([
  ['a counter', (count: number) => String(998 + count)],
  ['a padded counter', (count: number) => String(98 + count).padStart(40, '0')],
  ['a counter with a prefix', (count: number) => `code-${count + 9}`],
  ['a counter between constants', (count: number) => `a1${count + 5}b2`],
  ['a counter that steps by seven', (count: number) => String(1_000_003 + 7 * count)],
  ['a counter that counts down', (count: number) => String(5000 - count)],
  ['a counter in hexadecimal digits', (count: number) => (0x1fe + count).toString(16).padStart(32, '0')],
  ['a counter in base64', (count: number) => base64(`session-${count + 100}`)],
  ['a counter as a UUID', (count: number) => `6d2f0000-0000-4000-8000-00000000000${count}`],
  ['a counter shared with others', (count: number) => String(count * count + 17).padStart(20, '0')],
  ['a clock in s', (count: number) => String(NOON / 1000 + count)],
  ['a clock in ms', (count: number) => String(NOON + count * 1003 + count * count)],
  ['a clock in µs', (count: number) => String((NOON + count * 1003 + count * count) * 1000 + count)],
  ['a clock in ns between constants', (count: number) => `AT${NOON + count * count * 7}00000${count}xx`],
  ['a clock in base64', (count: number) => base64(`session-${NOON + count * count * 70}-1`)],
  ['a clock in hexadecimal digits', (count: number) => (NOON + count * count * 900).toString(16)],
])('%s is reported', (_, value) => {
  expect(patternOf(series(value), EVERY_SECOND)).toBeDefined()
})

const RANDOM: readonly (readonly [string, (count: number) => string])[] = [
  ['256 bits in base64', () => randomBytes(32).toString('base64url')],
  ['padded base64', () => `${randomBytes(32).toString('base64').slice(0, -2)}+/==`],
  ['hexadecimal digits', () => randomBytes(24).toString('hex')],
  ['UUIDs', () => randomUUID()],
  ['a constant header and 400 bytes', () => `eyJhbGciOiJFUzI1NiJ9.${randomBytes(400).toString('base64url')}`],
  ['six digits', () => String(randomInt(1_000_000)).padStart(6, '0')],
  ['sixteen digits', () => String(randomInt(2 ** 47)).padStart(16, '0')],
  ['a clock before 128 bits', (count) => `${NOON + count * 1000}${randomBytes(16).toString('hex')}`],
  ['a clock before 128 bits, behind a constant', () => `AT${NOON}${randomBytes(16).toString('hex')}`],
  ['a counter before 128 bits', (count) => `${count}.${randomBytes(16).toString('hex')}`],
]

test.each(RANDOM)('%s, at random, are not', (_, value) => {
  const issue = (secret: string, at: number) => ({ secret, at: new Date(NOON + at * 1000).toISOString() })
  for (let run = 0; run < 20; run += 1) expect(patternIn(series(value).map(issue))).toBeUndefined()
})

const judge = (values: readonly (string | undefined)[]): void =>
  isUnguessable(
    values.map((value) => new Subject('authorization code', value, 'x/1')),
    patternIn(values.map((secret) => ({ secret, at: new Date(NOON).toISOString() }))),
  )

test('the violation names the pattern', () => {
  const ofTwoServers = [1, 2, 3, 4].map((at) => (at % 2 ? randomUUID() : String(at).padStart(40, '0')))
  expect(() => judge(ofTwoServers)).toThrow('a small step from the one before')
  expect(() => judge(['a7', 'a8', 'a9'])).toThrow(
    'authorization code: expected something else than a constant step from the one before; received "a9"',
  )
})

test('a gap in the series leaves it open', () => {
  expect(() => judge(['a7', undefined, 'a9'])).toThrow(NotReached)
})
