import { expect, test } from 'vitest'
import { lawfulRules } from '../bank/rules.ts'
import { isUntouchedBy } from './replay.ts'
import type { Variation, Wire } from '../bank/defect.ts'
import type { Rules } from '../bank/rules.ts'
import type { Question, WireExchange } from './recollection.ts'

type Change = Pick<Variation, 'rules' | 'wire' | 'server'>

const SCENARIO = 'tokens/an-exchange'
const FACTS = { environment: 'sandbox', now: new Date('2026-01-05T09:00:00Z') }

const untouched = (change: Change, questions: readonly Question[], exchanges: readonly WireExchange[] = []) =>
  isUntouchedBy(change, new Map([[SCENARIO, { questions, exchanges }]]))(SCENARIO)

const drawn = (answer: string): Question => ({
  rule: 'newCode',
  facts: { ...FACTS },
  answer,
  factsAfter: { ...FACTS },
})

/** Wrong about its third code alone. */
const thirdIsEmpty = (lawful: Rules): Partial<Rules> => {
  let codes = 0
  return { newCode: (facts) => ((codes += 1) === 3 ? '' : lawful.newCode(facts)) }
}

test('a bank that is wrong later than a scenario goes is untouched, though what it draws is random', async () => {
  expect(await untouched({ rules: thirdIsEmpty }, [drawn('a'), drawn('b')])).toBe(true)
  expect(await untouched({ rules: thirdIsEmpty }, [drawn('a'), drawn('b'), drawn('c')])).toBe(false)
})

test('rules that are replaced together are asked in the order in which they were', async () => {
  const rules = (lawful: Rules): Partial<Rules> => {
    let isConsented = false
    return {
      newCode: (facts) => (isConsented ? '' : lawful.newCode(facts)),
      newConsentId: (facts) => {
        isConsented = true
        return lawful.newConsentId(facts)
      },
    }
  }
  const consent: Question = { ...drawn('c'), rule: 'newConsentId' }
  expect(await untouched({ rules }, [drawn('a'), drawn('b'), consent])).toBe(true)
  expect(await untouched({ rules }, [drawn('a'), consent, drawn('b')])).toBe(false)
})

test('a lawful rule that is asked something else draws anew', async () => {
  const rules = (lawful: Rules): Partial<Rules> => ({
    newCode: (facts) => lawful.newCode({ ...facts, now: new Date(0) }),
  })
  expect(await untouched({ rules }, [drawn('a')])).toBe(false)
})

test('a rule that a scenario never asks leaves it alone', async () => {
  expect(await untouched({ rules: { newConsentId: () => '' } }, [drawn('a')])).toBe(true)
})

test('a rule that alters what it is told is not the lawful one', async () => {
  const rules = (lawful: Rules): Partial<Rules> => ({
    newCode: (facts) => {
      Object.assign(facts, { environment: 'production' })
      return lawful.newCode(facts)
    },
  })
  expect(await untouched({ rules }, [drawn('a')])).toBe(false)
})

test('a question that cannot be asked again, and a scenario that nobody has seen, count as different', async () => {
  const rules = { newCode: lawfulRules.newCode }
  expect(await untouched({ rules }, [{ ...drawn('a'), facts: Symbol('unrepeatable') }])).toBe(false)
  expect(await isUntouchedBy({ rules }, new Map())(SCENARIO)).toBe(false)
})

const sent = (more: Partial<WireExchange> = {}): WireExchange => ({
  method: 'POST',
  url: 'http://bank.example/token',
  headers: [['content-type', 'application/json']],
  body: '{"a":1}',
  status: 200,
  answerHeaders: [['content-type', 'application/json']],
  answer: '{"b":2}',
  ...more,
})

const asked =
  (more: (request: Request) => Request): Wire =>
  (next) =>
  (request) =>
    next(more(request))
const answered =
  (more: (response: Response) => Response | Promise<Response>): Wire =>
  (next) =>
  async (request) =>
    more(await next(request))

test.each<[string, boolean, Wire]>([
  ['hands everything on', true, (next) => next],
  [
    'reads copies',
    true,
    (next) => async (request) => {
      await request.clone().text()
      const response = await next(request)
      await response.clone().text()
      return response
    },
  ],
  [
    'makes the same message anew',
    true,
    answered(async (response) => new Response(await response.text(), response)),
  ],
  [
    'has a header more',
    false,
    answered((response) => {
      response.headers.set('x-more', '1')
      return response
    }),
  ],
  [
    'has another body',
    false,
    answered(({ status, headers }) => new Response('{"b":3}', { status, headers })),
  ],
  [
    'has another status',
    false,
    answered(({ body, headers }) => new Response(body, { status: 201, headers })),
  ],
  ['asks for something else', false, asked((request) => new Request(`${request.url}?c=3`, request))],
  [
    'says something else',
    false,
    asked(({ url, headers }) => new Request(url, { method: 'POST', headers, body: '{}' })),
  ],
  [
    'adds a header to the request',
    false,
    asked((request) => {
      request.headers.set('x-more', '1')
      return request
    }),
  ],
  ['answers by itself', false, () => async () => Response.json({ b: 2 })],
  [
    'asks twice',
    false,
    (next) => async (request) => {
      await next(request.clone())
      return next(request)
    },
  ],
  ['breaks down', false, () => () => Promise.reject(new Error('down'))],
])('a wire that %s leaves a scenario alone: %s', async (_, expected, wire) => {
  expect(await untouched({ wire }, [], [sent(), sent()])).toBe(expected)
})

test('an answer without a body can be given again', async () => {
  const nothing = sent({ status: 204, answerHeaders: [], answer: '' })
  expect(await untouched({ wire: (next) => next }, [], [nothing])).toBe(true)
})

test('a server with other habits is always tried', async () => {
  expect(await untouched({ server: { keepAlive: false } }, [])).toBe(false)
})
