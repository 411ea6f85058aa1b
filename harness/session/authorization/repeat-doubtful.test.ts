import { describe, expect, test } from 'vitest'
import { observe } from '../../check/observed/observe.ts'
import { ViolationError } from '../../check/verdict.ts'
import { Inconclusive } from '../../evidence/signals.ts'
import { sampleExchange, type SampleParts } from '../../testing/samples/exchange.ts'
import { redirected } from './page-navigation.ts'
import { repeatDoubtful } from './repeat-doubtful.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'
import { UsedExchanges } from '../../check/observed/exchange.ts'

const CALLBACK = 'https://app.example/callback'
const PAGE = '<!doctype html><title>Access denied</title>'

const redirectResult = (
  outcome: RedirectResult['outcome'],
  parts: SampleParts,
  more: Partial<RedirectResult> = {},
): RedirectResult => ({
  kind: 'redirect-result',
  outcome,
  exchange: sampleExchange({ operation: 'authorize', ...parts }),
  acted: [],
  decision: 'unasked',
  ...more,
})

const redirectedTo = (url: string) =>
  redirected(url, { redirectUri: CALLBACK, recipe: { pages: [], code: '#code', limit: 2 } })

const FIREWALL = redirectResult('page', { status: 403, body: PAGE })
const REFUSED = redirectResult('page', { status: 400, body: PAGE })
const MAINTENANCE = redirectResult('redirect', { status: 302 }, redirectedTo('https://maintenance.example/'))
const GRANTED = redirectResult('redirect', { status: 302 }, redirectedTo(`${CALLBACK}?code=c-1`))
const WRONG_ADDRESS = redirectResult('redirect', { status: 302 }, redirectedTo('https://x.example/?error=e'))
const WITHOUT_CODE = redirectResult('redirect', { status: 302 }, redirectedTo(CALLBACK))

type Ends = readonly [RedirectResult, ...RedirectResult[]]

/** What a check says of an authorization whose attempts end so, in turn; the last one counts for all further ones. */
const judge = (...ends: Ends) => judgeOf(undefined, ends)

const judgeOf = async (doubtful: 401 | 'any' | undefined, ends: Ends) => {
  let times = 0
  const ended = await repeatDoubtful(async () => {
    times += 1
    return ends[Math.min(times, ends.length) - 1] ?? ends[0]
  }, doubtful)
  const isAccepted = (): void => observe(ended, new UsedExchanges()).isAccepted('the customer has granted')
  return { times, isAccepted }
}

describe('an authorization that ends at what may be an intermediary', () => {
  test.each([
    ['a page of a firewall', FIREWALL],
    ['a redirect to elsewhere', MAINTENANCE],
  ])('once, and then gives a code, is accepted: %s', async (_, once) => {
    const { times, isAccepted } = await judge(once, GRANTED)
    expect(isAccepted).not.toThrow()
    expect(times).toBe(2)
  })

  test.each([
    ['a page of a firewall', FIREWALL],
    ['a redirect to elsewhere', MAINTENANCE],
  ])('each of three times is refused by the bank: %s', async (_, always) => {
    const { times, isAccepted } = await judge(always)
    expect(isAccepted).toThrow(ViolationError)
    expect(times).toBe(3)
  })

  test('and then otherwise, without a code, shows nothing', async () => {
    expect((await judge(FIREWALL, REFUSED)).isAccepted).toThrow(Inconclusive)
    expect((await judge(MAINTENANCE, FIREWALL)).isAccepted).toThrow(Inconclusive)
  })
})

test.each([
  ['a refusal with a page', REFUSED],
  ['a redirect to the application without a code', WITHOUT_CODE],
  ['a redirect to another address with an error', WRONG_ADDRESS],
])('%s is not repeated, and is the refusal of the bank', async (_, end) => {
  const { times, isAccepted } = await judge(end)
  expect(isAccepted).toThrow(ViolationError)
  expect(times).toBe(1)
})

describe('an authorization that the bank has no reason to refuse, and that ends on a page with 400', () => {
  test('once, and then gives a code, is accepted', async () => {
    const { times, isAccepted } = await judgeOf('any', [REFUSED, GRANTED])
    expect(isAccepted).not.toThrow()
    expect(times).toBe(2)
  })

  test('is the refusal of the bank where only 401 may be of a gateway', async () => {
    const unauthorized = redirectResult('page', { status: 401, body: PAGE })
    expect((await judgeOf(401, [REFUSED, GRANTED])).times).toBe(1)
    expect((await judgeOf(401, [unauthorized, GRANTED])).isAccepted).not.toThrow()
  })

  test('each of three times is refused by the bank', async () => {
    const { times, isAccepted } = await judgeOf('any', [REFUSED])
    expect(isAccepted).toThrow(ViolationError)
    expect(times).toBe(3)
  })

  test('and then otherwise, without a code, shows nothing', async () => {
    const { exchange } = REFUSED
    const elsewhere: RedirectResult = {
      ...REFUSED,
      exchange: { ...exchange, request: { ...exchange.request, url: 'https://bank.example/decision' } },
    }
    await expect(judgeOf('any', [REFUSED, WITHOUT_CODE])).rejects.toThrow(Inconclusive)
    await expect(judgeOf('any', [REFUSED, elsewhere])).rejects.toThrow(/when it was repeated/)
  })
})
