import { expect, test } from 'vitest'
import { NotReached } from '../evidence/signals.ts'
import { observe } from './observe.ts'
import { isRefusedBetween } from './refused.ts'
import { sampleExchange } from './sample-exchange.ts'
import { ViolationError } from './violation.ts'

const accepted = observe(sampleExchange(), new Set())
const refused = observe(sampleExchange({ status: 400, body: '{"error":"invalid_grant"}' }), new Set())
const because = 'the code was changed'

test('a refusal between two acceptances passes', () => {
  expect(() =>
    isRefusedBetween({ before: accepted, changed: refused, after: accepted }, because),
  ).not.toThrow()
})

test('an acceptance between two acceptances is a violation that says why', () => {
  const judge = (): void =>
    isRefusedBetween({ before: accepted, changed: accepted, after: accepted }, because)
  expect(judge).toThrow(ViolationError)
  expect(judge).toThrow(/to be refused: the code was changed/)
})

test('a refusal shows nothing where a control is refused as well', () => {
  for (const [before, after] of [
    [refused, accepted],
    [accepted, refused],
    [refused, refused],
  ] as const)
    expect(() => isRefusedBetween({ before, changed: refused, after }, because)).toThrow(NotReached)
})

test('an acceptance after a control that was refused is not judged', () => {
  expect(() => isRefusedBetween({ before: refused, changed: accepted, after: accepted }, because)).toThrow(
    NotReached,
  )
})
