import { expect, test } from 'vitest'
import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { isAcceptedToo } from './alike.ts'
import { observe } from './observe.ts'
import { sampleExchange } from './sample-exchange.ts'
import { ViolationError } from './violation.ts'

const accepted = observe(sampleExchange(), new Set())
const refused = observe(sampleExchange({ status: 400, body: '{"error":"invalid_request"}' }), new Set())
const brokenDown = observe(sampleExchange({ status: 500, body: '{}' }), new Set())
const because = 'the order of parameters is free'

test('a changed request that is accepted passes, without the plain one', () => {
  expect(() => isAcceptedToo({ changed: accepted }, because)).not.toThrow()
})

test('a changed request that is refused is a violation where the plain one is accepted', () => {
  const judge = (): void => isAcceptedToo({ changed: refused, valid: accepted }, because)
  expect(judge).toThrow(ViolationError)
  expect(judge).toThrow(/to be accepted: the order of parameters is free/)
})

test('a changed request is not judged where the plain one is refused as well', () => {
  expect(() => isAcceptedToo({ changed: refused, valid: refused }, because)).toThrow(NotReached)
})

test('a refusal that does not come again is no violation', () => {
  const alike = { changed: refused, valid: accepted }
  expect(() => isAcceptedToo({ ...alike, again: accepted }, because)).toThrow(Inconclusive)
  expect(() => isAcceptedToo({ ...alike, again: refused }, because)).toThrow(ViolationError)
  expect(() => isAcceptedToo({ ...alike, changed: brokenDown, again: accepted }, because)).toThrow(
    '(sample/1: 500)',
  )
})

test('a breakdown over the changed request leaves it open', () => {
  expect(() => isAcceptedToo({ changed: brokenDown, valid: accepted }, because)).toThrow(Inconclusive)
})
