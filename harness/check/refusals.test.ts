import { describe, expect, test } from 'vitest'
import { Inconclusive, NotReached } from '../evidence/signals.ts'
import { observe } from './observed/observe.ts'
import {
  isChallenged,
  isRefusedBetween,
  wasNotProcessed,
  refusalOf,
  refusalsAmong,
  wasProcessed,
  isAcceptedToo,
} from './refusals.ts'
import { sampleExchange } from '../testing/samples/exchange.ts'
import { ViolationError } from './verdict.ts'
import { UsedExchanges } from './observed/exchange.ts'

const accepted = observe(sampleExchange(), new UsedExchanges())
const refusal = sampleExchange({ status: 400, body: '{"error":"invalid_grant"}' })
const refused = observe(refusal, new UsedExchanges())
const because = 'the code was changed'

test('a refusal between two acceptances passes', () => {
  expect(() =>
    isRefusedBetween({ before: accepted, changed: refused, after: accepted }, because),
  ).not.toThrow()
})

test('a refusal of a request that was accepted when it was sent again is a violation', () => {
  const changed = observe({ ...refusal, acceptedAs: 'x/2' }, new UsedExchanges())
  expect(() => isRefusedBetween({ before: accepted, changed, after: accepted }, because)).toThrow(
    'sent again',
  )
  expect(() => wasProcessed(changed)).toThrow('sent again')
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

test('one acceptance among several changed requests is a violation, whatever became of the control behind', () => {
  const changed = [refused, accepted, refused]
  expect(() => isRefusedBetween({ before: accepted, changed, after: refused }, because)).toThrow(
    ViolationError,
  )
})

describe('a server error to each repetition of a request with an effect', () => {
  const always = (used = new UsedExchanges(), id = 'sample/1') =>
    observe({ ...sampleExchange({ id, status: 500, body: '{}' }), timesSent: 3 }, used)

  test('is a violation between two acceptances, and no doubt remains', () => {
    const used = new UsedExchanges()
    const changed = [always(used), always(used, 'sample/2')]
    const judge = (): void => isRefusedBetween({ before: accepted, changed, after: accepted }, because)
    expect(judge).toThrow(ViolationError)
    expect(judge).toThrow(/each of 3 times, between accepted requests/)
    expect(used.doubtAbout('sample/1')).toBeUndefined()
  })

  test('does not hide that another changed request was accepted and used up the control', () => {
    const used = new UsedExchanges()
    const changed = [always(used, 'sample/2'), accepted]
    expect(() => isRefusedBetween({ before: accepted, changed, after: refused }, because)).toThrow(
      /to be refused: the code was changed.*acceptance/s,
    )
    expect(used.doubtAbout(accepted.id)).toBeUndefined()
  })

  test('shows nothing where a control was not accepted, or by itself', () => {
    expect(() => isRefusedBetween({ before: accepted, changed: always(), after: refused }, because)).toThrow(
      NotReached,
    )
    expect(() => always().isRefused(because)).toThrow(Inconclusive)
    expect(() => always().isAccepted(because)).toThrow(Inconclusive)
  })
})

test('a control that was not accepted is named, with what it was answered', () => {
  const brokenDown = observe(
    sampleExchange({ id: 'sample/9', status: 502, body: '<h1>Bad Gateway</h1>' }),
    new UsedExchanges(),
  )
  const judge = (): void =>
    isRefusedBetween({ before: accepted, changed: refused, after: brokenDown }, because)
  expect(judge).toThrow('the valid request after the changed one was not accepted (sample/9: 502)')
})

test('so is the page where an authorization ended that was not accepted', () => {
  const ended = sampleExchange({ id: 'sample/5', status: 503, body: '<h1>Sorry</h1>' })
  const redirectResult = {
    kind: 'redirect-result',
    outcome: 'page',
    exchange: ended,
    acted: [],
    decision: 'unasked',
  } as const
  const before = observe(redirectResult, new UsedExchanges())
  expect(() => isRefusedBetween({ before, changed: refused, after: accepted }, because)).toThrow(
    '(sample/5: 503)',
  )
})

test.each([
  [200, '<!DOCTYPE html><title>Maintenance</title>', true],
  [200, ' <html><body>Request rejected</body></html>', true],
  [404, '<!doctype html><title>Not found</title>', false],
  [200, '{"page":"<html>"}', false],
  [204, '', false],
  [429, '', true],
  [503, '', true],
])('an answer %i %j has looked at nothing: %s', (status, body, isSo) => {
  expect(wasNotProcessed(observe(sampleExchange({ status, body }), new UsedExchanges()))).toBe(isSo)
})

test('the form of a refusal is judged of a refusal alone', () => {
  const brokenDown = observe(sampleExchange({ status: 500, body: '{}' }), new UsedExchanges())
  expect(refusalOf(refused)).toBe(refused)
  expect(() => refusalOf(accepted)).toThrow(NotReached)
  expect(() => refusalOf(brokenDown)).toThrow(Inconclusive)
})

test('a call that was answered 429 was not processed, and has no form to judge', () => {
  const turnedAway = observe(sampleExchange({ id: 'sample/7', status: 429, body: '{}' }), new UsedExchanges())
  for (const judge of [wasProcessed, refusalOf]) {
    expect(() => judge(turnedAway)).toThrow(Inconclusive)
    expect(() => judge(turnedAway)).toThrow('sample/7 was answered 429 (too many requests): see --rate')
  }
  for (const received of [accepted, refused]) expect(() => wasProcessed(received)).not.toThrow()
})

test('the refusals among several calls are those that were not accepted', () => {
  expect(refusalsAmong([accepted, refused, accepted])).toEqual([refused])
  expect(() => refusalsAmong([accepted])).toThrow(NotReached)
})

const challengedWith = (...values: readonly string[]) => {
  const headers = values.map((value) => ['www-authenticate', value] as const)
  return observe(sampleExchange({ status: 401, body: '', headers }), new UsedExchanges())
}

test.for([
  [['Bearer']],
  [['bearer realm="bank", error="invalid_token"']],
  [['Basic realm="bank", Bearer realm="bank"']],
  [['Basic realm="bank"', 'Bearer']],
] as const)('the challenge %j is one of the scheme Bearer', ([values]) => {
  expect(() => isChallenged(challengedWith(...values), 'Bearer')).not.toThrow()
})

test.for([[[]], [['Basic realm="Bearer"']], [['BearerToken']]] as const)(
  'the challenge %j is not one of the scheme Bearer',
  ([values]) => {
    expect(() => isChallenged(challengedWith(...values), 'Bearer')).toThrow(ViolationError)
  },
)

describe('a changed request beside the valid one', () => {
  const brokenDown = observe(sampleExchange({ status: 500, body: '{}' }), new UsedExchanges())

  test('a changed request that is accepted passes, without the plain one', () => {
    expect(() => isAcceptedToo({ changed: accepted }, because)).not.toThrow()
  })

  test('a changed request that is refused is a violation where the plain one is accepted', () => {
    const judge = (): void => isAcceptedToo({ changed: refused, valid: accepted }, because)
    expect(judge).toThrow(ViolationError)
    expect(judge).toThrow(/to be accepted: the code was changed/)
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
})
